#include "support/made_snapshot.h"

TEST(openmetrics_is_as_its_golden_file)
{
    assert_golden(make_empty, "openmetrics", "empty.openmetrics");
    assert_golden(make_mixed, "openmetrics", "mixed.openmetrics");
    assert_golden_tree(make_both, "openmetrics:summary", "summary.openmetrics");
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

/* The report of one row in which all figures are different. */
static char *reported_figures(struct ep_snapshot_options options)
{
    struct made made;
    struct eprof_row row = instance(0, "a");
    row.calls = 1, row.timed = 200, row.errors = 3, row.open = 4;
    row.total_ns = UINT64_C(5000000006), row.self_ns = 7;
    row.min_ns = 9, row.p50_ns = 100, row.p90_ns = 251, row.p99_ns = 12345678;
    row.p999_ns = UINT64_C(10000000000), row.max_ns = UINT64_MAX;
    made.rows[0] = row;
    make(&made, 1, 0);
    made.snapshot.options = options;
    return reported(&made.snapshot, "openmetrics");
}

TEST(openmetrics_has_every_figure_in_its_place)
{
    static const char *const lines[] = {
        "# TYPE eprof_instance_seconds histogram",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"1e-07\"} 100",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"2.5e-07\"} 100",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"5e-07\"} 180",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"0.01\"} 180",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"0.025\"} 198",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"5.0\"} 198",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"10.0\"} 200",
        "eprof_instance_seconds_bucket{name=\"a\",le=\"+Inf\"} 200",
        "eprof_instance_seconds_sum{name=\"a\"} 5.000000006",
        "eprof_instance_seconds_count{name=\"a\"} 200",
        "eprof_instance_calls_total{name=\"a\"} 1",
        "eprof_instance_errors_total{name=\"a\"} 3",
        "eprof_instance_open{name=\"a\"} 4",
    };
    char *text = reported_figures((struct ep_snapshot_options){.threads = false});
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_has_line(text, lines[i]);
    assert_says_nothing_of(text, "self");
    assert_says_nothing_of(text, "quantile");
}

/* Its bounds in seconds and in ticks are the same numbers, and those of the snapshot. */
TEST(openmetrics_has_the_same_ladder_in_each_unit)
{
    const char *at[] = {reported_figures((struct ep_snapshot_options){.threads = false}),
                        reported_figures((struct ep_snapshot_options){.ticks = true})};
    const double in_bounds[] = {1e9, 1};
    for (int unit = 0; unit < 2; unit++) {
        for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++) {
            at[unit] = strstr(at[unit], ",le=\"");
            assert_non_null(at[unit]);
            at[unit] += strlen(",le=\"");
            double bound = strtod(at[unit], NULL) * in_bounds[unit];
            if (bound < (double)ep_ladder_bound_ns(i) * 0.999999 ||
                bound > (double)ep_ladder_bound_ns(i) * 1.000001)
                fail_msg("bound %u is %llu, and %.10s is %g", i,
                         (unsigned long long)ep_ladder_bound_ns(i), at[unit], bound);
        }
        assert_int_equal(count_of(at[unit], ",le=\""), 1);
        assert_non_null(strstr(at[unit], ",le=\"+Inf\""));
    }
}

TEST(openmetrics_has_a_summary_on_request)
{
    static const char *const lines[] = {
        "# TYPE eprof_instance_seconds summary",
        "eprof_instance_seconds{name=\"a\",quantile=\"0\"} 0.000000009",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.5\"} 0.000000100",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.9\"} 0.000000251",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.99\"} 0.012345678",
        "eprof_instance_seconds{name=\"a\",quantile=\"0.999\"} 10.000000000",
        "eprof_instance_seconds{name=\"a\",quantile=\"1\"} 18446744073.709551615",
        "eprof_instance_seconds_sum{name=\"a\"} 5.000000006",
        "eprof_instance_seconds_count{name=\"a\"} 200",
    };
    char *text = reported_figures((struct ep_snapshot_options){.summaries = true});
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_has_line(text, lines[i]);
    assert_says_nothing_of(text, "bucket");
    assert_says_nothing_of(text, "histogram");
}

TEST(openmetrics_alone_has_summaries)
{
    struct ep_snapshot_options options;
    const char *const known[] = {"openmetrics:summary", "openmetrics:threads:summary:raw"};
    const char *const unknown[] = {"csv:summary", "tree:summary", "openmetrics:summaries"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_non_null(ep_report_find(known[i], strlen(known[i]), &options));
        assert_true(options.summaries);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_null(ep_report_find(unknown[i], strlen(unknown[i]), &options));
    assert_non_null(ep_report_find("openmetrics", strlen("openmetrics"), &options));
    assert_false(options.summaries);
}

/* Calls on the ladder can be added up. Quantiles of two instances cannot be computed from those of
 * each; without calls there are none. */
TEST(openmetrics_adds_up_equal_labels)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", 1, 1000);
    made.rows[1] = even_instance(1, "a", 2, 2000);
    made.rows[2] = instance(2, "b");
    made.rows[2].open = 1;
    make(&made, 3, 0);
    char *text = reported(&made.snapshot, "openmetrics");
    assert_has_line(text, "eprof_instance_seconds_bucket{name=\"a\",le=\"5e-07\"} 0");
    assert_has_line(text, "eprof_instance_seconds_bucket{name=\"a\",le=\"1e-06\"} 1");
    assert_has_line(text, "eprof_instance_seconds_bucket{name=\"a\",le=\"2.5e-06\"} 3");
    assert_has_line(text, "eprof_instance_seconds_bucket{name=\"b\",le=\"+Inf\"} 0");
    made.snapshot.options.summaries = true;
    text = reported(&made.snapshot, "openmetrics");
    assert_says_nothing_of(text, "quantile");
    assert_has_line(text, "eprof_instance_seconds_sum{name=\"a\"} 0.000005000");
    assert_has_line(text, "eprof_instance_seconds_count{name=\"a\"} 3");
    assert_has_line(text, "eprof_instance_seconds_sum{name=\"b\"} 0.000000000");
}

/* The sum divided by its count is a mean. */
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

TEST(openmetrics_leaves_out_parents_of_chosen_rows)
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

TEST(openmetrics_leaves_out_unknown_figures)
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
