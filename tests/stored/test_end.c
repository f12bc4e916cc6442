/*
 * The content of an image file after the program has ended, in any way
 */
#include "program.h"
#include "report/report.h"
#include "report_line.h"
#include "rerun.h"
#include "scratch.h"
#include "stored.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/resource.h>

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

/* A page without any access rights. */
static void end_by_fault(void)
{
    volatile char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *page = 1;
}

/* The access is in the guard page of the stack: no handler could run. */
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

/* ----------------------------------------- ended and open calls -- */

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

TEST(every_call_that_had_ended_is_there)
{
    assert_every_way(record_and_end, "instance a 5/4 40\n"
                                     "scope outer 1/1 25\n"
                                     "scope outer;inner 2/2 20\n"
                                     "diagnostic not_closed 1\n");
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

/* An open call has the time of the calls that had ended inside it. */
TEST(what_had_not_ended_is_shown_as_open)
{
    assert_every_way(end_inside, "instance a 1/1 10 open 1\n"
                                 "scope outer 0/0 10 open 1\n"
                                 "scope outer;inner 1/1 10\n"
                                 "scope outer;not ended 0/0 0 open 1\n"
                                 "diagnostic not_closed 1\n");
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
    program_enter("kept"); /* in a hold that is never decided */
    program_enter("undecided");
    eprof_hold();
    program_enter("kept");
    eprof_keep(true);
    ((const struct way *)way)->end();
}

TEST(what_was_in_an_undecided_hold_is_not_there)
{
    assert_every_way(end_in_holds, "scope kept 1/1 10\n"
                                   "diagnostic not_closed 1\n");
}

/* ------------------------------------------------------------------- its notes -- */

static void fork_a_child(void (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        act();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void record_in_a_child(void)
{
    program_enter("in the child");
}

static void do_nothing(void)
{
}

/* Two regions that never end, one of three holds kept, two children. */
static void note_and_end(void *way)
{
    hand_clock_use();
    {
        EPROF_SCOPE("around");
        eprof_enter("second");
        eprof_enter("first");
    }
    for (int i = 0; i < 3; i++) {
        eprof_hold();
        program_enter("held");
        eprof_keep(i == 1);
    }
    eprof_hold(); /* not decided */
    program_enter("held");
    fork_a_child(record_in_a_child);
    fork_a_child(do_nothing);
    ((const struct way *)way)->end();
}

/* The report on a file; the caller frees it. */
static char *report_of_file(const char *path, const char *format)
{
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    struct stored stored;
    char *text = NULL;
    size_t bytes = 0;
    stored_open_with(&stored, path, options);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_return_code(ep_report_write(report, stored.snapshot, out), errno);
    fclose(out);
    stored_close(&stored);
    return text;
}

static void assert_noted(const char *path, const char *children)
{
    char *text = report_of_file(path, "table");
    assert_string_equal(line_of_text(text, "(forced_closes)"),
                        "2 regions whose end never came (forced_closes): first, second; look for a "
                        "longjmp() out of it, or a missing eprof_leave()");
    assert_string_equal(line_of_text(text, "holds:"), "holds: 1 of 3 kept");
    assert_string_equal(line_of_text(text, " forked"), children);
    free(text);
}

static void remove_images_of_children(void)
{
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strncmp(entry->d_name, "profile.", 8) == 0)
            unlink(entry->d_name);
    closedir(here);
}

TEST(notes_are_there_however_it_ended)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct way way = ways[i];
        program_run(&program, "image=profile", note_and_end, &way);
        assert_int_equal(program.status, way.status);
        assert_noted("profile", "2 child processes were forked and are not in this report; each "
                                "that records has a profile of its own, which eprof merge adds");
        remove_images_of_children();
    }
}

static void save_and_end(void)
{
    _exit(eprof_save("saved"));
}

static void note_and_save(void *unused)
{
    struct way way = {"save", save_and_end, 0};
    (void)unused;
    note_and_end(&way);
}

TEST(notes_are_in_what_was_saved)
{
    struct program program;
    program_run(&program, NULL, note_and_save, NULL);
    assert_int_equal(program.status, 0);
    assert_noted("saved", "2 child processes were forked and are not in this report; image=PATH in "
                          "EPROF gives each that records a profile");
}

/* The number of children of the parent is not in the files of the children, either. */
TEST(child_has_notes_of_its_own)
{
    struct program program;
    struct way way = ways[0];
    char *text = NULL;
    program_run(&program, "image=profile", note_and_end, &way);
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strncmp(entry->d_name, "profile.", 8) == 0)
            text = report_of_file(entry->d_name, "table");
    closedir(here);
    assert_non_null(text);
    assert_string_not_equal(line_of_text(text, "in the child"), "no line");
    assert_string_equal(line_of_text(text, "forced_closes"), "no line");
    assert_string_equal(line_of_text(text, "holds:"), "no line");
    assert_string_equal(line_of_text(text, " forked"), "no line");
    free(text);
}

/* fork() fails if the program has reached its limit of processes. */
static void fork_in_vain(void *unused)
{
    const struct rlimit none = {0, 0};
    (void)unused;
    hand_clock_use();
    program_enter("before");
    errno = 77;
    fork_a_child(do_nothing);
    int kept = errno;
    if (setuid(65534) != 0 || setrlimit(RLIMIT_NPROC, &none) != 0)
        _exit(77);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    _exit(child > 0 ? 77 : kept == 77 ? 0 : 1);
}

TEST(fork_that_failed_made_no_child)
{
    struct program program;
    program_run(&program, "image=profile", fork_in_vain, NULL);
    if (program.status == 77)
        skip(); /* with a user id that no other process has, or as root without limits */
    char *text = report_of_file("profile", "table");
    assert_string_equal(line_of_text(text, " forked"),
                        "1 child process was forked and is not in this report; each that records "
                        "has a profile of its own, which eprof merge adds");
    free(text);
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

TEST(calls_of_other_threads_are_there)
{
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

enum { FIRST_THREADS = 6, FIRST_CALLS = 3, FIRST_PROGRAMS = 20 };

static pthread_barrier_t gate;

static void *call_first(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&gate);
    for (int i = 0; i < FIRST_CALLS; i++)
        EPROF_BLOCK("first");
    return NULL;
}

static void make_first_calls_at_once(void *unused)
{
    pthread_t threads[FIRST_THREADS];
    (void)unused;
    pthread_barrier_init(&gate, NULL, FIRST_THREADS);
    for (int i = 0; i < FIRST_THREADS; i++)
        if (pthread_create(&threads[i], NULL, call_first, NULL) != 0)
            _exit(2);
    for (int i = 0; i < FIRST_THREADS; i++)
        pthread_join(threads[i], NULL);
    _exit(0);
}

/* One of the threads sets the library up. */
TEST(first_calls_of_threads_at_once_are_all_there)
{
    for (int i = 0; i < FIRST_PROGRAMS; i++) {
        struct program program;
        struct stored stored;
        program_run(&program, "image=profile", make_first_calls_at_once, NULL);
        if (program.status != 0)
            fail_msg("the program ended with status %d: %s", program.status, program.err);
        stored_open(&stored, "profile");
        assert_int_equal(stored_row(&stored, "scope", "first", "*").calls,
                         FIRST_THREADS * FIRST_CALLS);
        stored_close(&stored);
        remove("profile");
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

/* The clock of a program that has ended cannot be read. A wrong scale would give a larger error. */
TEST(ticks_of_a_killed_program_are_still_known_in_ns)
{
    static const char *const names[] = {"auto", "clock_gettime", "gettimeofday"};
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

/* ------------------------------------------------------------- the probe's cost -- */

/* Each reading takes ten ticks, so that the cost of a probe is known: two readings. */
static uint64_t step(void *context)
{
    (void)context;
    return atomic_fetch_add(&hand_ticks, 10) + 10;
}

static void call_function(void *function)
{
    char frame;
    eprof_function_enter(function, function, &frame, function);
    eprof_function_leave(function, function, &frame, function);
}

/* The actions of the program, one letter for each. */
static void record_each(const char *acts)
{
    const struct eprof_source steps = {
        .size = sizeof steps, .name = "steps", .now = step, .ticks_per_second = 1000000000};
    for (; *acts; acts++) {
        if (*acts == 'c' && (eprof_source_add(&steps) != 0 || eprof_source_use("steps") != 0))
            _exit(2);
        if (*acts == 'i')
            program_record(eprof_alloc("a"));
        if (*acts == 's')
            program_enter("s");
        if (*acts == 'f')
            call_function((void *)(uintptr_t)record_each);
    }
}

struct cost_case {
    const char *acts;
    atomic_int is_ready;
};

static void record_each_and_wait(void *shared)
{
    struct cost_case *one = shared;
    record_each(one->acts);
    one->is_ready = 1;
    for (;;)
        pause();
}

static void assert_costs(const char *path, const char *acts)
{
    struct stored stored;
    stored_open(&stored, path);
    const struct ep_probe_cell *probe = &ep_image_cell(&stored.image, EP_CELL_PROBE)->probe;
    const struct ep_function_probe_cell *function =
        &ep_image_cell(&stored.image, EP_CELL_FUNCTION_PROBE)->function_probe;
    bool is_by_steps = strchr(acts, 'c') != NULL;
    uint64_t pair_milliticks = is_by_steps ? 20000 : function->pair_milliticks;
    if (!probe->is_known || !function->is_known || function->pair_milliticks != pair_milliticks)
        fail_msg("%s, %s: known %" PRIu64 ", of functions %" PRIu64 ": %" PRIu64 " milliticks",
                 path, acts, probe->is_known, function->is_known, function->pair_milliticks);
    stored_close(&stored);
}

/* The cost cannot be measured for a program that has ended. The cost for functions is not measured
 * before the first function. */
TEST(cost_of_each_probe_is_known_while_a_program_runs_and_when_it_was_killed)
{
    static const char *const all_acts[] = {"f", "cf", "fc", "sf", "cif", "fcf", "cfs"};
    struct cost_case *one = program_share(sizeof *one);
    for (size_t i = 0; i < sizeof all_acts / sizeof all_acts[0]; i++) {
        struct program program;
        *one = (struct cost_case){.acts = all_acts[i]};
        program_begin(&program, "image=profile", record_each_and_wait, one);
        while (!one->is_ready)
            sched_yield();
        assert_costs(program_path(&program), one->acts);
        kill(program.process_id, SIGKILL);
        program_end(&program);
        assert_costs("profile", one->acts);
    }
}

/* --------------------------------------------------------------- at its end -- */

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

TEST(what_is_recorded_after_the_close_does_no_harm)
{
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
    return tests_run("image at the end", scratch_enter, scratch_leave);
}
