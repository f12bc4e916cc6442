/*
 * eprof_save(): a complete file of one moment, or none, while recording continues
 */
#include "program.h"
#include "rounds.h"
#include "scratch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* The results of the calls, in the program. */
enum { MOST_SAVES = 40 };

struct saves {
    int result[MOST_SAVES];
    int error[MOST_SAVES];
    struct rounds_range ranges[MOST_SAVES][ROUNDS_THREADS];
};

static void save(struct saves *saves, int number, const char *path)
{
    errno = 0;
    saves->result[number] = eprof_save(path);
    saves->error[number] = errno;
}

/* The program must print nothing, and end normally. */
static struct saves *run_saves(const char *items, void (*act)(void *saves))
{
    struct saves *saves = program_share(sizeof *saves);
    struct program program;
    program_run(&program, items, act, saves);
    assert_string_equal(program.err, "");
    assert_int_equal(program.status, 0);
    return saves;
}

#define assert_saved(saves, number)                                                                \
    do {                                                                                           \
        if ((saves)->result[number] != 0)                                                          \
            fail_msg("save %d: %s", number, strerror((saves)->error[number]));                     \
    } while (0)

static void assert_not_saved(const struct saves *saves, int number, int error)
{
    assert_int_equal(saves->result[number], -1);
    if (saves->error[number] != error)
        fail_msg("save %d: %s", number, strerror(saves->error[number]));
}

/* ------------------------------------------------------ of one moment -- */

static void save_between(void *saves)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    program_enter("s");
    save(saves, 0, "first");
    program_record(id);
    program_enter("s");
    program_enter("t");
    save(saves, 1, "second");
    program_enter("t");
}

TEST(save_has_the_calls_recorded_before_it)
{
    struct saves *saves = run_saves(NULL, save_between);
    assert_saved(saves, 0);
    assert_saved(saves, 1);
    assert_stored("first", "instance a 1/1 10\nscope s 1/1 10\n");
    assert_stored("second", "instance a 2/2 20\nscope s 2/2 20\nscope t 1/1 10\n");
    assert_int_equal(stored_state("first"), EP_STATE_SAVED);
    assert_int_equal(scratch_files(), 2);
}

TEST(program_with_an_image_saves_all_the_same)
{
    struct saves *saves = run_saves("image=profile", save_between);
    assert_saved(saves, 1);
    assert_stored("first", "instance a 1/1 10\nscope s 1/1 10\n");
    assert_stored("profile", "instance a 2/2 20\nscope s 2/2 20\nscope t 2/2 20\n");
    assert_int_equal(stored_state("profile"), EP_STATE_CLOSED);
    assert_int_equal(scratch_files(), 3);
}

static void save_inside(void *saves)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    eprof_start(id);
    EPROF_SCOPE("outer");
    hand_ticks += 7;
    program_enter("inner");
    eprof_hold();
    program_enter("undecided");
    eprof_hold();
    program_enter("undecided too");
    eprof_keep(true);
    save(saves, 0, "saved");
    eprof_keep(true);
    hand_ticks += 100;
}

/* The figures are up to the moment of the save; calls in an open hold are not decided. */
TEST(save_shows_open_calls_with_their_time_so_far)
{
    assert_saved(run_saves(NULL, save_inside), 0);
    assert_stored("saved", "instance a 1/1 10 open 1\n"
                           "scope outer 0/0 37 open 1\n"
                           "scope outer;inner 1/1 10\n");
}

static void save_before_anything_else(void *saves)
{
    save(saves, 0, "saved");
}

TEST(save_may_be_the_first_call)
{
    assert_saved(run_saves(NULL, save_before_anything_else), 0);
    assert_stored("saved", "");
}

static void save_in_a_child(void *saves)
{
    int status;
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    pid_t child = fork();
    if (child == 0) {
        program_record(id);
        program_record(id);
        save(saves, 0, "of the child");
        _exit(0);
    }
    waitpid(child, &status, 0);
    save(saves, 1, "of the parent");
}

TEST(forked_child_saves_its_own)
{
    struct saves *saves = run_saves(NULL, save_in_a_child);
    assert_saved(saves, 0);
    assert_saved(saves, 1);
    assert_stored("of the child", "instance a 2/2 20\n");
    assert_stored("of the parent", "instance a 1/1 10\n");
}

/* ---------------------------------------------- replacing an earlier file -- */

static void save_everywhere(void *saves)
{
    char own[32];
    hand_clock_use();
    program_enter("s");
    save(saves, 0, NULL);
    save(saves, 1, "");
    save(saves, 2, "nowhere/saved");
    save(saves, 3, "notes");
    save(saves, 4, "empty");
    save(saves, 5, "link");
    save(saves, 6, "folder");
    save(saves, 7, "pipe");
    save(saves, 8, "/dev/full");
    snprintf(own, sizeof own, "profile.%ld", (long)getpid());
    save(saves, 9, own);
}

TEST(save_does_not_replace_other_files)
{
    struct stat status;
    scratch_write("notes", "three years of work\n");
    scratch_write("empty", "");
    assert_return_code(symlink("elsewhere", "link"), errno);
    assert_return_code(mkdir("folder", 0700), errno);
    assert_return_code(mkfifo("pipe", 0600), errno);
    struct saves *saves = run_saves("image=profile", save_everywhere);
    static const int errors[] = {EINVAL, ENOENT, ENOENT, EEXIST, EEXIST,
                                 ELOOP,  EEXIST, EEXIST, EEXIST, EBUSY};
    for (int i = 0; i < (int)(sizeof errors / sizeof errors[0]); i++)
        assert_not_saved(saves, i, errors[i]);
    assert_string_equal(scratch_read("notes"), "three years of work\n");
    assert_string_equal(scratch_read("empty"), "");
    assert_int_equal(access("elsewhere", F_OK), -1);
    assert_return_code(lstat("pipe", &status), errno);
    assert_true(S_ISFIFO(status.st_mode));
    assert_stored("profile", "scope s 1/1 10\n");
    assert_int_equal(scratch_files(), 6);
}

static void save_twice(void *saves)
{
    hand_clock_use();
    program_enter("s");
    save(saves, 0, "saved");
    program_enter("s");
    umask(0);
    save(saves, 1, "saved");
}

TEST(earlier_save_is_replaced)
{
    struct stat status;
    struct saves *saves = run_saves(NULL, save_twice);
    assert_saved(saves, 0);
    assert_saved(saves, 1);
    assert_stored("saved", "scope s 2/2 20\n");
    assert_return_code(stat("saved", &status), errno);
    assert_int_equal(status.st_mode, S_IFREG | 0600);
    assert_int_equal(scratch_files(), 1);
}

/* A limit has the same effect as a full disk, for a program that ignores its signal. */
static void save_beyond_the_limit(void *saves)
{
    char label[32];
    hand_clock_use();
    program_enter("s");
    save(saves, 0, "saved");
    for (int i = 0; i < 1000; i++) {
        snprintf(label, sizeof label, "new %d", i);
        program_enter(label);
    }
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){65536, RLIM_INFINITY});
    save(saves, 1, "saved");
    save(saves, 2, "another");
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    save(saves, 3, "later");
}

TEST(save_that_has_no_room_leaves_the_earlier_file)
{
    struct stored stored;
    struct saves *saves = run_saves(NULL, save_beyond_the_limit);
    assert_saved(saves, 0);
    assert_not_saved(saves, 1, EFBIG);
    assert_not_saved(saves, 2, EFBIG);
    assert_saved(saves, 3);
    assert_stored("saved", "scope s 1/1 10\n");
    stored_open(&stored, "later");
    assert_int_equal(stored.snapshot->diagnostic_first, 1001);
    stored_close(&stored);
    assert_int_equal(scratch_files(), 2);
}

/* --------------------------------------------------------- while threads record -- */

enum { SAVES = 40, LEAST_ROUNDS = 3 /* between two saves */ };

/* The round numbers of each thread; ended: written after a round, begun: before it. */
static struct {
    atomic_uint ended, begun;
} progress[ROUNDS_THREADS];

static atomic_bool are_to_end;

static void *record_rounds(void *number)
{
    uintptr_t own = (uintptr_t)number;
    rounds_name((int)own);
    for (uint32_t i = 0; !are_to_end; i++) {
        progress[own].begun = i + 1;
        rounds_do(i);
        progress[own].ended = i + 1;
    }
    return NULL;
}

static void wait_for_rounds(void)
{
    for (int i = 0; i < ROUNDS_THREADS; i++)
        for (uint32_t before = progress[i].ended; progress[i].ended < before + LEAST_ROUNDS;)
            sched_yield();
}

static void save_while_threads_record(void *shared)
{
    struct saves *saves = shared;
    pthread_t threads[ROUNDS_THREADS];
    char path[32];
    rounds_begin();
    for (uintptr_t i = 0; i < ROUNDS_THREADS; i++)
        pthread_create(&threads[i], NULL, record_rounds, (void *)i);
    for (int s = 0; s < SAVES; s++) {
        snprintf(path, sizeof path, "saved %d", s);
        wait_for_rounds();
        for (int i = 0; i < ROUNDS_THREADS; i++)
            saves->ranges[s][i].ended = progress[i].ended;
        save(saves, s, path);
        for (int i = 0; i < ROUNDS_THREADS; i++)
            saves->ranges[s][i].begun = progress[i].begun;
    }
    are_to_end = true;
    for (int i = 0; i < ROUNDS_THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* This includes threads that were in the middle of a call, a hold, or a keep. */
static void assert_saves_are_sound(const char *items)
{
    struct saves *saves = run_saves(items, save_while_threads_record);
    for (int s = 0; s < SAVES; s++) {
        struct stored stored;
        char path[32];
        snprintf(path, sizeof path, "saved %d", s);
        assert_saved(saves, s);
        stored_open_with(&stored, path,
                         (struct ep_snapshot_options){.threads = true, .raw = true, .ticks = true});
        rounds_assert(&stored, saves->ranges[s]);
        rounds_assert_diagnostics(&stored, NULL);
        stored_close(&stored);
    }
}

TEST(saves_under_four_threads_are_apart_by_one_call_at_most)
{
    assert_saves_are_sound(NULL);
}

#if RENAMED_FILES_MAY_GROW
TEST(saves_of_an_image_file_under_four_threads_are_so_too)
{
    assert_saves_are_sound("image=profile");
}
#endif

static void *save_often(void *saves)
{
    for (int i = 0; i < 50; i++)
        if (eprof_save("saved") != 0)
            ((struct saves *)saves)->error[0] = errno;
    return NULL;
}

static void save_by_threads_to_one_path(void *saves)
{
    pthread_t threads[4];
    hand_clock_use();
    program_enter("s");
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, save_often, saves);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* A thread is first, and then another thread takes its place. */
TEST(threads_may_save_to_one_path_at_once)
{
    struct saves *saves = run_saves(NULL, save_by_threads_to_one_path);
    assert_int_equal(saves->error[0], 0);
    assert_stored("saved", "scope s 1/1 10\n");
    assert_int_equal(scratch_files(), 1);
}

/* ---------------------------------------------------------- while another forks -- */

enum { FORKED = 20 };

static void *fork_children_that_stay(void *children)
{
    for (int i = 0; i < FORKED; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;)
                pause();
        ((pid_t *)children)[i] = child;
    }
    return NULL;
}

static void save_while_another_forks(void *saves)
{
    pthread_t forker;
    pid_t children[FORKED];
    hand_clock_use();
    program_enter("s");
    pthread_create(&forker, NULL, fork_children_that_stay, children);
    for (int i = 0; i < MOST_SAVES; i++)
        save(saves, i, "saved");
    pthread_join(forker, NULL);
    save(saves, 0, "saved");
    for (int i = 0; i < FORKED; i++)
        if (children[i] > 0 && kill(children[i], SIGKILL) == 0)
            waitpid(children[i], NULL, 0);
}

/* The children have the descriptor of the file, from the middle of a save, as long as they live. */
TEST(children_that_are_forked_meanwhile_do_not_keep_the_file)
{
    struct saves *saves = run_saves(NULL, save_while_another_forks);
    for (int i = 0; i < MOST_SAVES; i++)
        assert_saved(saves, i);
    assert_stored("saved", "scope s 1/1 10\n");
}

TEST_EACH(scratch_enter, scratch_leave)
