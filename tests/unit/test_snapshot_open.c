/* Open scopes in a snapshot: what is on a stack counts with its time so far; the image is made
 * by hand. */
#include "fake_tree.h"

#include <sched.h>

#include "snapshot_open.h"

#define NOW(ticks) ((struct ep_present){.is_live = true, .now_ticks = (ticks), .self = 77})

/* One thread with f;g;f, of which nothing has ended. */
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
    fake_frame(thread, root, EP_FRAME_VOID, 0);
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
    return snapshot->trouble_first - snapshot->scope_first;
}

/* -------------------------------------------------------------- time so far -- */

static void open_scope_has_its_time_so_far(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_frame(thread, g, EP_FRAME_TIMED, 130)->child_ticks = 20;
    fake_visit(h, 20, 20);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 30);
    check_row(snapshot, "f;g", 1, 70, 50);
    check_row(snapshot, "f;g;h", 0, 20, 20);
    const struct eprof_row *row = fake_row(snapshot, "f;g");
    assert_int_equal(row->calls, 0);
    assert_int_equal(row->mean_ns, 0);
    assert_int_equal(row->max_ns, 0);
    assert_int_equal(row->p99_ns, 0);
    ep_snapshot_free(snapshot);
}

static void finished_calls_alone_make_mean_and_percentiles(void **state)
{
    (void)state;
    fake_visit(f, 40, 40);
    fake_visit(f, 40, 40);
    fake_frame(thread, f, EP_FRAME_TIMED, 1000);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(2000), MERGED);
    check_row(snapshot, "f", 1, 1080, 1080);
    const struct eprof_row *row = fake_row(snapshot, "f");
    assert_int_equal(row->calls, 2);
    assert_int_equal(row->mean_ns, 40);
    assert_int_equal(row->max_ns, 40);
    assert_int_equal(row->p999_ns, 40);
    assert_int_equal(row->stddev_ns, 0);
    assert_int_equal(snapshot->tops[0].total_ns, 1080);
    assert_int_equal(snapshot->tops[0].mean_ns, 40);
    ep_snapshot_free(snapshot);
}

/* The outer one's time counts, the inner one's is in it; both are open. */
static void nested_open_scope_adds_to_self_time_alone(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_frame(thread, g, EP_FRAME_TIMED, 150);
    fake_frame(thread, f, EP_FRAME_NESTED, 160);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 2, 100, 50 + 40);
    check_row(snapshot, "f;g", 1, 50, 10);
    ep_snapshot_free(snapshot);
}

static void open_scopes_of_all_threads_are_added_up(void **state)
{
    (void)state;
    struct ep_thread_cell *second = fake_thread(1, NULL);
    struct ep_node_cell *root = fake_root(second);
    struct ep_node_cell *other = fake_node(second, root, f->site);
    fake_frame(second, root, EP_FRAME_VOID, 0);
    fake_frame(second, other, EP_FRAME_TIMED, 10);
    fake_frame(thread, f, EP_FRAME_TIMED, 50);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 2, 140, 140);
    ep_snapshot_free(snapshot);
}

static void time_that_comes_out_negative_is_none(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 90)->child_ticks = 50;
    fake_frame(thread, g, EP_FRAME_TIMED, 101); /* begun after the snapshot did */
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 1, 50, 0); /* no less than what ended inside */
    check_row(snapshot, "f;g", 1, 0, 0);
    ep_snapshot_free(snapshot);
}

static void abandoned_calls_are_open(void **state)
{
    (void)state;
    f->stats.abandoned = 3;
    fake_visit(g, 25, 25);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(100), MERGED);
    check_row(snapshot, "f", 3, 25, 0);
    ep_snapshot_free(snapshot);
}

/* ------------------------------------------------------------- what is open -- */

static void void_entry_is_nothing_and_what_is_inside_it_counts(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_frame(thread, g, EP_FRAME_TIMED | EP_FRAME_VOID, 120)->child_ticks = 7;
    fake_frame(thread, h, EP_FRAME_TIMED, 150);
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 43);
    check_row(snapshot, "f;g", 0, 50, 0);
    check_row(snapshot, "f;g;h", 1, 50, 50);
    ep_snapshot_free(snapshot);
}

static void entry_of_before_the_reset_is_not_open(void **state)
{
    (void)state;
    struct ep_frame_cell *frame = fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_reset(7);
    for (uint64_t stamp = 5; stamp < 9; stamp++) {
        frame->stamp = (UINT64_C(3) << 48) + stamp;
        struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
        if (count_scopes(snapshot) != (stamp >= 7))
            fail_msg("reset at 7, entry of %llu", (unsigned long long)stamp);
        ep_snapshot_free(snapshot);
    }
}

static void held_entry_is_not_open(void **state)
{
    (void)state;
    g->level = 1;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_frame(thread, g, EP_FRAME_TIMED, 120)->child_ticks = 7;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    check_row(snapshot, "f", 1, 100, 100);
    ep_snapshot_free(snapshot);
}

static void entries_above_one_that_was_left_are_not_open(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    struct ep_frame_cell *left = fake_frame(thread, g, EP_FRAME_TIMED, 120);
    fake_frame(thread, h, EP_FRAME_TIMED, 150);
    left->state = 0;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    check_row(snapshot, "f", 1, 100, 100);
    ep_snapshot_free(snapshot);
}

/* ------------------------------------------------------- where time is unknown -- */

static void open_scope_of_an_image_at_rest_has_what_ended_inside(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_frame(thread, g, EP_FRAME_TIMED, 120);
    fake_visit(g, 40, 30);
    fake_visit(h, 35, 35);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    check_row(snapshot, "f;g", 1, 65, 30);
    check_row(snapshot, "f", 1, 65, 0);
    ep_snapshot_free(snapshot);
}

static void source_of_each_thread_tells_of_its_own_thread_alone(void **state)
{
    (void)state;
    fake_frame(thread, f, EP_FRAME_TIMED, 100);
    fake_visit(g, 30, 30);
    fake.cells[EP_CELL_SOURCE].source.is_per_thread = 1;
    struct eprof_snapshot *snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 30, 0);
    ep_snapshot_free(snapshot);
    thread->self = 77;
    snapshot = fake_take_at(NOW(200), MERGED);
    check_row(snapshot, "f", 1, 100, 100);
    ep_snapshot_free(snapshot);
}

/* ------------------------------------------------------------ looked at twice -- */

/* What an entry becomes between the two looks, and whether it is still open then. */
static void entry_that_changed_between_is_not_open(void **state)
{
    (void)state;
    struct ep_frame_cell *first = fake_frame(thread, f, EP_FRAME_TIMED, 100);
    struct ep_frame_cell *second = fake_frame(thread, g, EP_FRAME_TIMED, 120);
    const struct ep_frame_cell before = *second;
    struct ep_open_scopes open = {.at = NULL};
    for (int change = 0; change < 4; change++) {
        *second = before;
        first->child_ticks = 0;
        assert_return_code(ep_open_read(&open, &fake, thread), errno);
        assert_int_equal(open.count, 3);
        first->child_ticks = 9;
        if (change == 1)
            second->start_ticks++;
        else if (change == 2)
            second->node = fake_ref(h);
        else if (change == 3)
            second->state = 0;
        ep_open_read_again(&open, &fake, thread);
        assert_int_equal(open.count, change == 0 ? 3 : 2);
        assert_int_equal(open.at[1].child_ticks, 9);
    }
    ep_open_free(&open);
}

/* Stands in for libc's: what another thread does meanwhile. */
static int yields, yields_until_kept;

int sched_yield(void)
{
    if (++yields == yields_until_kept) {
        fake_visit(g, 5, 5);
        thread->keeps++;
    }
    return 0;
}

static void half_of_a_keep_is_not_seen(void **state)
{
    (void)state;
    fake_visit(f, 5, 0);
    thread->keeps = 1;
    yields = 0;
    yields_until_kept = 3;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(count_scopes(snapshot), 2);
    assert_int_equal(yields, 3);
    ep_snapshot_free(snapshot);
}

static void keep_that_does_not_end_is_not_waited_for(void **state)
{
    (void)state;
    fake_visit(f, 5, 5);
    thread->keeps = 1;
    yields = 0;
    yields_until_kept = -1;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(count_scopes(snapshot), 1);
    assert_int_equal(yields, 99);
    ep_snapshot_free(snapshot);
}

/* -------------------------------------------------------------------- size -- */

static void deep_stack_is_read_in_one_go(void **state)
{
    enum { DEPTH = 20000 };
    (void)state;
    struct ep_node_cell *node = f;
    ep_ref *place = &fake.cells[thread->frames].frame.next;
    for (uint64_t i = 0; i < DEPTH; i++) {
        if (i)
            node = fake_node(thread, node, i % 2 ? g->site : f->site);
        *place = ep_image_take(&fake, 1);
        struct ep_frame_cell *frame = &fake.cells[*place].frame;
        frame->stamp = 1;
        frame->node = fake_ref(node);
        frame->state = EP_FRAME_OPEN | EP_FRAME_TIMED;
        frame->start_ticks = 10 * i;
        place = &frame->next;
    }
    struct eprof_snapshot *snapshot = fake_take_at(NOW(UINT64_C(10) * DEPTH), MERGED);
    assert_int_equal(count_scopes(snapshot), DEPTH);
    for (uint64_t i = 0; i < DEPTH; i++) {
        assert_int_equal(snapshot->rows[i].total_ns, 10 * (DEPTH - i));
        assert_int_equal(snapshot->rows[i].self_ns, 10);
    }
    ep_snapshot_free(snapshot);
}

#define OPEN_TEST(name) cmocka_unit_test_setup_teardown(name, begin, fake_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OPEN_TEST(open_scope_has_its_time_so_far),
        OPEN_TEST(finished_calls_alone_make_mean_and_percentiles),
        OPEN_TEST(nested_open_scope_adds_to_self_time_alone),
        OPEN_TEST(open_scopes_of_all_threads_are_added_up),
        OPEN_TEST(time_that_comes_out_negative_is_none),
        OPEN_TEST(abandoned_calls_are_open),
        OPEN_TEST(void_entry_is_nothing_and_what_is_inside_it_counts),
        OPEN_TEST(entry_of_before_the_reset_is_not_open),
        OPEN_TEST(held_entry_is_not_open),
        OPEN_TEST(entries_above_one_that_was_left_are_not_open),
        OPEN_TEST(open_scope_of_an_image_at_rest_has_what_ended_inside),
        OPEN_TEST(source_of_each_thread_tells_of_its_own_thread_alone),
        OPEN_TEST(entry_that_changed_between_is_not_open),
        OPEN_TEST(half_of_a_keep_is_not_seen),
        OPEN_TEST(keep_that_does_not_end_is_not_waited_for),
        OPEN_TEST(deep_stack_is_read_in_one_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
