/*
 * In the place of a counter, on a processor of which we can read none: "rdtsc"
 * is known and not supported.
 */
#include "source.h"

bool ep_source_rdtsc_is_readable(void)
{
    return false;
}

bool ep_source_rdtsc_can_wait(void)
{
    return false;
}

bool ep_source_rdtsc_is_trusted(void)
{
    return false;
}

uint64_t ep_source_rdtsc_ticks_per_second(void)
{
    return 0;
}

static uint64_t never_now(void *context)
{
    (void)context;
    return 0;
}

const struct ep_source ep_source_rdtsc = {
    .now = never_now,
    .mask = UINT64_MAX,
    .name = "rdtsc",
};
