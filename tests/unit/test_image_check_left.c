/* What a kill in the midst of something leaves, or a disk that was full, is no fault. */
#include "fault.h"

#include <stdlib.h>

/* ---------------------------------------- what is left in the midst of something -- */

static void leave_locked(void)
{
    fake.cells[EP_CELL_LOCK].lock.changes = 7;
}

/* Between the stores of its new name and of how long it is. */
static void thread_that_was_being_renamed_has_no_name(void **state)
{
    (void)state;
    leave_locked();
    made.worker->name_bytes = 4000;
    check_sound();
    assert_int_equal(made.worker->name, 0);
    assert_int_equal(made.worker->name_bytes, 0);
}

/* A freed run has the number of the next one at its beginning. */
static void thread_whose_name_was_given_back_has_no_name(void **state)
{
    (void)state;
    leave_locked();
    struct ep_thread_cell *third = fake_thread(2, "ab");
    fake.cells[third->name].refs[0] = 0x01010101;
    check_sound();
    assert_int_equal(third->name, 0);
}

static void name_that_is_too_long_takes_nothing_from_others(void **state)
{
    (void)state;
    leave_locked();
    made.worker->name_bytes = 4000;
    fake.cells[made.worker->name + 4000 / EP_CELL_BYTES].text[4000 % EP_CELL_BYTES] = '\0';
    check_sound();
    assert_int_equal(made.worker->name, 0);
    assert_int_not_equal(made.instance->born, 0);
    assert_int_not_equal(made.second->born, 0);
    assert_int_equal(ep_image_tree(&fake)->site_count, made.nameless->number);
}

static void instance_whose_label_was_being_written_is_not_alive(void **state)
{
    (void)state;
    leave_locked();
    made.instance->label = end() - 1;
    made.instance->label_bytes = 4095;
    check_sound();
    assert_int_equal(made.instance->born, 0);
    assert_int_not_equal(made.second->born, 0);
}

static void site_beyond_the_count_is_counted(void **state)
{
    (void)state;
    leave_locked();
    ep_image_tree(&fake)->site_count--;
    check_sound();
    assert_int_equal(ep_image_tree(&fake)->site_count, made.nameless->number);
}

static void half_a_rename_is_a_fault_where_nobody_was_at_it(void **state)
{
    (void)state;
    made.worker->name_bytes = 4000;
    check_fault("a thread whose name");
}

/* ------------------------------------------------------------- cut short -- */

/* What of the image is there from now on. */
static void cut(uint32_t cells)
{
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->cut_short = 1;
    identity->state = EP_STATE_RUNNING;
    fake.committed = cells;
}

/* At each block the lists are those of an earlier time. */
static void image_that_was_cut_short_anywhere_is_sound(void **state)
{
    (void)state;
    uint32_t cells = end(), least = ep_image_root(&fake)->directory + EP_DIRECTORY_RUNS / 16;
    union ep_cell *whole = malloc((size_t)cells * EP_CELL_BYTES);
    assert_non_null(whole);
    memcpy(whole, fake.cells, (size_t)cells * EP_CELL_BYTES);
    for (uint32_t there = least; there < cells; there += EP_BLOCK_CELLS) {
        memcpy(fake.cells, whole, (size_t)cells * EP_CELL_BYTES);
        cut(there);
        const char *found = fault_find();
        if (found)
            fail_msg("%u of %u cells: %s", there, cells, found);
        assert_int_equal(end(), there);
    }
    free(whole);
}

static void references_beyond_what_was_cut_short_are_none(void **state)
{
    (void)state;
    made.worker_node->next = end();
    made.pair->stats.octave[9] = end() + 7;
    made.inner->stats.far[1] = UINT32_MAX;
    made.open->node = end();
    made.worker->name = end();
    made.second->label = end();
    ep_image_tree(&fake)->site_count = 1000000;
    cut(end());
    ep_image_root(&fake)->cells_used = end() + 1000;
    check_sound();
    assert_int_equal(made.worker_node->next, 0);
    assert_int_equal(made.pair->stats.octave[9], 0);
    assert_int_equal(made.inner->stats.far[1], 0);
    assert_int_equal(made.open->node, 0);
    assert_int_equal(made.worker->name, 0);
    assert_int_equal(made.second->born, 0);
    assert_int_not_equal(made.instance->born, 0);
    assert_int_equal(ep_image_tree(&fake)->site_count, made.nameless->number);
}

static void site_whose_name_was_cut_off_is_none(void **state)
{
    (void)state;
    struct ep_site_cell *next = &fake.cells[made.site->next].site;
    next->label = end();
    cut(end());
    check_sound();
    assert_int_equal(made.site->next, 0);
}

/* A copy that was saved is whole. */
static void saved_image_is_not_cut_short(void **state)
{
    (void)state;
    made.worker_node->next = end();
    cut(end());
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_SAVED;
    check_fault("a node of a call tree beyond its end");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fault_begin, fake_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(thread_that_was_being_renamed_has_no_name),
        TEST(thread_whose_name_was_given_back_has_no_name),
        TEST(name_that_is_too_long_takes_nothing_from_others),
        TEST(instance_whose_label_was_being_written_is_not_alive),
        TEST(site_beyond_the_count_is_counted),
        TEST(half_a_rename_is_a_fault_where_nobody_was_at_it),
        TEST(image_that_was_cut_short_anywhere_is_sound),
        TEST(references_beyond_what_was_cut_short_are_none),
        TEST(site_whose_name_was_cut_off_is_none),
        TEST(saved_image_is_not_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
