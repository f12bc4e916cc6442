/*
 * base/platform.h - the operating system: memory, memory barrier, cancellation, environment, time
 */
#ifndef EP_BASE_PLATFORM_H
#define EP_BASE_PLATFORM_H

#include <stddef.h>
#include <time.h>

#include "base/compiler.h"

/* How much address space the process may have (RLIMIT_AS). */
uint64_t ep_platform_address_space(void);

/* Reserves address space without memory. NULL and errno. */
void *ep_platform_reserve(size_t bytes);
/* Puts zeroed memory into a part of reserved space, in whole pages. 0, or -1 and ENOMEM. */
int ep_platform_commit(void *start, size_t bytes);
/* Zeroed private memory. NULL and ENOMEM. */
void *ep_platform_allocate(size_t bytes);
void ep_platform_release(void *start, size_t bytes);
/* The same for memory that is kept until ep_platform_release_all_kept(). Several threads and signal
 * handlers may call it at a time. */
void *ep_platform_allocate_kept(size_t bytes);
/* The same; in a forked child the memory is zeroed again, if the kernel can do that (4.14). */
void *ep_platform_allocate_wiped(size_t bytes);
/* In a forked child, these whole pages are zero again, if the kernel can do that. */
void ep_platform_wipe_on_fork(void *start, size_t bytes);
/* Zeroes pages of such memory. */
void ep_platform_clear(void *start, size_t bytes);
void ep_platform_release_kept(void *start, size_t bytes);
/* No thread may use any of it any more. */
void ep_platform_release_all_kept(void);
/* Gives back the memory of the whole pages from *done up to `end`, and moves *done there. Their
 * contents are zero then, even if malloc() allocated them. For an array that is read once from
 * start to end. Keeps errno. */
void ep_platform_forget(char **done, const char *end);

/* Every earlier store of this thread becomes visible to each other thread of the process before
 * any later load of that thread. false: the kernel cannot do it. Keeps errno. */
bool ep_platform_barrier(void);

/* Disables the cancellation of this thread until the release: a function of the program may be
 * cancelled at any instruction, also inside calls into the library. The type is changed too,
 * because glibc ignores the state once an asynchronous cancellation is under way. */
void ep_platform_hold_cancel(int *state, int *type);
void ep_platform_release_cancel(int state, int type);

/* The value of a variable in the environment that the process was started with, for calls before
 * the C library has set up its own. To be freed. NULL: not set, not trusted, or not readable. */
char *ep_platform_first_environment(const char *name);

/* Keep errno. */
uint64_t ep_platform_clock_ns(clockid_t clock);
uint64_t ep_platform_monotonic_ns(void);
/* The processor time of all threads of the process. */
uint64_t ep_platform_process_cpu_ns(void);
/* Whether the kernel keeps time by the clock source of this name; false if it is unknown. Keeps
 * errno. */
bool ep_platform_keeps_time_by(const char *clocksource);

#endif /* EP_BASE_PLATFORM_H */
