/*
 * ways_to_end.h - ways in which a program ends without closing its image file
 */
#ifndef WAYS_TO_END_H
#define WAYS_TO_END_H

#include "program.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static inline void end_by_kill(void)
{
    kill(getpid(), SIGKILL);
}

static inline void end_by_term(void)
{
    kill(getpid(), SIGTERM);
}

static inline void end_by_abort(void)
{
    abort();
}

static inline void end_by_underscore_exit(void)
{
    _exit(3);
}

/* A page without any access rights. */
static inline void end_by_fault(void)
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

static inline void end_by_stack_overflow(void)
{
    volatile int depth = 0;
    overflow(&depth);
}

static inline void end_by_quick_exit(void)
{
    quick_exit(4);
}

static inline void end_by_exec(void)
{
    char *arguments[] = {(char[]){"false"}, NULL};
    execv("/bin/false", arguments);
}

/* `status` is that of struct program. */
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

#endif /* WAYS_TO_END_H */
