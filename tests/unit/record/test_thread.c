/* The record of a thread: its cells, its table, its cold paths. */
#include "child.h"
#include "hand_clock.h"
#include "threads.h"

#include <stdbool.h>
#include <string.h>

#include "eprof.h"
#include "record/instance_cells.h"
#include "record/process_life.h"
#include "record/thread.h"
#include "support/random.h"
#include "support/test.h"

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

static uint64_t own_diagnostics(enum ep_diagnostic kind)
{
    const struct ep_thread *thread = ep_thread_self;
    return cell_at(thread->cell->diagnostics)->diagnostics.count[kind];
}

/* The work before and after each cold path. */
static struct ep_thread *enter_cold(void)
{
    return ep_process_self() ? ep_thread_begin_cold() : NULL;
}

/* --------------------------------------------------------- cells of its own -- */

enum { TAKES = 400 };

/* The cells that one thread took. */
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
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
        if (memcmp(cell_at(ref + i), &zero, sizeof zero) != 0)
            return false;
    return true;
}

static void take(struct taken *taken, uint32_t count)
{
    enter_cold();
    ep_ref ref = ep_thread_take(ep_thread_self, &ep_thread_self->instance_cells, count);
    ep_thread_end_cold();
    taken->first[taken->takes] = ref;
    taken->count[taken->takes++] = count;
    taken->not_zero += !is_zero(ref, count);
    memset(cell_at(ref), 0xff, count * sizeof(union ep_cell));
}

/* Mostly single cells, as for octaves, and sometimes runs, as for pairs. */
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

TEST(cells_of_threads_lie_in_blocks_of_their_own)
{
    static struct taken own[2];
    struct worker workers[2];
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
    take(own, EP_BLOCK_CELLS); /* a whole block; the next cell is in a new block */
    take(own, EP_BLOCK_CELLS - 3);
    take(own, 4); /* three cells are left over */
    for (int i = 0; i < 3; i++)
        take(own, 1);
}

TEST(rest_of_a_block_serves_as_single_cells)
{
    struct taken own = {.takes = 0};
    on_a_thread(take_after_a_rest, &own);
    assert_int_equal(own.not_zero, 0);
    assert_no_overlap(&own);
    ep_ref block = own.first[1] / EP_BLOCK_CELLS;
    assert_int_not_equal(own.first[2] / EP_BLOCK_CELLS, block);
    for (int i = 3; i < 6; i++)
        assert_int_equal(own.first[i] / EP_BLOCK_CELLS, block);
}

/* -------------------------------------------------------------- cold paths -- */

TEST(cold_path_inside_another_is_lost_and_counted)
{
    assert_non_null(enter_cold());
    uint64_t lost = own_diagnostics(EP_DIAGNOSTIC_LOST);
    assert_null(ep_thread_begin_cold());
    assert_int_equal(own_diagnostics(EP_DIAGNOSTIC_LOST), lost + 1);
    ep_thread_end_cold();
    assert_non_null(ep_thread_begin_cold());
    ep_thread_end_cold();
}

TEST(diagnostic_of_before_a_reset_is_cleared_by_the_next)
{
    struct ep_thread *thread = ep_process_self();
    ep_thread_diagnose(thread, EP_DIAGNOSTIC_UNBALANCED);
    ep_thread_diagnose(thread, EP_DIAGNOSTIC_UNBALANCED);
    assert_int_equal(own_diagnostics(EP_DIAGNOSTIC_UNBALANCED), 2);
    eprof_reset();
    ep_thread_diagnose(thread, EP_DIAGNOSTIC_BAD_HANDLES);
    assert_int_equal(own_diagnostics(EP_DIAGNOSTIC_UNBALANCED), 0);
    assert_int_equal(own_diagnostics(EP_DIAGNOSTIC_BAD_HANDLES), 1);
}

/* As in the measurement of the probe. */
TEST(record_without_cells_notes_nothing)
{
    struct ep_thread record = {.cell = NULL};
    ep_thread_unended(&record, EP_SITE_FIRST);
    assert_null(ep_thread_note(&record));
}

TEST(notes_of_before_a_reset_are_cleared_by_the_next)
{
    struct ep_thread *thread = ep_process_self();
    for (uint32_t i = 0; i < 5; i++)
        ep_thread_unended(thread, EP_SITE_FIRST + i / 2 * 2);
    ep_thread_unended(thread, EP_SITE_OTHER);
    struct ep_note_cell *note = ep_thread_note(thread);
    assert_int_equal(note->unended[0], EP_SITE_FIRST);
    assert_int_equal(note->unended[1], EP_SITE_FIRST + 2);
    assert_int_equal(note->unended[2], EP_SITE_FIRST + 4);
    assert_int_equal(note->flags, 0);
    ep_thread_unended(thread, EP_SITE_FIRST + 1);
    assert_int_equal(note->flags, EP_NOTE_MORE_UNENDED);
    note->holds_kept = note->holds_ended = 7;
    eprof_reset();
    ep_thread_unended(thread, EP_SITE_FIRST + 1);
    assert_int_equal(note->unended[0], EP_SITE_FIRST + 1);
    assert_int_equal(note->unended[1], 0);
    assert_int_equal(note->flags, 0);
    assert_int_equal(note->holds_kept + note->holds_ended, 0);
}

/* ---------------------------------------------------------------- the table -- */

static bool is_open(const struct ep_thread *thread)
{
    return thread->counter_pairs || thread->called_pairs;
}

enum { FAR_SLOT = 100000 };

TEST(table_grows_and_keeps_its_pairs)
{
    int id = eprof_alloc("near");
    eprof_start(id);
    struct ep_thread *thread = ep_thread_self;
    uint32_t near = ep_instance_cells_slot(id), far = thread->near_capacity + 7;
    struct ep_instance_cells *pair = ep_thread_instance_cells(thread, near);
    assert_non_null(pair);
    enter_cold();
    assert_true(ep_thread_make_room(thread, near));
    assert_int_equal(thread->far_capacity, 0);
    assert_true(ep_thread_make_room(thread, far));
    ep_thread_set_instance_cells(thread, far, pair);
    uint64_t *former = thread->far_pairs;
    assert_true(ep_thread_make_room(thread, FAR_SLOT));
    ep_thread_end_cold();
    assert_ptr_equal(ep_thread_self, thread);
    assert_in_range(thread->far_capacity, FAR_SLOT + 1, EP_SLOTS * 2);
    for (uint32_t slot = 0; slot < thread->far_capacity; slot++)
        if (ep_thread_instance_cells(thread, slot) != (slot == near || slot == far ? pair : NULL))
            fail_msg("slot %u is another pair's", slot);
    assert_true(former[far] == thread->far_pairs[far]); /* for a hot path that uses the table */
    ep_thread_set_instance_cells(thread, far, NULL);
    hand_ticks += 5;
    eprof_stop(id);
    assert_int_equal(pair->stats.total_ticks, 5);
}

static void grow(void *record)
{
    ep_process_self();
    uint32_t beyond = ep_thread_self->near_capacity;
    ep_thread_switch(ep_thread_self, false);
    enter_cold();
    assert_true(ep_thread_make_room(ep_thread_self, beyond));
    ep_thread_end_cold();
    *(struct ep_thread **)record = ep_thread_self;
}

TEST(table_of_a_thread_that_is_off_grows_closed)
{
    struct worker worker;
    struct ep_thread *record;
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
    sight->was_open = is_open(ep_thread_self);
    ep_thread_wipe_all();
    sight->is_wiped = !ep_thread_self->cell && !is_open(ep_thread_self) && !ep_thread_self->busy;
}

/* Simulates a kernel that has not wiped the memory, as before Linux 4.14. */
TEST(wipe_does_what_the_kernel_does)
{
    struct sight sight = {.was_open = 0};
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
    while (ep_thread_self->instance_cells.block_end != ep_thread_self->instance_cells.block_next ||
           ep_thread_self->instance_cells.spare)
        ep_thread_take(ep_thread_self, &ep_thread_self->instance_cells, 1);
    ep_thread_end_cold();
    ep_process.image.reserved = ep_image_root(&ep_process.image)->cells_used; /* it is full */
    enter_cold();
    shortage->taken = ep_thread_take(ep_thread_self, &ep_thread_self->instance_cells, 1);
    ep_thread_end_cold();
    shortage->out_of_cells = own_diagnostics(EP_DIAGNOSTIC_OUT_OF_CELLS);
    eprof_start(new);
    eprof_stop(new);
    shortage->lost = own_diagnostics(EP_DIAGNOSTIC_LOST);
    shortage->has_pair =
        ep_thread_instance_cells(ep_thread_self, ep_instance_cells_slot(new)) != NULL;
    eprof_start(old);
    eprof_stop(old);
    shortage->calls =
        ep_thread_instance_cells(ep_thread_self, ep_instance_cells_slot(old))->stats.calls;
}

TEST(calls_without_cells_are_lost_and_counted)
{
    struct shortage shortage = {.taken = 1};
    child_do(fork, record_without_cells, &shortage, sizeof shortage);
    assert_int_equal(shortage.taken, 0);
    assert_int_equal(shortage.out_of_cells, 1);
    assert_int_equal(shortage.lost, 2);
    assert_int_equal(shortage.has_pair, 0);
    assert_int_equal(shortage.calls, 2);
}

TEST_EACH(begin_test, NULL)
