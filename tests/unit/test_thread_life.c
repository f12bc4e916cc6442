/* Whose a record is next, and what becomes of it in a forked child. */
#include "../api/child.h"
#include "../api/hand_clock.h"
#include "../api/threads.h"

#include <stdbool.h>

#include "eprof.h"
#include "pair.h"
#include "thread.h"

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
    ep_thread_current();
    *(struct ep_thread **)record = ep_self;
}

static void see_record_before(void *record)
{
    *(struct ep_thread **)record = ep_self;
}

static void leave_and_see_record(void *record)
{
    ep_thread_current();
    eprof_thread_exit();
    *(struct ep_thread **)record = ep_self;
}

static void thread_is_nobody_before_its_first_call_and_after_its_exit(void **state)
{
    struct ep_thread *record;
    (void)state;
    on_a_thread(see_record_before, &record);
    assert_ptr_equal(record, &ep_thread_nobody);
    assert_null(ep_thread_nobody.cell);
    on_a_thread(leave_and_see_record, &record);
    assert_ptr_equal(record, &ep_thread_nobody);
}

static void record_goes_to_the_next_thread(void **state)
{
    struct ep_thread *first, *second;
    (void)state;
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

static void record_goes_to_the_next_thread_of_its_name_only(void **state)
{
    struct ep_thread *named, *nameless, *named_again;
    (void)state;
    on_a_thread(see_record_by_name, &named);
    on_a_thread(see_record, &nameless);
    on_a_thread(see_record_by_name, &named_again);
    assert_ptr_not_equal(named, nameless);
    assert_ptr_equal(named, named_again);
}

static void record_of_a_living_thread_is_nobody_elses(void **state)
{
    struct worker worker;
    struct ep_thread *first, *second;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, see_record, &first);
    assert_int_equal(first->cell->state, EP_THREAD_LIVING);
    on_a_thread(see_record, &second);
    assert_ptr_not_equal(first, second);
    assert_ptr_not_equal(first, ep_thread_current());
    worker_end(&worker);
}

static void record_of_a_thread_that_was_off_is_given_on_open(void **state)
{
    struct ep_thread *record;
    (void)state;
    ep_thread_switch(ep_thread_current(), false);
    assert_false(is_open(ep_self));
    eprof_thread_exit();
    see_record(&record);
    assert_true(is_open(record));
}

/* ------------------------------------------------------------- after a fork -- */

struct sight {
    struct ep_thread *record;
    ep_ref cell;
    struct ep_pair_cell *pair;
    uint32_t state, orphans, living;
    int is_wiped;
};

static int forked_id;

static void see_after_fork(void *seen)
{
    struct sight *sight = seen;
    sight->is_wiped = !ep_self->cell && !is_open(ep_self);
    sight->record = ep_thread_current();
    sight->cell = ref_of(sight->record->cell);
    sight->pair = ep_thread_pair(ep_self, ep_pair_slot(forked_id));
    sight->state = sight->record->cell->state;
    for (ep_ref ref = ep_image_root(&ep_process.image)->threads; ref;
         ref = ep_process.image.cells[ref].thread.next) {
        sight->orphans += ep_process.image.cells[ref].thread.state == EP_THREAD_ORPHANED;
        sight->living += ep_process.image.cells[ref].thread.state == EP_THREAD_LIVING;
    }
}

static void child_goes_on_with_the_cells_of_the_thread_that_forked(void **state)
{
    struct sight sight = {.record = NULL};
    struct ep_thread *other;
    struct worker worker;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, see_record, &other);
    forked_id = eprof_alloc("forked");
    eprof_start(forked_id);
    struct ep_thread *record = ep_self;
    ep_ref cell = ref_of(record->cell);
    struct ep_pair_cell *pair = ep_thread_pair(record, ep_pair_slot(forked_id));
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

/* ---- what another thread was in the midst of at the fork ---- */

struct midst {
    ep_ref thread;
    uint32_t keeps;
    uint64_t from;
};

static void see_midst(void *seen)
{
    struct midst *midst = seen;
    eprof_reset(); /* or any call: this process is set up */
    const struct ep_thread_cell *cell = &ep_process.image.cells[midst->thread].thread;
    midst->keeps = cell->keeps;
    midst->from = ep_process.image.cells[cell->move].move.from;
}

static void see_cell(void *cell)
{
    ep_thread_current();
    *(struct ep_thread_cell **)cell = ep_self->cell;
}

/* Else who reads waits for what nobody ends, and who takes the record over ends it again. */
static void child_is_not_in_the_midst_of_what_another_thread_kept(void **state)
{
    struct ep_thread_cell *cell;
    struct worker worker;
    (void)state;
    worker_begin(&worker);
    worker_do(&worker, see_cell, &cell);
    uint64_t *from = &ep_process.image.cells[cell->move].move.from;
    cell->keeps++;
    *from = 1;
    struct midst midst = {.thread = ref_of(cell)};
    child_do(fork, see_midst, &midst, sizeof midst);
    cell->keeps++;
    *from = 0;
    worker_end(&worker);
    assert_int_equal(midst.keeps % 2, 0);
    assert_int_equal(midst.from, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(thread_is_nobody_before_its_first_call_and_after_its_exit,
                               begin_test),
        cmocka_unit_test_setup(record_goes_to_the_next_thread, begin_test),
        cmocka_unit_test_setup(record_goes_to_the_next_thread_of_its_name_only, begin_test),
        cmocka_unit_test_setup(record_of_a_living_thread_is_nobody_elses, begin_test),
        cmocka_unit_test_setup(record_of_a_thread_that_was_off_is_given_on_open, begin_test),
        cmocka_unit_test_setup(child_goes_on_with_the_cells_of_the_thread_that_forked, begin_test),
        cmocka_unit_test_setup(child_is_not_in_the_midst_of_what_another_thread_kept, begin_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
