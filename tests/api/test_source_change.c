/* The source changes while threads record: no pair has its ends on two clocks. */
#include "rows.h"
#include "thread_clock.h"
#include "threads.h"

enum { THREADS = 4, CHANGES = 300, PAIR_TICKS = 5 };

/* Shows the same moment on a clock that is far ahead, and on one that is far behind. */
static uint64_t far_now(void *context)
{
    return *(const uint64_t *)context + 1000 * thread_ticks;
}

static void add_far_source(const char *name, const uint64_t *at_zero)
{
    struct eprof_source source = {.size = sizeof source,
                                  .name = name,
                                  .now = far_now,
                                  .ticks_per_second = 1000000000,
                                  .flags = EPROF_SOURCE_PER_THREAD,
                                  .context = (void *)(uintptr_t)at_zero};
    assert_return_code(eprof_source_add(&source), errno);
}

static int instance;
static int is_over;
static uint64_t pairs; /* recorded by threads, with any source */

static void *record_till_the_end(void *unused)
{
    uint64_t own_pairs = 0;
    (void)unused;
    while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
        eprof_start(instance);
        thread_ticks += PAIR_TICKS;
        eprof_stop(instance);
        own_pairs++;
    }
    __atomic_fetch_add(&pairs, own_pairs, __ATOMIC_RELAXED);
    return NULL;
}

/* The row contains whole pairs of the source in use. */
static void assert_whole_pairs(uint64_t pair_ns)
{
    struct eprof_row row;
    if (take_rows(eprof_snapshot_take, "instance", "work", "*", &row) == 0)
        return;
    assert_int_equal(row.errors, 0);
    assert_in_range(row.calls, row.timed, UINT64_MAX);
    if (row.timed > 0) {
        assert_int_equal(row.min_ns, pair_ns);
        assert_int_equal(row.max_ns, pair_ns);
        assert_int_equal(row.total_ns % pair_ns, 0);
    }
}

TEST(pairs_across_a_change_of_source_are_nothing)
{
    static const uint64_t ahead = UINT64_C(1) << 50, behind = 0;
    static const char *const names[] = {"thread", "ahead", "behind"};
    static const uint64_t pair_ns[] = {PAIR_TICKS, 1000 * PAIR_TICKS, 1000 * PAIR_TICKS};
    pthread_t threads[THREADS];
    thread_clock_use();
    add_far_source("ahead", &ahead);
    add_far_source("behind", &behind);
    instance = eprof_alloc("work");
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_till_the_end, NULL), 0);
    for (int i = 0; i < CHANGES; i++) {
        assert_return_code(eprof_source_use(names[i % 3]), errno);
        assert_whole_pairs(pair_ns[i % 3]);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "instance", "work", "*", &row);
    assert_int_equal(row.open, 0);
    assert_int_equal(row.timed, row.calls);
    assert_int_equal(row.total_ns, row.calls * pair_ns[(CHANGES - 1) % 3]);
    assert_in_range(row.calls, 0, pairs);
    assert_int_equal(count_rows("diagnostic"), 0);
}
