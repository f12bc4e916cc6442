/*
 * scope_record.h - enter and leave: where a time stamp becomes a figure of the call tree
 *
 * eprof_scope_enter(), eprof_scope_enter_slow() and eprof_scope_leave() are in eprof.h.
 */
#ifndef EP_SCOPE_RECORD_H
#define EP_SCOPE_RECORD_H

/* eprof_enter() and eprof_leave(), with an address in the frame of their caller or below it.
 * Keep errno. */
void ep_scope_enter(const char *label, const void *stack_pointer);
void ep_scope_leave(const void *stack_pointer);

#endif /* EP_SCOPE_RECORD_H */
