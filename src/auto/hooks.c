/*
 * hooks.c - what -finstrument-functions has the compiler call at both ends of every function
 *
 * They look whether recording is on, tell where the function's frame is, and jump into libeprof:
 * a jump, so that a deep recursion takes no more of the stack than it must.
 */
#include "compiler.h"
#include "eprof.h"

#define HOOK EP_EXPORT __attribute__((no_instrument_function))

/* Not declared by any header of a compiler. */
HOOK void __cyg_profile_func_enter(void *function, void *call_site);
HOOK void __cyg_profile_func_exit(void *function, void *call_site);

enum {
    STOPS_ARE_WANTED = 1, /* the bits of eprof_recording, eprof/calls.h */
    STARTS_ARE_WANTED = 2,
    /* Above the hook's own frame lies what the function pushed, 64 KiB of it and more only where it
     * has large arrays. A bound there must be: without frame pointers the register holds anything,
     * and what lies far above may be no memory at all. */
    FRAME_MOST_BYTES = 64 << 10,
/* Frames end at multiples of 16 (System V ABI, x86-64 3.2.2 and i386 2.2.2; AAPCS64 6.4.5.1),
 * so a function's own ends this far above the hook's, less one, which says that it is an
 * estimate. On i386 the hook's arguments lie between them, which take 16 bytes more. */
#ifdef __i386__
    FRAME_ESTIMATE_BYTES = 31
#else
    FRAME_ESTIMATE_BYTES = 15
#endif
};

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)

/* The caller's frame pointer, as this function's own frame has kept it. */
#define CALLER_FRAME_POINTER() (*(void ***)__builtin_frame_address(0))

/* Of a function that keeps a frame pointer: the record that it points to is the frame pointer
 * before it and the return address, which the compiler has told as the call site. */
EP_INLINE bool is_frame_of(void **frame_pointer, const void *call_site, uintptr_t cfa)
{
    return (uintptr_t)frame_pointer - cfa < FRAME_MOST_BYTES && frame_pointer[1] == call_site;
}

#else

#define CALLER_FRAME_POINTER() NULL

EP_INLINE bool is_frame_of(void **frame_pointer, const void *call_site, uintptr_t cfa)
{
    (void)frame_pointer, (void)call_site, (void)cfa;
    return false;
}

#endif

/* The frame of the function that has called a hook, or an estimate. `cfa` is the hook's own
 * canonical frame address, which is where the function's stack pointer was. */
EP_INLINE void *frame_of(void **frame_pointer, const void *call_site, char *cfa)
{
    if (EP_LIKELY(is_frame_of(frame_pointer, call_site, (uintptr_t)cfa)))
        return frame_pointer + 2;
    return cfa + FRAME_ESTIMATE_BYTES;
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STARTS_ARE_WANTED)
        eprof_function_enter(function, call_site,
                             frame_of(CALLER_FRAME_POINTER(), call_site, __builtin_dwarf_cfa()),
                             __builtin_return_address(0));
}

/* As the last thing that a function does it may be a jump, out of a frame that is gone already: it
 * returns to the function's caller then, and its frame is where the function's was. */
void __cyg_profile_func_exit(void *function, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STOPS_ARE_WANTED) {
        void *token = __builtin_return_address(0);
        void *frame = token == call_site
                          ? __builtin_dwarf_cfa()
                          : frame_of(CALLER_FRAME_POINTER(), call_site, __builtin_dwarf_cfa());
        eprof_function_leave(function, call_site, frame, token);
    }
}
