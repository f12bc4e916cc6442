/*
 * A plug-in that contains the static library is unloaded: all its memory is released, and its
 * report at the end is written.
 */
#include "program.h"
#include "scratch.h"
#include "unload_plugin.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>

enum { MOST_HEAP_BYTES = 8192 /* the dynamic loader keeps some blocks for threads' variables */ };

static int loads = 30; /* the second half leaves no more memory than the first */

/* ----------------------------------------------------------- a load of it -- */

static const char *plugin_path = EPROF_TEST_PLUGIN;

static plugin_work *load(void **plugin)
{
    plugin_work *work = NULL;
    *plugin = dlopen(plugin_path, RTLD_NOW | RTLD_LOCAL);
    if (*plugin)
        *(void **)&work = dlsym(*plugin, "work_of_plugin");
    if (!work)
        _exit(10);
    return work;
}

static void unload(void *plugin)
{
    if (dlclose(plugin) != 0 || dlopen(plugin_path, RTLD_NOW | RTLD_NOLOAD))
        _exit(11);
}

static void *work_on_a_thread(void *work)
{
    plugin_work *function;
    *(void **)&function = work;
    function();
    return NULL;
}

/* One thread ends before the plug-in is closed, the other one lives on. */
static struct {
    sem_t go, done;
    void *work;
} crew;

static void *live_on(void *unused)
{
    (void)unused;
    for (;;) {
        sem_wait(&crew.go);
        work_on_a_thread(crew.work);
        sem_post(&crew.done);
    }
    return NULL;
}

static void load_once(void)
{
    void *plugin;
    pthread_t thread;
    plugin_work *work = load(&plugin);
    work();
    crew.work = *(void **)&work;
    if (pthread_create(&thread, NULL, work_on_a_thread, crew.work) != 0)
        _exit(12);
    pthread_join(thread, NULL);
    sem_post(&crew.go);
    sem_wait(&crew.done);
    unload(plugin);
}

/* --------------------------------------------------------- what is left of it -- */

struct left {
    long mappings, address_space_kib, files;
    size_t heap_bytes;
};

static long count_files(void)
{
    long count = 0;
    DIR *files = opendir("/proc/self/fd");
    while (files && readdir(files))
        count++;
    if (files)
        closedir(files);
    return count;
}

static struct left look(void)
{
    static char line[4096];
    struct left left = {.files = count_files()};
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && !strstr(line, "[heap]"))
            left.address_space_kib += (long)((end - begin) >> 10);
        left.mappings++;
    }
    if (maps)
        fclose(maps);
    left.heap_bytes = mallinfo2().uordblks;
    return left;
}

static void load_again_and_again(void *seen)
{
    struct left *left = seen;
    pthread_t thread;
    sem_init(&crew.go, 0, 0);
    sem_init(&crew.done, 0, 0);
    pthread_create(&thread, NULL, live_on, NULL);
    for (int i = 0; i < loads; i++) {
        load_once();
        if (i == loads / 2)
            left[0] = look();
    }
    left[1] = look();
    _exit(0);
}

static void assert_unloading_leaves_nothing(void)
{
    static const char *const items[] = {
        "csv=/dev/null",
        "off",
        "image=profile",
        "image=profile,csv=figures,tree:threads=tree-%p",
        "source=plugin,csv=/dev/null",
        "source=of nobody,symbolizer=/bin/sh,auto=f*,table=/dev/null"};
    struct left *left = program_share(2 * sizeof *left);
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        struct program program;
        program_run(&program, items[i], load_again_and_again, left);
        if (program.status != 0)
            fail_msg("%s: status %d: %s", items[i], program.status, program.err);
        print_message("%s: %ld and %ld mappings, %ld and %ld KiB, %zu and %zu bytes of heap\n",
                      items[i], left[0].mappings, left[1].mappings, left[0].address_space_kib,
                      left[1].address_space_kib, left[0].heap_bytes, left[1].heap_bytes);
        assert_int_equal(left[1].mappings, left[0].mappings);
        assert_int_equal(left[1].address_space_kib, left[0].address_space_kib);
        assert_int_equal(left[1].files, left[0].files);
        assert_in_range(left[1].heap_bytes, 0, left[0].heap_bytes + MOST_HEAP_BYTES);
    }
}

TEST(unloading_leaves_nothing)
{
    assert_unloading_leaves_nothing();
}

/* The program is not linked with it. */
TEST(unloading_a_library_that_a_plugin_needs_leaves_nothing)
{
    plugin_path = EPROF_TEST_NEEDING_PLUGIN;
    assert_unloading_leaves_nothing();
    plugin_path = EPROF_TEST_PLUGIN;
}

/* Runs in a child that has not used the library itself. */
static void unload_in_a_child(void *seen)
{
    struct left *left = seen;
    void *plugin;
    load (&plugin)();
    unload(plugin);
    left[0] = look();
    load (&plugin)();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        unload(plugin);
        left[1] = look();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

TEST(unloading_in_a_forked_child_leaves_nothing)
{
    struct left *left = program_share(2 * sizeof *left);
    for (int is_in_file = 0; is_in_file < 2; is_in_file++) {
        struct program program;
        program_run(&program, is_in_file ? "image=profile" : "csv=/dev/null", unload_in_a_child,
                    left);
        assert_int_equal(program.status, 0);
        assert_int_equal(left[1].address_space_kib, left[0].address_space_kib);
        assert_int_equal(left[1].mappings, left[0].mappings);
        assert_int_equal(left[1].files, left[0].files);
    }
}

/* ------------------------------------------------------------ what comes then -- */

static void load_and_unload(void *unused)
{
    void *plugin;
    (void)unused;
    load (&plugin)();
    unload(plugin);
    if (rename("figures", "before the end") != 0)
        _exit(13);
}

TEST(report_is_written_when_the_plugin_is_closed)
{
    struct program program;
    program_run(&program, "csv=figures", load_and_unload, NULL);
    if (program.status != 0)
        fail_msg("status %d: %s", program.status, program.err);
    assert_non_null(strstr(scratch_read("before the end"), "\nscope,of the plug-in,"));
    assert_int_equal(scratch_files(), 1);
}

/* A daemon closes all open descriptors, and opens its own files with these numbers. */
static void take_descriptors_and_unload(void *unused)
{
    enum { FIRST = STDERR_FILENO + 1, LAST = 20 };
    void *plugin;
    (void)unused;
    load (&plugin)();
    for (int file = FIRST; file <= LAST; file++)
        close(file);
    for (int file = FIRST; file <= LAST; file++)
        if (open("database", O_WRONLY | O_CREAT, 0600) != file)
            _exit(14);
    unload(plugin);
    for (int file = FIRST; file <= LAST; file++)
        if (fcntl(file, F_GETFD) < 0)
            _exit(15);
}

TEST(unloading_closes_no_file_of_the_program)
{
    struct program program;
    program_run(&program, "image=profile,csv=/dev/null", take_descriptors_and_unload, NULL);
    if (program.status != 0)
        fail_msg("status %d: %s", program.status, program.err);
}

/* The plug-in stays loaded until the end; a thread records in it meanwhile. */
static void *work_for_ever(void *work)
{
    for (;;)
        work_on_a_thread(work);
    return NULL;
}

static void end_while_a_thread_records(void *unused)
{
    void *plugin;
    pthread_t thread;
    (void)unused;
    plugin_work *work = load(&plugin);
    work();
    pthread_create(&thread, NULL, work_for_ever, *(void **)&work);
    work();
}

TEST(nothing_is_taken_from_others_at_the_end_of_the_process)
{
    for (int i = 0; i < 10; i++) {
        struct program program;
        program_run(&program, "csv=/dev/null,image=profile", end_while_a_thread_records, NULL);
        if (program.status != 0)
            fail_msg("status %d: %s", program.status, program.err);
    }
}

/* --------------------------------------- a library that the program starts with -- */

#if COPIES_CAN_BE_STARTED
struct start {
    const char *program, *preloaded; /* NULL: none */
};

static void start_program(void *shared)
{
    const struct start *start = shared;
    setenv("EPROF_TEST_AT_START", "1", 1);
    if (start->preloaded)
        setenv("LD_PRELOAD", start->preloaded, 1);
    execl(start->program, start->program, (char *)NULL);
    _exit(16);
}

/* At exit, after all destructors. */
static void assert_reports(const struct start *start)
{
    static const char *const files[] = {"figures", "last"};
    struct program program;
    program_run(&program, "csv=figures,image=profile", start_program, (void *)(uintptr_t)start);
    if (program.status != 0)
        fail_msg("%s: status %d: %s", start->program, program.status, program.err);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *figures = scratch_read(files[i]);
        if (!strstr(figures, "\nscope,loading,") || !strstr(figures, "\nscope,unloading,"))
            fail_msg("%s, %s: %s", start->program, files[i], figures);
        remove(files[i]);
    }
}

/* Its first use is in a constructor, so its destructors run before its handlers of atexit(). A
 * thread records until the process ends. */
TEST(library_of_the_start_gives_nothing_back_at_exit)
{
    const struct start starts[] = {
        {.program = EPROF_TEST_NEEDING_PROGRAM},
        {.program = EPROF_TEST_PROGRAM, .preloaded = EPROF_TEST_LIBRARY}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0] - !CAN_PRELOAD; i++)
        for (int round = 0; round < 5; round++)
            assert_reports(&starts[i]);
}
#endif

int main(int count, char **arguments)
{
    if (count > 1)
        loads = atoi(arguments[1]);
    return tests_run("unload", scratch_enter, scratch_leave);
}
