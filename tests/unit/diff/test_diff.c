/* Two sides of profiles that are made by hand, compared region by region. */
#include "support/fake_image.h"

#include <math.h>
#include <stdlib.h>

#include "diff/diff.h"

enum { FILES_MOST = 12 };

/* ---- profiles ---- */

/* The ticks that one run recorded in main;parse, main;write and an instance. 0: no call. */
struct run {
    uint64_t parse_ticks, write_ticks, instance_ticks;
    unsigned calls;        /* calls of each, with these totals; 0: one call */
    uint32_t line;         /* the line of parse in the source */
    const char *thread;    /* the thread that ran the calls */
    uint64_t twin_ticks;   /* another parse in main, at another line */
    uint64_t hook_ticks;   /* a sampled function in main, at another address each time */
    uint64_t weight;       /* a timed call of parse represents so many; 0: all are timed */
    uint64_t spread_ticks; /* by which half of these are shorter, and half longer */
    uint64_t parse_cpu_ns; /* processor time of parse; 0: not recorded */
    bool are_shown_alike;  /* the two instances have equal labels */
    bool is_parse_nested;  /* all calls of parse are inside another call of it, so none is timed */
    bool is_parse_damaged; /* the number of calls is half of the largest count */
};

static void call(struct ep_node_cell *node, uint64_t ticks, unsigned calls)
{
    for (unsigned i = 0; i < calls && ticks > 0; i++)
        fake_visit(node, ticks / calls, ticks / calls);
}

static void call_sampled(struct ep_node_cell *node, const struct run *run, unsigned calls)
{
    uint64_t ticks = run->parse_ticks / calls;
    for (unsigned i = 0; i < calls; i++)
        fake_sample(node, i % 2 ? ticks + run->spread_ticks : ticks - run->spread_ticks,
                    run->weight);
}

static uint32_t hook_function(const struct run *run)
{
    struct ep_site_cell *function = fake_function(fake_module("/usr/bin/program"), run->hook_ticks);
    fake_name(function, "hook(int)", EP_NAMING_WHOLE);
    return function->number;
}

static void make_scopes(const struct run *run, unsigned calls)
{
    struct ep_thread_cell *thread = fake_thread(0, run->thread);
    struct ep_node_cell *outer =
        fake_node(thread, fake_root(thread), fake_site("main.c", 1, "main"));
    uint64_t inner_ticks = run->parse_ticks + run->write_ticks;
    struct ep_node_cell *parse = fake_node(thread, outer, fake_site("parse.c", run->line, "parse"));
    if (run->is_parse_nested)
        fake_visit_nested(parse, 10);
    else if (run->weight)
        call_sampled(parse, run, calls);
    else
        call(parse, run->parse_ticks, calls);
    if (run->parse_cpu_ns) {
        fake.cells[EP_CELL_CPU].cpu.is_on = 1;
        fake_sampling(parse)->cpu =
            (struct ep_cpu_sums){.cpu_ns = run->parse_cpu_ns, .weight = parse->stats.calls};
    }
    if (run->is_parse_damaged)
        parse->stats.calls = parse->stats.nested = UINT64_C(1) << 63;
    call(fake_node(thread, outer, fake_site("parse.c", 99, "parse")), run->twin_ticks, 1);
    call(fake_node(thread, outer, fake_site("write.c", 9, "write")), run->write_ticks, calls);
    if (run->hook_ticks > 0)
        fake_sample(fake_node(thread, outer, hook_function(run)), run->hook_ticks / 2, 2);
    if (inner_ticks > 0)
        fake_visit(outer, inner_ticks + 1000, 1000);
}

/* One tick is one ns. */
static struct ep_image profile_of(const struct run *run)
{
    assert_return_code(ep_image_create(&fake), errno);
    fake_reset(5);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "rdtsc", sizeof "rdtsc");
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){1000, 1000};
    make_scopes(run, run->calls ? run->calls : 1);
    if (run->instance_ticks > 0)
        for (uint32_t slot = 0; slot < 2; slot++) { /* of one label */
            fake_instance(slot,
                          run->are_shown_alike && slot ? "lock\xFF"
                          : run->are_shown_alike       ? "lock\\xff"
                                                       : "lock",
                          1 + slot);
            struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
            struct ep_instance_cells *pair = fake_pair(thread, slot, 5);
            fake_leave_pending_in(&pair->stats, run->instance_ticks / 2);
            fake_spread_pending(&pair->stats);
        }
    struct ep_image made = fake;
    memset(&fake, 0, sizeof fake);
    return made;
}

/* ---- sides ---- */

struct sides {
    struct run before[FILES_MOST], after[FILES_MOST];
    size_t before_count, after_count;
};

static struct ep_diff *diff;

static void visit(struct ep_diff_making *making, enum ep_diff_side side, const struct run *runs,
                  size_t count, bool is_weighing)
{
    for (size_t i = 0; i < count; i++) {
        struct ep_image image = profile_of(&runs[i]);
        if (is_weighing)
            ep_diff_make_inspect(making, side, image.cells);
        else
            assert_return_code(ep_diff_make_add(making, side, &image), errno);
        ep_image_destroy(&image);
    }
}

static void compare_by(const struct sides *sides, const char *by, const char *filter)
{
    struct ep_diff_options options = {.by = ep_columns_find(by), .error = 0.05, .filter = filter};
    struct ep_diff_making *making = ep_diff_make_begin(options);
    assert_non_null(making);
    for (int is_weighing = 1; is_weighing >= 0; is_weighing--) {
        visit(making, EP_DIFF_BEFORE, sides->before, sides->before_count, is_weighing);
        visit(making, EP_DIFF_AFTER, sides->after, sides->after_count, is_weighing);
    }
    diff = ep_diff_make_end(making);
    assert_non_null(diff);
}

static void compare(const struct sides *sides)
{
    compare_by(sides, "total", NULL);
}

static int end(void **state)
{
    (void)state;
    ep_diff_free(diff);
    diff = NULL;
    return 0;
}

static const struct ep_diff_row *row_of(const char *path)
{
    const struct ep_diff_row *found = NULL;
    for (size_t i = 0; i < diff->row_count; i++) {
        char *is = ep_diff_path(diff, &diff->rows[i]);
        if (strcmp(is, path) == 0) {
            assert_null(found);
            found = &diff->rows[i];
        }
        free(is);
    }
    if (!found)
        fail_msg("no region %s", path);
    return found;
}

/* Both sides have `count` files, and on each the same times, but parse takes `more_ns` more on the
 * side after. */
static struct sides repeated(size_t count, uint64_t more_ns)
{
    struct sides sides = {.before_count = count, .after_count = count};
    for (size_t i = 0; i < count; i++) {
        sides.before[i] = (struct run){.parse_ticks = 100000 + 100 * i,
                                       .write_ticks = 50000 + 10 * (i * 7 % count)};
        sides.after[i] = sides.before[i];
        sides.after[i].parse_ticks += more_ns;
        sides.after[i].write_ticks += 5;
    }
    return sides;
}

/* ---- figures ---- */

TEST(diff_puts_both_sides_of_a_path_beside_each_other)
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
    end(NULL);
    sides.before[1].parse_cpu_ns = 0; /* one run without it */
    compare(&sides);
    assert_times("main;parse", EP_DIFF_BEFORE, EPROF_UNKNOWN, EPROF_UNKNOWN);
    end(NULL);
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

TEST(diff_knows_regions_by_their_names_alone)
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

TEST(diff_knows_functions_by_name_and_which_were_sampled)
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

TEST(diff_tells_new_paths_and_gone_ones)
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
TEST(diff_tells_equal_changes_in_the_order_of_the_side_that_has_them)
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

TEST(diff_tells_first_what_changed_most)
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

TEST(diff_compares_only_what_the_filter_lets_through)
{
    const struct sides sides = repeated(4, 20000);
    compare_by(&sides, "total", "p*");
    assert_int_equal(diff->row_count, 1);
    assert_int_equal(diff->judged, 1);
    assert_int_equal(diff->needed, 4);
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "slower");
}

/* ---- verdicts ---- */

TEST(diff_finds_what_is_slower_and_nothing_else)
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

TEST(diff_finds_what_is_faster_and_lets_it_pass)
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

TEST(diff_tells_what_there_is_evidence_of_before_what_changed_more)
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
TEST(gate_names_what_is_slower_by_the_largest_part)
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

TEST(too_few_files_have_no_verdict_and_are_told_how_many_are_needed)
{
    const struct sides three = repeated(3, 50000), four = repeated(4, 50000),
                       five = repeated(5, 50000);
    compare(&four); /* 3 regions: 2 of 70 orders are more than 0.05 / 3 */
    assert_int_equal(diff->needed, 5);
    assert_false(ep_diff_has_verdicts(diff));
    assert_string_equal(ep_diff_verdict_word(row_of("main;parse")), "");
    assert_false(row_of("main;parse")->ratio.has_interval);
    end(state);
    compare(&five);
    assert_true(ep_diff_has_verdicts(diff));
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_SLOWER);
    end(state);
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
    end(state);
    compare_by(&sides, "self", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_SLOWER);
    assert_int_equal(row_of("main")->verdict, EP_DIFF_NO_EVIDENCE);
    assert_int_equal(row_of("main")->change_ns, 0);
    end(state);
    compare_by(&sides, "mean", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_NO_EVIDENCE);
    assert_int_equal(row_of("main;parse")->change_ns, 0);
    end(state);
    for (size_t i = 0; i < 8; i++)
        sides.after[i].twin_ticks = 900;
    compare_by(&sides, "mean", NULL);
    assert_int_equal(row_of("main;parse")->verdict, EP_DIFF_FASTER);
    end(state);
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
TEST(files_without_a_region_say_that_it_took_no_time)
{
    struct sides sides = repeated(8, 50000);
    for (size_t i = 0; i < 6; i++)
        sides.after[i].parse_ticks = 0;
    compare(&sides);
    assert_true(row_of("main;parse")->ratio.estimate == 0);
    assert_true(row_of("main;parse")->ratio.has_interval);
}

/* A file without calls has no mean, and the other files are too few. */
TEST(files_without_a_region_say_nothing_of_its_mean)
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
    end(state);
    compare(&twice); /* seen, but a single run proves nothing */
    check_verdict("main;parse", "", true);
    assert_true(row_of("main;parse")->ratio.low > 1.5);
    assert_string_equal(ep_diff_row_of(diff, &diff->rows[0])->name, "parse");
}

TEST(change_of_what_was_timed_at_each_call_has_no_errors)
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
    end(state);
    compare(&noise);
    check_verdict("main;parse", "no evidence", true);
    assert_ptr_equal(ep_diff_find_slower(diff, 0), row_of("main")); /* which is no estimate */
    end(state);
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
    end(state);
    compare_by(&noise, "self", NULL);
    check_verdict("main;parse", "no evidence", true);
    check_verdict("main", "no evidence", true);
    assert_true(row_of("main")->ratio.low <= 0); /* 1000 ns, less estimates with larger errors */
    end(state);
    compare_by(&noise, "p99", NULL); /* has no error: its ranks decide */
    check_verdict("main;parse", "slower", true);
}

/* Each row of a sum has calls. */
TEST(diff_leaves_out_what_adds_up_to_nothing_in_damaged_files)
{
    struct sides sides = repeated(2, 0);
    for (int i = 0; i < 2; i++)
        sides.before[i].is_parse_damaged = sides.after[i].is_parse_damaged = true;
    compare(&sides);
    assert_int_equal(diff->row_count, 2);
    assert_non_null(row_of("main"));
    assert_non_null(row_of("main;write"));
}

TEST_EACH(NULL, end)
