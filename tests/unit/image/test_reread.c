/* Figures that were being written while they were copied are read again, until they are
 * consistent. */
#include "changing.h"

/* ------------------------------------------------------------------ re-read -- */

TEST(copy_of_a_constant_image_stays)
{
    take();
    reread(NULL);
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* Some fields of the outer node were copied before a call, and some after it. */
TEST(figures_are_read_again)
{
    take();
    struct ep_node_cell *torn = in_copy(made.outer);
    torn->stats.total_ticks = 1;
    ((struct ep_instance_cells *)in_copy(made.pair))->stats.calls = 99;
    ((struct ep_instance_cells *)in_copy(made.scratch_pair))->stats.calls = 99;
    reread(NULL);
    assert_memory_equal(copy.cells, fake.cells, (size_t)count() * EP_CELL_BYTES);
}

/* A call takes 100 ticks; ten more calls end at each of the first readings. */
static void call_ten_times(unsigned number, ep_ref first, uint32_t cells)
{
    (void)cells;
    static unsigned looks;
    if (number == 0)
        looks = 0;
    if (!is_reading(made.outer, first) || looks++ >= 20)
        return;
    made.outer->stats.calls += 10;
    made.outer->stats.total_ticks += 1000;
}

TEST(node_that_calls_is_read_until_it_is_still)
{
    take();
    reread(call_ten_times);
    assert_int_equal(copied_node(made.outer)->stats.calls, made.outer->stats.calls);
    assert_int_equal(copied_node(made.outer)->stats.total_ticks, made.outer->stats.total_ticks);
}

static void call_once(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.outer->stats.calls++;
}

TEST(one_call_meanwhile_is_still)
{
    take();
    uint64_t calls = made.outer->stats.calls;
    reread(call_once);
    assert_int_equal(copied_node(made.outer)->stats.calls, calls + 1);
    assert_int_equal(made.outer->stats.calls, calls + 2);
}

static void carry_squares(unsigned number, ep_ref first, uint32_t cells)
{
    (void)cells;
    static unsigned looks;
    if (number == 0)
        looks = 0;
    if (is_reading(made.outer, first) && looks++ == 1) {
        made.outer->stats.square_high++;
        made.outer->stats.square_low = 0;
    }
}

TEST(carry_of_the_squares_is_not_torn)
{
    made.outer->stats.square_low = UINT64_MAX;
    take();
    reread(carry_squares);
    assert_int_equal(copied_node(made.outer)->stats.square_high, 1);
    assert_int_equal(copied_node(made.outer)->stats.square_low, 0);
}

static void call_for_ever(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.outer->stats.calls += 10;
}

TEST(node_that_never_is_still_is_taken_in_the_end)
{
    take();
    reread(call_for_ever);
    assert_in_range(copied_node(made.outer)->stats.calls, 1000, made.outer->stats.calls);
}

/* The owner of the cell has begun to clear it after a reset. */
TEST(node_that_is_being_cleared_is_left_out)
{
    take();
    made.outer->generation = 0;
    reread(NULL);
    assert_int_equal(copied_node(made.outer)->generation, 0);
}

static void renew_generation(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.outer->generation++;
}

TEST(node_that_is_cleared_all_the_time_is_left_out)
{
    take();
    reread(renew_generation);
    assert_int_equal(copied_node(made.outer)->generation, 0);
}

static ep_ref nodes_read[100];
static size_t nodes_read_count;

static void note_nodes(unsigned number, ep_ref first, uint32_t cells)
{
    if (number == 0)
        nodes_read_count = 0;
    if (cells == 4 && nodes_read_count < 100)
        nodes_read[nodes_read_count++] = first;
}

/* The order is such that a parent has all of the time of its children: each node is read twice. */
TEST(newer_nodes_are_read_first)
{
    take();
    reread(note_nodes);
    const struct ep_node_cell *const order[] = {made.hold, made.inner, made.outer, made.root};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(nodes_read[2 * i], fake_ref(order[i]));
        assert_int_equal(nodes_read[2 * i + 1], fake_ref(order[i]));
    }
}

/* ---------------------------------------------------------------- histogram -- */

TEST(counts_of_the_histogram_are_read_again)
{
    ep_ref spare = ep_image_take(&fake, 1);
    take();
    ep_ref near = made.pair->stats.octave[7], far = made.inner->stats.far[0];
    assert_int_not_equal(near, 0);
    assert_int_not_equal(far, 0);
    ep_ref farther = fake.cells[far].far.octave[9];
    assert_int_not_equal(farther, 0);
    fake.cells[near].octave.count[3] = 17;
    fake.cells[farther].octave.count[5] = 18;
    fake.cells[far].far.octave[2] = spare;
    fake.cells[spare].octave.count[1] = 19;
    reread(NULL);
    assert_int_equal(copy.cells[near].octave.count[3], 17);
    assert_int_equal(copy.cells[farther].octave.count[5], 18);
    assert_int_equal(copy.cells[spare].octave.count[1], 19);
}

TEST(octave_that_is_not_in_the_copy_is_none)
{
    take();
    made.pair->stats.octave[20] = ep_image_take(&fake, EP_BLOCK_CELLS);
    made.outer->stats.far[1] = UINT32_MAX;
    reread(NULL);
    assert_int_equal(((struct ep_instance_cells *)in_copy(made.pair))->stats.octave[20], 0);
    assert_int_equal(copied_node(made.outer)->stats.far[1], 0);
}

/* A file that another program writes may contain any value. */
TEST(octave_in_a_list_is_not_read_over_it)
{
    take();
    made.inner->stats.octave[20] = fake_ref(made.worker);
    made.inner->stats.far[1] = fake_ref(made.main);
    made.worker->next = made.worker->nodes = UINT32_MAX;
    assert_return_code(ep_image_reread(&copy, &origin), errno);
    assert_int_equal(((struct ep_thread_cell *)in_copy(made.worker))->next, 0);
    int error;
    assert_non_null(ep_image_check(&copy, &error));
}

/* -------------------------------------------------------------------- links -- */

TEST(later_cells_are_not_in_the_copy)
{
    take();
    struct ep_node_cell *later = fake_node(made.main, made.outer, EP_SITE_FIRST);
    made.open->node = fake_ref(later);
    made.hold->base = fake_ref(later);
    fake_frame(made.main, later, EP_SCOPE_TIMED, 95000);
    fake_pair(made.main, 1, 1);
    reread(NULL);
    assert_int_equal(copied_node(made.hold)->next, 0);
    assert_int_equal(((struct ep_instance_cells *)in_copy(made.pair))->next, 0);
    assert_int_equal(((struct ep_open_scope_cell *)in_copy(made.open))->next, 0);
}

TEST(node_beyond_the_copy_is_none)
{
    take();
    ep_ref block = ep_image_take(&fake, EP_BLOCK_CELLS);
    made.open->node = block;
    made.hold->base = block;
    reread(NULL);
    assert_int_equal(((struct ep_open_scope_cell *)in_copy(made.open))->node, 0);
    assert_int_equal(copied_node(made.hold)->base, 0);
}

/* -------------------------------------------------------------- open scopes -- */

static void leave_the_open_scope(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.open->state = 0;
}

TEST(scope_that_was_left_meanwhile_is_not_open)
{
    take();
    reread(leave_the_open_scope);
    assert_int_equal(((struct ep_open_scope_cell *)in_copy(made.open))->state, 0);
    assert_int_not_equal(((struct ep_open_scope_cell *)in_copy(made.lowest))->state, 0);
}

static void enter_it_anew(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.open->start_ticks = 96000;
}

TEST(scope_that_was_entered_anew_is_not_open)
{
    take();
    reread(enter_it_anew);
    assert_int_equal(((struct ep_open_scope_cell *)in_copy(made.open))->state, 0);
}

static void leave_a_child(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.open->child_ticks = 1234;
}

/* If a child has ended since the nodes were read, its time is in no copied cell. */
TEST(time_of_children_is_that_of_afterwards)
{
    take();
    reread(leave_a_child);
    assert_int_equal(((struct ep_open_scope_cell *)in_copy(made.open))->child_ticks, 1234);
    assert_int_not_equal(((struct ep_open_scope_cell *)in_copy(made.open))->state, 0);
}

/* -------------------------------------------------------------------- keeps -- */

/* The keep adds a call to both. It begins at the first reading of the inner node, which is read
 * before the outer one, and ends some time later. */
static void keep_both(unsigned number, ep_ref first, uint32_t cells)
{
    (void)cells;
    static unsigned begun_at;
    if (number == 0)
        begun_at = 0;
    if (!begun_at && is_reading(made.outer, first)) {
        begun_at = number;
        made.main->keeps++;
        made.outer->stats.calls += 100;
    }
    if (begun_at && number == begun_at + 60) {
        made.inner->stats.calls += 100;
        made.main->keeps++;
    }
}

TEST(keep_is_seen_whole)
{
    made.outer->stats.calls = made.inner->stats.calls = 5;
    take();
    reread(keep_both);
    assert_int_equal(copied_node(made.outer)->stats.calls, 105);
    assert_int_equal(copied_node(made.inner)->stats.calls, 105);
    assert_int_equal(((struct ep_thread_cell *)in_copy(made.main))->keeps, 2);
}

/* The process was stopped: the reader of the copy reports it. */
TEST(keep_that_stopped_stays_in_the_copy)
{
    take();
    made.main->keeps = 7;
    reread(NULL);
    assert_int_equal(((struct ep_thread_cell *)in_copy(made.main))->keeps, 7);
}

static void keep_all_the_time(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        made.main->keeps += 2;
}

TEST(thread_that_always_keeps_was_not_interrupted)
{
    take();
    made.main->keeps = 1;
    reread(keep_all_the_time);
    assert_int_equal(((struct ep_thread_cell *)in_copy(made.main))->keeps % 2, 0);
}

/* ------------------------------------------------------------------- errors -- */

static unsigned failing;

static int fail_at_one_reading(void *context, ep_ref first, uint32_t cells, union ep_cell *to)
{
    if (readings == failing) {
        readings++; /* the next one does not */
        errno = EIO;
        return -1;
    }
    return read_fake(context, first, cells, to);
}

TEST(error_of_any_reading_is_passed_on)
{
    struct ep_image_origin broken = {.read = fail_at_one_reading, .writer = EP_WRITER_OTHER};
    take();
    reread(NULL);
    unsigned count_of_all = readings;
    assert_in_range(count_of_all, 10, 1000);
    for (failing = 0; failing < count_of_all; failing++) {
        readings = 0;
        errno = 0;
        if (ep_image_reread(&copy, &broken) != -1 || errno != EIO)
            fail_msg("reading %u of %u: %s", failing, count_of_all, strerror(errno));
    }
}

/* ------------------------------------------------------------------- resets -- */

static void reset(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number, (void)cells;
    if (is_reading(made.outer, first))
        ep_image_control(&fake)->reset_generation = 9;
}

TEST(copy_of_two_epochs_is_of_the_second)
{
    take();
    reread(reset);
    assert_int_equal(ep_image_control(&copy)->reset_generation, 9);
}

TEST_EACH(changing_begin, changing_end)
