/* The record of a thread: its cells, its table, its cold paths. */
#include "../api/child.h"
#include "../api/hand_clock.h"
#include "../api/threads.h"

#include <stdbool.h>
#include <string.h>

#include "eprof.h"
#include "pair.h"
#include "random.h"
#include "thread.h"

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    return 0;
}

static union ep_cell *cell_at(ep_ref ref)
{
    return ep_image_cell(&ep_process.image, ref);
}

static uint64_t own_trouble(enum ep_trouble kind)
{
    const struct ep_thread *thread = ep_self;
    return cell_at(thread->cell->trouble)->trouble.count[kind];
}

/* What a cold path does around its work. */
static struct ep_thread *enter_cold(void)
{
    return ep_thread_current() ? ep_thread_begin_cold() : NULL;
}

/* --------------------------------------------------------- cells of its own -- */

enum { TAKES = 400 };

/* What one thread took. */
struct taken {
    ep_ref first[TAKES];
    uint32_t count[TAKES];
    int takes;
    int not_zero;
};

static bool is_zero(ep_ref ref, uint32_t count)
{
    static const union ep_cell zero;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(cell_at(ref + i), &zero, sizeof zero) != 0)
            return false;
    return true;
}

static void take(struct taken *taken, uint32_t count)
{
    enter_cold();
    ep_ref ref = ep_thread_take(ep_self, &ep_self->pair_cells, count);
    ep_thread_end_cold();
    taken->first[taken->takes] = ref;
    taken->count[taken->takes++] = count;
    taken->not_zero += !is_zero(ref, count);
    memset(cell_at(ref), 0xff, count * sizeof(union ep_cell));
}

/* Single cells most often, as octaves are, and runs as pairs are. */
static void take_any(void *taken)
{
    take(taken, random_next() % 3 ? 1 : 1 + (uint32_t)(random_next() % EP_BLOCK_CELLS));
}

static void assert_no_overlap(const struct taken *taken)
{
    for (int a = 0; a < taken->takes; a++)
        for (int b = 0; b < a; b++)
            if (taken->first[a] < taken->first[b] + taken->count[b] &&
                taken->first[b] < taken->first[a] + taken->count[a])
                fail_msg("%u cells at %u, and %u at %u", taken->count[a], taken->first[a],
                         taken->count[b], taken->first[b]);
}

static void cells_of_threads_lie_in_blocks_of_their_own(void **state)
{
    static struct taken own[2];
    struct worker workers[2];
    (void)state;
    memset(own, 0, sizeof own);
    worker_begin(&workers[0]);
    worker_begin(&workers[1]);
    for (int i = 0; i < TAKES; i++) {
        worker_do(&workers[0], take_any, &own[0]);
        worker_do(&workers[1], take_any, &own[1]);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(own[i].not_zero, 0);
        assert_no_overlap(&own[i]);
        for (int a = 0; a < TAKES; a++)
            assert_int_equal(own[i].first[a] / EP_BLOCK_CELLS,
                             (own[i].first[a] + own[i].count[a] - 1) / EP_BLOCK_CELLS);
    }
    for (int a = 0; a < TAKES; a++)
        for (int b = 0; b < TAKES; b++)
            if (own[0].first[a] / EP_BLOCK_CELLS == own[1].first[b] / EP_BLOCK_CELLS)
                fail_msg("both have cells in the block of %u", own[0].first[a]);
    worker_end(&workers[0]);
    worker_end(&workers[1]);
}

static void take_after_a_rest(void *taken)
{
    struct taken *own = taken;
    take(own, EP_BLOCK_CELLS); /* a whole block; the next is new */
    take(own, EP_BLOCK_CELLS - 3);
    take(own, 4); /* three are left over */
    for (int i = 0; i < 3; i++)
        take(own, 1);
}

static void rest_of_a_block_serves_as_single_cells(void **state)
{
    struct taken own = {.takes = 0};
    (void)state;
    on_a_thread(take_after_a_rest, &own);
    assert_int_equal(own.not_zero, 0);
    assert_no_overlap(&own);
    ep_ref block = own.first[1] / EP_BLOCK_CELLS;
    assert_int_not_equal(own.first[2] / EP_BLOCK_CELLS, block);
    for (int i = 3; i < 6; i++)
        assert_int_equal(own.first[i] / EP_BLOCK_CELLS, block);
}

/* -------------------------------------------------------------- cold paths -- */

static void cold_path_inside_another_is_lost_and_counted(void **state)
{
    (void)state;
    assert_non_null(enter_cold());
    uint64_t lost = own_trouble(EP_TROUBLE_LOST);
    assert_null(ep_thread_begin_cold());
    assert_int_equal(own_trouble(EP_TROUBLE_LOST), lost + 1);
    ep_thread_end_cold();
    assert_non_null(ep_thread_begin_cold());
    ep_thread_end_cold();
}

static void trouble_of_before_a_reset_is_cleared_by_the_next(void **state)
{
    (void)state;
    struct ep_thread *thread = ep_thread_current();
    ep_thread_trouble(thread, EP_TROUBLE_UNBALANCED);
    ep_thread_trouble(thread, EP_TROUBLE_UNBALANCED);
    assert_int_equal(own_trouble(EP_TROUBLE_UNBALANCED), 2);
    eprof_reset();
    ep_thread_trouble(thread, EP_TROUBLE_BAD_HANDLES);
    assert_int_equal(own_trouble(EP_TROUBLE_UNBALANCED), 0);
    assert_int_equal(own_trouble(EP_TROUBLE_BAD_HANDLES), 1);
}

/* ---------------------------------------------------------------- the table -- */

static bool is_open(const struct ep_thread *thread)
{
    return thread->counter_pairs || thread->called_pairs;
}

enum { FAR_SLOT = 100000 };

static void table_grows_and_keeps_its_pairs(void **state)
{
    int id = eprof_alloc("near");
    (void)state;
    eprof_start(id);
    struct ep_thread *small = ep_self;
    struct ep_pair_cell *pair = ep_thread_pair(small, ep_pair_slot(id));
    assert_non_null(pair);
    assert_ptr_equal(ep_thread_room(small, ep_pair_slot(id)), small);
    enter_cold();
    struct ep_thread *large = ep_thread_room(small, FAR_SLOT);
    ep_thread_end_cold();
    assert_ptr_not_equal(large, small);
    assert_ptr_equal(ep_self, large);
    assert_in_range(large->pair_capacity, FAR_SLOT + 1, EP_SLOTS * 2);
    assert_ptr_equal(large->cell, small->cell);
    for (uint32_t slot = 0; slot < large->pair_capacity; slot++)
        if (ep_thread_pair(large, slot) != ep_thread_pair(small, slot))
            fail_msg("slot %u is another pair's", slot);
    assert_ptr_equal(ep_thread_pair(small, ep_pair_slot(id)), pair); /* for who looks at it yet */
    hand_ticks += 5;
    eprof_stop(id);
    assert_int_equal(pair->stats.total_ticks, 5);
}

static void grow(void *record)
{
    ep_thread_current();
    uint32_t beyond = ep_self->pair_capacity;
    ep_thread_switch(ep_self, false);
    enter_cold();
    ep_thread_room(ep_self, beyond);
    ep_thread_end_cold();
    *(struct ep_thread **)record = ep_self;
}

static void table_of_a_thread_that_is_off_grows_closed(void **state)
{
    struct worker worker;
    struct ep_thread *record;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, grow, &record);
    assert_false(is_open(record));
    worker_end(&worker);
}

/* ------------------------------------------------------------- after a fork -- */

struct sight {
    int was_open, is_wiped;
};

static void wipe_and_see(void *seen)
{
    struct sight *sight = seen;
    int id = eprof_alloc("wiped");
    eprof_start(id);
    eprof_stop(id);
    sight->was_open = is_open(ep_self);
    ep_thread_wipe_all();
    sight->is_wiped = !ep_self->cell && !is_open(ep_self) && !ep_self->busy;
}

/* Where the kernel has not done it, as before Linux 4.14. */
static void wipe_does_what_the_kernel_does(void **state)
{
    struct sight sight = {.was_open = 0};
    (void)state;
    child_do(fork, wipe_and_see, &sight, sizeof sight);
    assert_int_equal(sight.was_open, 1);
    assert_int_equal(sight.is_wiped, 1);
}

/* ------------------------------------------------------- no cells are left -- */

struct shortage {
    ep_ref taken;
    uint64_t out_of_cells, lost, calls;
    int has_pair;
};

static void record_without_cells(void *seen)
{
    struct shortage *shortage = seen;
    int old = eprof_alloc("old"), new = eprof_alloc("new");
    eprof_start(old);
    eprof_stop(old);
    enter_cold();
    while (ep_self->pair_cells.block_end != ep_self->pair_cells.block_next || ep_self->pair_cells.spare)
        ep_thread_take(ep_self, &ep_self->pair_cells, 1);
    ep_thread_end_cold();
    ep_process.image.reserved = ep_image_root(&ep_process.image)->cells_used; /* it is full */
    enter_cold();
    shortage->taken = ep_thread_take(ep_self, &ep_self->pair_cells, 1);
    ep_thread_end_cold();
    shortage->out_of_cells = own_trouble(EP_TROUBLE_OUT_OF_CELLS);
    eprof_start(new);
    eprof_stop(new);
    shortage->lost = own_trouble(EP_TROUBLE_LOST);
    shortage->has_pair = ep_thread_pair(ep_self, ep_pair_slot(new)) != NULL;
    eprof_start(old);
    eprof_stop(old);
    shortage->calls = ep_thread_pair(ep_self, ep_pair_slot(old))->stats.calls;
}

static void calls_without_cells_are_lost_and_counted(void **state)
{
    struct shortage shortage = {.taken = 1};
    (void)state;
    child_do(fork, record_without_cells, &shortage, sizeof shortage);
    assert_int_equal(shortage.taken, 0);
    assert_int_equal(shortage.out_of_cells, 1);
    assert_int_equal(shortage.lost, 2);
    assert_int_equal(shortage.has_pair, 0);
    assert_int_equal(shortage.calls, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(cells_of_threads_lie_in_blocks_of_their_own, begin_test),
        cmocka_unit_test_setup(rest_of_a_block_serves_as_single_cells, begin_test),
        cmocka_unit_test_setup(cold_path_inside_another_is_lost_and_counted, begin_test),
        cmocka_unit_test_setup(trouble_of_before_a_reset_is_cleared_by_the_next, begin_test),
        cmocka_unit_test_setup(table_grows_and_keeps_its_pairs, begin_test),
        cmocka_unit_test_setup(table_of_a_thread_that_is_off_grows_closed, begin_test),
        cmocka_unit_test_setup(wipe_does_what_the_kernel_does, begin_test),
        cmocka_unit_test_setup(calls_without_cells_are_lost_and_counted, begin_test),
    };
    random_begin();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
