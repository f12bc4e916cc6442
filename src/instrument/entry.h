/*
 * instrument/entry.h - untimed calls of functions with patched entries, whose end nothing tells
 */
#ifndef EP_INSTRUMENT_ENTRY_H
#define EP_INSTRUMENT_ENTRY_H

#include <stdint.h>

/* Before a scope is entered or left by hand: closes the calls that have ended, as far as the frame
 * of the call of the library shows. */
void ep_entry_end_below(const void *stack_pointer);

#endif /* EP_INSTRUMENT_ENTRY_H */
