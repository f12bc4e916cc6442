/* The incomplete image that a kill or a full disk leaves is not a fault. */
#include "support/fake_profile.h"

#include <stdlib.h>

/* ---------------------------------------- incomplete operations -- */

static void leave_locked(void)
{
    fake.cells[EP_CELL_LOCK].lock.changes = 7;
}

/* The kill comes between the store of the new name and that of its length. */
TEST(thread_that_was_being_renamed_has_no_name)
{
    leave_locked();
    made.worker->name_bytes = 4000;
    check_sound();
    assert_int_equal(made.worker->name, 0);
    assert_int_equal(made.worker->name_bytes, 0);
}

/* The first word of a freed run is the number of the next run. */
TEST(thread_whose_name_was_given_back_has_no_name)
{
    leave_locked();
    struct ep_thread_cell *third = fake_thread(2, "ab");
    fake.cells[third->name].refs[0] = 0x01010101;
    check_sound();
    assert_int_equal(third->name, 0);
}

TEST(too_long_name_does_not_affect_others)
{
    leave_locked();
    made.worker->name_bytes = 4000;
    fake.cells[made.worker->name + 4000 / EP_CELL_BYTES].text[4000 % EP_CELL_BYTES] = '\0';
    check_sound();
    assert_int_equal(made.worker->name, 0);
    assert_int_not_equal(made.instance->born, 0);
    assert_int_not_equal(made.second->born, 0);
    assert_int_equal(ep_image_tree(&fake)->site_count, made.nameless->number);
}

TEST(instance_whose_label_was_being_written_is_not_alive)
{
    leave_locked();
    made.instance->label = end_cell() - 1;
    made.instance->label_bytes = 4095;
    check_sound();
    assert_int_equal(made.instance->born, 0);
    assert_int_not_equal(made.second->born, 0);
}

TEST(site_beyond_the_count_is_counted)
{
    leave_locked();
    ep_image_tree(&fake)->site_count--;
    check_sound();
    assert_int_equal(ep_image_tree(&fake)->site_count, made.nameless->number);
}

TEST(half_a_rename_is_a_fault_without_the_lock)
{
    made.worker->name_bytes = 4000;
    check_fault("a thread whose name");
}

/* ------------------------------------------------------------- cut short -- */

/* Only this part of the image is there from now on. */
static void cut(uint32_t cells)
{
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->cut_short = 1;
    identity->state = EP_STATE_RUNNING;
    fake.committed = cells;
}

/* The image is cut at each block, as if the lists were those of an earlier time. */
TEST(image_that_was_cut_short_anywhere_is_sound)
{
    uint32_t cells = end_cell(), least = ep_image_root(&fake)->directory + EP_DIRECTORY_RUNS / 16;
    union ep_cell *whole = malloc((size_t)cells * EP_CELL_BYTES);
    assert_non_null(whole);
    memcpy(whole, fake.cells, (size_t)cells * EP_CELL_BYTES);
    for (uint32_t there = least; there < cells; there += EP_BLOCK_CELLS) {
        memcpy(fake.cells, whole, (size_t)cells * EP_CELL_BYTES);
        cut(there);
        const char *found = fault_find();
        if (found)
            fail_msg("%u of %u cells: %s", there, cells, found);
        assert_int_equal(end_cell(), there);
    }
    free(whole);
}

TEST(references_beyond_a_cut_end_are_none)
{
    made.worker_node->next = end_cell();
    made.pair->stats.octave[9] = end_cell() + 7;
    made.inner->stats.far[1] = UINT32_MAX;
    made.open->node = end_cell();
    made.worker->name = end_cell();
    made.second->label = end_cell();
    ep_image_tree(&fake)->site_count = 1000000;
    cut(end_cell());
    ep_image_root(&fake)->cells_used = end_cell() + 1000;
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

TEST(site_whose_name_was_cut_off_is_none)
{
    struct ep_site_cell *next = &fake.cells[made.site->next].site;
    next->label = end_cell();
    cut(end_cell());
    check_sound();
    assert_int_equal(made.site->next, 0);
}

/* A copy that was saved is complete. */
TEST(saved_image_is_not_cut_short)
{
    made.worker_node->next = end_cell();
    cut(end_cell());
    fake.cells[EP_CELL_IDENTITY].identity.state = EP_STATE_SAVED;
    check_fault("a node of a call tree beyond its end");
}

TEST_EACH(fault_begin, fake_end)
