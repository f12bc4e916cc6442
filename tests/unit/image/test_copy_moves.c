/* A copy that is made during a move between threads (image/moves.h): it holds each figure once, or
 * there is no copy. In an image that a kill left, no figure is there twice. */
#include "changing.h"

#include <sched.h>

/* It replaces the real function (--wrap): the reader does not wait for other threads. */
static bool nobody_else_runs;

int __real_sched_yield(void);
int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    return nobody_else_runs ? 0 : __real_sched_yield();
}

/* The worker has ended and joined the main thread. The main thread moves two counts of calls: of an
 * instance, to a pair that it already has, and of a function, to a new node. */
struct figure {
    uint64_t *to, *from, *generation; /* the generation of the cell from which it is moved */
};

enum { BEGIN, LINK, TAKE_LISTS, ADD_FIRST, ADD_SECOND, EMPTY, GIVE_LISTS, END, STEPS };

static struct figure figures[2];
static struct ep_thread_cell lists; /* the lists of the worker */
static ep_ref fresh;                /* the new node, which is in no list before the first step */
static unsigned steps_done;
static uint64_t calls_of_pair, calls_of_node;

static struct ep_instance_cells *pair_at(const struct ep_image *image, ep_ref ref)
{
    return (struct ep_instance_cells *)&image->cells[ref];
}

static struct ep_node_cell *node_at(const struct ep_image *image, ep_ref ref)
{
    return (struct ep_node_cell *)&image->cells[ref];
}

/* The sum over all threads. */
static uint64_t sum_of_pairs(const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    uint64_t calls = 0;
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = thread->next) {
        thread = &image->cells[ref].thread;
        for (ep_ref at = thread->pairs; at; at = pair_at(image, at)->next)
            if (pair_at(image, at)->handle == 0 && pair_at(image, at)->generation)
                calls += pair_at(image, at)->stats.calls;
    }
    return calls;
}

static uint64_t sum_of_nodes(const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    uint64_t calls = 0;
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = thread->next) {
        thread = &image->cells[ref].thread;
        for (ep_ref at = thread->nodes; at; at = node_at(image, at)->next)
            if (node_at(image, at)->site == made.named->number && node_at(image, at)->generation)
                calls += node_at(image, at)->stats.calls;
    }
    return calls;
}

static int begin_move(void **state)
{
    int result = changing_begin(state);
    nobody_else_runs = true;
    made.worker->state = EP_THREAD_JOINED;
    made.worker->row = fake_ref(made.main);
    struct ep_node_cell *from = node_at(&fake, made.worker_root->next);
    assert_int_equal(from->site, made.named->number);
    fresh = ep_image_take(&fake, sizeof *from / EP_CELL_BYTES);
    struct ep_node_cell *to = node_at(&fake, fresh);
    to->generation = from->generation;
    to->site = from->site;
    to->parent = fake_ref(made.root);
    to->stats.min_ticks = UINT64_MAX;
    struct ep_instance_cells *pair = pair_at(&fake, made.worker->pairs);
    figures[0] = (struct figure){&made.pair->stats.calls, &pair->stats.calls, &pair->generation};
    figures[1] = (struct figure){&to->stats.calls, &from->stats.calls, &from->generation};
    calls_of_pair = sum_of_pairs(&fake);
    calls_of_node = sum_of_nodes(&fake);
    steps_done = 0;
    lists = *made.worker;
    fake.cells[EP_CELL_LOCK].lock.moves = 4;
    *changes() = 3; /* the thread that moves has the lock */
    return result;
}

/* The same steps as absorb_one() of record/thread_life.c. */
static void do_a_step(void)
{
    unsigned step = steps_done < STEPS ? steps_done++ : STEPS;
    struct ep_thread_cell *worker = made.worker;
    if (step == BEGIN || step == END)
        fake.cells[EP_CELL_LOCK].lock.moves++;
    else if (step == LINK)
        made.hold->next = fresh;
    else if (step == TAKE_LISTS)
        worker->frames = worker->pairs = worker->nodes = 0;
    else if (step == ADD_FIRST || step == ADD_SECOND)
        *figures[step - ADD_FIRST].to += *figures[step - ADD_FIRST].from;
    else if (step == EMPTY)
        *figures[0].generation = *figures[1].generation = 0;
    else if (step == GIVE_LISTS)
        worker->frames = lists.frames, worker->pairs = lists.pairs, worker->nodes = lists.nodes;
}

static void check_copy(const char *when, unsigned number)
{
    if (sum_of_pairs(&copy) != calls_of_pair || sum_of_nodes(&copy) != calls_of_node)
        fail_msg("%s %u: %llu calls of the instance and %llu of the function, of %llu and %llu",
                 when, number, (unsigned long long)sum_of_pairs(&copy),
                 (unsigned long long)sum_of_nodes(&copy), (unsigned long long)calls_of_pair,
                 (unsigned long long)calls_of_node);
}

static int copy_sound(void)
{
    const char *why = NULL;
    int result = ep_image_copy_sound(&copy, &origin, count(), &why);
    if (why)
        fail_msg("%s", why);
    return result;
}

/* The process is stopped at each step of the move, or killed there. */
TEST(stopped_move_is_refused_and_killed_move_is_not_doubled)
{
    for (unsigned steps = 0; steps <= STEPS; steps++) {
        origin.writer = EP_WRITER_NONE;
        assert_return_code(copy_sound(), errno);
        assert_in_range(sum_of_pairs(&copy), 0, calls_of_pair);
        assert_in_range(sum_of_nodes(&copy), 0, calls_of_node);
        ep_image_destroy(&copy);
        origin.writer = EP_WRITER_OTHER;
        int result = copy_sound(), error = errno;
        assert_int_equal(result, steps > BEGIN && steps < STEPS ? -1 : 0);
        if (result != 0)
            assert_int_equal(error, EAGAIN);
        else
            check_copy("after steps", steps);
        do_a_step();
    }
}

/* The writer continues before these readings: of lists, and of the cells of threads. The lock, and
 * cells that a reset writes, are not counted, since they are read a thousand times while the lock
 * is held. */
static unsigned looks, begins_at, looks_a_step;

static void move_from_a_look_on(unsigned number, ep_ref first, uint32_t cells)
{
    (void)number;
    if (first < EP_HEADER_CELLS && first != EP_CELL_ROOT && cells == 1)
        return;
    unsigned look = looks++;
    if (look == begins_at && looks_a_step == 0)
        while (steps_done < STEPS)
            do_a_step();
    else if (look >= begins_at && looks_a_step && (look - begins_at) % looks_a_step == 0)
        do_a_step();
}

/* Returns whether the image was read. */
static bool read_while_it_goes_on(void **state)
{
    changing_end(state);
    begin_move(state);
    before_reading = move_from_a_look_on;
    looks = 0;
    bool is_read = copy_sound() == 0;
    if (!is_read)
        assert_int_equal(errno, EAGAIN);
    before_reading = NULL;
    return is_read;
}

/* The writer starts at any reading, and is fast or slow. */
TEST(move_that_goes_on_is_refused_or_right)
{
    static const unsigned speeds[] = {0, 1, 2, 7, 20};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        unsigned good = 0, refused = 0;
        looks_a_step = speeds[i];
        for (begins_at = 0; begins_at <= looks || begins_at == 0; begins_at++) {
            bool is_read = read_while_it_goes_on(state);
            if (is_read)
                check_copy(speeds[i] ? "step by step from reading" : "all before reading",
                           begins_at);
            good += is_read;
            refused += !is_read;
        }
        print_message("%u readings a step: %u good, %u refused\n", speeds[i], good, refused);
        assert_in_range(good, 1, 1000);
        assert_in_range(refused, 1, 1000);
    }
}

TEST_EACH(begin_move, changing_end)
