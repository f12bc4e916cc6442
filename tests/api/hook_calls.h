/*
 * hook_calls.h - calls of functions as the hooks' library reports them, from a made-up stack
 *
 * Addresses and frames are plain numbers. No module contains the functions, so their names are
 * their addresses.
 */
#ifndef HOOK_CALLS_H
#define HOOK_CALLS_H

#include "hand_clock.h"

#define AT(number) ((void *)(uintptr_t)(number))

/* The address of a known frame is even. An estimate lies below it and is odd. */
struct call {
    uintptr_t function, caller, frame, token;
};

static const struct call main_call = {0x10, 0x901, 0x9000, 0x11};
static const struct call f_call = {0x20, 0x12, 0x8000, 0x21};
static const struct call g_call = {0x30, 0x22, 0x7000, 0x31};

static inline void pass(uint64_t ticks)
{
    hand_ticks += ticks;
}

static inline void enter(struct call call)
{
    eprof_function_enter(AT(call.function), AT(call.caller), AT(call.frame), AT(call.token));
}

/* The exit hook is called after the enter hook, so its return address is higher. */
static inline void leave(struct call call)
{
    eprof_function_leave(AT(call.function), AT(call.caller), AT(call.frame), AT(call.token + 5));
}

static inline struct call in_frame(struct call call, uintptr_t frame)
{
    call.frame = frame;
    return call;
}

static inline struct call by_token(struct call call, uintptr_t token)
{
    call.token = token;
    return call;
}

/* The code of an inlined function is in the frame of the function around it. */
static inline struct call inlined(struct call call, struct call around)
{
    call.caller = around.caller;
    call.frame = around.frame;
    return call;
}

static inline struct call call_from(struct call call, uintptr_t caller)
{
    call.caller = caller;
    return call;
}

#endif /* HOOK_CALLS_H */
