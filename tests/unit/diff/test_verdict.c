/*
 * The verdict on each region of two sides of profiles that are made by hand, and the errors of
 * estimates in it
 */
#include "compared.h"

#include <math.h>

/* ---- verdicts ---- */

TEST(diff_finds_only_the_slower_regions)
{
    const struct sides sides = repeated(8, 10000);
    compare(&sides);
    assert_int_equal(diff->judged, 3);
    assert_true(ep_diff_has_verdicts(diff));
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "slower");
    assert_string_equal(ep_diff_verdict_word(row_of("main;write")), "no evidence");
    assert_true(row_of("main;parse")->ratio.low > 1.08);
    assert_true(row_of("main;parse")->ratio.high < 1.12);
    assert_int_equal(row_of("main")->verdict, EP_DIFF_SLOWER); /* the call of parse is in it */
    assert_ptr_equal(ep_diff_find_slower(diff, 5), row_of("main;parse"));
    assert_null(ep_diff_find_slower(diff, 20));
}

TEST(diff_finds_faster_regions_and_passes_the_gate)
{
    struct sides sides = repeated(8, 10000);
    struct sides turned = sides;
    memcpy(turned.before, sides.after, sizeof turned.before);
    memcpy(turned.after, sides.before, sizeof turned.after);
    compare(&turned);
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "faster");
    assert_true(row_of("main;write")->ratio.estimate < 1);
    assert_string_equal(ep_diff_verdict_word(row_of("main;write")), "no evidence");
    assert_null(ep_diff_find_slower(diff, 0));
}

TEST(diff_sorts_changes_with_evidence_before_larger_ones)
{
    struct sides sides = repeated(8, 10000);
    for (size_t i = 0; i < 8; i++) /* in most files more, but in some less */
        sides.after[i].write_ticks = i < 5 ? 150000 : 20000;
    compare(&sides);
    assert_string_equal(ep_diff_row_of(diff, &diff->rows[0])->name, "parse");
    assert_int_equal(diff->rows[1].verdict, EP_DIFF_NO_EVIDENCE);
    assert_true(diff->rows[1].change_ns > diff->rows[0].change_ns);
}

/* main is slower too, and by a larger time, since it contains both. */
TEST(gate_names_the_region_with_the_largest_relative_slowdown)
{
    struct sides sides = repeated(8, 10000);
    for (size_t i = 0; i < 8; i++)
        sides.after[i].write_ticks += 2000;
    compare(&sides);
    assert_string_equal(ep_diff_row_of(diff, &diff->rows[2])->name, "write");
    assert_int_equal(diff->rows[2].verdict, EP_DIFF_SLOWER);
    assert_ptr_equal(ep_diff_find_slower(diff, 1), row_of("main;parse"));
}

/* The estimate is 20 % more, but the interval includes 10 %. */
TEST(gate_asks_for_evidence_of_more_than_its_percentage)
{
    struct sides sides = repeated(8, 20000);
    sides.after[0].parse_ticks = sides.after[1].parse_ticks = 105000;
    sides.after[2].parse_ticks = 105000;
    compare(&sides);
    const struct ep_diff_row *parse = row_of("main;parse");
    assert_int_equal(parse->verdict, EP_DIFF_SLOWER);
    assert_true(parse->ratio.estimate > 1.1 && parse->ratio.low < 1.1);
    assert_null(ep_diff_find_slower(diff, 10));
    assert_non_null(ep_diff_find_slower(diff, 1));
}

TEST(too_few_files_have_no_verdict_but_the_number_needed)
{
    const struct sides three = repeated(3, 50000), four = repeated(4, 50000),
                       five = repeated(5, 50000);
    compare(&four); /* 3 regions: 2 of 70 orders are more than 0.05 / 3 */
    assert_int_equal(diff->needed, 5);
    assert_false(ep_diff_has_verdicts(diff));
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "");
    assert_false(row_of("main;parse")->ratio.has_interval);
    compared_end(state);
    compare(&five);
    assert_true(ep_diff_has_verdicts(diff));
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_SLOWER);
    compared_end(state);
    compare(&three);
    assert_int_equal(diff->needed, 5);
}

TEST(each_figure_can_be_judged)
{
    struct sides sides = repeated(8, 0);
    for (size_t i = 0; i < 8; i++) /* twice as many calls, of the same length */
        sides.after[i].calls = 2, sides.after[i].parse_ticks *= 2, sides.after[i].write_ticks *= 2;
    compare_by(&sides, "total", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_SLOWER);
    assert_int_equal(row_of("main")->verdict, EP_DIFF_SLOWER);
    compared_end(state);
    compare_by(&sides, "self", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_SLOWER);
    assert_int_equal(row_of("main")->verdict, EP_DIFF_NO_EVIDENCE);
    assert_int_equal(row_of("main")->change_ns, 0);
    compared_end(state);
    compare_by(&sides, "mean", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_NO_EVIDENCE);
    assert_int_equal(row_of("main;parse")->change_ns, 0);
    compared_end(state);
    for (size_t i = 0; i < 8; i++)
        sides.after[i].twin_ticks = 900;
    compare_by(&sides, "mean", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_FASTER);
    compared_end(state);
    compare_by(&sides, "p99", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_NO_EVIDENCE);
    const struct ep_diff_figures *figures = row_of("main;parse")->figures;
    int64_t p99_ns =
        (int64_t)figures[EP_DIFF_AFTER].p99_ns - (int64_t)figures[EP_DIFF_BEFORE].p99_ns;
    int64_t mean_ns =
        (int64_t)figures[EP_DIFF_AFTER].mean_ns - (int64_t)figures[EP_DIFF_BEFORE].mean_ns;
    assert_true(p99_ns != mean_ns);
    assert_int_equal(row_of("main;parse")->change_ns, p99_ns);
    assert_int_equal(row_of("main")->verdict, EP_DIFF_SLOWER);
}

/* Six of eight files have no calls of the region. */
TEST(files_without_a_region_have_a_total_of_zero)
{
    struct sides sides = repeated(8, 50000);
    for (size_t i = 0; i < 6; i++)
        sides.after[i].parse_ticks = 0;
    compare(&sides);
    assert_true(row_of("main;parse")->ratio.estimate == 0);
    assert_true(row_of("main;parse")->ratio.has_interval);
}

/* A file without calls has no mean, and the other files are too few. */
TEST(files_without_a_region_have_no_mean)
{
    struct sides sides = repeated(8, 50000);
    for (size_t i = 0; i < 6; i++)
        sides.after[i].parse_ticks = 0;
    sides.after[0].is_parse_nested = true; /* nor has a file whose calls were not timed */
    compare_by(&sides, "mean", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_UNKNOWN);
    assert_true(row_of("main;parse")->ratio.estimate > 1.4);
    assert_true(ep_diff_has_verdicts(diff));
}

/* ---- estimates ---- */

/* `files` files of each side, in each of which 40 calls of parse took 1,000 ns on the average, half
 * of them 500 less and half of them 500 more, and on the side after `percent` as much. A timed call
 * represents `weight` calls. The error of a total is 500 / sqrt(40) of 1,000: 7.9 %, and that of a
 * ratio of two of them 11.2 %. */
static struct sides sampled(size_t files, uint64_t weight, uint64_t percent)
{
    struct sides sides = {.before_count = files, .after_count = files};
    for (size_t i = 0; i < files; i++) {
        sides.before[i] = (struct run){
            .parse_ticks = 40000 + 40 * i, .calls = 40, .weight = weight, .spread_ticks = 500};
        sides.after[i] = sides.before[i];
        sides.after[i].parse_ticks = sides.before[i].parse_ticks * percent / 100;
    }
    return sides;
}

static void check_verdict(const char *path, const char *verdict, bool has_interval)
{
    const struct ep_diff_row *row = row_of(path);
    if (strcmp(ep_diff_verdict_word(row), verdict) != 0 || row->ratio.has_interval != has_interval)
        fail_msg("%s: '%s', %f (%f to %f)", path, ep_diff_verdict_word(row), row->ratio.estimate,
                 row->ratio.low, row->ratio.high);
}

/* With two regions the interval has 2.24 errors on each side. */
TEST(change_within_the_errors_of_two_runs_is_none)
{
    const struct sides noise = sampled(1, 64, 110), twice = sampled(1, 64, 200);
    compare(&noise);
    check_verdict("main;parse", "no evidence", true);
    const struct ep_ratio *ratio = &row_of("main;parse")->ratio;
    if (fabs(ratio->low - 0.8656) > 0.002 || fabs(ratio->high - 1.4057) > 0.002)
        fail_msg("%f to %f", ratio->low, ratio->high);
    compared_end(state);
    compare(&twice); /* seen, but a single run proves nothing */
    check_verdict("main;parse", "", true);
    assert_true(row_of("main;parse")->ratio.low > 1.5);
    assert_string_equal(ep_diff_row_of(diff, &diff->rows[0])->name, "parse");
}

TEST(change_of_fully_timed_regions_has_no_errors)
{
    const struct sides sides = sampled(1, 0, 110);
    compare(&sides);
    check_verdict("main;parse", "", false);
}

TEST(change_within_the_errors_of_estimates_comes_last)
{
    struct sides sides = sampled(1, 64, 110);
    sides.before[0].write_ticks = 1000;
    sides.after[0].write_ticks = 1001;
    compare(&sides);
    assert_string_equal(ep_diff_row_of(diff, &diff->rows[diff->row_count - 1])->name, "parse");
}

/* The files of a side are so much alike that their ranks alone would show 10 % as a change. The
 * error of eight files together is a third of that of one. */
TEST(verdict_of_estimates_needs_more_than_their_errors)
{
    const struct sides exact = sampled(8, 0, 110), noise = sampled(8, 64, 108),
                       twice = sampled(8, 64, 200);
    compare(&exact);
    check_verdict("main;parse", "slower", true);
    compared_end(state);
    compare(&noise);
    check_verdict("main;parse", "no evidence", true);
    assert_ptr_equal(ep_diff_find_slower(diff, 0), row_of("main")); /* which is no estimate */
    compared_end(state);
    compare(&twice);
    check_verdict("main;parse", "slower", true);
    const struct ep_ratio *ratio = &row_of("main;parse")->ratio;
    if (ratio->low < 1.7 || ratio->low > 1.9 || ratio->high < 2.1 || ratio->high > 2.3)
        fail_msg("%f to %f", ratio->low, ratio->high);
}

TEST(mean_has_the_errors_of_its_total_and_self_time_those_of_its_children)
{
    const struct sides noise = sampled(8, 64, 108);
    compare_by(&noise, "mean", NULL);
    check_verdict("main;parse", "no evidence", true);
    compared_end(state);
    compare_by(&noise, "self", NULL);
    check_verdict("main;parse", "no evidence", true);
    check_verdict("main", "no evidence", true);
    assert_true(row_of("main")->ratio.low <= 0); /* 1000 ns, less estimates with larger errors */
    compared_end(state);
    compare_by(&noise, "p99", NULL); /* has no error: its ranks decide */
    check_verdict("main;parse", "slower", true);
}

TEST_EACH(NULL, compared_end)
