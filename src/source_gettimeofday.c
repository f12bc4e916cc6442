/* The time of day, in us: it is set by hand and by NTP, forwards and backwards. */
#include "source.h"

#include <stddef.h>
#include <sys/time.h>

static uint64_t gettimeofday_now(void *context)
{
    struct timeval now;
    (void)context;
    gettimeofday(&now, NULL);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_usec;
}

const struct ep_source ep_source_gettimeofday = {
    .now = gettimeofday_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000,
    .steps = true,
    .name = "gettimeofday",
};
