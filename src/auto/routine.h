/*
 * routine.h - the code that patched entries call, and the thunks that timed calls return to
 *
 * x86-64 only, in assembly. The routine counts a call inline, as hooks do (eprof/hooks.h), if its
 * edge is known. It preserves all registers but the flags: the caller may know which registers a
 * function does not use. Otherwise it calls ep_routine_enter().
 *
 * A call that is timed has the address of a thunk of its own in place of its return address. So it
 * is known which call returns, also on another stack or in another thread. The thunk calls
 * ep_routine_return(), which puts the return address back.
 *
 * The unwind entry of the thunks finds the return address of each one (ep_thunk_returns), so
 * exceptions, backtrace() and debuggers see the true callers.
 */
#ifndef EP_AUTO_ROUTINE_H
#define EP_AUTO_ROUTINE_H

#include <stdbool.h>
#include <stdint.h>

#define EP_ROUTINE_VISIBLE __attribute__((visibility("hidden")))

EP_ROUTINE_VISIBLE void ep_routine(void);

/* Prepares the saving of vector registers. Before the first call of the routine. false: the
 * processor or the system lacks XSAVE. */
bool ep_routine_prepare(void);

/* stack[0]: the return address of the patched call; stack[1]: that of the function. begin_ticks: of
 * the counter, before the registers were saved; 0: ep_routine_has_counter is 0. Returns where the
 * start of the call is stored, if it is timed by the processor's counter. The routine reads the
 * counter again when it has restored the registers, since that takes as long as a short function. */
EP_ROUTINE_VISIBLE uint64_t *ep_routine_enter(uintptr_t *stack, uint64_t begin_ticks);
/* slot[0]: the address in the thunk; it is to become the return address of the timed call.
 * now_ticks: of the counter, before the registers were saved; 0: ep_routine_has_counter is 0. */
EP_ROUTINE_VISIBLE void ep_routine_return(uintptr_t *slot, uint64_t now_ticks);

/* How long an empty function takes by these readings of the counter, which must be readable. */
EP_ROUTINE_VISIBLE uint64_t ep_routine_inside_ticks(void);

/* How long it takes to save and to restore all registers, with two readings of the counter. */
EP_ROUTINE_VISIBLE uint64_t ep_routine_saving_ticks(void);

/* Set when a call was timed by the counter: until then it might not be readable. */
extern EP_ROUTINE_VISIBLE uint32_t ep_routine_has_counter;

/* ---- thunks ---- */

/* Thunk 0 does not exist. The assembly and the unwind entry contain both numbers. */
enum { EP_THUNKS = 4096, EP_THUNK_BYTES = 8 };

extern EP_ROUTINE_VISIBLE char ep_thunks[EP_THUNKS * EP_THUNK_BYTES];
/* The byte before the address to which the call of each thunk returns. 0: the thunk is free. */
extern EP_ROUTINE_VISIBLE uintptr_t ep_thunk_returns[EP_THUNKS];

/* The number of a thunk by an address in it; 0: the address is in none. */
static inline uint32_t ep_thunk_number(uintptr_t address)
{
    uintptr_t offset = address - (uintptr_t)ep_thunks;
    return offset < sizeof ep_thunks ? (uint32_t)(offset / EP_THUNK_BYTES) : 0;
}

#endif /* EP_AUTO_ROUTINE_H */
