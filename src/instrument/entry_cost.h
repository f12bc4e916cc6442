/*
 * instrument/entry_cost.h - what the probe of a timed call with a patched entry costs
 *
 * libeprof-auto reads the counter when such a call is found and when it has returned, so the part
 * outside of its own time is measured in place, call by call. The inner part is measured once, by
 * libeprof-auto. Hooks are measured in a loop instead (instrument/probe_cost.h).
 */
#ifndef EP_INSTRUMENT_ENTRY_COST_H
#define EP_INSTRUMENT_ENTRY_COST_H

#include "record/thread.h"

/* Adds what a call has cost outside of its own time. is_sampled: it represents others. */
void ep_entry_cost_add(struct ep_thread *thread, bool is_sampled, uint64_t outside_ticks);

/* Writes into the image what was measured, if anything was, for functions with hooks too. Does
 * nothing before the cost of functions has been measured. Lock. */
void ep_entry_cost_use(void);

#endif /* EP_INSTRUMENT_ENTRY_COST_H */
