/* The next owner of a record, and the record in a forked child. */
#include "child.h"
#include "fork_ways.h"
#include "hand_clock.h"
#include "threads.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "eprof.h"
#include "image/moves.h"
#include "record/instance_cells.h"
#include "record/process_life.h"
#include "record/sampling.h"
#include "record/thread.h"
#include "support/test.h"

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    return 0;
}

static ep_ref ref_of(const void *cell)
{
    return (ep_ref)((const union ep_cell *)cell - ep_process.image.cells);
}

static bool is_open(const struct ep_thread *thread)
{
    return thread->counter_pairs || thread->called_pairs;
}

static void see_record(void *record)
{
    ep_process_self();
    *(struct ep_thread **)record = ep_thread_self;
}

static void see_record_before(void *record)
{
    *(struct ep_thread **)record = ep_thread_self;
}

static void leave_and_see_record(void *record)
{
    ep_process_self();
    eprof_thread_exit();
    *(struct ep_thread **)record = ep_thread_self;
}

TEST(thread_is_nobody_before_its_first_call_and_after_its_exit)
{
    struct ep_thread *record;
    on_a_thread(see_record_before, &record);
    assert_ptr_equal(record, &ep_thread_nobody);
    assert_null(ep_thread_nobody.cell);
    on_a_thread(leave_and_see_record, &record);
    assert_ptr_equal(record, &ep_thread_nobody);
}

TEST(record_goes_to_the_next_thread)
{
    struct ep_thread *first, *second;
    on_a_thread(see_record, &first);
    assert_int_equal(first->cell->state, EP_THREAD_ENDED);
    on_a_thread(see_record, &second);
    assert_ptr_equal(first, second);
}

static void see_record_by_name(void *record)
{
    eprof_thread_enter("named");
    see_record(record);
}

TEST(record_goes_to_the_next_thread_of_its_name_only)
{
    struct ep_thread *named, *nameless, *named_again;
    on_a_thread(see_record_by_name, &named);
    on_a_thread(see_record, &nameless);
    on_a_thread(see_record_by_name, &named_again);
    assert_ptr_not_equal(named, nameless);
    assert_ptr_equal(named, named_again);
}

TEST(record_of_a_living_thread_is_nobody_elses)
{
    struct worker worker;
    struct ep_thread *first, *second;
    worker_begin(&worker);
    worker_do(&worker, see_record, &first);
    assert_int_equal(first->cell->state, EP_THREAD_LIVING);
    on_a_thread(see_record, &second);
    assert_ptr_not_equal(first, second);
    assert_ptr_not_equal(first, ep_process_self());
    worker_end(&worker);
}

TEST(record_of_a_thread_that_was_off_is_given_on_open)
{
    struct ep_thread *record;
    ep_thread_switch(ep_process_self(), false);
    assert_false(is_open(ep_thread_self));
    eprof_thread_exit();
    see_record(&record);
    assert_true(is_open(record));
}

/* ------------------------------------------------------------- after a fork -- */

struct sight {
    struct ep_thread *record;
    ep_ref cell;
    struct ep_instance_cells *pair;
    uint32_t state, orphans, living;
    int is_wiped;
};

static int forked_id;

static void see_after_fork(void *seen)
{
    struct sight *sight = seen;
    sight->is_wiped = !ep_thread_self->cell && !is_open(ep_thread_self);
    sight->record = ep_process_self();
    sight->cell = ref_of(sight->record->cell);
    sight->pair = ep_thread_instance_cells(ep_thread_self, ep_instance_cells_slot(forked_id));
    sight->state = sight->record->cell->state;
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref;
         ref = ep_process.image.cells[ref].thread.next) {
        sight->orphans += ep_process.image.cells[ref].thread.state == EP_THREAD_ORPHANED;
        sight->living += ep_process.image.cells[ref].thread.state == EP_THREAD_LIVING;
    }
}

TEST(child_goes_on_with_the_cells_of_the_thread_that_forked)
{
    struct sight sight = {.record = NULL};
    struct ep_thread *other;
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, see_record, &other);
    forked_id = eprof_alloc("forked");
    eprof_start(forked_id);
    struct ep_thread *record = ep_thread_self;
    ep_ref cell = ref_of(record->cell);
    struct ep_instance_cells *pair =
        ep_thread_instance_cells(record, ep_instance_cells_slot(forked_id));
    child_do(fork, see_after_fork, &sight, sizeof sight);
    assert_int_equal(sight.is_wiped, 1);
    assert_int_equal(sight.cell, cell);
    assert_ptr_equal(sight.pair, pair);
    assert_ptr_not_equal(sight.record, record);
    assert_int_equal(sight.state, EP_THREAD_LIVING);
    assert_int_equal(sight.living, 1);
    assert_in_range(sight.orphans, 1, UINT32_MAX);
    assert_int_equal(record->cell->state, EP_THREAD_LIVING);
    eprof_stop(forked_id);
    worker_end(&worker);
}

/* ---- an operation that another thread had begun at the fork ---- */

struct midst {
    ep_ref thread;
    uint32_t keeps;
};

static void see_midst(void *seen)
{
    struct midst *midst = seen;
    eprof_reset(); /* or any other call: this process is set up */
    const struct ep_thread_cell *cell = &ep_process.image.cells[midst->thread].thread;
    midst->keeps = cell->keeps;
}

static void see_cell(void *cell)
{
    ep_process_self();
    *(struct ep_thread_cell **)cell = ep_thread_self->cell;
}

/* Otherwise a reader waits for a change that no thread ends, and the next owner of the record ends
 * it a second time. */
TEST(child_does_not_inherit_an_unfinished_keep_of_another_thread)
{
    struct ep_thread_cell *cell;
    struct worker worker;
    worker_begin(&worker);
    worker_do(&worker, see_cell, &cell);
    cell->keeps++;
    struct midst midst = {.thread = ref_of(cell)};
    child_do(fork, see_midst, &midst, sizeof midst);
    cell->keeps++;
    worker_end(&worker);
    assert_int_equal(midst.keeps % 2, 0);
}

static void see_moves(void *moves)
{
    eprof_reset(); /* or any other call: this process is set up */
    *(uint32_t *)moves = ep_process.image.cells[EP_CELL_LOCK].lock.moves;
}

/* While `moves` is odd, a reader accepts no copy (image/moves.h). */
TEST(child_is_not_in_the_midst_of_a_move_between_threads)
{
    uint32_t *moves = &ep_process.image.cells[EP_CELL_LOCK].lock.moves;
    ep_process_self();
    for (int way = 0; way < FORK_WAYS; way++) {
        uint32_t before = *moves, in_child = before | 1;
        *moves = before | 1;
        child_do(fork_ways[way], see_moves, &in_child, sizeof in_child);
        *moves = before;
        if (in_child % 2 != 0)
            fail_msg("way %d to fork: moves is %u in the child", way, (unsigned)in_child);
    }
}

/* --------------------- one row with the threads that ended under the same name -- */

enum { SCOPE, INSTANCE, KINDS };

/* The number of rows of the thread `worker` that have calls, and the number of these calls. */
struct rows {
    uint32_t rows[KINDS];
    uint64_t calls[KINDS];
    uint32_t joined;
};

struct lives {
    struct rows held_off, let;
    uint32_t most_joined; /* it does not depend on the number of threads that lived meanwhile */
    uint32_t moves_before, moves_after;
};

static struct ep_node_cell *only_node(void)
{
    for (EP_EACH(ep_node_cell, node, ep_thread_self->cells, &ep_thread_self->cell->nodes))
        if (node->parent)
            return node;
    fail_msg("the thread has no scope");
    return NULL;
}

/* Under a budget of 1/2, so that one call of two is timed. */
static void record_samples(int samples)
{
    for (int i = 0; i < 2 * samples; i++) {
        eprof_enter("work");
        eprof_leave();
    }
}

static void record_samples_by_name(void *unused)
{
    (void)unused;
    eprof_thread_enter("named");
    record_samples(5);
}

static void record_samples_then_be_named(void *samples)
{
    record_samples(3);
    eprof_thread_enter("named");
    *(struct ep_sampling_cells *)samples = *ep_sampling_of(ep_thread_self, only_node());
}

TEST(samples_of_an_ended_thread_are_added_to_those_of_its_name)
{
    struct ep_sampling_cells samples = {.timed = 0};
    assert_return_code(eprof_setup("budget=1/2"), errno);
    on_a_thread(record_samples_by_name, NULL);
    on_a_thread(record_samples_then_be_named, &samples);
    assert_return_code(eprof_setup("budget=off"), errno);
    assert_int_equal(samples.timed, 8);
    assert_int_equal(samples.weight, 16);
    assert_int_equal(samples.sampled, 8);
    assert_int_equal(samples.squares, 8 * 4);
}

static char image_path[] = P_tmpdir "/eprof-life-XXXXXX";

static void record_then_be_named(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        eprof_enter("work");
        eprof_start(forked_id);
        eprof_stop(forked_id);
        eprof_leave();
        eprof_thread_enter("worker");
    }
}

static struct rows see_rows(void)
{
    struct rows seen = {.joined = ep_thread_pool.joined};
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    for (size_t i = 0; snapshot && i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        int kind = strcmp(row.kind, "instance") == 0 ? INSTANCE : SCOPE;
        if (strcmp(row.thread, "worker") != 0)
            continue;
        seen.rows[kind]++;
        seen.calls[kind] += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return seen;
}

static void live_many_times(struct lives *lives)
{
    for (int i = 0; i < 200; i++) {
        on_a_thread(record_then_be_named, NULL);
        if (ep_thread_pool.joined > lives->most_joined)
            lives->most_joined = ep_thread_pool.joined;
    }
}

static void see_lives(void *seen)
{
    struct lives *lives = seen;
    char item[sizeof image_path + 10];
    snprintf(item, sizeof item, "image=%s", image_path);
    if (eprof_setup(item) != 0)
        return;
    uint32_t *moves = &ep_process.image.cells[EP_CELL_LOCK].lock.moves;
    int reader = open(image_path, O_RDONLY | O_CLOEXEC);
    ep_moves_hold_off(reader);
    lives->moves_before = *moves;
    for (int i = 0; i < 3; i++)
        on_a_thread(record_then_be_named, NULL);
    lives->held_off = see_rows();
    lives->moves_after = *moves;
    live_many_times(lives);
    ep_moves_let(reader);
    for (int i = 0; i < 20; i++)
        on_a_thread(record_then_be_named, NULL);
    lives->let = see_rows();
    close(reader);
}

static void see_all_lives(struct lives *lives)
{
    forked_id = eprof_alloc("work");
    close(mkstemp(image_path));
    unlink(image_path); /* an image takes the place of images only */
    child_do(fork, see_lives, lives, sizeof *lives);
    unlink(image_path);
    memset(image_path + strlen(image_path) - 6, 'X', 6);
}

TEST(row_is_shared_while_a_reader_holds_off_moves)
{
    struct lives lives = {.most_joined = 0};
    see_all_lives(&lives);
    assert_int_equal(lives.held_off.joined, 2);
    assert_int_equal(lives.moves_after, lives.moves_before);
    for (int kind = 0; kind < KINDS; kind++) {
        assert_int_equal(lives.held_off.rows[kind], 1);
        assert_int_equal(lives.held_off.calls[kind], 6);
    }
}

TEST(joined_records_are_moved_without_a_reader)
{
    struct lives lives = {.most_joined = 0};
    see_all_lives(&lives);
    assert_int_equal(lives.let.joined, 0);
    for (int kind = 0; kind < KINDS; kind++) {
        assert_int_equal(lives.let.rows[kind], 1);
        assert_int_equal(lives.let.calls[kind], 2 * (3 + 200 + 20));
    }
}

/* A reader that was stopped holds them off for ever. */
TEST(no_more_than_a_bound_has_joined)
{
    struct lives lives = {.most_joined = 0};
    see_all_lives(&lives);
    assert_in_range(lives.most_joined, 100, 128);
}

TEST_EACH(begin_test, NULL)
