#include "scale.h"

#include "wide.h"

uint64_t ep_scale_ns(struct ep_scale scale, uint64_t ticks)
{
    return ep_wide_divide(ep_wide_multiply(ticks, scale.ns), scale.ticks);
}
