/* The tree of the processes of a job when a message between two of them is lost. */
#include "merge/binomial.h"

#include <pthread.h>
#include <time.h>

#include "merge_fixture.h"

enum { PROCESSES = 6, LIMIT_S = 10 };

/* The state of each process. */
static enum { IMAGE, LOST_IMAGE, NOTHING } recorded;

/* ------------------------------------------------------------------ messages -- */

/* One of each pair of processes. A sender waits until its message is taken, as MPI may do. */
static struct box {
    const void *bytes; /* NULL: empty */
    size_t count;
    int sent; /* messages so far */
} boxes[PROCESSES][PROCESSES];

static struct lost {
    uint32_t from, to;
    int number;       /* of the message from the one to the other, from 0 */
    bool has_arrived; /* only its sender learns that it is lost */
} lost;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_lost, is_stuck;

/* Waits until the box is empty or full. */
static void wait_until(const struct box *box, bool is_full)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += LIMIT_S;
    while ((box->bytes != NULL) != is_full && !is_stuck)
        if (pthread_cond_timedwait(&changed, &mutex, &end) != 0)
            is_stuck = true;
    pthread_cond_broadcast(&changed);
}

static bool is_lost_one(uint32_t from, uint32_t to, int number)
{
    bool is = from == lost.from && to == lost.to && number == lost.number;
    is_lost |= is;
    return is;
}

static int send(void *context, uint32_t to, const void *bytes, size_t count)
{
    const struct ep_merge_post *post = context;
    struct box *box = &boxes[post->process][to];
    pthread_mutex_lock(&mutex);
    box->bytes = bytes;
    box->count = count;
    int number = box->sent++;
    pthread_cond_broadcast(&changed);
    wait_until(box, false);
    bool has_failed = is_stuck || is_lost_one(post->process, to, number);
    pthread_mutex_unlock(&mutex);
    return has_failed ? -1 : 0;
}

static int receive(void *context, uint32_t from, void *bytes, size_t count)
{
    const struct ep_merge_post *post = context;
    struct box *box = &boxes[from][post->process];
    pthread_mutex_lock(&mutex);
    wait_until(box, true);
    bool has_failed = is_stuck || box->count != count ||
                      (is_lost_one(from, post->process, box->sent - 1) && !lost.has_arrived);
    if (!has_failed)
        memcpy(bytes, box->bytes, count);
    box->bytes = NULL;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return has_failed ? -1 : 0;
}

/* ----------------------------------------------------------------- processes -- */

static struct process {
    struct ep_merge_post post;
    struct ep_merge_binomial tree;
    struct ep_image sum;
    bool has_sum;
    uint64_t summed; /* processes */
} processes[PROCESSES];

static void *run(void *argument)
{
    struct process *process = argument;
    process->tree.post = &process->post;
    if (recorded == IMAGE)
        ep_merge_binomial_begin(&process->tree, images[0].cells,
                                ep_image_root(&images[0])->cells_used);
    else
        ep_merge_binomial_begin(&process->tree, NULL, 0);
    if (recorded == LOST_IMAGE)
        ep_merge_binomial_lose(&process->tree);
    process->has_sum = ep_merge_binomial_finish(&process->tree, &process->sum);
    if (process->has_sum) {
        process->summed = ep_image_cell(&process->sum, EP_CELL_PROCESSES)->processes.count;
        ep_image_destroy(&process->sum);
    }
    return NULL;
}

/* Runs the job without one message. Returns whether there is such a message. */
static bool run_without(struct lost message)
{
    pthread_t threads[PROCESSES];
    memset(boxes, 0, sizeof boxes);
    memset(processes, 0, sizeof processes);
    lost = message;
    is_lost = is_stuck = false;
    for (uint32_t i = 0; i < PROCESSES; i++) {
        struct process *process = &processes[i];
        process->post = (struct ep_merge_post){i, PROCESSES, send, receive, &process->post};
        assert_int_equal(pthread_create(&threads[i], NULL, run, process), 0);
    }
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(threads[i], NULL);
    if (is_stuck)
        fail_msg("without message %d from %u to %u a process waits for ever", message.number,
                 message.from, message.to);
    return is_lost;
}

static const struct lost none_lost = {0, 0, 0, false};

static void make_image(void)
{
    begin_image();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_visit(fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f")), 10, 10);
    end_image(0);
}

TEST(all_processes_end_when_a_message_is_lost)
{
    int messages = 0, wholes = 0;
    make_image();
    for (uint32_t from = 0; from < PROCESSES; from++)
        for (uint32_t to = 0; to < PROCESSES; to++)
            for (int number = 0; run_without((struct lost){from, to, number, false}); number++) {
                messages++;
                for (uint32_t i = 0; !processes[0].has_sum && i < PROCESSES; i++)
                    if (!processes[i].tree.is_broken)
                        fail_msg("process %u does not learn that message %d from %u to %u is lost",
                                 i, number, from, to);
                wholes += processes[0].has_sum;
                if (processes[0].has_sum && (from > to || !processes[to].tree.is_broken ||
                                             !processes[to].tree.is_without_outcome))
                    fail_msg("process %u does not learn that it has no outcome", to);
            }
    /* each but process 0 sends its clock, two letters and its image, and receives the clock and the
     * outcome, without which the sum of process 0 is as whole as it was */
    assert_int_equal(messages, 6 * (PROCESSES - 1));
    assert_int_equal(wholes, PROCESSES - 1);
}

TEST(process_whose_message_arrived_despite_an_error_follows_process_0)
{
    int messages = 0, wholes = 0;
    make_image();
    for (uint32_t from = 0; from < PROCESSES; from++)
        for (uint32_t to = 0; to < PROCESSES; to++)
            for (int number = 0; run_without((struct lost){from, to, number, true}); number++) {
                messages++;
                wholes += processes[0].has_sum;
                for (uint32_t i = 0; i < PROCESSES; i++)
                    if (processes[i].tree.is_broken == processes[0].has_sum)
                        fail_msg("message %d from %u to %u: process %u acts against process 0",
                                 number, from, to, i);
            }
    assert_int_equal(messages, 6 * (PROCESSES - 1));
    /* not without the clock of a process, up or down, since that may be in no sum */
    assert_int_equal(wholes, 4 * (PROCESSES - 1));
}

TEST(no_message_is_lost_in_a_job_that_has_a_sum)
{
    make_image();
    assert_false(run_without(none_lost));
    assert_true(processes[0].has_sum);
    assert_false(processes[0].tree.is_broken);
    assert_int_equal(processes[0].summed, PROCESSES);
}

static void run_all_with(int what)
{
    recorded = what;
    run_without(none_lost);
    recorded = IMAGE;
    assert_false(processes[0].has_sum);
}

TEST(all_processes_learn_that_no_memory_is_left_for_the_sum)
{
    run_all_with(LOST_IMAGE);
    for (uint32_t i = 0; i < PROCESSES; i++)
        if (!processes[i].tree.is_broken)
            fail_msg("process %u does not learn that there is no sum", i);
    assert_int_equal(processes[0].tree.lost, PROCESSES);
}

TEST(a_job_without_images_is_not_broken)
{
    run_all_with(NOTHING);
    for (uint32_t i = 0; i < PROCESSES; i++)
        assert_false(processes[i].tree.is_broken);
}

TEST_EACH(NULL, merge_end)
