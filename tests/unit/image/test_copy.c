/* Copies of an image that changes while they are made. */
#include "changing.h"

/* -------------------------------------------------------------------- taken -- */

TEST(copy_of_memory_has_the_same_cells)
{
    struct ep_image_origin memory = ep_image_copy_of_memory(&fake);
    assert_return_code(ep_image_copy_take(&copy, &memory, count()), errno);
    assert_int_equal(copy.committed, count());
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* The process that copies its own memory holds the lock, and so the count of changes is odd. */
TEST(copy_of_memory_is_of_one_moment)
{
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

TEST(lock_that_is_held_is_waited_for)
{
    *changes() = 3;
    before_reading = give_back_the_lock;
    take();
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 4);
    assert_int_equal(((struct ep_instance_cell *)in_copy(made.instance))->label_bytes, 2);
}

/* A writer that was killed holds the lock for ever: an incomplete copy is better than none. */
TEST(lock_that_is_never_given_back_is_waited_for_no_longer)
{
    *changes() = 3;
    take();
    assert_in_range(readings, 1000, 100000);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 3);
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* The lock before, the root, the two threads, all cells, the lock after. */
enum { READINGS_A_COPY = 6 };

/* During the first two copies the lock is taken and given back. */
static void take_lock_while_copying(unsigned number, ep_ref first, uint32_t cells)
{
    (void)first;
    static unsigned copies;
    if (number == 0)
        copies = 0;
    if (cells > 1 && copies++ < 2)
        *changes() += 2;
}

TEST(copy_in_which_something_changed_is_made_again)
{
    before_reading = take_lock_while_copying;
    take();
    assert_int_equal(readings, 3 * READINGS_A_COPY);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes, 4);
}

static void change_all_the_time(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)first;
    if (cells > 1)
        *changes() += 2;
}

TEST(copy_that_is_never_of_one_moment_says_so)
{
    before_reading = change_all_the_time;
    take();
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes % 2, 1);
}

static void change_often(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)first;
    if (cells > 1)
        *changes() += 10;
}

TEST(copy_in_which_much_changed_is_made_once)
{
    before_reading = change_often;
    take();
    assert_int_equal(readings, READINGS_A_COPY);
    assert_int_equal(copy.cells[EP_CELL_LOCK].lock.changes % 2, 1);
}

TEST(lock_of_an_ended_process_is_not_awaited)
{
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

TEST(error_of_reading_is_passed_on)
{
    struct ep_image_origin broken = {.read = fail_to_read};
    for (int writer = EP_WRITER_NONE; writer <= EP_WRITER_THREADS; writer++) {
        broken.writer = (enum ep_image_writer)writer;
        assert_int_equal(ep_image_copy_take(&copy, &broken, count()), -1);
        assert_int_equal(errno, EIO);
        assert_null(copy.cells);
    }
    take();
    broken.writer = EP_WRITER_OTHER;
    assert_int_equal(ep_image_reread(&copy, &broken), -1);
    assert_int_equal(errno, EIO);
}

static unsigned failing;

static int fail_at_one_reading(void *context, ep_ref first, uint32_t cells, union ep_cell *to)
{
    if (readings == failing) {
        errno = EIO;
        return -1;
    }
    return read_fake(context, first, cells, to);
}

/* -------------------------------------------------------------------- blank -- */

/* A record for the next thread of any name. The threads before recorded an instance and a node,
 * each in its own block, and a stop without a start. */
static struct ep_thread_cell *blank;
static struct ep_instance_cells *blank_pair;
static struct ep_node_cell *blank_node;

static void make_blank(void)
{
    blank = fake_thread(2, "former");
    blank->state = EP_THREAD_BLANK;
    blank_pair = fake_pair(blank, 0, 1);
    fake_call(blank_pair, 600);
    blank->nodes = ep_image_take(&fake, EP_BLOCK_CELLS);
    blank_node = (struct ep_node_cell *)&fake.cells[blank->nodes];
    blank_node->stats.calls = 5;
    fake.cells[blank->diagnostics].diagnostics.count[EP_DIAGNOSTIC_UNBALANCED] = 3;
}

static void assert_is_left_out(void)
{
    const struct ep_thread_cell *copied = in_copy(blank);
    int error;
    assert_int_equal(copied->state, EP_THREAD_BLANK);
    assert_int_equal(copied->pairs, 0);
    assert_int_equal(copied->nodes, 0);
    assert_int_equal(((struct ep_instance_cells *)in_copy(blank_pair))->stats.calls, 0);
    assert_int_equal(copied_node(blank_node)->stats.calls, 0);
    const char *fault = ep_image_check(&copy, &error);
    if (fault)
        fail_msg("%s", fault);
}

TEST(blank_record_is_not_read_but_for_its_diagnostics)
{
    make_blank();
    take();
    assert_is_left_out();
    assert_int_equal(copy.cells[blank->diagnostics].diagnostics.count[EP_DIAGNOSTIC_UNBALANCED], 3);
    assert_int_equal(copy.cells[blank->more].more.note, fake.cells[blank->more].more.note);
    const struct ep_instance_cells *pair = in_copy(made.pair);
    assert_memory_equal(pair, made.pair, sizeof *pair);
}

/* The change comes between the look at the record and the reading of all blocks. */
static void take_the_blank_record(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)first;
    if (cells == 1)
        return;
    blank->state = EP_THREAD_LIVING;
    blank_pair->stats.calls++;
}

TEST(thread_that_takes_a_blank_record_meanwhile_came_later)
{
    make_blank();
    before_reading = take_the_blank_record;
    take();
    assert_is_left_out();
}

TEST(next_copy_has_cells_that_were_blank_before)
{
    make_blank();
    take();
    ep_image_destroy(&copy);
    blank->state = EP_THREAD_LIVING;
    take();
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* A file that another program writes may contain any value. */
TEST(lists_of_blank_records_that_do_not_end_are_left)
{
    static const ep_ref nowhere[] = {UINT32_MAX, UINT32_MAX - 3};
    make_blank();
    blank->next = fake_ref(blank);
    blank_pair->next = fake_ref(blank_pair);
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        blank->nodes = blank->diagnostics = nowhere[i];
        take();
        ep_image_destroy(&copy);
    }
    blank->nodes = count() - 1;
    take();
}

TEST(error_of_any_reading_of_a_blank_record_is_passed_on)
{
    struct ep_image_origin broken = {.read = fail_at_one_reading, .writer = EP_WRITER_OTHER};
    make_blank();
    take();
    unsigned count_of_all = readings;
    assert_in_range(count_of_all, READINGS_A_COPY + 6, 100);
    for (failing = 0; failing < count_of_all; failing++) {
        readings = 0;
        errno = 0;
        ep_image_destroy(&copy);
        if (ep_image_copy_take(&copy, &broken, count()) != -1 || errno != EIO)
            fail_msg("reading %u of %u: %s", failing, count_of_all, strerror(errno));
    }
}

/* -------------------------------------------------------------------- sound -- */

static const char *why;

static int copy_sound(uint32_t cells)
{
    why = NULL;
    return ep_image_copy_sound(&copy, &origin, cells, &why);
}

/* A spare cell, which holds the number of the next spare cell, was copied before it became a list
 * of octaves. In the meantime that number has become the number of an octave. */
static void give_spare_cells_away(unsigned number, ep_ref first, uint32_t cells)
{
    (void)first;
    ep_ref far = made.inner->stats.far[0];
    if (cells > EP_HEADER_CELLS)
        fake.cells[far].far.octave[0] = number < 4 ? made.pair->stats.octave[7] : 0;
}

TEST(copy_that_does_not_fit_together_is_made_again)
{
    before_reading = give_spare_cells_away;
    if (copy_sound(count()) != 0)
        fail_msg("%s", why ? why : strerror(errno));
    assert_int_equal(copy.cells[made.inner->stats.far[0]].far.octave[0], 0);
}

TEST(faulty_image_is_refused_with_the_reason)
{
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

/* The cell was sound before, but a cell that is read again is also checked again. */
TEST(fault_that_comes_in_meanwhile_is_found)
{
    before_reading = break_an_octave;
    assert_int_equal(copy_sound(count()), -1);
    assert_int_equal(errno, EINVAL);
    assert_string_equal(why, "damaged: a histogram's octave in cells that are in use already");
}

TEST(image_that_has_grown_is_to_be_copied_anew)
{
    uint32_t before = count();
    fake_pair(made.main, 1, 1);
    assert_int_equal(copy_sound(before), -1);
    assert_int_equal(errno, EAGAIN);
    assert_int_equal(copy_sound(count()), 0);
}

TEST(copy_of_an_ended_process_is_not_reread)
{
    origin.writer = EP_WRITER_NONE;
    assert_int_equal(copy_sound(count()), 0);
    assert_int_equal(readings, 1);
}

TEST_EACH(changing_begin, changing_end)
