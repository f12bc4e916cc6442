#include "support/made_snapshot.h"

TEST(openmetrics_is_as_its_golden_file)
{
    assert_golden(make_empty, "openmetrics", "empty.openmetrics");
    assert_golden(make_mixed, "openmetrics", "mixed.openmetrics");
    assert_golden(make_threads, "openmetrics", "threads.openmetrics");
    assert_golden(make_ticks, "openmetrics", "ticks.openmetrics");
    assert_golden(make_hostile, "openmetrics", "hostile.openmetrics");
    assert_golden_tree(make_both, "openmetrics", "scopes.openmetrics");
    assert_golden_tree(make_hostile_tree, "openmetrics", "scopes-hostile.openmetrics");
}

static void assert_has_line(const char *text, const char *line)
{
    if (!has_line(text, line))
        fail_msg("no line \"%s\" in\n%s", line, text);
}

static void assert_says_nothing_of(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("\"%s\" is in\n%s", words, text);
}

TEST(openmetrics_has_every_figure_in_its_place)
{
    static const char *const lines[] = {
        "eprof_instance_seconds{name=\"a\",quantile=\"0\"} 0.000000009",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.5\"} 0.000000010",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.9\"} 0.000000011",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.99\"} 0.000000012",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.999\"} 0.000000013",
        "eprof_instance_seconds{name=\"a\",quantile=\"1\"} 18446744073.709551615",
        "eprof_instance_seconds_sum{name=\"a\"} 5.000000006",
        "eprof_instance_seconds_count{name=\"a\"} 2",
        "eprof_instance_calls_total{name=\"a\"} 1",
        "eprof_instance_errors_total{name=\"a\"} 3",
        "eprof_instance_open{name=\"a\"} 4",
    };
    struct made made;
    struct eprof_row row = instance(0, "a");
    row.calls = 1, row.timed = 2, row.errors = 3, row.open = 4;
    row.total_ns = UINT64_C(5000000006), row.self_ns = 7;
    row.min_ns = 9, row.p50_ns = 10, row.p90_ns = 11, row.p99_ns = 12, row.p999_ns = 13;
    row.max_ns = UINT64_MAX;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "openmetrics");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_has_line(text, lines[i]);
    assert_says_nothing_of(text, "self");
}

/* Quantiles of two instances cannot be computed from those of each; without calls there are
 * none. */
TEST(openmetrics_has_quantiles_of_single_rows_alone)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", 1, 1000);
    made.rows[1] = even_instance(1, "a", 2, 2000);
    made.rows[2] = instance(2, "b");
    made.rows[2].open = 1;
    make(&made, 3, 0);
    char *text = reported(&made.snapshot, "openmetrics");
    assert_says_nothing_of(text, "quantile");
    assert_has_line(text, "eprof_instance_seconds_sum{name=\"a\"} 0.000005000");
    assert_has_line(text, "eprof_instance_seconds_count{name=\"a\"} 3");
    assert_has_line(text, "eprof_instance_seconds_sum{name=\"b\"} 0.000000000");
}

/* The sum of a summary divided by its count is a mean. */
TEST(openmetrics_counts_the_calls_that_an_estimated_total_represents)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 64, 6400);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    struct eprof_row *row = &snapshot->rows[0];
    row->timed = 1, row->outermost = 60, row->errors = 2, row->estimated = 1;
    char *text = reported(snapshot, "openmetrics");
    assert_has_line(text, "eprof_scope_seconds_count{kind=\"scope\",name=\"a\",path=\"a\"} 58");
}

static struct eprof_row cpu_instance(int id, const char *name, uint64_t cpu_ns, uint64_t wait_ns)
{
    struct eprof_row row = instance(id, name);
    row.cpu_ns = cpu_ns, row.wait_ns = wait_ns;
    return row;
}

TEST(openmetrics_has_processor_time_and_waiting_where_it_is_known)
{
    struct made made;
    made.rows[0] = cpu_instance(0, "a", 3, 40);
    made.rows[1] = cpu_instance(1, "b", 5, 60);
    made.rows[2] = cpu_instance(2, "a", 7, 80);
    made.rows[3] = cpu_instance(3, "b", EPROF_UNKNOWN, EPROF_UNKNOWN);
    make(&made, 4, 0);
    made.snapshot.conversion.has_cpu = true;
    char *text = reported(&made.snapshot, "openmetrics");
    assert_has_line(text, "# TYPE eprof_instance_cpu_seconds_total counter");
    assert_has_line(text, "# TYPE eprof_instance_wait_seconds_total counter");
    assert_has_line(text, "eprof_instance_cpu_seconds_total{name=\"a\"} 0.000000010");
    assert_has_line(text, "eprof_instance_wait_seconds_total{name=\"a\"} 0.000000120");
    assert_says_nothing_of(text, "cpu_seconds_total{name=\"b\"}");
    assert_says_nothing_of(text, "wait_seconds_total{name=\"b\"}");
    made.snapshot.options.ticks = true;
    assert_has_line(reported(&made.snapshot, "openmetrics"),
                    "eprof_instance_cpu_ticks_total{name=\"a\"} 10");
}

TEST(openmetrics_leaves_out_what_is_only_around)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 10);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->positions[0].is_around = true;
    char *text = reported(snapshot, "openmetrics");
    assert_says_nothing_of(text, "path=\"a\"");
    assert_has_line(text, "eprof_scope_calls_total{kind=\"scope\",name=\"b\",path=\"a;b\"} 1");
}

TEST(openmetrics_does_not_invent_what_is_not_known)
{
    struct made made;
    make_empty(&made);
    made.snapshot.resolution_ns = made.snapshot.pair_ns = made.snapshot.inside_ns = 0;
    char *text = reported(&made.snapshot, "openmetrics");
    assert_says_nothing_of(text, "resolution");
    assert_says_nothing_of(text, "probe");
    assert_says_nothing_of(text, "start_time");
    assert_says_nothing_of(text, "sampled");
    assert_says_nothing_of(text, "holds");
    assert_says_nothing_of(text, "cpu");
    assert_says_nothing_of(text, "wait");
    assert_says_nothing_of(text, "children");
    made.snapshot.function_pair_ns = 1.5;
    made.snapshot.sampled_count = 3;
    made.snapshot.notes = (struct ep_notes){.holds_kept = 12, .holds_ended = 3401, .missing = 4};
    made.snapshot.command = "./server --port 80";
    made.snapshot.process_id = 4711;
    made.snapshot.realtime_ns = UINT64_C(1795307910123456789);
    text = reported(&made.snapshot, "openmetrics");
    assert_has_line(text, "eprof_info{source=\"rdtsc\",raw=\"false\","
                          "command=\"./server --port 80\",process_id=\"4711\"} 1");
    assert_has_line(text, "eprof_start_time_seconds 1795307910.123456789");
    assert_has_line(text, "eprof_probe_pair_seconds{kind=\"function\"} 1.500000e-9");
    assert_has_line(text, "eprof_sampled_regions 3");
    assert_has_line(text, "eprof_holds_total{result=\"kept\"} 12");
    assert_has_line(text, "eprof_holds_total{result=\"dropped\"} 3389");
    assert_has_line(text, "eprof_forked_children 4");
}
