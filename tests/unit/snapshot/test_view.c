/* The rows that single views leave, and their messages if they leave no row;
 * test_snapshot_view_model.c combines views. */
#include "support/made_snapshot.h"

#include "snapshot/view.h"

static const char *why;

/* The snapshot of the tree in this view. */
static struct eprof_snapshot *viewed(struct made_tree *tree, struct ep_view view)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    if (ep_view_apply(snapshot, &view, &why) != 0)
        fail_msg("%s", why);
    return snapshot;
}

/* The names in their order, each after as many dots as its depth: "i a .b | diagnostics", or the
 * names of the top functions. */
static void assert_names(const struct eprof_snapshot *snapshot, const char *expected)
{
    char text[1024] = "", *at = text;
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        size_t depth =
            i >= snapshot->scope_first ? snapshot->positions[i - snapshot->scope_first].depth : 0;
        at += sprintf(at, "%s%.*s%s", i ? " " : "", (int)depth, "........", snapshot->rows[i].name);
    }
    assert_string_equal(text, expected);
}

static void assert_tops(const struct eprof_snapshot *snapshot, const char *expected)
{
    char text[1024] = "", *at = text;
    for (size_t i = 0; i < snapshot->top_count; i++)
        at += sprintf(at, "%s%s", i ? " " : "", snapshot->tops[i].name);
    assert_string_equal(text, expected);
}

static void assert_in_vain(struct made_tree *tree, struct ep_view view, int error,
                           const char *expected)
{
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    why = NULL;
    errno = 0;
    assert_int_equal(ep_view_apply(snapshot, &view, &why), -1);
    assert_int_equal(errno, error);
    assert_string_equal(why, expected);
}

static void make_small(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "short", 9, 10));
    made_instance(tree, even_instance(1, "long", 1, 1000));
    made_scope(tree, 0, "main", 1, 10);
    made_scope(tree, 1, "parse", 2, 50);
    made_scope(tree, 2, "read", 70, 7);
    made_scope(tree, 1, "work", 3, 30);
    made_scope(tree, 2, "read", 5, 9);
    made_diagnostics(tree, "lost", 1);
}

/* ------------------------------------------------------------------- rules -- */

TEST(empty_view_changes_nothing)
{
    struct made_tree tree = {.rows = NULL};
    make_small(&tree);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.sort = NULL});
    assert_names(snapshot, "short long main .parse ..read .work ..read");
    assert_tops(snapshot, "parse work read main");
    assert_null(snapshot->order);
    assert_null(snapshot->wholes);
    assert_false(snapshot->is_chosen);
}

TEST(sort_goes_for_instances_siblings_and_tops)
{
    static const char *const keys[] = {"self", "self_ns", "self_ticks"};
    struct made_tree by_calls = {.rows = NULL};
    make_small(&by_calls);
    struct eprof_snapshot *snapshot = viewed(&by_calls, (struct ep_view){.sort = "calls"});
    assert_names(snapshot, "short long main .work ..read .parse ..read");
    assert_tops(snapshot, "read work parse main");
    assert_string_equal(snapshot->order->name, "calls");
    for (size_t i = 0; i < 3; i++) {
        struct made_tree by_self = {.rows = NULL};
        make_small(&by_self);
        snapshot = viewed(&by_self, (struct ep_view){.sort = keys[i]});
        assert_names(snapshot, "long short main .parse ..read .work ..read");
    }
    struct made_tree by_name = {.rows = NULL};
    make_small(&by_name);
    assert_tops(viewed(&by_name, (struct ep_view){.sort = "name"}), "main parse read work");
}

TEST(top_keeps_the_first_rows_of_each_kind_and_their_parents)
{
    struct made_tree by_time = {.rows = NULL}, by_calls = {.rows = NULL};
    make_small(&by_time);
    struct eprof_snapshot *snapshot = viewed(&by_time, (struct ep_view){.top = 2});
    assert_names(snapshot, "long short main .parse");
    assert_tops(snapshot, "parse work");
    assert_true(snapshot->is_chosen);
    assert_false(snapshot->positions[0].is_around);
    assert_string_equal(snapshot->rows[snapshot->diagnostic_first].name, "lost");
    make_small(&by_calls);
    snapshot = viewed(&by_calls, (struct ep_view){.top = 1, .sort = "calls"});
    assert_names(snapshot, "short main .parse ..read");
    assert_true(snapshot->positions[0].is_around);
    assert_true(snapshot->positions[1].is_around);
    assert_false(snapshot->positions[2].is_around);
    assert_int_equal(snapshot->wholes[0].total_ns, 106);
    assert_int_equal(snapshot->wholes[0].self_ns, 106);
    assert_int_equal(snapshot->wholes[0].positions, 5);
    assert_int_equal(snapshot->wholes[0].sites, 4);
}

TEST(depth_is_counted_from_the_roots_or_the_focus)
{
    struct made_tree trees[4] = {{.rows = NULL}};
    for (size_t i = 0; i < 4; i++)
        make_small(&trees[i]);
    struct eprof_snapshot *snapshot = viewed(&trees[0], (struct ep_view){.depth = 2});
    assert_names(snapshot, "short long main .parse .work");
    assert_tops(snapshot, "parse work read main");
    assert_int_equal(snapshot->wholes[0].positions, 5);
    assert_names(viewed(&trees[1], (struct ep_view){.depth = 1, .focus = "work"}), "work");
    assert_names(viewed(&trees[2], (struct ep_view){.depth = 2, .top = 2, .sort = "calls"}),
                 "short long main .work .parse");
    assert_in_vain(&trees[3], (struct ep_view){.depth = 2, .filter = "read"}, ENOENT,
                   "no scope with a name like \"read\" within 2 levels");
}

TEST(top_of_a_filter_counts_only_matching_rows)
{
    struct made_tree tree = {.rows = NULL};
    make_small(&tree);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.filter = "rea?", .top = 1});
    assert_names(snapshot, "main .work ..read");
    assert_tops(snapshot, "read");
}

TEST(focus_is_a_whole_of_its_own_with_the_paths_it_had)
{
    struct made_tree tree = {.rows = NULL};
    make_small(&tree);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.focus = "main;parse"});
    assert_names(snapshot, "parse .read");
    assert_tops(snapshot, "parse read");
    assert_int_equal(snapshot->tops[1].calls, 70);
    assert_string_equal(ep_rows_path(snapshot, 1), "main;parse;read");
    assert_string_equal(ep_rows_path(snapshot, 0), "main;parse");
    assert_null(snapshot->wholes);
}

TEST(focus_by_name_finds_it_at_every_place_the_longest_first)
{
    struct made_tree tree = {.rows = NULL}, nested = {.rows = NULL};
    make_small(&tree);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.focus = "read"});
    assert_names(snapshot, "read read");
    assert_string_equal(ep_rows_path(snapshot, 0), "main;work;read");
    made_scope(&nested, 0, "a", 1, 1);
    made_scope(&nested, 1, "f", 1, 1);
    made_scope(&nested, 2, "b", 1, 1);
    made_scope(&nested, 3, "f", 1, 1);
    assert_names(viewed(&nested, (struct ep_view){.focus = "f"}), "f .b ..f");
}

TEST(focus_is_read_as_csv_writes_paths)
{
    struct made_tree tree = {.rows = NULL}, lenient = {.rows = NULL};
    made_scope(&tree, 0, "a;b", 1, 1);
    made_scope(&tree, 1, "c\\", 1, 1);
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 1);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.focus = "a\\;b;c\\\\"});
    assert_names(snapshot, "c\\");
    assert_string_equal(ep_rows_path(snapshot, 0), "a\\;b;c\\\\");
    made_scope(&lenient, 0, "a\\x", 1, 1);
    assert_names(viewed(&lenient, (struct ep_view){.focus = "a\\x"}), "a\\x");
}

/* 100 calls of 10 and 300 of 30 have a mean of 25, with differences of 5 and 15. */
TEST(tops_of_a_focus_are_added_up_over_its_places)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1000);
    made_scope(&tree, 1, "f", 1, 1);
    made_scope(&tree, 2, "g", 100, 1000)->errors = 1;
    made_scope(&tree, 2, "h", 1, 0);
    made_scope(&tree, 3, "g", 300, 9000)->open = 2;
    made_scope(&tree, 3, "k", 1, 1);
    made_scope(&tree, 1, "g", 1000, 99000);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.focus = "f"});
    assert_tops(snapshot, "g f k h");
    const struct eprof_row *g = &snapshot->tops[0];
    assert_int_equal(g->calls, 400);
    assert_int_equal(g->timed, 400);
    assert_int_equal(g->errors, 1);
    assert_int_equal(g->open, 2);
    assert_int_equal(g->total_ns, 10000);
    assert_int_equal(g->self_ns, 10000);
    assert_int_equal(g->mean_ns, 25);
    assert_int_equal(g->stddev_ns, 9); /* sqrt((100 * 15^2 + 300 * 5^2) / 400) = 8.7 */
    assert_int_equal(g->min_ns, 5);
    assert_int_equal(g->p50_ns, 30);
    assert_int_equal(g->p99_ns, 60);
    assert_int_equal(g->max_ns, 90);
}

/* Makes g of two estimates with errors of 30 and `other_ns`, and returns it with the focus on f. */
static struct eprof_row focused_estimate(uint64_t other_ns)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "f", 1, 1);
    struct eprof_row *g = made_scope(&tree, 1, "g", 100, 1000);
    g->estimated = 1, g->total_error_ns = 30, g->mean_error_ns = 1, g->outermost = 7;
    g->cpu_ns = 40, g->wait_ns = 50;
    made_scope(&tree, 1, "h", 1, 0);
    g = made_scope(&tree, 2, "g", 300, 9000);
    g->estimated = 1, g->total_error_ns = g->mean_error_ns = other_ns, g->outermost = 8;
    g->cpu_ns = 3;
    return viewed(&tree, (struct ep_view){.focus = "f"})->tops[0];
}

TEST(focus_adds_up_estimates)
{
    struct eprof_row g = focused_estimate(40);
    assert_string_equal(g.name, "g");
    assert_int_equal(g.outermost, 15);
    assert_int_equal(g.estimated, 1);
    assert_int_equal(g.total_error_ns, 50); /* the root of 30^2 + 40^2 */
    assert_int_equal(g.mean_error_ns, 4);
    assert_int_equal(g.cpu_ns, 43);
    assert_int_equal(g.wait_ns, EPROF_UNKNOWN);
    g = focused_estimate(EPROF_UNKNOWN);
    assert_int_equal(g.total_error_ns, EPROF_UNKNOWN);
    assert_int_equal(g.mean_error_ns, EPROF_UNKNOWN);
    assert_int_equal(g.estimated, 1);
}

TEST(view_of_a_thread_has_its_rows_alone)
{
    struct made_tree tree = {.rows = NULL};
    make_thread_trees(&tree);
    struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.thread = "worker"});
    assert_names(snapshot, "work .fetch work");
    assert_tops(snapshot, "work fetch work");
}

/* ------------------------------------------------------- views without result -- */

TEST(view_reports_names_that_match_nothing)
{
    struct made_tree trees[6] = {{.rows = NULL}};
    for (size_t i = 0; i < 6; i++)
        make_small(&trees[i]);
    assert_in_vain(&trees[0], (struct ep_view){.sort = "selfish"}, EINVAL,
                   "no column \"selfish\" to sort by: there are calls, timed, errors, open, "
                   "total_ns, self_ns, mean_ns, stddev_ns, min_ns, p50_ns, p90_ns, p99_ns, "
                   "p999_ns, max_ns, outermost, estimated, mean_error_ns, total_error_ns, cpu_ns, "
                   "wait_ns, kind, name, thread, file, line, unit, per_second, id");
    assert_in_vain(&trees[1], (struct ep_view){.sort = "calls_ns"}, EINVAL,
                   "no column \"calls_ns\" to sort by: there are calls, timed, errors, open, "
                   "total_ns, self_ns, mean_ns, stddev_ns, min_ns, p50_ns, p90_ns, p99_ns, "
                   "p999_ns, max_ns, outermost, estimated, mean_error_ns, total_error_ns, cpu_ns, "
                   "wait_ns, kind, name, thread, file, line, unit, per_second, id");
    assert_in_vain(&trees[2], (struct ep_view){.focus = "short"}, ENOENT, "no scope \"short\"");
    assert_in_vain(&trees[3], (struct ep_view){.focus = "parse;read"}, ENOENT,
                   "no scope \"parse;read\"");
    assert_in_vain(&trees[4], (struct ep_view){.filter = "x*"}, ENOENT, "no name like \"x*\"");
    assert_in_vain(&trees[5], (struct ep_view){.focus = "parse", .filter = "short"}, ENOENT,
                   "no name like \"short\"");
}

TEST(view_suggests_names_that_contain_a_missing_region)
{
    struct made_tree trees[3] = {{.rows = NULL}};
    for (size_t i = 0; i < 3; i++)
        make_small(&trees[i]);
    assert_in_vain(&trees[0], (struct ep_view){.callers = "short"}, ENOENT,
                   "no scope, function or value \"short\"");
    assert_in_vain(&trees[1], (struct ep_view){.callers = "r"}, ENOENT,
                   "no scope, function or value \"r\"; there are \"parse\", \"work\", \"read\"");
    assert_string_equal(viewed(&trees[2], (struct ep_view){.callers = "read"})->region, "read");
}

TEST(view_of_a_missing_thread_names_the_threads)
{
    enum { THREADS = 30 };
    static char names[THREADS][64];
    struct made_tree few = {.rows = NULL}, many = {.rows = NULL}, none = {.rows = NULL};
    make_thread_trees(&few);
    assert_in_vain(&few, (struct ep_view){.thread = "wrker"}, ENOENT,
                   "no thread \"wrker\": there are \"main\", \"worker\", \"\033]0;owned\007\"");
    assert_in_vain(&none, (struct ep_view){.thread = "a"}, ENOENT, "no thread \"a\"");
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "%d%050d", i % 10, i);
        many.thread = names[i];
        made_scope(&many, 0, "f", 1, 1);
    }
    struct eprof_snapshot *snapshot = made_snapshot(&many);
    assert_int_equal(ep_view_apply(snapshot, &(struct ep_view){.thread = names[0] + 1}, &why), -1);
    assert_non_null(strstr(why, "\"50000000000000000000\", \"6000"));
    assert_in_range(strlen(why), 400, 500);
    assert_string_equal(why + strlen(why) - 5, ", ...");
}

/* -------------------------------------------------------------------- size -- */

/* Three trees: all rows below one parent, each row below the one before, and a thousand times a
 * thousand rows. The rows are added in reverse order. */
TEST(million_rows_are_sorted)
{
    enum { ROWS_OF_ALL = 1000000 };
    for (int shape = 0; shape < 3; shape++) {
        struct made_tree tree = {.rows = NULL};
        made_scope(&tree, 0, "main", ROWS_OF_ALL, 1);
        for (uint32_t i = 1; i < ROWS_OF_ALL; i++)
            made_scope(&tree, shape == 0 ? 1 : shape == 1 ? i : i % 1000 == 1 ? 1 : 2, "f", i, 1);
        struct eprof_snapshot *snapshot = viewed(&tree, (struct ep_view){.sort = "calls"});
        assert_int_equal(snapshot->rows[0].calls, ROWS_OF_ALL);
        assert_int_equal(snapshot->rows[1].calls, shape == 0   ? ROWS_OF_ALL - 1
                                                  : shape == 1 ? 1
                                                               : ROWS_OF_ALL - 999);
        for (size_t row = 1; row < snapshot->diagnostic_first; row++)
            if (snapshot->positions[row].parent == snapshot->positions[row - 1].parent)
                assert_true(snapshot->rows[row].calls < snapshot->rows[row - 1].calls);
    }
}

static void *copy_of(const void *from, size_t bytes)
{
    void *copy = malloc(bytes);
    assert_non_null(copy);
    return memcpy(copy, from, bytes);
}

/* A copy of a snapshot with one row, which can be freed as a snapshot that was taken. */
static struct eprof_snapshot *own(const struct eprof_snapshot *made)
{
    struct eprof_snapshot *copy = copy_of(made, sizeof *made);
    copy->rows = copy_of(made->rows, sizeof *made->rows);
    copy->positions = copy_of(made->positions, sizeof *made->positions);
    copy->tops = copy_of(made->tops, sizeof *made->tops);
    copy->top_marks = copy_of(made->top_marks, sizeof *made->top_marks);
    copy->instance_slots = NULL;
    return copy;
}

TEST(threads_without_matching_rows_are_left_out)
{
    for (int is_there = 0; is_there < 2; is_there++) {
        struct made_tree tree = {.rows = NULL}, of_thread = {.rows = NULL};
        make_small(&tree);
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        of_thread.thread = "worker";
        made_scope(&of_thread, 0, is_there ? "work" : "play", 1, 10);
        snapshot->by_threads = own(made_snapshot(&of_thread));
        assert_return_code(ep_view_apply(snapshot, &(struct ep_view){.filter = "work"}, &why),
                           errno);
        assert_names(snapshot, "main .work");
        assert_int_equal(snapshot->by_threads != NULL, is_there);
        ep_snapshot_free(snapshot->by_threads);
    }
}
