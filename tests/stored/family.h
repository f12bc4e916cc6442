/*
 * family.h - a program with an image file that forks, in any way
 */
#ifndef FAMILY_H
#define FAMILY_H

#include "fork_ways.h"
#include "program.h"
#include "stored.h"

enum { CHILDREN = 100 };

/* The process ids of the children, which the program stores here. */
struct family {
    pid_t children[CHILDREN];
    pid_t grandchild;
};

static int instance;

static const char *const fork_names[] = {"fork", "_Fork", "clone"};
static pid_t (*fork_by)(void);

static inline void begin(void)
{
    hand_clock_use();
    instance = eprof_alloc("a");
    program_record(instance);
    program_enter("parent");
}

static inline void wait_for(pid_t child)
{
    int status;
    if (child <= 0 || waitpid(child, &status, 0) != child || status != 0)
        _exit(1);
}

/* The path of a child's file. */
static inline const char *path_of(pid_t child)
{
    static char path[64];
    snprintf(path, sizeof path, "profile.%ld", (long)child);
    return path;
}

static inline void run_family(struct family *family, const char *items, void (*act)(void *family))
{
    struct program program;
    memset(family, 0, sizeof *family);
    program_run(&program, items, act, family);
    if (program.status != 0)
        fail_msg("status %d: %s", program.status, program.err);
    assert_string_equal(program.err, "");
}

#endif /* FAMILY_H */
