/*
 * What is in an image file when its program has ended, whichever way
 */
#include "program.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <pthread.h>
#include <semaphore.h>

/* ----------------------------------------------------------- ways to end -- */

static void end_by_kill(void)
{
    kill(getpid(), SIGKILL);
}

static void end_by_term(void)
{
    kill(getpid(), SIGTERM);
}

static void end_by_abort(void)
{
    abort();
}

static void end_by_underscore_exit(void)
{
    _exit(3);
}

/* A page that may not be touched. */
static void end_by_fault(void)
{
    volatile char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 1;
}

/* The stack's guard page: no handler could run. */
static __attribute__((noinline)) int overflow(volatile int *depth)
{
    volatile int frame[1024];
    frame[0] = *depth + 1;
    return frame[0] < 0 ? 0 : overflow(&frame[0]) + frame[0];
}

static void end_by_stack_overflow(void)
{
    volatile int depth = 0;
    overflow(&depth);
}

static void end_by_quick_exit(void)
{
    quick_exit(4);
}

static void end_by_exec(void)
{
    char *arguments[] = {(char[]){"false"}, NULL};
    execv("/bin/false", arguments);
}

static const struct way {
    const char *name;
    void (*end)(void);
    int status;
} ways[] = {
    {"kill", end_by_kill, -SIGKILL},      {"term", end_by_term, -SIGTERM},
    {"abort", end_by_abort, -SIGABRT},    {"_exit", end_by_underscore_exit, 3},
    {"fault", end_by_fault, -SIGSEGV},    {"stack overflow", end_by_stack_overflow, -SIGSEGV},
    {"quick_exit", end_by_quick_exit, 4}, {"exec", end_by_exec, 1},
};

/* ------------------------------------------------ what had ended, and what not -- */

static void record_some(void)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    for (int i = 0; i < 3; i++)
        program_record(id);
    EPROF_BLOCK("outer")
    {
        hand_ticks += 5;
        program_enter("inner");
        program_enter("inner");
    }
    eprof_start(id); /* recursion counts as calls */
    program_record(id);
    eprof_stop(id);
}

static void record_and_end(void *way)
{
    record_some();
    ((const struct way *)way)->end();
}

static void assert_every_way(void (*act)(void *way), const char *rows)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct way way = ways[i];
        program_run(&program, "image=profile", act, &way);
        if (program.status != way.status)
            fail_msg("%s: status %d", way.name, program.status);
        const char *found = stored_text("profile");
        if (strcmp(found, rows) != 0)
            fail_msg("%s: \"%s\", and not \"%s\"", way.name, found, rows);
        assert_int_equal(stored_state("profile"), EP_STATE_RUNNING);
    }
}

static void every_call_that_had_ended_is_there(void **state)
{
    (void)state;
    assert_every_way(record_and_end, "instance a 5/4 40\n"
                                     "scope outer 1/1 25\n"
                                     "scope outer;inner 2/2 20\n"
                                     "trouble not_closed 1\n");
}

static void end_inside(void *way)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    eprof_start(id);
    EPROF_SCOPE("outer");
    hand_ticks += 7;
    program_enter("inner");
    EPROF_SCOPE("not ended");
    hand_ticks += 100;
    ((const struct way *)way)->end();
}

/* What is open has the time of what had ended inside it. */
static void what_had_not_ended_is_shown_as_open(void **state)
{
    (void)state;
    assert_every_way(end_inside, "instance a 1/1 10 open 1\n"
                                 "scope outer 0/0 10 open 1\n"
                                 "scope outer;inner 1/1 10\n"
                                 "scope outer;not ended 0/0 0 open 1\n"
                                 "trouble not_closed 1\n");
}

static void end_in_holds(void *way)
{
    hand_clock_use();
    eprof_hold();
    program_enter("kept");
    eprof_keep(true);
    eprof_hold();
    program_enter("dropped");
    eprof_keep(false);
    eprof_hold();
    program_enter("kept"); /* in a hold that nobody decides any more */
    program_enter("undecided");
    eprof_hold();
    program_enter("kept");
    eprof_keep(true);
    ((const struct way *)way)->end();
}

static void what_was_in_an_undecided_hold_is_not_there(void **state)
{
    (void)state;
    assert_every_way(end_in_holds, "scope kept 1/1 10\n"
                                   "trouble not_closed 1\n");
}

/* ------------------------------------------------------------ other threads -- */

static sem_t all_recorded;

static void *record_and_wait(void *number)
{
    char label[16];
    snprintf(label, sizeof label, "thread %d", *(int *)number);
    for (int i = 0; i < 100; i++) {
        eprof_enter(label);
        eprof_leave();
    }
    sem_post(&all_recorded);
    for (;;)
        pause();
    return NULL;
}

static void end_with_threads(void *way)
{
    static int numbers[4] = {1, 2, 3, 4};
    pthread_t thread;
    hand_clock_use();
    sem_init(&all_recorded, 0, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&thread, NULL, record_and_wait, &numbers[i]);
    for (int i = 0; i < 4; i++)
        while (sem_wait(&all_recorded) != 0)
            ;
    ((const struct way *)way)->end();
}

static void calls_of_other_threads_are_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct stored stored;
        struct way way = ways[i];
        program_run(&program, "image=profile", end_with_threads, &way);
        assert_int_equal(program.status, way.status);
        stored_open(&stored, "profile");
        for (int t = 1; t <= 4; t++) {
            char label[16];
            snprintf(label, sizeof label, "thread %d", t);
            assert_int_equal(stored_row(&stored, "scope", label, "*").calls, 100);
        }
        stored_close(&stored);
    }
}

/* ---------------------------------------------------------------- real clocks -- */

static const char *clock_name;

static void record_by_a_clock_and_be_killed(void *unused)
{
    (void)unused;
    eprof_source_use(clock_name);
    int id = eprof_alloc("a");
    eprof_start(id);
    uint64_t begin = eprof_now();
    while (eprof_ns(eprof_now() - begin) < 20000000)
        ;
    eprof_stop(id);
    end_by_kill();
}

/* Nobody can ask the clock of a program that is gone. A wrong scale would be wrong by more. */
static void ticks_of_a_killed_program_are_still_known_in_ns(void **state)
{
    static const char *const names[] = {"auto", "clock_gettime", "gettimeofday"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct program program;
        struct stored stored;
        clock_name = names[i];
        program_run(&program, "image=profile", record_by_a_clock_and_be_killed, NULL);
        assert_int_equal(program.status, -SIGKILL);
        stored_open(&stored, "profile");
        uint64_t total_ns = stored_row(&stored, "instance", "a", "*").total_ns;
        if (total_ns < 19000000 || total_ns > UINT64_C(60000000000))
            fail_msg("%s: 20 ms are %" PRIu64 " ns", clock_name, total_ns);
        stored_close(&stored);
    }
}

/* --------------------------------------------------------------- at its end -- */

static struct rerun run;

static void program_that_exits_closes_its_file(void **state)
{
    (void)state;
    RERUN(&run, "image=profile", "record", "scope", "exit=0");
    assert_stored("profile", "instance a 1/1 10\nscope s 1/1 10\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

/* Up to the moment of its end, which the file holds. */
static void exit_inside_a_scope_shows_it_as_open_with_its_time(void **state)
{
    (void)state;
    RERUN(&run, "image=profile", "inside=0");
    assert_stored("profile", "scope outer 0/0 7 open 1\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

static void what_is_recorded_after_the_close_does_no_harm(void **state)
{
    (void)state;
    RERUN(&run, "image=profile", "late", "record", "scope");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
    struct stored stored;
    stored_open(&stored, "profile");
    assert_true(stored_row(&stored, "scope", "s", "*").calls >= 1);
    assert_int_equal(stored_row(&stored, "instance", "a", "*").calls, 1);
    stored_close(&stored);
}

static void *record_for_ever(void *unused)
{
    for (;;) {
        EPROF_SCOPE("for ever");
        hand_ticks += 1;
        if (hand_ticks > 1000)
            sem_post(&all_recorded);
    }
    return unused;
}

static void exit_while_others_record(void *unused)
{
    pthread_t thread;
    (void)unused;
    hand_clock_use();
    sem_init(&all_recorded, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, record_for_ever, NULL);
    while (sem_wait(&all_recorded) != 0)
        ;
    exit(0);
}

static void program_that_exits_while_its_threads_record_closes_its_file(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct program program;
        struct stored stored;
        program_run(&program, "image=profile", exit_while_others_record, NULL);
        assert_int_equal(program.status, 0);
        stored_open(&stored, "profile");
        assert_int_equal(stored_identity(&stored)->state, EP_STATE_CLOSED);
        assert_true(stored_row(&stored, "scope", "for ever", "*").calls > 100);
        stored_close(&stored);
    }
}

int main(int count, char **arguments)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)
    const struct CMUnitTest tests[] = {
        TEST(every_call_that_had_ended_is_there),
        TEST(what_had_not_ended_is_shown_as_open),
        TEST(what_was_in_an_undecided_hold_is_not_there),
        TEST(calls_of_other_threads_are_there),
        TEST(ticks_of_a_killed_program_are_still_known_in_ns),
        TEST(program_that_exits_closes_its_file),
        TEST(exit_inside_a_scope_shows_it_as_open_with_its_time),
        TEST(what_is_recorded_after_the_close_does_no_harm),
        TEST(program_that_exits_while_its_threads_record_closes_its_file),
    };
    if (count > 1)
        return rerun_main(arguments + 1);
    return cmocka_run_group_tests_name("image at the end", tests, NULL, NULL);
}
