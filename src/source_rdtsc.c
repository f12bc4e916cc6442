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
#define LEAF_EXTENDED 0x80000000
#define LEAF_POWER 0x80000007
#define POWER_EDX_INVARIANT (UINT32_C(1) << 8)

struct leaf {
    uint32_t eax, ebx, ecx, edx;
};

/* A hypervisor may answer in the processor's place: some 10 us each. So each leaf
 * is asked for once, and the highest one is not asked for before every other. */
static struct leaf ask(uint32_t number)
{
    struct leaf leaf;
    __cpuid_count(number, 0, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    return leaf;
}

/* All zeros for a leaf that the range of `first`, whose leaf tells its highest, has not. */
static struct leaf leaf_of(uint32_t first, uint32_t number)
{
    uint32_t highest = ask(first).eax;
    return highest < number ? (struct leaf){0, 0, 0, 0} : ask(number);
}

static bool is_guest(void)
{
    return ask(LEAF_FEATURES).ecx & FEATURES_ECX_HYPERVISOR;
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
    return (ask(LEAF_FEATURES).edx & FEATURES_EDX_COUNTER) && is_permitted();
}

bool ep_source_rdtsc_can_wait(void)
{
    return ep_counter_can_wait() && ep_source_rdtsc_is_readable();
}

/*
 * An invariant counter (SDM volume 3B, "Invariant TSC") has one rate in all
 * power states. That it is the same on all processors is not told there; the
 * kernel finds out, and takes another clock source where it is not.
 */
bool ep_source_rdtsc_is_trusted(void)
{
    return (leaf_of(LEAF_EXTENDED, LEAF_POWER).edx & POWER_EDX_INVARIANT) &&
           ep_platform_keeps_time_by("tsc") && ep_source_rdtsc_is_readable();
}

/* SDM volume 2A, CPUID leaf 15H: crystal Hz * numerator / denominator; each may be left at 0. */
static uint64_t rate_of_processor(void)
{
    struct leaf counter = leaf_of(0, LEAF_COUNTER);
    return counter.eax ? (uint64_t)counter.ecx * counter.ebx / counter.eax : 0;
}

/* In kHz: VMware's leaf, which KVM has too. */
static uint64_t rate_of_hypervisor(void)
{
    return is_guest() ? (uint64_t)leaf_of(LEAF_HYPERVISOR, LEAF_HYPERVISOR_RATE).eax * 1000 : 0;
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
