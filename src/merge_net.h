/*
 * merge_net.h - the calls of a region without what the probe added to them
 *
 * The probe's own reading goes off each, and of what remains all keep the same part: that of the
 * probes in the calls below cannot be told of each. In integers, as sums of sums are to agree to
 * the last byte.
 */
#ifndef EP_MERGE_NET_H
#define EP_MERGE_NET_H

#include "snapshot_figures.h"

/* All zero: nothing was added. */
struct ep_merge_net {
    uint64_t inside_milliticks;    /* goes off each timed call, */
    uint64_t kept_ticks, of_ticks; /* and so much is kept of so much; of 0: all */
};

EP_INLINE bool ep_merge_net_is_all(const struct ep_merge_net *net)
{
    return net->inside_milliticks == 0 && net->of_ticks == 0;
}

/* What is left of a call. */
uint64_t ep_merge_net_call(const struct ep_merge_net *net, uint64_t ticks);
/* Leaves that of all calls; self time stays as it is. */
void ep_merge_net_take(const struct ep_merge_net *net, struct ep_figures *figures);

#endif /* EP_MERGE_NET_H */
