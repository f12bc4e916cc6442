/* Copies of an image that changes while they are made. */
#include "changing.h"

/* -------------------------------------------------------------------- taken -- */

static void copy_of_memory_has_the_same_cells(void **state)
{
    (void)state;
    struct ep_image_origin memory = ep_image_copy_of_memory(&fake);
    assert_return_code(ep_image_copy_take(&copy, &memory, count()), errno);
    assert_int_equal(copy.committed, count());
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* Who copies has the lock, and so it is odd. */
static void copy_of_memory_is_of_one_moment(void **state)
{
    (void)state;
    *changes() = 5;
    struct ep_image_origin memory = ep_image_copy_of_memory(&fake);
    assert_return_code(ep_image_copy_take(&copy, &memory, count()), errno);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 0);
}

static void give_back_the_lock(unsigned number, ep_ref first, uint32_t cells)
{
    (void)first;
    assert_true(number < 7 ? cells == 1 : true);
    if (number == 7) {
        made.instance->label_bytes = 2;
        ++*changes();
    }
}

static void lock_that_is_held_is_waited_for(void **state)
{
    (void)state;
    *changes() = 3;
    before_reading = give_back_the_lock;
    take();
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 4);
    assert_int_equal(((struct ep_instance_cell *)in_copy(made.instance))->label_bytes, 2);
}

/* Who was killed in the midst has it for ever: what there is is better than nothing. */
static void lock_that_is_never_given_back_is_waited_for_no_longer(void **state)
{
    (void)state;
    *changes() = 3;
    take();
    assert_in_range(readings, 1000, 100000);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 3);
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* In two copies it is taken and given back while they are made. */
static void take_lock_while_copying(unsigned number, ep_ref first, uint32_t cells)
{
    (void)first;
    static unsigned copies;
    if (number == 0)
        copies = 0;
    if (cells > 1 && copies++ < 2)
        *changes() += 2;
}

static void copy_in_which_something_changed_is_made_again(void **state)
{
    (void)state;
    before_reading = take_lock_while_copying;
    take();
    assert_int_equal(readings, 3 * 3); /* the lock before, all, the lock after */
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 4);
}

static void change_all_the_time(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)first;
    if (cells > 1)
        *changes() += 2;
}

static void copy_that_is_never_of_one_moment_says_so(void **state)
{
    (void)state;
    before_reading = change_all_the_time;
    take();
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes % 2, 1);
}

static void lock_of_who_is_gone_is_not_waited_for(void **state)
{
    (void)state;
    *changes() = 3;
    origin.writer = EP_WRITER_NONE;
    take();
    assert_int_equal(readings, 1);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 3);
}

static int fail_to_read(void *context, ep_ref first, uint32_t cells, union ep_cell *to)
{
    (void)context, (void)first, (void)cells, (void)to;
    errno = EIO;
    return -1;
}

static void error_of_reading_is_passed_on(void **state)
{
    (void)state;
    struct ep_image_origin broken = {.read = fail_to_read};
    for (int writer = EP_WRITER_NONE; writer <= EP_WRITER_THREADS; writer++) {
        broken.writer = (enum ep_image_writer)writer;
        assert_int_equal(ep_image_copy_take(&copy, &broken, count()), -1);
        assert_int_equal(errno, EIO);
        assert_null(copy.cells);
    }
    take();
    broken.writer = EP_WRITER_OTHER;
    assert_int_equal(ep_image_copy_settle(&copy, &broken), -1);
    assert_int_equal(errno, EIO);
}

/* -------------------------------------------------------------------- sound -- */

static const char *why;

static int copy_sound(uint32_t cells)
{
    why = NULL;
    return ep_image_copy_sound(&copy, &origin, cells, &why);
}

/* A spare cell, with the number of the next one in it, was copied before it became a list of
 * octaves, and that number has become an octave since. */
static void give_spare_cells_away(unsigned number, ep_ref first, uint32_t cells)
{
    (void)first;
    ep_ref far = made.inner->stats.far[0];
    if (cells > EP_HEADER_CELLS)
        fake.cells[far].far.octave[0] = number < 4 ? made.pair->stats.octave[7] : 0;
}

static void copy_that_does_not_fit_together_is_made_again(void **state)
{
    (void)state;
    before_reading = give_spare_cells_away;
    if (copy_sound(count()) != 0)
        fail_msg("%s", why ? why : strerror(errno));
    assert_int_equal(copy.cells[made.inner->stats.far[0]].far.octave[0], 0);
}

static void faulty_image_is_refused_with_the_reason(void **state)
{
    (void)state;
    made.inner->next = fake_ref(made.inner);
    const enum ep_image_writer writers[] = {EP_WRITER_NONE, EP_WRITER_OTHER, EP_WRITER_THREADS};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        origin.writer = writers[i];
        assert_int_equal(copy_sound(count()), -1);
        assert_int_equal(errno, EINVAL);
        assert_string_equal(why, "damaged: a node of a call tree in cells that are in use already");
        assert_null(copy.cells);
    }
}

static void break_an_octave(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number;
    made.inner->stats.octave[20] =
        cells == 4 && is_reading(made.inner, first) ? made.pair->stats.octave[7] : 0;
}

/* It was sound before: what is read anew is looked at anew. */
static void fault_that_comes_in_meanwhile_is_found(void **state)
{
    (void)state;
    before_reading = break_an_octave;
    assert_int_equal(copy_sound(count()), -1);
    assert_int_equal(errno, EINVAL);
    assert_string_equal(why, "damaged: a histogram's octave in cells that are in use already");
}

static void image_that_has_grown_is_to_be_copied_anew(void **state)
{
    (void)state;
    uint32_t before = count();
    fake_pair(made.main, 1, 1);
    assert_int_equal(copy_sound(before), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(copy_sound(count()), 0);
}

static void copy_of_who_is_gone_is_not_settled(void **state)
{
    (void)state;
    origin.writer = EP_WRITER_NONE;
    assert_int_equal(copy_sound(count()), 0);
    assert_int_equal(readings, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(copy_of_memory_has_the_same_cells),
        TEST(copy_of_memory_is_of_one_moment),
        TEST(lock_that_is_held_is_waited_for),
        TEST(lock_that_is_never_given_back_is_waited_for_no_longer),
        TEST(copy_in_which_something_changed_is_made_again),
        TEST(copy_that_is_never_of_one_moment_says_so),
        TEST(lock_of_who_is_gone_is_not_waited_for),
        TEST(error_of_reading_is_passed_on),
        TEST(copy_that_does_not_fit_together_is_made_again),
        TEST(faulty_image_is_refused_with_the_reason),
        TEST(fault_that_comes_in_meanwhile_is_found),
        TEST(image_that_has_grown_is_to_be_copied_anew),
        TEST(copy_of_who_is_gone_is_not_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
