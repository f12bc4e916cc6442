/* How the time of each call path is spread over processes: the figures, in any order of adding. */
#include "image/check.h"
#include "merge_fixture.h"

/* ------------------------------------------------------------- two processes -- */

/* A process with this number (its rank, or its process id) that spends some time in "f", in two
 * threads, and in "f;g". */
static void make_process(int which, bool has_rank, uint64_t number, uint64_t ticks, bool has_g)
{
    begin_image();
    uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
    for (uint32_t i = 0; i < 2; i++) {
        struct ep_thread_cell *thread = fake_thread(i, NULL);
        struct ep_node_cell *node = fake_node(thread, fake_root(thread), f);
        fake_visit(node, ticks / 2, ticks / 2 - has_g);
        if (has_g)
            fake_visit(fake_node(thread, node, g), 1, 1);
    }
    fake.cells[EP_CELL_IDENTITY].identity.realtime_ns = 1;
    fake.cells[EP_CELL_IDENTITY].identity.process_id = has_rank ? 4711 : number;
    fake.cells[EP_CELL_PROCESSES].processes.rank = has_rank ? number + 1 : 0;
    end_image(which);
}

static const struct eprof_row *row_of_sum(const char *path)
{
    return fake_row(add_up(MERGED), path);
}

TEST(threads_of_a_process_are_one)
{
    make_process(0, true, 3, 1000, false);
    make_process(1, true, 7, 3000, true);
    const struct eprof_row *f = row_of_sum("f");
    assert_int_equal(f->processes, 2);
    assert_int_equal(f->process_min_ns, 1000);
    assert_int_equal(f->process_mean_ns, 2000);
    assert_int_equal(f->process_max_ns, 3000);
    assert_int_equal(f->process_stddev_ns, 1000);
    assert_int_equal(f->process_slowest, 7);
    assert_int_equal(f->imbalance_millionths, 500000);
}

TEST(process_without_calls_of_a_path_does_not_count_there)
{
    make_process(0, true, 3, 1000, false);
    make_process(1, true, 7, 3000, true);
    const struct eprof_row *g = row_of_sum("f;g");
    assert_int_equal(g->processes, 1);
    assert_int_equal(g->process_min_ns, 2);
    assert_int_equal(g->imbalance_millionths, 0);
}

TEST(processes_without_ranks_have_their_process_ids)
{
    make_process(0, false, 123456, 1000, false);
    make_process(1, false, 7, 500, false);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(fake_row(snapshot, "f")->process_slowest, 123456);
    assert_false(snapshot->has_ranks);
    assert_int_equal(snapshot->process_count, 2);
}

TEST(number_of_the_slowest_is_not_known_if_it_may_be_a_rank_or_a_process_id)
{
    make_process(0, false, 3, 1000, false);
    make_process(1, true, 7, 500, false);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(fake_row(snapshot, "f")->process_slowest, EPROF_UNKNOWN);
    assert_int_equal(fake_row(snapshot, "f")->process_max_ns, 1000);
    assert_int_equal(snapshot->groups.count, 2);
    assert_true(snapshot->groups.at[0].has_ranks && !snapshot->groups.at[1].has_ranks);
    assert_int_equal(snapshot->groups.at[0].first, 7);
    assert_int_equal(snapshot->groups.at[1].first, 3);
}

TEST(slowest_of_equal_processes_is_the_lowest)
{
    make_process(0, true, 9, 1000, false);
    make_process(1, true, 4, 1000, false);
    assert_int_equal(row_of_sum("f")->process_slowest, 4);
}

TEST(one_process_and_rows_of_threads_have_no_balance)
{
    make_process(0, true, 3, 1000, false);
    make_process(1, true, 7, 3000, true);
    struct eprof_snapshot *by_threads = add_up(BY_THREADS);
    assert_int_equal(by_threads->rows[by_threads->scope_first].processes, EPROF_UNKNOWN);
    struct ep_merge *one = merge_all((const struct ep_image *const[]){&images[0]}, 1);
    assert_int_equal(fake_row(merged_snapshot(one, MERGED), "f")->processes, EPROF_UNKNOWN);
    ep_merge_end(one);
}

TEST(comparison_needs_no_balance)
{
    make_process(0, true, 3, 1000, false);
    struct ep_merge *sum = ep_merge_begin(false);
    ep_merge_ignore_processes(sum);
    ep_merge_inspect(sum, images[0].cells);
    assert_int_equal(ep_merge_add(sum, &images[0]), 0);
    assert_int_equal(ep_merge_add(sum, &images[0]), 0);
    const struct ep_image *image = ep_merge_image(sum);
    assert_int_equal(image->cells[EP_CELL_PROCESSES].processes.count, 0);
    assert_int_equal(image->cells[EP_CELL_PROCESSES].processes.balances, 0);
    ep_merge_end(sum);
}

/* ------------------------------------------------------- groups of processes -- */

static void assert_groups(struct eprof_snapshot *snapshot, const char *path,
                          const uint64_t *expected, size_t count)
{
    size_t row = (size_t)(fake_row(snapshot, path) - snapshot->rows);
    const uint64_t *max_ns = ep_rows_groups(snapshot, row);
    assert_non_null(max_ns);
    assert_int_equal(snapshot->groups.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(max_ns[i], expected[i]);
}

TEST(each_of_a_few_processes_is_a_group)
{
    make_process(0, true, 7, 3000, true);
    make_process(1, true, 3, 1000, false);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(snapshot->groups.numbers, 1);
    assert_int_equal(snapshot->groups.at[0].first, 3);
    assert_int_equal(snapshot->groups.at[1].first, 7);
    assert_groups(snapshot, "f", (const uint64_t[]){1000, 3000}, 2);
    assert_groups(snapshot, "f;g", (const uint64_t[]){0, 2}, 2);
}

enum { RANKS = 200 };

/* The slowest of a group may be any of it. */
static uint64_t ns_of(uint64_t rank)
{
    return 1000 + 2 * (rank * 37 % RANKS);
}

/* Adds the ranks from `first` on, each `step` after the last. */
static void add_ranks(struct ep_merge *sum, uint32_t first, uint32_t step)
{
    for (uint32_t rank = first; rank < RANKS; rank += step) {
        make_process(0, true, rank, ns_of(rank), rank % 3 == 0);
        ep_merge_inspect(sum, images[0].cells);
        assert_int_equal(ep_merge_add(sum, &images[0]), 0);
        ep_image_destroy(&images[0]);
    }
}

TEST(many_processes_share_groups_of_which_the_slowest_counts)
{
    merge = ep_merge_begin(false);
    add_ranks(merge, 0, 1);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, MERGED);
    uint64_t expected[RANKS / 4];
    assert_int_equal(snapshot->groups.numbers, 4); /* 200 ranks in at most 64 groups */
    for (uint64_t i = 0; i < RANKS / 4; i++) {
        expected[i] = 0;
        for (uint64_t rank = 4 * i; rank < 4 * i + 4; rank++)
            expected[i] = ns_of(rank) > expected[i] ? ns_of(rank) : expected[i];
        assert_int_equal(snapshot->groups.at[i].first, 4 * i);
    }
    assert_groups(snapshot, "f", expected, RANKS / 4);
}

TEST(groups_are_the_same_in_any_order_of_adding)
{
    struct ep_merge *odd = ep_merge_begin(false), *whole = ep_merge_begin(false);
    add_ranks(whole, 0, 1);
    merge = ep_merge_begin(false);
    add_ranks(odd, 1, 2);
    images[1] = *ep_merge_image(odd);
    for (uint32_t first = 8; first-- > 0;)
        if (first % 2 == 0)
            add_ranks(merge, first, 8);
    ep_merge_inspect(merge, images[1].cells);
    assert_int_equal(ep_merge_add(merge, &images[1]), 0);
    images[1] = (struct ep_image){.cells = NULL}; /* it belongs to `odd` */
    const struct ep_image *a = ep_merge_image(whole), *b = ep_merge_image(merge);
    assert_int_equal(ep_image_root(a)->cells_used, ep_image_root(b)->cells_used);
    assert_memory_equal(a->cells, b->cells,
                        (size_t)ep_image_root(a)->cells_used * sizeof *a->cells);
    ep_merge_end(odd);
    ep_merge_end(whole);
}

/* ------------------------------------------------------------ damaged images -- */

static void check_is(struct ep_image *image, const char *fault)
{
    struct ep_image copy = *image;
    int error = 0;
    copy.committed = ep_image_root(image)->cells_used;
    const char *found = ep_image_check(&copy, &error);
    assert_int_equal(error, 0);
    if (!fault)
        assert_null(found);
    else
        assert_string_equal(found ? found : "(none)", fault);
}

TEST(damaged_balance_is_found)
{
    make_process(0, true, 3, 1000, true);
    make_process(1, true, 7, 3000, true);
    add_up(MERGED);
    struct ep_image *sum = (struct ep_image *)(uintptr_t)ep_merge_image(merge);
    struct ep_processes_cell *processes = &sum->cells[EP_CELL_PROCESSES].processes,
                             right = *processes;
    struct ep_balance_cell *first = &sum->cells[processes->balances].balance;
    assert_int_equal(processes->balance_count, 2);
    assert_int_equal(first[1].parent, 1);
    check_is(sum, NULL);
    processes->balances = ep_image_root(sum)->cells_used - 1;
    check_is(sum, "damaged: the balance of processes beyond its end");
    *processes = right; /* the check has cut the list off */
    processes->balances = ep_image_root(sum)->threads;
    check_is(sum, "damaged: the balance of processes in cells that are in use already");
    *processes = right;
    first[1].parent = 2;
    check_is(sum, "damaged: a balance of processes at no call path");
    first[1].parent = 1;
    first[0].site = EP_SITE_NONE;
    check_is(sum, "damaged: a balance of processes at no call path");
}

TEST(damaged_groups_of_processes_are_found)
{
    make_process(0, true, 3, 1000, true);
    make_process(1, true, 7, 3000, true);
    add_up(MERGED);
    struct ep_image *sum = (struct ep_image *)(uintptr_t)ep_merge_image(merge);
    struct ep_processes_cell *processes = &sum->cells[EP_CELL_PROCESSES].processes,
                             right = *processes;
    check_is(sum, NULL);
    processes->group_count = EP_GROUPS_MOST + 1;
    check_is(sum, "damaged: groups of processes that cannot be");
    *processes = right;
    processes->group_shift = 33;
    check_is(sum, "damaged: groups of processes that cannot be");
    *processes = right;
    processes->groups = processes->balances;
    check_is(sum, "damaged: the balance of processes in cells that are in use already");
    *processes = right;
    processes->groups = ep_image_root(sum)->cells_used - 1;
    check_is(sum, "damaged: the balance of processes beyond its end");
}

TEST(groups_with_keys_that_no_process_has_are_added)
{
    make_process(0, true, 3, 1000, true);
    make_process(1, true, 7, 3000, true);
    add_up(MERGED);
    struct ep_image *sum = (struct ep_image *)(uintptr_t)ep_merge_image(merge);
    ep_image_groups(sum, 0)[0] = UINT64_MAX;
    ep_image_groups(sum, 0)[1] = UINT64_MAX - 1;
    struct ep_merge *again = merge_two(sum, sum);
    assert_non_null(ep_merge_image(again));
    check_is((struct ep_image *)(uintptr_t)ep_merge_image(again), NULL);
    ep_merge_end(again);
}

TEST(a_deviation_beyond_64_bits_is_unknown)
{
    make_process(0, true, 3, 1000, false);
    make_process(1, true, 7, 3000, false);
    add_up(MERGED);
    struct ep_image *sum = (struct ep_image *)(uintptr_t)ep_merge_image(merge);
    struct ep_balance_cell *cell =
        &sum->cells[sum->cells[EP_CELL_PROCESSES].processes.balances].balance;
    cell->processes = 1;
    cell->total_low = cell->total_high = 0;
    cell->square_high = UINT64_MAX;
    cell->square_low = UINT64_MAX - 1;
    struct eprof_snapshot *snapshot = snapshot_keep(ep_snapshot_take_stored(sum, MERGED));
    assert_true(fake_row(snapshot, "f")->process_stddev_ns == EPROF_UNKNOWN);
}

TEST_EACH(NULL, merge_end)
