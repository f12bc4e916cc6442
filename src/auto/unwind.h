/*
 * unwind.h - from a call to its caller, by the unwind tables in memory
 *
 * x86-64 only. Only what the search for a caller needs: the stack pointer, the frame pointer and
 * the return address. There are no locks, no memory is allocated, and no other library is needed.
 */
#ifndef EP_AUTO_UNWIND_H
#define EP_AUTO_UNWIND_H

#include <stdbool.h>
#include <stdint.h>

struct ep_unwind {
    uintptr_t pc;        /* a return address, or an interrupted instruction */
    uintptr_t sp;        /* the stack pointer there */
    uintptr_t bp;        /* the frame pointer register there */
    bool is_interrupted; /* pc is no return address */
};

/* *frame becomes that of the caller, with pc 0 if there is none; *cfa is the canonical frame
 * address of the function that pc was in. false: the tables do not describe this code. */
bool ep_unwind_step(struct ep_unwind *frame, uintptr_t *cfa);

#endif /* EP_AUTO_UNWIND_H */
