/* What the figures of the reports for people say, and where they say that nothing is known. */
#include "calls.h"
#include "report_line.h"
#include "rows.h"
#include "threads.h"

#include <inttypes.h>
#include <time.h>

/* ------------------------------------------------------------------- recursion -- */

static uint64_t fib(int n)
{
    EPROF_FUNC;
    pass(1);
    return n < 2 ? (uint64_t)n : fib(n - 1) + fib(n - 2);
}

/* 21,891 ticks each. */
TEST(recursive_row_adds_up)
{
    fib(20);
    fib(20);
    assert_contains(report_line("tree", "calls"), " calls  outermost ");
    assert_contains(report_line("tree", "fib "), " 43782          2 ");
    assert_contains(report_line("tree", "fib "), " 43.8 us ");
    assert_contains(report_line("tree", "fib "), " 2 x 21.9 us ");
    assert_contains(report_line("table", "fib "), " 43782 ");
    assert_contains(report_line("table", "usec/call"), " timed");
}

TEST(outermost_calls_are_no_column_without_recursion)
{
    fib(1);
    scope_of("once", 100);
    assert_string_equal(report_line("tree", "outermost"), "no line");
    assert_string_equal(report_line("table", "outermost"), "no line");
    assert_string_equal(report_line("tree", " x "), "no line");
}

TEST(calls_of_a_row_without_recursion_are_outermost)
{
    fib(2);
    scope_of("once", 100);
    assert_contains(report_line("tree", "once "), " 1          1  100 ns ");
}

/* The total has the time of the open call, too: it is no product. */
TEST(open_recursion_has_a_plain_mean)
{
    for (int i = 0; i < 2; i++) {
        eprof_enter("again");
        pass(10);
        eprof_enter("again");
        eprof_leave();
    }
    const char *line = report_line("tree", "again ");
    assert_contains(line, " 20 ns ");
    assert_null(strstr(line, " x "));
    eprof_leave();
    eprof_leave();
    assert_contains(report_line("tree", "again "), " 1 x 20 ns ");
}

/* -------------------------------------------------- figures that are not known -- */

static void many(int calls)
{
    for (int i = 0; i < calls; i++)
        scope_of("many", 100);
}

TEST(percentiles_of_few_calls_are_dashes)
{
    many(1);
    assert_contains(report_line("tree", "many "), " 100 ns    -    -  100 ns");
    many(1);
    assert_contains(report_line("tree", "many "), " 100 ns  100 ns    -  100 ns");
    many(98);
    assert_contains(report_line("tree", "many "), " 100 ns  100 ns  100 ns  100 ns");
    assert_contains(report_line("table", "many "), " 100 ns  100 ns  100 ns      -  100 ns");
}

/* Figures of these formats are integers: `timed` says how far to trust them. */
TEST(percentiles_of_few_calls_are_integers_for_programs)
{
    many(1);
    assert_contains(report_line("csv", "many"), ",100,100,0,100,100,100,100,100,100,");
    assert_contains(report_line("json", "many"), "\"p99_ns\":100,");
}

/* A clock of which each read takes this long, so that a pair has a cost. */
enum { READ_TICKS = 10 };

static uint64_t advancing_now(void *context)
{
    (void)context;
    hand_ticks += READ_TICKS;
    return hand_ticks;
}

TEST(time_that_only_probes_took_is_less_than_one)
{
    clock_take("advancing", advancing_now, 1000000000);
    EPROF_SCOPE("all");
    for (int i = 0; i < 3; i++) {
        eprof_enter("around");
        hand_ticks -= 2 * READ_TICKS; /* probes that were faster than on the average */
        scope_of("inside", 1000);
        scope_of("inside", 1000); /* with the calls of "around" it would share a line with it */
        eprof_leave();
    }
    const char *line = report_line("tree", "around ");
    assert_contains(line, " <1 probe  0.0 % ");
    assert_null(strstr(line, " 0 ns"));
    assert_contains(report_line("html", "around</bdi>"), "<data value=\"0\">&#60;1 probe</data>");
    assert_contains(report_line("csv", "around"), ",0,"); /* integers */
    assert_string_equal(report_line("tree:raw", "<1 probe"), "no line");
}

/* ------------------------------------------------------------ the head of a report -- */

static void scope_there(void *unused)
{
    (void)unused;
    scope_of("there", 100);
}

/* The number after `name` in json; EPROF_UNKNOWN for null. */
static uint64_t head_of(const char *name)
{
    char member[64];
    snprintf(member, sizeof member, "\"%s\":", name);
    const char *line = report_line("json", member), *found = strstr(line, member);
    if (!found)
        fail_msg("%s is not in %s", member, line);
    found += strlen(member);
    return strncmp(found, "null", 4) == 0 ? EPROF_UNKNOWN : strtoull(found, NULL, 10);
}

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

TEST(wall_time_is_that_since_the_reset)
{
    uint64_t before_ns = monotonic_ns();
    eprof_reset();
    uint64_t after_ns = monotonic_ns();
    while (monotonic_ns() == after_ns)
        ;
    uint64_t least_ns = monotonic_ns() - after_ns;
    uint64_t wall_ns = head_of("wall_ns");
    assert_in_range(wall_ns, least_ns, monotonic_ns() - before_ns);
    assert_true(head_of("wall_ns") >= wall_ns);
}

TEST(processor_time_grows)
{
    uint64_t first_ns = head_of("cpu_ns");
    assert_true(first_ns != EPROF_UNKNOWN);
    assert_true(head_of("cpu_ns") >= first_ns);
    assert_contains(report_line("tree", "wall time "), ", processor time ");
}

static uint64_t process_cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t busy_now(void *context)
{
    static uint64_t ticks;
    (void)context;
    for (volatile int i = 0; i < 20000; i++)
        ;
    return __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED);
}

/* With a slow clock this takes almost all of the time of the first report. */
TEST(time_of_measuring_the_probe_is_left_out)
{
    const struct eprof_source busy = {
        .size = sizeof busy, .name = "busy", .now = busy_now, .ticks_per_second = 1000000};
    assert_int_equal(eprof_source_add(&busy), 0);
    assert_int_equal(eprof_source_use("busy"), 0);
    uint64_t before_ns = process_cpu_ns();
    uint64_t first_ns = head_of("cpu_ns");
    uint64_t took_ns = process_cpu_ns() - before_ns;
    uint64_t counted_ns = head_of("cpu_ns") - first_ns;
    if (counted_ns > took_ns / 2)
        fail_msg("of %" PRIu64 " ns %" PRIu64 " ns count", took_ns, counted_ns);
}

TEST(head_says_how_many_threads_were_in_scopes)
{
    scope_of("here", 100);
    assert_contains(report_line("tree", "wall time "), ", 1 thread");
    on_a_thread(scope_there, NULL);
    assert_contains(report_line("tree", "wall time "), ", 2 threads");
    eprof_reset();
    assert_null(strstr(report_line("tree", "wall time "), "thread"));
}

/* Each call is timed: two readings of the clock. */
TEST(overhead_is_what_all_probes_cost)
{
    clock_take("advancing", advancing_now, 1000000000);
    int id = eprof_alloc("pair");
    assert_ns(head_of("overhead_ns"), 0);
    for (int i = 0; i < 7; i++)
        scope_of("scope", 1000);
    assert_ns(head_of("overhead_ns"), 7 * 2 * READ_TICKS);
    for (int i = 0; i < 5; i++)
        pair_of(id, 1000);
    assert_ns(head_of("overhead_ns"), 12 * 2 * READ_TICKS);
    assert_contains(report_line("tree", "overhead "), "overhead of profiling 240 ns, ");
    assert_contains(report_line("tree:raw", "overhead "), "overhead of profiling 240 ns, ");
    assert_contains(report_line("tree:ticks", "overhead "), "overhead of profiling 240 ns, ");
    assert_contains(report_line("html", "overhead of profiling"), "240 ns, ");
    assert_contains(report_line("table", "overhead "), "overhead of profiling 240 ns, ");
    eprof_reset();
    assert_ns(head_of("overhead_ns"), 0);
}

/* Each reading takes 100 us, so that the probes take longer than the process. */
static uint64_t slow_now(void *context)
{
    (void)context;
    hand_ticks += 100000;
    return hand_ticks;
}

TEST(regions_that_cost_most_are_named_if_that_is_much)
{
    clock_take("advancing", advancing_now, 1000000000);
    scope_of("once", 1000);
    assert_string_equal(report_line("tree", "cost most"), "no line");
    clock_take("slow", slow_now, 1000000000);
    for (int i = 0; i < 3000; i++)
        scope_of("twice or more", 1000);
    for (int i = 0; i < 5000; i++)
        scope_of("often", 1000);
    assert_string_equal(report_line("tree", "cost most"),
                        "the scopes that cost most by their number of calls:");
    assert_string_equal(report_line("tree", "  often"), "  often, twice or more");
}

TEST_EACH(hand_clock_begin, NULL)
