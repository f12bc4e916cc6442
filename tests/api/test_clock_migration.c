/*
 * Threads that are moved to another processor between start and stop, with each built-in clock: no
 * clock goes back, and the measured times fit into the time that has passed.
 *
 * test_clock_migration [TIMES]: the number of moves for each clock. With 10,000 it is a long test.
 */
#include "clock_report.h"
#include "figures.h"
#include "scope_row.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

static long times = 2000;
static cpu_set_t all;
static int instance;

/* Moves this thread to the next processor that the process may use, and from the last to the
 * first. */
static void move(void)
{
    cpu_set_t one;
    int processor = sched_getcpu();
    do
        processor = (processor + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(processor, &all));
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    assert_return_code(sched_setaffinity(0, sizeof one, &one), errno);
    assert_int_equal(sched_getcpu(), processor);
}

/* Records during `times` moves, and returns how long they took. */
static uint64_t record(void)
{
    uint64_t began_ns = monotonic_ns();
    for (long i = 0; i < times; i++) {
        eprof_start(instance);
        uint64_t span = eprof_now();
        EPROF_BLOCK("outer")
        {
            EPROF_BLOCK("inner")
            move();
        }
        eprof_record(instance, span, eprof_now());
        eprof_stop(instance);
    }
    return monotonic_ns() - began_ns;
}

static void assert_fits(const char *source, struct eprof_row row, uint64_t calls, uint64_t wall_ns)
{
    if (row.calls != calls || row.timed != calls || row.errors != 0 || row.total_ns > wall_ns)
        fail_msg("%s, %s: calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64 ", total %" PRIu64
                 " of %" PRIu64 " ns",
                 source, row.kind ? row.kind : "row", row.calls, row.timed, row.errors,
                 row.total_ns, wall_ns);
}

static void assert_moves_do_no_harm(const char *source)
{
    uint64_t calls = (uint64_t)times;
    assert_return_code(eprof_source_use(source), errno);
    assert_int_equal(eprof_setup("budget=off"), 0);
    eprof_init();
    instance = eprof_alloc("work");
    uint64_t wall_ns = record();
    /* a measured rate and a documented one agree to a thousandth; two clocks are read one after the
     * other; the time of day is in us */
    wall_ns += wall_ns / 1000 + 1000 * calls;
    struct eprof_row row = instance_row("work");
    row.total_ns /= 2; /* the pairs and the spans have the same length */
    assert_fits(source, row, 2 * calls, wall_ns);
    assert_fits(source, scope_row("outer"), calls, wall_ns);
    assert_fits(source, scope_row("outer;inner"), calls, wall_ns);
    assert_reports_are_sane(wall_ns);
    assert_diagnostics("");
    print_message("%s: %ld moves, %" PRIu64 " of %" PRIu64 " ns\n", source, times,
                  scope_row("outer;inner").total_ns, wall_ns);
}

/* If the counter differs between processors, the kernel keeps time by another clock, and so does
 * the library: then the counter may go back. */
TEST(counter_is_the_same_everywhere)
{
    assert_return_code(eprof_source_use("auto"), errno);
    if (strcmp(eprof_source_name(), "clock_gettime") == 0)
        print_message("the counter is not trusted here\n");
    assert_moves_do_no_harm("auto");
}

#if defined(__aarch64__)
#define ORDERED "cntvct_ordered"
#else
#define ORDERED "rdtsc_ordered"
#endif

TEST(ordered_counter_is_the_same_everywhere)
{
    assert_return_code(eprof_source_use("auto"), errno);
    if (strcmp(eprof_source_name(), "clock_gettime") != 0 && eprof_source_use(ORDERED) == 0)
        assert_moves_do_no_harm(ORDERED);
}

TEST(clock_gettime_is_the_same_everywhere)
{
    assert_moves_do_no_harm("clock_gettime");
}

TEST(gettimeofday_is_the_same_everywhere)
{
    assert_moves_do_no_harm("gettimeofday");
}

TEST(thread_cputime_is_the_same_everywhere)
{
    assert_moves_do_no_harm("thread_cputime");
}

TEST_RUN()
{
    if (test_argument)
        times = strtol(test_argument, NULL, 10);
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2)
        return 77;
    return tests_run("clock_migration", NULL, NULL);
}
