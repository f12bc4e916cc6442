/* The call tree of a snapshot: its rows, their order, and the threads from which they are merged;
 * the image is made by hand. */
#include "support/fake_image.h"

#include <stdio.h>
#include <stdlib.h>

static size_t scopes_of(const struct eprof_snapshot *snapshot)
{
    return snapshot->diagnostic_first - snapshot->scope_first;
}

static size_t count_scopes(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = fake_take(options);
    size_t scopes = scopes_of(snapshot);
    return scopes;
}

/* The paths of all rows, one on each line; they are compared as one text so that a failure shows
 * all of them. */
static void check_paths(struct eprof_snapshot *snapshot, const char *expected)
{
    char text[2000] = "";
    for (size_t i = snapshot->scope_first; i < snapshot->diagnostic_first; i++) {
        strncat(text, ep_rows_path(snapshot, i), sizeof text - strlen(text) - 1);
        strncat(text, "\n", sizeof text - strlen(text) - 1);
    }
    assert_string_equal(text, expected);
}

/* ------------------------------------------------------------- which rows -- */

TEST(thread_without_calls_has_no_rows)
{
    uint32_t site = fake_site("a.c", 1, "f");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    assert_int_equal(count_scopes(MERGED), 0);
    struct ep_node_cell *root = fake_root(thread);
    assert_int_equal(count_scopes(MERGED), 0);
    fake_node(thread, root, site);
    assert_int_equal(count_scopes(MERGED), 0);
    assert_int_equal(count_scopes(BY_THREADS), 0);
}

TEST(row_has_the_figures_of_its_node)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_node(thread, fake_root(thread), fake_site("a.c", 12, "f"));
    fake_visit(node, 10, 8);
    fake_visit(node, 20, 15);
    fake_leave_pending_in(&node->stats, 60);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(scopes_of(snapshot), 1);
    const struct eprof_row *row = &snapshot->rows[0];
    assert_string_equal(row->kind, "scope");
    assert_string_equal(row->name, "f");
    assert_null(row->path);
    assert_string_equal(row->thread, "*");
    assert_string_equal(row->file, "a.c");
    assert_int_equal(row->line, 12);
    assert_int_equal(row->id, -1);
    assert_figures(row, "calls 3, timed 3, open 0, total 90, self 23, mean 30");
    assert_int_equal(row->stddev_ns, 22); /* sqrt((400 + 100 + 900) / 3) = 21.6 */
    assert_int_equal(row->min_ns, 10);
    assert_in_range(row->p50_ns, 19, 21);
    assert_in_range(row->p90_ns, 57, 60);
    assert_int_equal(row->max_ns, 60);
}

TEST(node_counts_from_the_generation_of_the_reset_on)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    fake_visit(node, 5, 5);
    fake_reset(7);
    for (uint64_t generation = 0; generation < 10; generation++) {
        node->generation = (UINT64_C(3) << 48) + generation;
        if (count_scopes(MERGED) != (generation >= 7))
            fail_msg("reset at 7, node of %llu", (unsigned long long)generation);
    }
}

TEST(stale_parent_of_a_fresh_child_is_a_row_without_calls)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *outer = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    struct ep_node_cell *inner = fake_node(thread, outer, fake_site("a.c", 2, "g"));
    struct ep_node_cell *other = fake_node(thread, outer, fake_site("a.c", 3, "h"));
    fake_visit(outer, 1000, 600);
    fake_visit(inner, 50, 50);
    fake_visit(other, 30, 30);
    fake_reset(7);
    inner->generation = other->generation = 7;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_paths(snapshot, "f\nf;g\nf;h\n");
    const struct eprof_row *row = fake_row(snapshot, "f");
    assert_figures(row, "calls 0, total 80, self 0, max 0");
}

TEST(held_calls_are_not_shown)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread), *shown = fake_node(thread, root, f);
    struct ep_node_cell *hold = fake_node(thread, root, EP_SITE_HOLD);
    struct ep_node_cell *held = fake_node(thread, shown, g), *below = fake_node(thread, hold, g);
    held->level = 1;
    fake_visit(shown, 10, 10);
    fake_visit(held, 5, 5);
    fake_visit(below, 5, 5);
    fake_visit(fake_node(thread, held, f), 5, 5);
    fake_visit(fake_node(thread, below, f), 5, 5);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_paths(snapshot, "f\n");
    assert_int_equal(snapshot->top_count, 1);
}

TEST(paths_without_room_are_called_other)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_visit(fake_node(thread, fake_root(thread), EP_SITE_OTHER), 5, 5);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *row = fake_row(snapshot, "(other)");
    assert_string_equal(row->file, "");
    assert_int_equal(row->line, 0);
    assert_false(snapshot->positions[0].mark.is_ambiguous);
}

TEST(errors_of_scopes_are_clock_diagnostics)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    fake_visit(node, 10, 10);
    node->stats.calls += 3;
    node->stats.errors = 3;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->rows[0].errors, 3);
    assert_int_equal(snapshot->rows[0].timed, 1);
    assert_int_equal(snapshot->clock_errors, 3);
    assert_string_equal(snapshot->rows[snapshot->diagnostic_first].name, "clock");
    assert_int_equal(snapshot->rows[snapshot->diagnostic_first].calls, 3);
}

/* ------------------------------------------------------------------ merged -- */

/* Two threads with f;g; one of them has another path too. */
static void make_two_threads(void)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    for (uint32_t n = 0; n < 2; n++) {
        struct ep_thread_cell *thread = fake_thread(n, NULL);
        struct ep_node_cell *root = fake_root(thread);
        struct ep_node_cell *outer = fake_node(thread, root, f);
        struct ep_node_cell *inner = fake_node(thread, outer, g);
        fake_visit(outer, 100 * (n + 1), 60 * (n + 1));
        fake_visit(inner, 40 * (n + 1), 40 * (n + 1));
        if (n == 1)
            fake_visit(fake_node(thread, root, g), 7, 7);
    }
}

TEST(threads_are_merged_by_their_paths)
{
    make_two_threads();
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_paths(snapshot, "f\nf;g\ng\n");
    const struct eprof_row *row = fake_row(snapshot, "f;g");
    assert_figures(row, "calls 2, total 120, min 40, max 80");
    assert_in_range(row->p50_ns, 40, 42);
    assert_int_equal(row->stddev_ns, 20);
    assert_int_equal(fake_row(snapshot, "f")->self_ns, 180);
}

TEST(each_thread_has_a_tree_on_request)
{
    make_two_threads();
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    check_paths(snapshot, "f\nf;g\nf\nf;g\ng\n");
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(snapshot->rows[i].thread, i < 2 ? "main" : "thread 1");
    assert_int_equal(snapshot->rows[0].total_ns, 100);
    assert_int_equal(snapshot->rows[2].total_ns, 200);
    assert_int_equal(snapshot->positions[2].parent, SIZE_MAX);
    assert_int_equal(snapshot->positions[3].parent, 2);
    assert_int_equal(snapshot->positions[2].end, 4);
}

TEST(threads_of_one_name_have_two_trees)
{
    uint32_t f = fake_site("a.c", 1, "f");
    for (uint32_t n = 0; n < 2; n++) {
        struct ep_thread_cell *thread = fake_thread(9 - n, "sailor");
        fake_visit(fake_node(thread, fake_root(thread), f), 10 + n, 10 + n);
    }
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    assert_int_equal(scopes_of(snapshot), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(snapshot->rows[i].thread, "sailor");
        assert_int_equal(snapshot->rows[i].total_ns, 11 - i);
    }
}

/* On one thread the calls of f are from before a reset; on the other thread they count. */
TEST(time_inside_a_stale_node_is_added_to_the_other_threads)
{
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    for (uint32_t n = 0; n < 2; n++) {
        struct ep_thread_cell *thread = fake_thread(n, NULL);
        struct ep_node_cell *outer = fake_node(thread, fake_root(thread), f);
        fake_visit(outer, 100, 60);
        outer->generation = n;
        fake_visit(fake_node(thread, outer, g), 40, 40);
    }
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_figures(fake_row(snapshot, "f"), "calls 1, total 140, self 60");
    assert_int_equal(fake_row(snapshot, "f;g")->total_ns, 80);
}

/* ------------------------------------------------------------------- order -- */

TEST(children_are_sorted_by_total_time_and_then_by_site)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const uint64_t ticks[] = {5, 70, 20, 70, 20};
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    uint32_t sites[5];
    for (uint32_t i = 0; i < 5; i++)
        sites[i] = fake_site("a.c", i, names[i]);
    struct ep_node_cell *b = NULL;
    for (size_t i = 5; i-- > 0;) {
        struct ep_node_cell *node = fake_node(thread, root, sites[i]);
        fake_visit(node, ticks[i], i == 1 ? 40 : ticks[i]);
        b = i == 1 ? node : b;
    }
    fake_visit(fake_node(thread, b, sites[0]), 10, 10);
    fake_visit(fake_node(thread, b, sites[4]), 20, 20);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_paths(snapshot, "b\nb;e\nb;a\nd\nc\ne\na\n");
    static const size_t ends[] = {3, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(snapshot->positions[i].end, ends[i]);
        assert_int_equal(snapshot->positions[i].depth, i == 1 || i == 2);
        assert_int_equal(snapshot->positions[i].parent, i == 1 || i == 2 ? 0 : SIZE_MAX);
    }
    assert_int_equal(snapshot->positions[0].site, sites[1]);
}

/* Instances come before, so that the index of a position is not that of its row. */
TEST(rows_of_scopes_come_between_instances_and_diagnostics)
{
    fake_instance(0, "work", 1);
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_call(fake_pair(thread, 0, 1), 5);
    struct ep_node_cell *outer = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    fake_visit(outer, 10, 5);
    fake_visit(fake_node(thread, outer, fake_site("a.c", 2, "g")), 5, 5);
    fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_LOST] = 4;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->scope_first, 1);
    assert_int_equal(snapshot->diagnostic_first, 3);
    assert_int_equal(snapshot->row_count, 4);
    assert_int_equal(snapshot->positions[1].parent, 1);
    assert_int_equal(snapshot->positions[0].end, 3);
    assert_string_equal(ep_rows_path(snapshot, 0), "work");
    assert_string_equal(ep_rows_path(snapshot, 2), "f;g");
    assert_string_equal(ep_rows_path(snapshot, 3), "lost");
}

/* -------------------------------------------------------------------- size -- */

/* f and g call each other; each call has its own node. */
TEST(deep_tree_is_walked_without_a_stack)
{
    enum { DEPTH = 20000 };
    uint32_t sites[] = {fake_site("a.c", 1, "f"), fake_site("a.c", 2, "g")};
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_root(thread);
    for (size_t i = 0; i < DEPTH; i++) {
        node = fake_node(thread, node, sites[i % 2]);
        fake_visit(node, 2 * (DEPTH - i), 2);
    }
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(scopes_of(snapshot), DEPTH);
    for (size_t i = 0; i < DEPTH; i++) {
        assert_int_equal(snapshot->positions[i].depth, i);
        assert_int_equal(snapshot->positions[i].parent, i ? i - 1 : SIZE_MAX);
        assert_int_equal(snapshot->positions[i].end, DEPTH);
        assert_int_equal(snapshot->rows[i].total_ns, 2 * (DEPTH - i));
    }
    const char *path = ep_rows_path(snapshot, DEPTH - 1);
    assert_int_equal(strlen(path), 2 * DEPTH - 1);
    assert_memory_equal(path, "f;g;f;g;", 8);
    assert_int_equal(snapshot->top_count, 2);
    assert_int_equal(snapshot->tops[0].self_ns, DEPTH);
}

TEST(many_siblings_are_sorted)
{
    enum { SIBLINGS = 100000 };
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    for (uint32_t i = 0; i < SIBLINGS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", (unsigned)i);
        uint64_t ticks = i * UINT64_C(7919) % SIBLINGS; /* a prime: each once */
        fake_visit(fake_node(thread, root, fake_site(NULL, 0, name)), ticks, ticks);
    }
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(scopes_of(snapshot), SIBLINGS);
    assert_int_equal(snapshot->top_count, SIBLINGS);
    for (uint32_t i = 0; i < SIBLINGS; i++) {
        uint64_t number = strtoull(snapshot->rows[i].name, NULL, 10);
        assert_int_equal(snapshot->rows[i].total_ns, SIBLINGS - 1 - i);
        assert_int_equal(number * 7919 % SIBLINGS, SIBLINGS - 1 - i);
        assert_int_equal(snapshot->tops[i].self_ns, SIBLINGS - 1 - i);
        assert_int_equal(snapshot->positions[i].end, i + 1);
    }
}

TEST_EACH(fake_begin, fake_end)
