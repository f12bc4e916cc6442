#include "clock/counter.h"

#include "base/platform.h"
#include "clock/source.h"

#if defined(__x86_64__) || defined(__i386__)

/* The counter TSC of x86. SDM: Intel 64 and IA-32 Architectures Software Developer's
 * Manual. */

#include <cpuid.h>
#include <sys/prctl.h>

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

/* A hypervisor may answer in place of the processor, which takes some 10 us. So each leaf is read
 * only once, and the highest number is not read before every leaf. */
static struct leaf ask(uint32_t number)
{
    struct leaf leaf;
    __cpuid_count(number, 0, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
    return leaf;
}

/* All zeros for a leaf above the highest one of its range, which leaf `first` reports. */
static struct leaf leaf_of(uint32_t first, uint32_t number)
{
    uint32_t highest = ask(first).eax;
    return highest < number ? (struct leaf){0, 0, 0, 0} : ask(number);
}

bool ep_counter_is_readable(void)
{
    EP_KEEP_ERRNO;
    int permission = PR_TSC_ENABLE; /* prctl(PR_SET_TSC) can make the instruction raise SIGSEGV */
    if (!(ask(LEAF_FEATURES).edx & FEATURES_EDX_COUNTER))
        return false;
    prctl(PR_GET_TSC, &permission);
    return permission == PR_TSC_ENABLE;
}

/*
 * An invariant counter (SDM volume 3B, "Invariant TSC") has one rate in all power states. The
 * processor does not report whether it is equal on all processors; the kernel checks that, and
 * uses another clock source if it is not.
 */
bool ep_counter_is_trusted(void)
{
    return (leaf_of(LEAF_EXTENDED, LEAF_POWER).edx & POWER_EDX_INVARIANT) &&
           ep_platform_keeps_time_by("tsc") && ep_counter_is_readable();
}

uint64_t ep_counter_ticks_per_second(void)
{
    /* First the hypervisor, because it may scale the counter of its guest. VMware's leaf, which KVM
     * has too, is in kHz. */
    uint32_t khz = 0;
    if (ask(LEAF_FEATURES).ecx & FEATURES_ECX_HYPERVISOR)
        khz = leaf_of(LEAF_HYPERVISOR, LEAF_HYPERVISOR_RATE).eax;
    if (khz)
        return (uint64_t)khz * 1000;
    /* SDM volume 2A, CPUID leaf 15H: crystal Hz * numerator / denominator; each may be 0 */
    struct leaf counter = leaf_of(0, LEAF_COUNTER);
    return counter.eax ? (uint64_t)counter.ecx * counter.ebx / counter.eax : 0;
}

#else

/* The virtual count of aarch64's generic timer (Arm Architecture Reference Manual, DDI 0487,
 * chapter D11), which by definition has one rate and is equal on all processors. */

/* Linux lets programs read it, and emulates the read on processors with an erratum. */
bool ep_counter_is_readable(void)
{
    return EP_COUNTER_EXISTS;
}

bool ep_counter_is_trusted(void)
{
    return EP_COUNTER_EXISTS && ep_platform_keeps_time_by("arch_sys_counter");
}

uint64_t ep_counter_ticks_per_second(void)
{
    uint64_t ticks_per_second = 0;
#if EP_COUNTER_EXISTS
    __asm__("mrs %0, cntfrq_el0" : "=r"(ticks_per_second));
#endif
    return ticks_per_second;
}

#endif

static uint64_t counter_now(void *context)
{
    (void)context;
    return ep_counter_read();
}

const struct ep_source ep_counter_source = {
    .now = counter_now,
    .mask = UINT64_MAX,
    .is_counter = EP_COUNTER_EXISTS,
    .name = EP_COUNTER_NAME,
};
