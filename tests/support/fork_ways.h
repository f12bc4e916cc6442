/*
 * fork_ways.h - the ways to fork: fork() notifies the library by pthread_atfork(); the C library's
 * _Fork() and the bare system call do not, and so they are tested only where the kernel wipes
 * memory in the child
 */
#ifndef FORK_WAYS_H
#define FORK_WAYS_H

#include "emulated.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#if FORKS_WIPE_MEMORY
static inline pid_t fork_by_clone(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static pid_t (*const fork_ways[])(void) = {fork, _Fork, fork_by_clone};
#else
static pid_t (*const fork_ways[])(void) = {fork};
#endif
enum { FORK_WAYS = sizeof fork_ways / sizeof *fork_ways };

#endif /* FORK_WAYS_H */
