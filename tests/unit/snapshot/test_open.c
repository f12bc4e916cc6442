/* Open scopes in a snapshot: an entry on a stack counts with its time so far; the image is made by
 * hand. */
#include "support/fake_image.h"

#include <sched.h>

#include "snapshot/tree.h"

#define NOW(ticks) ((struct ep_present){.is_live = true, .now_ticks = (ticks), .self = 77})

/* One thread with f;g;f, of which no call has ended. */
static struct ep_thread_cell *thread;
static struct ep_node_cell *f, *g, *h;

static int begin(void **state)
{
    int result = fake_begin(state);
    thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    f = fake_node(thread, root, fake_site("a.c", 1, "f"));
    g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    h = fake_node(thread, g, fake_site("a.c", 3, "h"));
    fake_frame(thread, root, EP_SCOPE_VOID, 0);
    return result;
}

static void check_row(struct eprof_snapshot *snapshot, const char *path, uint64_t open,
                      uint64_t total_ns, uint64_t self_ns)
{
    const struct eprof_row *row = fake_row(snapshot, path);
    if (row->open != open || row->total_ns != total_ns || row->self_ns != self_ns)
        fail_msg("%s: %llu open, total %llu, self %llu", path, (unsigned long long)row->open,
                 (unsigned long long)row->total_ns, (unsigned long long)row->self_ns);
}

static size_t count_scopes(const struct eprof_snapshot *snapshot)
{
    return snapshot->diagnostic_first - snapshot->scope_first;
}

/* -------------------------------------------------------------- time so far -- */

TEST(open_scope_has_its_time_so_far)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_frame(thread, g, EP_SCOPE_TIMED, 130)->child_ticks = 20;
    fake_visit(h, 20, 20);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 30);
    check_row(snapshot, "f;g", 1, 70, 50);
    check_row(snapshot, "f;g;h", 0, 20, 20);
    const struct eprof_row *row = fake_row(snapshot, "f;g");
    assert_figures(row, "calls 0, mean 0, max 0, p99 0");
}

TEST(finished_calls_alone_make_mean_and_percentiles)
{
    fake_visit(f, 40, 40);
    fake_visit(f, 40, 40);
    fake_frame(thread, f, EP_SCOPE_TIMED, 1000);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(2000), MERGED);
    check_row(snapshot, "f", 1, 1080, 1080);
    const struct eprof_row *row = fake_row(snapshot, "f");
    assert_figures(row, "calls 2, mean 40, max 40, p999 40, stddev 0");
    assert_int_equal(snapshot->tops[0].total_ns, 1080);
    assert_int_equal(snapshot->tops[0].mean_ns, 40);
}

/* The time of the outer call counts, and contains that of the inner one; both are open. */
TEST(nested_open_scope_adds_to_self_time_alone)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_frame(thread, g, EP_SCOPE_TIMED, 150);
    fake_frame(thread, f, EP_SCOPE_NESTED, 160);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 2, 100, 50 + 40);
    check_row(snapshot, "f;g", 1, 50, 10);
}

TEST(open_scopes_of_all_threads_are_added_up)
{
    struct ep_thread_cell *second = fake_thread(1, NULL);
    struct ep_node_cell *root = fake_root(second);
    struct ep_node_cell *other = fake_node(second, root, f->site);
    fake_frame(second, root, EP_SCOPE_VOID, 0);
    fake_frame(second, other, EP_SCOPE_TIMED, 10);
    fake_frame(thread, f, EP_SCOPE_TIMED, 50);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 2, 140, 140);
}

TEST(negative_time_is_zero)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 90)->child_ticks = 50;
    fake_frame(thread, g, EP_SCOPE_TIMED, 101); /* it began after the snapshot */
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 1, 50, 0); /* not less than the time of the calls that ended inside */
    check_row(snapshot, "f;g", 1, 0, 0);
}

TEST(abandoned_calls_are_open)
{
    f->stats.abandoned = 3;
    fake_visit(g, 25, 25);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 3, 25, 0);
}

/* ---- entries of the stack ---- */

TEST(void_entry_does_not_count_but_its_children_do)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_frame(thread, g, EP_SCOPE_TIMED | EP_SCOPE_VOID, 120)->child_ticks = 7;
    fake_frame(thread, h, EP_SCOPE_TIMED, 150);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 43);
    check_row(snapshot, "f;g", 0, 50, 0);
    check_row(snapshot, "f;g;h", 1, 50, 50);
}

TEST(entry_of_before_the_reset_is_not_open)
{
    struct ep_open_scope_cell *frame = fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_reset(7);
    for (uint64_t generation = 5; generation < 9; generation++) {
        frame->generation = (UINT64_C(3) << 48) + generation;
        struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
        if (count_scopes(snapshot) != (generation >= 7))
            fail_msg("reset at 7, entry of %llu", (unsigned long long)generation);
    }
}

TEST(held_entry_is_not_open)
{
    g->level = 1;
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_frame(thread, g, EP_SCOPE_TIMED, 120)->child_ticks = 7;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    check_row(snapshot, "f", 1, 100, 100);
}

TEST(entries_above_one_that_was_left_are_not_open)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    struct ep_open_scope_cell *left = fake_frame(thread, g, EP_SCOPE_TIMED, 120);
    fake_frame(thread, h, EP_SCOPE_TIMED, 150);
    left->state = 0;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    check_row(snapshot, "f", 1, 100, 100);
}

/* ------------------------------------------------------- where time is unknown -- */

TEST(open_scope_of_an_image_at_rest_has_the_time_of_calls_that_ended_inside)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_frame(thread, g, EP_SCOPE_TIMED, 120);
    fake_visit(g, 40, 30);
    fake_visit(h, 35, 35);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_row(snapshot, "f;g", 1, 65, 30);
    check_row(snapshot, "f", 1, 65, 0);
}

TEST(source_per_thread_measures_only_its_own_thread)
{
    fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    fake_visit(g, 30, 30);
    fake.cells[EP_CELL_SOURCE].source.is_per_thread = 1;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 30, 0);
    thread->self = 77;
    snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 100);
}

/* ------------------------------------------------------------ looked at twice -- */

/* An entry changes in several ways between the two readings; it counts as open only if it is
 * unchanged. */
TEST(entry_that_changed_between_is_not_open)
{
    struct ep_open_scope_cell *first = fake_frame(thread, f, EP_SCOPE_TIMED, 100);
    struct ep_open_scope_cell *second = fake_frame(thread, g, EP_SCOPE_TIMED, 120);
    const struct ep_open_scope_cell before = *second;
    struct ep_open_scopes open = {.at = NULL};
    for (int change = 0; change < 4; change++) {
        *second = before;
        first->child_ticks = 0;
        assert_return_code(ep_thread_tree_open_read(&open, &fake, thread), errno);
        assert_int_equal(open.count, 3);
        first->child_ticks = 9;
        if (change == 1)
            second->start_ticks++;
        else if (change == 2)
            second->node = fake_ref(h);
        else if (change == 3)
            second->state = 0;
        ep_thread_tree_open_read_again(&open, &fake, thread);
        assert_int_equal(open.count, change == 0 ? 3 : 2);
        assert_int_equal(open.at[1].child_ticks, 9);
    }
    ep_thread_tree_open_free(&open);
}

/* This replaces the function of libc: it makes the changes of another thread. */
static int yields, yields_until_kept;

int sched_yield(void)
{
    if (++yields == yields_until_kept) {
        fake_visit(g, 5, 5);
        thread->keeps++;
    }
    return 0;
}

TEST(half_of_a_keep_is_not_seen)
{
    fake_visit(f, 5, 0);
    thread->keeps = 1;
    yields = 0;
    yields_until_kept = 3;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(count_scopes(snapshot), 2);
    assert_int_equal(yields, 3);
}

TEST(keep_that_does_not_end_is_not_waited_for)
{
    fake_visit(f, 5, 5);
    thread->keeps = 1;
    yields = 0;
    yields_until_kept = -1;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    assert_int_equal(yields, 99);
}

/* -------------------------------------------------------------------- size -- */

TEST(deep_stack_is_read_in_one_go)
{
    enum { DEPTH = 20000 };
    struct ep_node_cell *node = f;
    ep_ref *place = &fake.cells[thread->frames].frame.next;
    for (uint64_t i = 0; i < DEPTH; i++) {
        if (i)
            node = fake_node(thread, node, i % 2 ? g->site : f->site);
        *place = ep_image_take(&fake, 1);
        struct ep_open_scope_cell *frame = &fake.cells[*place].frame;
        frame->generation = 1;
        frame->node = fake_ref(node);
        frame->state = EP_SCOPE_OPEN | EP_SCOPE_TIMED;
        frame->start_ticks = 10 * i;
        place = &frame->next;
    }
    struct eprof_snapshot *snapshot = fake_take_at(NOW(UINT64_C(10) * DEPTH), MERGED);
    assert_int_equal(count_scopes(snapshot), DEPTH);
    for (uint64_t i = 0; i < DEPTH; i++) {
        assert_int_equal(snapshot->rows[i].total_ns, 10 * (DEPTH - i));
        assert_int_equal(snapshot->rows[i].self_ns, 10);
    }
}

TEST_EACH(begin, fake_end)
