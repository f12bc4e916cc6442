/*
 * The counter of aarch64, in the place of x86's: the generic timer's virtual
 * count (Arm Architecture Reference Manual, DDI 0487, chapter D11). It has one
 * rate and is the same on all processors, by definition.
 */
#include "source.h"

#include "platform.h"

/* Linux lets programs read it, and where a processor has an error, reads it for them. */
bool ep_source_rdtsc_is_readable(void)
{
    return true;
}

bool ep_source_rdtsc_can_wait(void)
{
    return true;
}

bool ep_source_rdtsc_is_trusted(void)
{
    return ep_platform_keeps_time_by("arch_sys_counter");
}

uint64_t ep_source_rdtsc_ticks_per_second(void)
{
    uint64_t ticks_per_second;
    __asm__("mrs %0, cntfrq_el0" : "=r"(ticks_per_second));
    return ticks_per_second;
}

static uint64_t cntvct_now(void *context)
{
    (void)context;
    return ep_counter_read();
}

const struct ep_source ep_source_rdtsc = {
    .now = cntvct_now,
    .mask = UINT64_MAX,
    .is_counter = true,
    .name = "cntvct",
};
