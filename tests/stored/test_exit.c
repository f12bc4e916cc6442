/*
 * The image file of a program that exits: it is closed
 */
#include "program.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <pthread.h>
#include <semaphore.h>

static struct rerun run;

TEST(program_that_exits_closes_its_file)
{
    RERUN(&run, "image=profile", "record", "scope", "exit=0");
    assert_stored("profile", "instance a 1/1 10\nscope s 1/1 10\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

/* The time is up to the end of the program, which the file contains. */
TEST(exit_inside_a_scope_shows_it_as_open_with_its_time)
{
    RERUN(&run, "image=profile", "inside=0");
    assert_stored("profile", "scope outer 0/0 7 open 1\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
}

TEST(recording_after_the_close_does_no_harm)
{
    RERUN(&run, "image=profile", "late", "record", "scope");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
    struct stored stored;
    stored_open(&stored, "profile");
    assert_true(stored_row(&stored, "scope", "s", "*").calls >= 1);
    assert_int_equal(stored_row(&stored, "instance", "a", "*").calls, 1);
    stored_close(&stored);
}

static sem_t have_recorded;

static void *record_for_ever(void *unused)
{
    for (;;) {
        EPROF_SCOPE("for ever");
        hand_ticks += 1;
        if (hand_ticks > 1000)
            sem_post(&have_recorded);
    }
    return unused;
}

static void exit_while_others_record(void *unused)
{
    pthread_t thread;
    (void)unused;
    hand_clock_use();
    sem_init(&have_recorded, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, record_for_ever, NULL);
    while (sem_wait(&have_recorded) != 0)
        ;
    exit(0);
}

TEST(program_that_exits_while_its_threads_record_closes_its_file)
{
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
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("exit", scratch_enter, scratch_leave);
}
