/*
 * Forked children get their own image files, also while the parent makes other calls
 */
#include "family.h"
#include "sanitizer.h"
#include "scratch.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>

/* ------------------------------------------------------------ many at once -- */

/* Takes the lock of the library again and again. */
static void *record_new_regions_for_ever(void *unused)
{
    int own = eprof_alloc("of a thread");
    for (int i = 0;; i++) {
        char label[16];
        eprof_hold();
        snprintf(label, sizeof label, "busy %d", i % 100);
        eprof_enter(label);
        eprof_start(own);
        eprof_stop(own);
        eprof_leave();
        eprof_keep(i % 2);
        eprof_release(eprof_alloc("temporary"));
    }
    return unused;
}

static void *record_known_regions_for_ever(void *unused)
{
    int own = eprof_alloc("of a thread");
    for (;;) {
        EPROF_SCOPE("busy");
        eprof_start(own);
        eprof_stop(own);
    }
    return unused;
}

static void *(*record_for_ever)(void *);

static void fork_many(void *shared)
{
    struct family *family = shared;
    pthread_t thread;
    begin();
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, record_for_ever, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork_by();
        if (child == 0) {
            for (int calls = 0; calls <= i; calls++)
                program_record(instance);
            _exit(0);
        }
        family->children[i] = child;
    }
    for (int i = 0; i < CHILDREN; i++)
        wait_for(family->children[i]);
    program_record(instance);
}

/* Each child records a number of calls that depends on its number. */
static void assert_files_of_many(void)
{
    struct family *family = program_share(sizeof *family);
    struct stored stored;
    char row[128];
    run_family(family, "image=profile", fork_many);
    for (int i = 0; i < CHILDREN; i++) {
        snprintf(row, sizeof row, "instance a %d/%d %d\ndiagnostic not_closed 1\n", i + 1, i + 1,
                 (i + 1) * 10);
        assert_stored(path_of(family->children[i]), row);
        assert_int_equal(remove(path_of(family->children[i])), 0);
    }
    stored_open(&stored, "profile");
    assert_int_equal(stored_row(&stored, "instance", "a", "*").calls, 2);
    assert_int_equal(stored_identity(&stored)->state, EP_STATE_CLOSED);
    stored_close(&stored);
    assert_int_equal(scratch_files(), 1);
}

enum { FORKS_BESIDE_THREADS = BARE_FORKS_ARE_SAFE ? FORK_WAYS : 1 };

TEST(hundred_children_at_once_have_a_file_each)
{
    record_for_ever = record_known_regions_for_ever;
    for (int i = 0; i < FORKS_BESIDE_THREADS; i++) {
        fork_by = fork_ways[i];
        assert_files_of_many();
    }
}

/* A bare _Fork() does not notify the library: then first calls may be lost. */
TEST(hundred_children_of_a_parent_that_holds_the_lock_have_a_file_each)
{
    record_for_ever = record_new_regions_for_ever;
    fork_by = fork;
    assert_files_of_many();
}

/* ------------------------------------------------------- without memory -- */

static void *take_memory_for_ever(void *unused)
{
    (void)unused;
    for (size_t bytes = 2000;; bytes = 2000 + bytes % 5000) {
        void *taken[50];
        for (int i = 0; i < 50; i++)
            taken[i] = malloc(bytes + (size_t)i);
        for (int i = 0; i < 50; i++)
            free(taken[i]);
    }
    return NULL;
}

/* There is only one arena, whose lock is held by one of the threads most of the time: in the child
 * it is held for ever. */
static void fork_while_memory_is_taken(void *shared)
{
    struct family *family = shared;
    pthread_t threads[3];
    mallopt(M_ARENA_MAX, 1);
    begin();
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, take_memory_for_ever, NULL);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork_by();
        if (child == 0) {
            alarm(PROGRAM_SECONDS / 2);
            program_record(instance);
            _exit(0);
        }
        family->children[i] = child;
        wait_for(child);
    }
}

TEST(child_needs_no_memory_for_its_file)
{
    struct family *family = program_share(sizeof *family);
    for (int i = 0; i < FORKS_BESIDE_THREADS; i++) {
        fork_by = fork_ways[i];
        run_family(family, "image=profile", fork_while_memory_is_taken);
        for (int n = 0; n < CHILDREN; n++) {
            const char *own = path_of(family->children[n]);
            assert_stored(own, "instance a 1/1 10\ndiagnostic not_closed 1\n");
            assert_int_equal(remove(own), 0);
        }
        assert_int_equal(remove("profile"), 0);
    }
}

/* -------------------------------------- with any action of the parent -- */

/* The child uses the library for the first time after the parent has ended. After a bare _Fork() it
 * has the instances that the parent has then. */
static void fork_and_end_first(void *shared)
{
    struct family *family = shared;
    int ends[2];
    char byte;
    begin();
    if (pipe(ends) != 0)
        _exit(1);
    pid_t child = fork_by();
    if (child == 0) {
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 0) /* until the end of the parent */
            _exit(1);
        program_record(instance);
        program_enter("child");
        exit(0);
    }
    family->children[0] = child;
    for (int i = 0; i < 3000; i++) {
        char label[16];
        snprintf(label, sizeof label, "new %d", i);
        program_enter(label);
    }
    if (fork_by == fork)
        eprof_init();
    else
        eprof_reset();
}

/* The test cannot wait for this process, which is not its child: the file shows when it has ended.
 * The alarm is for a child that never ends. */
static void wait_until_closed(const char *path)
{
    struct stored stored;
    alarm(PROGRAM_SECONDS);
    for (bool is_closed = false; !is_closed;) {
        const char *why = stored_try(&stored, path, (struct ep_snapshot_options){.raw = false});
        if (!why) {
            is_closed = stored_identity(&stored)->state == EP_STATE_CLOSED;
            stored_close(&stored);
        }
        sched_yield();
    }
    alarm(0);
}

TEST(child_that_outlives_its_parent_has_its_file)
{
    struct family *family = program_share(sizeof *family);
    for (int i = 0; i < FORK_WAYS; i++) {
        fork_by = fork_ways[i];
        run_family(family, "image=profile", fork_and_end_first);
        const char *own = path_of(family->children[0]);
        wait_until_closed(own);
        assert_stored(own, "instance a 1/1 10\nscope child 1/1 10\n");
        assert_stored("profile", "");
        assert_int_equal(remove(own), 0);
    }
}

static void plant_and_fork(void *shared)
{
    struct family *family = shared;
    begin();
    pid_t child = fork();
    if (child == 0) {
        symlink("elsewhere", path_of(getpid()));
        program_enter("child");
        program_enter("child");
        exit(0);
    }
    family->children[0] = child;
    wait_for(child);
    program_enter("parent");
}

TEST(child_whose_file_cannot_be_made_says_so_and_runs_on)
{
    struct family *family = program_share(sizeof *family);
    struct program program;
    char part[64];
    program_run(&program, "image=profile", plant_and_fork, family);
    assert_int_equal(program.status, 0);
    snprintf(part, sizeof part, "profile.%ld", (long)family->children[0]);
    assert_memory_equal(program.err, "eprof: ", 7);
    if (!strstr(program.err, "symbolic link") || strchr(program.err, '\n')[1])
        fail_msg("not one line that says it: \"%s\"", program.err);
    assert_int_equal(access("elsewhere", F_OK), -1);
    assert_stored("profile", "instance a 1/1 10\nscope parent 2/2 20\n");
}

TEST_EACH(scratch_enter, scratch_leave)
