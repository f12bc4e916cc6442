/*
 * The content of an image file after the kernel has killed its program because of a lack of memory
 *
 * The test needs an empty control group for memory, which is made for it: EPROF_TEST_MEMORY_GROUP
 * is its folder, of version 1 or 2. It does not use the group of the process that runs the tests,
 * since that may contain others.
 */
#include "program.h"
#include "scratch.h"
#include "stored.h"

#include <limits.h>

#include "base/compiler.h"

enum { NOT_RUN = 77, LIMIT_BYTES = 64 << 20 };

static const char *group;

static bool write_to(const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", group, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return done;
}

/* If there is swap, the limit would only slow the program down. */
static bool limit_group(void)
{
    char bytes[32];
    snprintf(bytes, sizeof bytes, "%d", LIMIT_BYTES);
    write_to("memory.swap.max", "0");
    write_to("memory.swappiness", "0");
    return write_to("memory.max", bytes) || write_to("memory.limit_in_bytes", bytes);
}

/* The number of programs of the group that the kernel has killed. */
static unsigned long count_kills(void)
{
    static const char *const names[] = {"memory.events", "memory.oom_control"};
    char path[PATH_MAX], line[128];
    unsigned long kills = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", group, names[i]);
        FILE *file = fopen(path, "re");
        while (file && fgets(line, sizeof line, file))
            sscanf(line, "oom_kill %lu", &kills);
        if (file)
            fclose(file);
    }
    return kills;
}

EP_ANALYZER_KEPT_BEGIN /* this memory is never released, on purpose */
static void record_and_take_all_memory(void *unused)
{
    (void)unused;
    if (!write_to("cgroup.procs", "0"))
        _exit(1);
    hand_clock_use();
    int id = eprof_alloc("a");
    for (int i = 0; i < 3; i++)
        program_record(id);
    EPROF_SCOPE("outer");
    program_enter("inner");
    for (;;) {
        volatile char *more = malloc(1 << 20);
        for (size_t i = 0; more && i < 1 << 20; i += 4096)
            more[i] = 1;
    }
}
EP_ANALYZER_KEPT_END

TEST(program_that_the_kernel_kills_for_its_memory_leaves_all)
{
    struct program program;
    unsigned long kills = count_kills();
    program_run(&program, "image=profile", record_and_take_all_memory, NULL);
    assert_int_equal(program.status, -SIGKILL);
    assert_int_equal(count_kills() - kills, 1);
    assert_stored("profile", "instance a 3/3 30\n"
                             "scope outer 0/0 10 open 1\n"
                             "scope outer;inner 1/1 10\n"
                             "diagnostic not_closed 1\n");
}

int main(void)
{
    group = getenv("EPROF_TEST_MEMORY_GROUP");
    if (!group || !limit_group()) {
        printf("EPROF_TEST_MEMORY_GROUP is no control group of memory that may be used\n");
        return NOT_RUN;
    }
    return tests_run("image when memory ends", scratch_enter, scratch_leave);
}
