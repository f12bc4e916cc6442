/* The POSIX clocks, in ns. */
#include "source.h"

#include <time.h>

#include "platform.h"

static uint64_t clock_gettime_now(void *context)
{
    (void)context;
    return ep_platform_monotonic_ns();
}

static uint64_t thread_cputime_now(void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

const struct ep_source ep_source_clock_gettime = {
    .now = clock_gettime_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000000,
    .name = "clock_gettime",
};

const struct ep_source ep_source_thread_cputime = {
    .now = thread_cputime_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000000,
    .per_thread = true,
    .name = "thread_cputime",
};
