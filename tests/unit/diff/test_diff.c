/* The regions of two sides of profiles that are made by hand, and their figures. */
#include "compared.h"

TEST(diff_has_both_sides_of_a_path_in_one_row)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 100000, .write_ticks = 40000, .calls = 4}},
        .after = {{.parse_ticks = 120000, .write_ticks = 40000, .calls = 2}},
        .before_count = 1,
        .after_count = 1};
    compare(&sides);
    const struct ep_diff_row *parse = row_of("main;parse");
    assert_true(parse->figures[EP_DIFF_BEFORE].calls == 4);
    assert_true(parse->figures[EP_DIFF_AFTER].calls == 2);
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].total_ns, 100000);
    assert_int_equal(parse->figures[EP_DIFF_AFTER].total_ns, 120000);
    assert_int_equal(parse->figures[EP_DIFF_AFTER].self_ns, 120000);
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].mean_ns, 25000);
    assert_int_equal(parse->figures[EP_DIFF_AFTER].mean_ns, 60000);
    assert_in_range(parse->figures[EP_DIFF_AFTER].p99_ns, 58000, 60000);
    assert_int_equal(parse->change_ns, 20000);
    assert_true(parse->ratio.estimate > 1.19999 && parse->ratio.estimate < 1.20001);
    assert_int_equal(row_of("main")->figures[EP_DIFF_AFTER].self_ns, 1000);
    assert_int_equal(row_of("main;write")->change_ns, 0);
}

static void assert_times(const char *path, enum ep_diff_side side, uint64_t cpu_ns,
                         uint64_t wait_ns)
{
    const struct ep_diff_figures *figures = &row_of(path)->figures[side];
    if (figures->cpu_ns != cpu_ns || figures->wait_ns != wait_ns)
        fail_msg("%s, side %d: cpu %llu, wait %llu", path, (int)side,
                 (unsigned long long)figures->cpu_ns, (unsigned long long)figures->wait_ns);
}

TEST(diff_has_the_processor_time_of_the_run_in_the_middle)
{
    struct sides sides = {.before = {{.parse_ticks = 1000, .parse_cpu_ns = 600, .calls = 2},
                                     {.parse_ticks = 2000, .parse_cpu_ns = 1900},
                                     {.parse_ticks = 1500, .parse_cpu_ns = 700}},
                          .after = {{.parse_ticks = 5000, .parse_cpu_ns = 800, .calls = 2}},
                          .before_count = 3,
                          .after_count = 1};
    compare(&sides);
    assert_true(ep_diff_has_cpu(diff));
    assert_times("main;parse", EP_DIFF_BEFORE, 700, 400); /* 400, 100 and 800 */
    assert_times("main;parse", EP_DIFF_AFTER, 800, 4200);
    assert_times("main", EP_DIFF_AFTER, EPROF_UNKNOWN, EPROF_UNKNOWN);
    compared_end(NULL);
    sides.before[1].parse_cpu_ns = 0; /* one run without it */
    compare(&sides);
    assert_times("main;parse", EP_DIFF_BEFORE, EPROF_UNKNOWN, EPROF_UNKNOWN);
    compared_end(NULL);
    sides.before_count = 0, sides.before[sides.before_count++] = (struct run){.write_ticks = 10};
    compare(&sides);
    assert_false(ep_diff_has_cpu(diff));
    assert_times("main;parse", EP_DIFF_BEFORE, EPROF_UNKNOWN, EPROF_UNKNOWN);
    assert_times("main;parse", EP_DIFF_AFTER, 800, 4200);
}

TEST(diff_shows_the_run_in_the_middle)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 90000, .calls = 4},
                   {.parse_ticks = 100001},
                   {.parse_ticks = 80001, .calls = 3},
                   {.write_ticks = 7000}}, /* here parse has a total of 0, and no mean */
        .after = {{.parse_ticks = 30000}},
        .before_count = 4,
        .after_count = 1};
    compare(&sides);
    const struct ep_diff_row *parse = row_of("main;parse");
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].total_ns, 85001); /* (80001 + 90000) / 2 */
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].self_ns, 85001);
    assert_true(parse->figures[EP_DIFF_BEFORE].calls == 2);
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].mean_ns, 26667);
    /* the quotients are 0.3, 0.333, 0.375 and one by 0 */
    assert_int_equal(parse->change_ns, -54897); /* 85001 * (0.35416 - 1) */
    assert_int_equal(diff->files[EP_DIFF_BEFORE], 4);
}

/* The medians are 200 and 300, but in most pairs the value before is the larger one. */
TEST(change_has_the_sign_of_the_ratio)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 100}, {.parse_ticks = 200}, {.parse_ticks = 900}},
        .after = {{.parse_ticks = 1}, {.parse_ticks = 300}, {.parse_ticks = 300}},
        .before_count = 3,
        .after_count = 3};
    compare(&sides);
    const struct ep_diff_row *parse = row_of("main;parse");
    assert_int_equal(parse->figures[EP_DIFF_BEFORE].total_ns, 200);
    assert_int_equal(parse->figures[EP_DIFF_AFTER].total_ns, 300);
    assert_true(parse->ratio.estimate > 0.333 && parse->ratio.estimate < 0.334);
    assert_int_equal(parse->change_ns, -133);
}

TEST(diff_matches_regions_by_their_names_alone)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 100000, .instance_ticks = 8000}},
        .after = {{.parse_ticks = 110000, .instance_ticks = 9000, .line = 77, .thread = "worker"}},
        .before_count = 1,
        .after_count = 1};
    compare(&sides);
    assert_int_equal(row_of("main;parse")->change_ns, 10000);
    const struct ep_diff_row *lock = row_of("lock"); /* two instances a file */
    assert_true(lock->figures[EP_DIFF_BEFORE].calls == 2);
    assert_int_equal(lock->figures[EP_DIFF_BEFORE].total_ns, 8000);
    assert_int_equal(lock->change_ns, 1000);
    assert_string_equal(ep_diff_row_of(diff, lock)->kind, "instance");
    assert_int_equal(diff->row_count, 3);
}

TEST(diff_has_one_histogram_for_all_places_of_a_label)
{
    const struct sides sides = {.before = {{.parse_ticks = 1000, .twin_ticks = 9000}},
                                .after = {{.parse_ticks = 2000}},
                                .before_count = 1,
                                .after_count = 1};
    compare(&sides);
    const struct ep_diff_figures *before = &row_of("main;parse")->figures[EP_DIFF_BEFORE];
    assert_true(before->calls == 2);
    assert_int_equal(before->mean_ns, 5000);
    assert_in_range(before->p99_ns, 8500, 9000);
}

TEST(diff_adds_up_labels_that_are_shown_alike)
{
    const struct sides sides = {.before = {{.instance_ticks = 8000, .are_shown_alike = true}},
                                .after = {{.instance_ticks = 9000, .are_shown_alike = true}},
                                .before_count = 1,
                                .after_count = 1};
    compare(&sides);
    assert_int_equal(diff->row_count, 1);
    assert_true(diff->rows[0].figures[EP_DIFF_BEFORE].calls == 2);
    assert_int_equal(diff->rows[0].figures[EP_DIFF_AFTER].total_ns, 9000);
}

TEST(diff_matches_functions_by_name_and_marks_sampled_ones)
{
    const struct sides sides = {.before = {{.parse_ticks = 1000, .hook_ticks = 500}},
                                .after = {{.parse_ticks = 1000, .hook_ticks = 600}},
                                .before_count = 1,
                                .after_count = 1};
    compare(&sides);
    const struct ep_diff_row *hook = row_of("main;hook(int)");
    assert_string_equal(ep_diff_row_of(diff, hook)->kind, "function");
    assert_int_equal(hook->change_ns, 100);
    assert_true(hook->figures[EP_DIFF_BEFORE].is_estimate);
    assert_true(hook->figures[EP_DIFF_AFTER].is_estimate);
    assert_false(row_of("main;parse")->figures[EP_DIFF_AFTER].is_estimate);
}

TEST(diff_marks_new_and_gone_paths)
{
    const struct sides sides = {.before = {{.parse_ticks = 100000}},
                                .after = {{.write_ticks = 60000}},
                                .before_count = 1,
                                .after_count = 1};
    compare(&sides);
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "gone");
    assert_string_equal(ep_diff_verdict_word(row_of("main;write")), "new");
    assert_string_equal(ep_diff_verdict_word(row_of("main")), "");
    assert_int_equal(row_of("main;parse")->change_ns, -100000);
    assert_int_equal(row_of("main;write")->change_ns, 60000);
    assert_int_equal(diff->judged, 1);
}

/* Both regions are gone, and took the same time: they are in the order of the side before. */
TEST(diff_sorts_equal_changes_by_the_side_that_has_them)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 500, .write_ticks = 500, .instance_ticks = 500}},
        .after = {{.instance_ticks = 500}},
        .before_count = 1,
        .after_count = 1};
    compare(&sides);
    const struct ep_diff_row *parse = row_of("main;parse"), *write = row_of("main;write");
    assert_int_equal(parse->change_ns, -500);
    assert_int_equal(write->change_ns, -500);
    assert_true((parse < write) == (parse->at[EP_DIFF_BEFORE] < write->at[EP_DIFF_BEFORE]));
}

TEST(diff_sorts_by_the_size_of_the_change)
{
    const struct sides sides = {
        .before = {{.parse_ticks = 100000, .write_ticks = 90000, .instance_ticks = 500}},
        .after = {{.parse_ticks = 150000, .write_ticks = 20000, .instance_ticks = 900}},
        .before_count = 1,
        .after_count = 1};
    static const char *const names[] = {"write", "parse", "main", "lock"};
    compare(&sides); /* 70000, 50000, 20000, 400 */
    for (size_t i = 0; i < diff->row_count; i++)
        assert_string_equal(ep_diff_row_of(diff, &diff->rows[i])->name, names[i]);
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->sides[side]->diagnostic_first; i++)
            assert_string_equal(ep_diff_row_of(diff, &diff->rows[diff->row_of[side][i]])->name,
                                diff->sides[side]->rows[i].name);
}

TEST(diff_compares_only_regions_that_match_the_filter)
{
    const struct sides sides = repeated(4, 20000);
    compare_by(&sides, "total", "p*");
    assert_int_equal(diff->row_count, 1);
    assert_int_equal(diff->judged, 1);
    assert_int_equal(diff->needed, 4);
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "slower");
}

/* Each row of a sum has calls. */
TEST(diff_leaves_out_regions_of_damaged_files_without_calls_in_the_sum)
{
    struct sides sides = repeated(2, 0);
    for (int i = 0; i < 2; i++)
        sides.before[i].is_parse_damaged = sides.after[i].is_parse_damaged = true;
    compare(&sides);
    assert_int_equal(diff->row_count, 2);
    assert_non_null(row_of("main"));
    assert_non_null(row_of("main;write"));
}

TEST_EACH(NULL, compared_end)
