/*
 * instrument/scope.h - the enter and the leave of a scope of a macro, out of line
 */
#ifndef EP_INSTRUMENT_SCOPE_H
#define EP_INSTRUMENT_SCOPE_H

#include <stdint.h>

#include "eprof.h"

/* Enters a scope in the general case, between ep_light_begin() and ep_light_end(). */
void ep_scope_enter_general(struct eprof_site *site, const void *token, eprof_frame frame);

/* Leaves a scope. now_ticks: when that was; 0: the clock is still to be read. Returns
 * 0. */
int ep_scope_leave(const void *token, uint64_t now_ticks);

#endif /* EP_INSTRUMENT_SCOPE_H */
