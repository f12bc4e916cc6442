#include "switches.h"

void ep_switches_add(struct ep_switches *switches, uint64_t ticks)
{
    switches->ticks[switches->count++ % EP_SWITCHES_KEPT] = ticks;
}

static bool is_on_after(const struct ep_switches *switches, uint32_t count)
{
    return (count % 2 != 0) == switches->was_off;
}

void ep_switches_forget(struct ep_switches *switches)
{
    switches->was_off = !is_on_after(switches, switches->count);
    switches->count = 0;
}

bool ep_switches_was_on(const struct ep_switches *switches, const struct ep_source *source,
                        uint64_t ticks)
{
    uint32_t kept = switches->count < EP_SWITCHES_KEPT ? switches->count : EP_SWITCHES_KEPT;
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t count = switches->count - i;
        uint64_t then = switches->ticks[(count - 1) % EP_SWITCHES_KEPT];
        if (ep_source_difference(source, then, ticks) <= source->mask >> 1)
            return is_on_after(switches, count);
    }
    return switches->count == kept && is_on_after(switches, 0);
}
