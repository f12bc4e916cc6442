/*
 * instrument/scope.h - the leave of a scope of a macro
 */
#ifndef EP_INSTRUMENT_SCOPE_H
#define EP_INSTRUMENT_SCOPE_H

#include <stdint.h>

/* Leaves a scope, out of line. now_ticks: when that was; 0: the clock is still to be read. Returns
 * 0. */
int ep_scope_leave(const void *token, uint64_t now_ticks);

#endif /* EP_INSTRUMENT_SCOPE_H */
