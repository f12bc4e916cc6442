#include "support/made_diff.h"

#include "report_diff/format.h"
#include "support/written.h"

static void assert_said(void (*say)(struct ep_output *out, const struct ep_diff *diff),
                        const struct ep_diff *diff, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    say(&memory.out, diff);
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
}

TEST(counts_are_of_each_kind)
{
    struct made_diff made;
    make_servers(&made);
    struct ep_report_diff_counts counts = ep_report_diff_format_count(&made.diff);
    assert_int_equal(counts.slower, 2);
    assert_int_equal(counts.faster, 4);
    assert_int_equal(counts.no_evidence, 6);
    assert_int_equal(counts.unknown, 1);
    assert_int_equal(counts.added, 2);
    assert_int_equal(counts.gone, 2);
    assert_said(
        ep_report_diff_format_summary_found, &made.diff,
        "2 regions slower, 4 faster, 6 without evidence, 1 in too few files, 2 new, 2 gone");
    make_hostile_pair(&made);
    assert_said(ep_report_diff_format_summary_found, &made.diff, "10 regions on both sides, 1 new");
}

TEST(one_region_is_no_regions)
{
    struct made_diff made = {.files = {9, 9}};
    assert_said(ep_report_diff_format_summary_found, made_compare(&made), "no regions");
    assert_said(ep_report_diff_format_summary_trust, &made.diff, "no region is on both sides");

    static const struct made_interval slower[] = {{"main", 1.1, 1.2}, {NULL, 0, 0}};
    made = (struct made_diff){.files = {9, 9}, .intervals = slower};
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "main", 1, MS);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "main", 1, MS);
    assert_said(ep_report_diff_format_summary_found, made_compare(&made), "1 region slower");
    assert_said(ep_report_diff_format_summary_trust, &made.diff,
                "the interval holds with a probability of 95 %");
}

TEST(title_names_the_judged_figure_and_counts_the_files)
{
    static const struct {
        const char *by, *title;
    } cases[] = {{"total", "total time of a run, 1 file before, 1 after"},
                 {"self", "self time of a run, 1 file before, 1 after"},
                 {"mean", "mean time of a call, 1 file before, 1 after"},
                 {"p99", "99th percentile of the calls, 1 file before, 1 after"}};
    struct made_diff made;
    make_server_pair(&made);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made.diff.options.by = ep_columns_find(cases[i].by);
        assert_said(ep_report_diff_format_summary_title, &made.diff, cases[i].title);
    }
    make_servers(&made);
    assert_said(ep_report_diff_format_summary_title, &made.diff,
                "total time of a run, 10 files before, 10 after, confidence 95 %");
}

TEST(trust_names_the_needed_files_or_the_confidence)
{
    struct made_diff made;
    make_server_pair(&made);
    assert_said(ep_report_diff_format_summary_trust, &made.diff,
                "verdicts on 13 regions take 7 files of each side: --before ... --after ...");
    made.diff.judged = 1;
    assert_said(ep_report_diff_format_summary_trust, &made.diff,
                "verdicts on 1 region take 7 files of each side: --before ... --after ...");
    make_servers(&made);
    assert_said(ep_report_diff_format_summary_trust, &made.diff,
                "the intervals of all 12 regions hold together with a probability of 95 %");
    for (size_t i = 0; i < made.diff.row_count; i++)
        made.diff.rows[i].verdict = EP_DIFF_UNKNOWN;
    assert_said(ep_report_diff_format_summary_trust, &made.diff,
                "no region is in enough files of both sides");
}
