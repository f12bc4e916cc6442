/*
 * Programs are killed at random moments, while four threads record and confirm the calls that have
 * ended: each confirmed call is in the file
 *
 * stored kill KILLS - the number of kills; without it the test is short
 */
#include "../support/random.h"
#include "program.h"
#include "rounds.h"
#include "scratch.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SHORT_KILLS = 50, MOST_BETWEEN = 8, AVERAGE_BETWEEN = (1 + MOST_BETWEEN) / 2 };
/* Some kills come after the end: MOST_READ is more messages than all threads write. */
enum { ROUNDS = TAKES_LONG ? 800 : 2500, MOST_READ = ROUNDS_THREADS * ROUNDS / AVERAGE_BETWEEN };

static unsigned long kills;

/* ----------------------------------------------------------- the program -- */

/* The message of a thread, in one write that others cannot interrupt: the number of rounds that
 * have ended, and the number that may have begun before its next message. */
struct confirmation {
    uint32_t thread;
    struct rounds_range rounds;
};

static int confirmations[2];
static atomic_int at_work;

static void *record_and_confirm(void *number)
{
    struct confirmation word = {.thread = (uint32_t)(uintptr_t)number};
    uint32_t random = word.thread;
    rounds_name((int)word.thread);
    while (word.rounds.ended < ROUNDS) {
        random = random * 1664525 + 1013904223; /* from Numerical Recipes */
        word.rounds.begun = word.rounds.ended + 1 + (random >> 16) % MOST_BETWEEN;
        if (write(confirmations[1], &word, sizeof word) != (ssize_t)sizeof word)
            _exit(2);
        while (word.rounds.ended < word.rounds.begun)
            rounds_do(word.rounds.ended++);
    }
    at_work--;
    return NULL;
}

static void *record_once(void *unused)
{
    EPROF_SCOPE("short life");
    return unused;
}

/* At the same time instances and threads are made and end, which takes the lock of the library. */
static void come_and_go(void)
{
    while (at_work) {
        pthread_t thread;
        int id = eprof_alloc("temporary");
        eprof_start(id);
        eprof_stop(id);
        if (pthread_create(&thread, NULL, record_once, NULL) == 0)
            pthread_join(thread, NULL);
        eprof_release(id);
    }
}

static void record_until_killed(void *unused)
{
    pthread_t threads[ROUNDS_THREADS];
    (void)unused;
    close(confirmations[0]);
    rounds_begin();
    at_work = ROUNDS_THREADS;
    for (uintptr_t i = 0; i < ROUNDS_THREADS; i++)
        if (pthread_create(&threads[i], NULL, record_and_confirm, (void *)i) != 0)
            _exit(2);
    come_and_go();
    for (int i = 0; i < ROUNDS_THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ------------------------------------------------------------------ a kill -- */

struct heard {
    struct rounds_range ranges[ROUNDS_THREADS];
    uint32_t count;
};

static bool hear_one(struct heard *heard)
{
    struct confirmation word;
    ssize_t bytes = read(confirmations[0], &word, sizeof word);
    if (bytes == 0)
        return false;
    assert_int_equal(bytes, sizeof word);
    assert_in_range(word.thread, 0, ROUNDS_THREADS - 1);
    heard->ranges[word.thread] = word.rounds;
    heard->count++;
    return true;
}

/* The first kills come while the file and the threads are being made. */
static void wait_for_a_random_moment(struct heard *heard)
{
    uint64_t words = random_next() % 4 ? random_next() % MOST_READ : 0;
    while (heard->count < words && hear_one(heard))
        ;
    for (volatile uint64_t spin = random_next() % (UINT64_C(1) << (10 + random_next() % 12)); spin;)
        spin--;
}

enum moment { BEFORE_THE_FILE, IN_TIME, AFTER_THE_END, MOMENTS };

static enum moment moment_of(const struct program *program, const struct heard *heard)
{
    if (program->status == 0)
        return AFTER_THE_END;
    if (program->status != -SIGKILL)
        fail_msg("the program ended with status %d: %s", program->status, program->err);
    if (access("profile", F_OK) != 0) {
        if (heard->count)
            fail_msg("%u words were heard, and there is no file", heard->count);
        return BEFORE_THE_FILE;
    }
    return stored_state("profile") == EP_STATE_RUNNING ? IN_TIME : AFTER_THE_END;
}

static void assert_merged(const struct stored *threads)
{
    struct stored merged;
    stored_open(&merged, "profile");
    for (size_t r = 0; r < sizeof rounds_regions / sizeof rounds_regions[0]; r++) {
        const struct rounds_region *region = &rounds_regions[r];
        uint64_t sum = 0;
        for (size_t i = 0; i < threads->snapshot->diagnostic_first; i++) {
            struct eprof_row row = stored_row_at(threads, i);
            if (strcmp(row.kind, region->kind) == 0 && strcmp(row.path, region->path) == 0)
                sum += row.calls;
        }
        assert_int_equal(stored_row(&merged, region->kind, region->path, "*").calls, sum);
    }
    stored_close(&merged);
}

static void assert_file_has_the_heard_calls(const struct heard *heard)
{
    struct stored stored;
    stored_open_with(&stored, "profile",
                     (struct ep_snapshot_options){.threads = true, .raw = true, .ticks = true});
    assert_false(stored.state.is_being_written);
    assert_int_equal(stored_identity(&stored)->not_closed, 1);
    rounds_assert(&stored, heard->ranges);
    rounds_assert_diagnostics(&stored, "not_closed");
    assert_merged(&stored);
    stored_close(&stored);
}

static enum moment kill_once(uint64_t *rounds)
{
    struct program program;
    struct heard heard = {.count = 0};
    assert_return_code(pipe2(confirmations, O_CLOEXEC), errno);
    program_begin(&program, "image=profile", record_until_killed, NULL);
    close(confirmations[1]);
    wait_for_a_random_moment(&heard);
    kill(program.process_id, SIGKILL);
    program_end(&program);
    while (hear_one(&heard))
        ;
    close(confirmations[0]);
    enum moment moment = moment_of(&program, &heard);
    if (moment == IN_TIME)
        assert_file_has_the_heard_calls(&heard);
    for (int i = 0; i < ROUNDS_THREADS; i++)
        *rounds += moment == IN_TIME ? heard.ranges[i].ended : 0;
    remove("profile");
    return moment;
}

/* Kills that came before the file existed, or after the end, do not count, and are repeated. */
TEST(file_of_a_killed_program_holds_every_call_that_was_confirmed)
{
    unsigned long moments[MOMENTS] = {0}, all = 0;
    uint64_t rounds = 0;
    for (; moments[IN_TIME] < kills && all < 10 * kills; all++)
        moments[kill_once(&rounds)]++;
    print_message("%lu kills, %" PRIu64 " rounds of %d calls confirmed; %lu came before the file, "
                  "%lu after the end\n",
                  moments[IN_TIME], rounds, ROUNDS_CALLS, moments[BEFORE_THE_FILE],
                  moments[AFTER_THE_END]);
    assert_int_equal(moments[IN_TIME], kills);
}

TEST_RUN()
{
    kills = test_argument ? strtoul(test_argument, NULL, 10) : SHORT_KILLS;
    return tests_run("killed", scratch_enter, scratch_leave);
}
