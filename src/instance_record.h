/*
 * instance_record.h - start, stop and spans: where a time stamp becomes a figure
 *
 * eprof_instance_start() and eprof_instance_stop() are in eprof.h.
 */
#ifndef EP_INSTANCE_RECORD_H
#define EP_INSTANCE_RECORD_H

#include "pair.h"

/* A pair with its two ends given. Keeps errno. */
void ep_instance_span(int id, uint64_t start_ticks, uint64_t stop_ticks);

#endif /* EP_INSTANCE_RECORD_H */
