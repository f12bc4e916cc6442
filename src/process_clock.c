#include "process_clock.h"

#include "platform.h"
#include "process.h"

#define NS_PER_DAY (UINT64_C(24) * 3600 * 1000000000)
/* Of a clock that is set from outside. While it is only slewed, by 500 ppm at most (adjtimex(2)),
 * it is apart by less than a thousandth; 10 ms are for a look that is interrupted. */
#define NS_OF_A_STEP UINT64_C(10000000)

void ep_process_clock_begin(uint64_t reset_ticks)
{
    ep_process.reset_moment = (struct ep_moment){reset_ticks, ep_platform_monotonic_ns()};
    ep_store(&ep_process.image.cells[EP_CELL_SOURCE].source.apart, 0);
}

/* How far two clocks that have run for so long may be apart. */
static uint64_t most_apart_ns(const struct ep_source *source, uint64_t monotonic_ns)
{
    return source->steps ? NS_OF_A_STEP + monotonic_ns / 1000 : NS_PER_DAY;
}

/* By how much the source is ahead of CLOCK_MONOTONIC, or behind it. */
static uint64_t apart_ns(struct ep_scale scale, struct ep_moment from, struct ep_moment to)
{
    uint64_t monotonic_ns = to.monotonic_ns - from.monotonic_ns, ticks = to.ticks - from.ticks;
    if (ticks >> 63) { /* it is before its reset */
        uint64_t before_ns = ep_scale_ns(scale, from.ticks - to.ticks);
        return before_ns < UINT64_MAX - monotonic_ns ? before_ns + monotonic_ns : UINT64_MAX;
    }
    uint64_t source_ns = ep_scale_ns(scale, ticks);
    return source_ns > monotonic_ns ? source_ns - monotonic_ns : monotonic_ns - source_ns;
}

void ep_process_clock_look(struct ep_scale scale)
{
    const struct ep_source *source = ep_process_source();
    if (source->mask != UINT64_MAX || source->per_thread)
        return;
    struct ep_moment from = ep_process.reset_moment;
    /* one read: a source that moves with each is not to be moved further than it must */
    struct ep_moment now = {ep_source_now(source), ep_platform_monotonic_ns()};
    uint64_t most_ns = most_apart_ns(source, now.monotonic_ns - from.monotonic_ns);
    uint32_t *apart = &ep_process.image.cells[EP_CELL_SOURCE].source.apart;
    ep_store(apart, apart_ns(scale, from, now) >= most_ns);
}
