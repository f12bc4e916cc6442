/*
 * The file of a running program is read many times, and each count lies between the number of calls
 * that had ended before the read and the number that had begun after it
 *
 * The program records in another process, and counts its calls in memory that both processes share.
 * The argument is the number of reads for each way to record; without it the test is short.
 */
#include <eprof.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image/read.h"
#include "sanitizer.h"
#include "snapshot/snapshot.h"
#include "support/random.h"
#include "support/test.h"

enum { THREADS = 3, STEP_TICKS = 7, CALLS_A_ROUND = 6 };

static unsigned reads = TAKES_LONG ? 20 : 60;

/* ------------------------------------------------------- the recording process -- */

/* The number of calls; each is one of a scope and one of an instance. */
struct counts {
    uint64_t begun, ended;
    uint64_t resets; /* odd during a reset, which sets the counts to 0 */
    uint64_t rounds;
};

static struct counts *counts;
static int instance;
static _Thread_local uint64_t step_ticks = STEP_TICKS;
static _Thread_local uint64_t random_own;

static uint64_t steps_now(void *context)
{
    static _Thread_local uint64_t ticks;
    (void)context;
    return ticks += step_ticks;
}

static void use_steps(void)
{
    static const struct eprof_source source = {.size = sizeof source,
                                               .name = "steps",
                                               .now = steps_now,
                                               .ticks_per_second = 1000000000,
                                               .flags = EPROF_SOURCE_PER_THREAD};
    if (eprof_source_add(&source) != 0 || eprof_source_use("steps") != 0)
        _exit(1);
    instance = eprof_alloc("work");
}

static uint64_t look(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_SEQ_CST);
}

static void count(uint64_t *of, uint64_t calls)
{
    __atomic_fetch_add(of, calls, __ATOMIC_SEQ_CST);
}

static void make_calls(uint64_t calls)
{
    for (uint64_t i = 0; i < calls; i++) {
        EPROF_BLOCK("work")
        {
        }
        eprof_start(instance);
        eprof_stop(instance);
    }
}

static void call_at_random(void)
{
    for (uint64_t calls = random_of(&random_own) % CALLS_A_ROUND; calls; calls--) {
        count(&counts->begun, 1);
        make_calls(1);
        count(&counts->ended, 1);
    }
}

/* One round of a thread in each way to record. */
static void (*do_round)(void);

static void *do_rounds(void *number)
{
    random_own = (uint64_t)(uintptr_t)number;
    for (;;) {
        do_round();
        count(&counts->rounds, 1);
    }
    return NULL;
}

/* As by a thread that begins and ends: about 20,000 names a second. */
static void pause_as_a_thread_begins(void)
{
    enum { PAUSE_NS = 50000 * THREADS };
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < PAUSE_NS);
}

static void take_a_name_and_end_at_once(void)
{
    static const char *const names[] = {"worker", "worker", "other"};
    call_at_random();
    eprof_thread_enter(names[random_of(&random_own) % 3]);
    call_at_random();
    eprof_thread_exit();
}

static void take_a_name_and_end(void)
{
    pause_as_a_thread_begins();
    take_a_name_and_end_at_once();
}

static void *live_once(void *unused)
{
    (void)unused;
    random_own = look(&counts->rounds);
    call_at_random();
    eprof_thread_enter("worker");
    call_at_random();
    return NULL;
}

static void begin_a_thread_that_takes_a_name(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, live_once, NULL) == 0)
        pthread_join(thread, NULL);
}

static void take_names_in_turn(void)
{
    static const char *const names[] = {"red", "green", NULL};
    pause_as_a_thread_begins();
    call_at_random();
    eprof_thread_enter(names[random_of(&random_own) % 3]);
    if (random_of(&random_own) % 4 == 0)
        eprof_thread_exit();
}

static void end_without_a_name(void)
{
    call_at_random();
    eprof_thread_exit();
}

static void keep_or_drop(void)
{
    uint64_t calls = 1 + random_of(&random_own) % CALLS_A_ROUND;
    bool is_kept = random_of(&random_own) % 4 != 0;
    count(&counts->begun, is_kept ? calls : 0);
    eprof_hold();
    make_calls(calls);
    eprof_keep(is_kept);
    count(&counts->ended, is_kept ? calls : 0);
}

static pthread_barrier_t turn;
static uint64_t epoch_ticks = STEP_TICKS;

/* In each epoch a call takes another time, so that a mix of figures of two epochs is found. */
static void *record_epochs(void *number)
{
    random_own = (uint64_t)(uintptr_t)number;
    for (;;) {
        pthread_barrier_wait(&turn);
        step_ticks = epoch_ticks;
        for (int i = 0; i < 20; i++)
            call_at_random();
        pthread_barrier_wait(&turn);
    }
    return NULL;
}

static void reset(void)
{
    count(&counts->resets, 1);
    eprof_reset();
    __atomic_store_n(&counts->ended, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&counts->begun, 0, __ATOMIC_SEQ_CST);
    epoch_ticks = epoch_ticks < 5000 ? epoch_ticks * 3 : STEP_TICKS;
    count(&counts->resets, 1);
}

static void reset_between_epochs(void)
{
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
    reset();
}

static char path[] = P_tmpdir "/eprof-counts-XXXXXX";

/* Does not return. */
static void record_until_killed(void (*round)(void))
{
    char item[sizeof path + 10];
    pthread_t thread;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* in case the test is killed */
    snprintf(item, sizeof item, "image=%s", path);
    if (eprof_setup(item) != 0)
        _exit(1);
    use_steps();
    do_round = round;
    bool has_epochs = round == reset_between_epochs;
    pthread_barrier_init(&turn, NULL, THREADS + 1);
    for (uintptr_t i = 1; i <= THREADS; i++)
        if (pthread_create(&thread, NULL, has_epochs ? record_epochs : do_rounds,
                           (void *)(uintptr_t)(i + random_next() % 1000)) != 0)
            _exit(1);
    if (has_epochs)
        do_rounds(NULL);
    for (;;)
        pause();
}

static pid_t recording;

static void begin_recording(void (*round)(void))
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    close(mkstemp(path));
    unlink(path);
    *counts = (struct counts){.begun = 0};
    recording = fork();
    assert_return_code(recording, errno);
    if (recording == 0)
        record_until_killed(round);
    while (look(&counts->rounds) < 20) {
        assert_int_equal(waitpid(recording, NULL, WNOHANG), 0);
        sched_yield();
    }
}

static int end_recording(void **state)
{
    int status;
    (void)state;
    kill(recording, SIGKILL);
    bool is_killed = waitpid(recording, &status, 0) == recording && WIFSIGNALED(status);
    unlink(path);
    return is_killed ? 0 : -1;
}

/* ------------------------------------------------------------------- reading -- */

struct sums {
    uint64_t calls[2], ticks[2]; /* counts of the scope and of the instance */
    uint64_t min_ticks, max_ticks;
};

static void add_row(struct sums *sums, const struct eprof_row *row)
{
    int kind = strcmp(row->kind, "instance") == 0;
    if (strcmp(row->name, "work") != 0)
        return;
    sums->calls[kind] += row->calls;
    sums->ticks[kind] += row->total_ns;
    if (row->timed && (!sums->min_ticks || row->min_ns < sums->min_ticks))
        sums->min_ticks = row->min_ns;
    if (row->max_ns > sums->max_ticks)
        sums->max_ticks = row->max_ns;
}

static bool may_be_refused;
static unsigned refused;

static bool is_read(struct ep_image *image)
{
    struct ep_image_file_state state;
    const char *why;
    if (ep_image_read(path, image, &state, &why) == 0)
        return true;
    if (!may_be_refused || !strstr(why, "try again"))
        fail_msg("not read: %s", why);
    refused++;
    return false;
}

static struct sums sum_up(const struct ep_image *image, bool by_threads)
{
    struct sums sums = {.calls = {0}};
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(
        image, (struct ep_snapshot_options){.raw = true, .ticks = true, .threads = by_threads});
    assert_non_null(snapshot);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        add_row(&sums, &snapshot->rows[i]);
    ep_snapshot_free(snapshot);
    return sums;
}

/* The fields of one row differ by one call at most. */
static void assert_fits(const struct sums *sums, int kind, uint64_t each)
{
    uint64_t right = sums->calls[kind] * each, ticks = sums->ticks[kind];
    uint64_t apart = ticks > right ? ticks - right : right - ticks;
    if (apart > 2 * THREADS * each)
        fail_msg("%llu calls took %llu ticks, of %llu each", (unsigned long long)sums->calls[kind],
                 (unsigned long long)ticks, (unsigned long long)each);
}

static void read_once(unsigned number)
{
    struct ep_image image;
    uint64_t resets = look(&counts->resets), least = look(&counts->ended);
    if (!is_read(&image))
        return;
    struct sums sums = sum_up(&image, number % 2);
    ep_image_destroy(&image);
    uint64_t most = look(&counts->begun);
    bool is_of_one_epoch = resets % 2 == 0 && look(&counts->resets) == resets;
    uint64_t each = sums.min_ticks ? sums.min_ticks : STEP_TICKS;
    if (sums.max_ticks && sums.max_ticks != each)
        fail_msg("read %u: calls of %llu ticks and of %llu, from before a reset and from after it",
                 number, (unsigned long long)each, (unsigned long long)sums.max_ticks);
    for (int kind = 0; kind < 2; kind++) {
        uint64_t calls = sums.calls[kind];
        if (is_of_one_epoch && (calls < least || calls > most))
            fail_msg("read %u: %llu calls, of %llu to %llu", number, (unsigned long long)calls,
                     (unsigned long long)least, (unsigned long long)most);
        assert_fits(&sums, kind, each);
    }
}

static void read_all(void (*round)(void))
{
    begin_recording(round);
    for (unsigned i = 0; i < reads; i++) {
        uint64_t rounds = look(&counts->rounds);
        read_once(i);
        while (look(&counts->rounds) == rounds)
            sched_yield();
    }
}

TEST(counts_are_right_while_threads_take_names_of_ended_ones)
{
    read_all(take_a_name_and_end);
}

/* All threads together are faster than some reads. A refused read does not give a wrong count. */
TEST(counts_are_right_while_names_are_taken_without_pause)
{
    refused = 0;
    may_be_refused = true;
    read_all(take_a_name_and_end_at_once);
    may_be_refused = false;
    print_message("%u of %u reads were refused\n", refused, reads);
    assert_in_range(refused, 0, reads - 1);
}

TEST(counts_are_right_while_threads_begin_take_a_name_and_end)
{
    read_all(begin_a_thread_that_takes_a_name);
}

TEST(counts_are_right_while_threads_are_renamed)
{
    read_all(take_names_in_turn);
}

TEST(counts_are_right_while_threads_end_without_names)
{
    read_all(end_without_a_name);
}

TEST(counts_are_right_while_holds_are_kept)
{
    read_all(keep_or_drop);
}

TEST(counts_are_of_one_epoch_while_there_are_resets)
{
    read_all(reset_between_epochs);
}

static int begin_all(void **state)
{
    (void)state;
    if (test_argument)
        reads = (unsigned)strtoul(test_argument, NULL, 10);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return counts != MAP_FAILED ? 0 : -1;
}

TEST_ALL(begin_all, NULL)
TEST_EACH(NULL, end_recording)
