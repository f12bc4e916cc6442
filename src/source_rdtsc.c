/*
 * The time stamp counter of x86: what is trusted, and what is told, of it.
 * SDM: Intel 64 and IA-32 Architectures Software Developer's Manual.
 */
#include "source.h"

#include <cpuid.h>
#include <errno.h>
#include <sys/prctl.h>

#include "platform.h"

#define LEAF_FEATURES 1
#define FEATURES_ECX_HYPERVISOR (UINT32_C(1) << 31)
#define FEATURES_EDX_COUNTER (UINT32_C(1) << 4)
#define LEAF_COUNTER 0x15
#define LEAF_HYPERVISOR 0x40000000
#define LEAF_HYPERVISOR_RATE 0x40000010
#define LEAF_POWER 0x80000007
#define POWER_EDX_INVARIANT (UINT32_C(1) << 8)

struct leaf {
    uint32_t eax, ebx, ecx, edx;
};

/* All zeros for a leaf that the processor does not have. */
static struct leaf cpuid(uint32_t number)
{
    struct leaf leaf = {0, 0, 0, 0};
    __get_cpuid_count(number, 0, &leaf.eax, &leaf.ebx, &leaf.ecx, &leaf.edx);
    return leaf;
}

/* The same for the range of a hypervisor, which tells its highest leaf in its first one. */
static struct leaf cpuid_of_hypervisor(uint32_t number)
{
    struct leaf leaf = {0, 0, 0, 0};
    if (!(cpuid(LEAF_FEATURES).ecx & FEATURES_ECX_HYPERVISOR))
        return leaf;
    __cpuid(LEAF_HYPERVISOR, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    if (leaf.eax < number)
        return (struct leaf){0, 0, 0, 0};
    __cpuid(number, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    return leaf;
}

/* prctl(PR_SET_TSC) can make the instruction a SIGSEGV. */
static bool is_permitted(void)
{
    int saved_errno = errno;
    int permission = PR_TSC_ENABLE;
    prctl(PR_GET_TSC, &permission);
    errno = saved_errno;
    return permission == PR_TSC_ENABLE;
}

bool ep_source_rdtsc_is_readable(void)
{
    return (cpuid(LEAF_FEATURES).edx & FEATURES_EDX_COUNTER) && is_permitted();
}

/*
 * An invariant counter (SDM volume 3B, "Invariant TSC") has one rate in all
 * power states. That it is the same on all processors is not told there; the
 * kernel finds out, and takes another clock source where it is not.
 */
bool ep_source_rdtsc_is_trusted(void)
{
    return (cpuid(LEAF_POWER).edx & POWER_EDX_INVARIANT) && ep_platform_keeps_time_by("tsc") &&
           ep_source_rdtsc_is_readable();
}

/* SDM volume 2A, CPUID leaf 15H: crystal Hz * numerator / denominator; each may be left at 0. */
static uint64_t rate_of_processor(void)
{
    struct leaf counter = cpuid(LEAF_COUNTER);
    return counter.eax ? (uint64_t)counter.ecx * counter.ebx / counter.eax : 0;
}

/* In kHz: VMware's leaf, which KVM has too. */
static uint64_t rate_of_hypervisor(void)
{
    return (uint64_t)cpuid_of_hypervisor(LEAF_HYPERVISOR_RATE).eax * 1000;
}

uint64_t ep_source_rdtsc_ticks_per_second(void)
{
    /* First, since it may scale the counter that its guest sees. */
    uint64_t rate = rate_of_hypervisor();
    return rate ? rate : rate_of_processor();
}

static uint64_t rdtsc_now(void *context)
{
    (void)context;
    return ep_counter_read();
}

const struct ep_source ep_source_rdtsc = {
    .now = rdtsc_now,
    .mask = UINT64_MAX,
    .is_counter = true,
    .name = "rdtsc",
};
