/*
 * platform.h - the whole of what is asked of the operating system
 */
#ifndef EP_PLATFORM_H
#define EP_PLATFORM_H

#include <stddef.h>

#include "compiler.h"

/* How much address space the process may have (RLIMIT_AS). */
uint64_t ep_platform_address_space(void);

/* Address space without memory behind it. NULL and errno. */
void *ep_platform_reserve(size_t bytes);
/* Puts zeroed memory behind a part of what was reserved, in whole pages around it. 0, or -1
 * and ENOMEM. */
int ep_platform_commit(void *start, size_t bytes);
/* Zeroed private memory. NULL and ENOMEM. */
void *ep_platform_allocate(size_t bytes);
/* The same; a forked child finds it zeroed again, where the kernel can (4.14). */
void *ep_platform_allocate_wiped(size_t bytes);
void ep_platform_release(void *start, size_t bytes);

/* Every store of this thread before it is seen by each other thread of the
 * process before any of their loads that follow. false: the kernel cannot.
 * Keeps errno. */
bool ep_platform_barrier(void);

/*
 * No cancellation of this thread acts from here on until the release. A function of the program may
 * be cancelled at any instruction, and with it what is called in it. The type as well: of one that
 * is on its way glibc looks at nothing else any more.
 */
void ep_platform_hold_cancel(int *state, int *type);
void ep_platform_release_cancel(int state, int type);

/* The value of a variable of the environment that the process was started with, for a time when the
 * C library has not set up its own yet; to be freed. NULL: there is none, or it is not to be
 * trusted, or not to be read. */
char *ep_platform_first_environment(const char *name);

/* Keeps errno. */
uint64_t ep_platform_monotonic_ns(void);
/* Whether the kernel itself keeps time by the clock source of this name; false
 * where it does not tell. Keeps errno. */
bool ep_platform_keeps_time_by(const char *clocksource);

#endif /* EP_PLATFORM_H */
