/*
 * scope_manual.h - scopes that are entered and left by hand
 */
#ifndef EP_SCOPE_MANUAL_H
#define EP_SCOPE_MANUAL_H

/* eprof_enter() and eprof_leave(), with an address in the frame of their caller or below it.
 * Keep errno. */
void ep_scope_manual_enter(const char *label, const void *stack_pointer);
void ep_scope_manual_leave(const void *stack_pointer);

#endif /* EP_SCOPE_MANUAL_H */
