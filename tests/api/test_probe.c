/* The cost of the probe is subtracted, and `raw` shows it. */
#include "hand_clock.h"
#include "rows.h"
#include "scope_row.h"

#include <stdio.h>

/* A clock of which each read takes this long: start and stop read it once each, so an empty pair
 * has this length. */
enum { READ_TICKS = 10 };

static uint64_t advancing_now(void *context)
{
    (void)context;
    hand_ticks += READ_TICKS;
    return hand_ticks;
}

static int instance;

static int begin_test(void **state)
{
    (void)state;
    clock_take("advancing", advancing_now, 500000000);
    eprof_init();
    instance = eprof_alloc("work");
    return 0;
}

static void record(uint64_t ticks)
{
    eprof_start(instance);
    hand_ticks += ticks;
    eprof_stop(instance);
}

/* The field in `column` of a report's only row, which has no quotes in it. */
static uint64_t field(const char *format, const char *column)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_return_code(eprof_report(out, format), errno);
    assert_int_equal(fclose(out), 0);
    char *rest = text, *names = strsep(&rest, "\n"), *values = strsep(&rest, "\n");
    char *name, *value;
    do {
        name = strsep(&names, ",");
        value = strsep(&values, ",");
    } while (name && value && strcmp(name, column) != 0);
    if (!name || !value)
        fail_msg("%s has no %s", format, column);
    uint64_t number = strtoull(value, NULL, 10);
    free(text);
    return number;
}

TEST(empty_pair_reads_nothing_and_raw_shows_what_it_read)
{
    for (int i = 0; i < 100; i++)
        record(0);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 100, 0);
    assert_int_equal(row.self_ns, 0);
    assert_int_equal(row.mean_ns, 0);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.p50_ns, 0);
    assert_int_equal(row.max_ns, 0);
    assert_int_equal(field("csv:raw", "calls"), 100);
    assert_int_equal(field("csv:raw", "total_ns"), 100 * READ_TICKS * 2); /* a tick is 2 ns */
    assert_int_equal(field("csv:raw", "mean_ns"), READ_TICKS * 2);
    assert_int_equal(field("csv:raw", "min_ns"), READ_TICKS * 2);
    assert_int_equal(field("csv:raw", "max_ns"), READ_TICKS * 2);
}

TEST(probe_is_taken_off_each_timed_call)
{
    record(1000);
    record(3000);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 2, 8000);
    assert_int_equal(row.self_ns, 8000);
    assert_int_equal(row.mean_ns, 4000);
    assert_int_equal(row.stddev_ns, 2000); /* a constant cost has no variation */
    assert_int_equal(row.min_ns, 2000);
    assert_int_equal(row.max_ns, 6000);
    assert_int_equal(field("csv:raw", "total_ns"), 8000 + 2 * READ_TICKS * 2);
    assert_int_equal(field("csv:raw", "stddev_ns"), 2000);
    assert_int_equal(field("csv:raw", "min_ns"), 2000 + READ_TICKS * 2);
    assert_int_equal(field("csv:raw", "max_ns"), 6000 + READ_TICKS * 2);
}

TEST(ticks_are_corrected_too_unless_raw)
{
    record(1000);
    assert_int_equal(field("csv:ticks", "total_ticks"), 1000);
    assert_int_equal(field("csv:ticks:raw", "total_ticks"), 1000 + READ_TICKS);
}

/* The pair is shorter than the cost of the probe, as on a clock that stood still for a while. */
TEST(pair_shorter_than_the_probe_is_zero_and_not_negative)
{
    record((uint64_t)-READ_TICKS);
    struct eprof_row row = instance_row("work");
    assert_figures(row, 1, 0);
    assert_int_equal(row.min_ns, 0);
    assert_int_equal(row.max_ns, 0);
    assert_int_equal(field("csv:raw", "total_ns"), 0);
}

TEST(recursive_pair_is_corrected_once)
{
    eprof_start(instance);
    eprof_start(instance); /* inside: reads no clock at its start, but at its stop */
    eprof_stop(instance);
    hand_ticks += 500;
    eprof_stop(instance);
    uint64_t raw_ns = field("csv:raw", "total_ns");
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.timed, 1);
    assert_int_equal(row.total_ns, raw_ns - READ_TICKS * 2);
}

static void child_of(uint64_t ticks)
{
    EPROF_SCOPE("child");
    hand_ticks += ticks;
}

static void parent_of(int children, uint64_t child_ticks, uint64_t own_ticks)
{
    EPROF_SCOPE("parent");
    hand_ticks += own_ticks / 2;
    for (int i = 0; i < children; i++)
        child_of(child_ticks);
    hand_ticks += own_ticks / 2;
}

/* The same check as tests/honesty makes with the real clock: 10 us of its own around 1,000 calls of
 * 100 ns. */
TEST(children_and_their_probes_cost_their_parent_no_time)
{
    parent_of(1000, 50, 5000);
    struct eprof_row parent = scope_row("parent"), child = scope_row("parent;child");
    assert_int_equal(child.calls, 1000);
    assert_int_equal(child.mean_ns, 100);
    assert_int_equal(child.total_ns, 100000);
    assert_int_equal(parent.self_ns, 10000);
    assert_int_equal(parent.total_ns, 110000);
}

/* A source without a cost of its own comes after one with a cost: none of that cost must remain. */
TEST(cost_is_measured_anew_for_another_source)
{
    record(1000);
    assert_int_equal(instance_row("work").total_ns, 2000);
    hand_clock_use();
    record(1000);
    assert_int_equal(instance_row("work").total_ns, 1000);
    assert_int_equal(field("csv:raw", "total_ns"), 1000);
}

TEST_EACH(begin_test, NULL)
