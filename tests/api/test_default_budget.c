/*
 * The budget of a program that asks for none: 2 % of the time of each thread. The clock is the
 * processor's counter, or the one that the library uses in its place.
 *
 * A timed call is charged with 60 ns and two readings of the clock (record/sampling.c), so a thread
 * cannot have timed more calls than its time allows at 60 ns. This holds on each processor.
 */
#include "rows.h"
#include "sanitizer.h"
#include "threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 16, CALLS = TAKES_LONG ? 50000 : 500000, FEW = 50, LEAST_CHARGE_NS = 60 };

static int begin(void **state)
{
    (void)state;
    eprof_init();
    return 0;
}

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static __attribute__((noinline)) void visit(void)
{
    EPROF_FUNC;
    __asm__ volatile("");
}

static struct eprof_row visits_on(const char *thread)
{
    struct eprof_row row;
    size_t rows = take_rows(eprof_snapshot_take_threads, "scope", "visit", thread, &row);
    if (rows != 1)
        fail_msg("%zu rows for the thread %s", rows, thread);
    return row;
}

TEST(default_budget_times_each_of_few_calls)
{
    eprof_thread_enter("few");
    for (int i = 0; i < FEW; i++)
        visit();
    struct eprof_row row = visits_on("few");
    assert_int_equal(row.calls, FEW);
    assert_int_equal(row.timed, FEW);
    assert_false(row.estimated);
    assert_int_equal(row.total_error_ns, 0);
}

static uint64_t elapsed_ns[THREADS];

static void *visit_often(void *own_number)
{
    int number = (int)(intptr_t)own_number;
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    eprof_thread_enter(name);
    uint64_t begin_ns = monotonic_ns();
    for (int i = 0; i < CALLS; i++)
        visit();
    elapsed_ns[number] = monotonic_ns() - begin_ns;
    return NULL;
}

/* What a thread may time: 1 ms at its beginning, 2 % of its time, the first 8 calls of the path,
 * and then, without credit, one call of each block of 4,096 and of some shorter ones. */
static uint64_t most_timed(uint64_t thread_ns)
{
    uint64_t credit_ns = 1000000 + thread_ns / 50;
    return credit_ns / LEAST_CHARGE_NS + 8 + CALLS / 4096 + 100;
}

TEST(default_budget_holds_on_each_of_16_threads)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit_often, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        struct eprof_row row = visits_on(name);
        assert_int_equal(row.calls, CALLS);
        assert_int_equal(row.outermost, CALLS);
        if (row.timed < 8 || row.timed > most_timed(elapsed_ns[i]))
            fail_msg("thread %d timed %" PRIu64 " calls in %" PRIu64 " ns, at most %" PRIu64, i,
                     row.timed, elapsed_ns[i], most_timed(elapsed_ns[i]));
        /* a slow thread may time all of its calls */
        assert_int_equal(row.estimated, row.timed < row.calls);
    }
}

TEST_EACH(begin, NULL)
