/*
 * hooks.c - the hooks that -finstrument-functions makes each function call when it begins and ends
 *
 * On x86-64 a hook first tries to count the call inline (eprof/hooks.h). Otherwise it checks
 * whether recording is on, finds the function's frame, and jumps into libeprof. A jump in place of
 * a call saves stack in a deep recursion.
 */
#include "base/compiler.h"

#include "eprof.h"
#include "eprof/hooks.h"

#define HOOK EP_EXPORT __attribute__((no_instrument_function))

enum {
    STOPS_ARE_WANTED = 1, /* the bits of eprof_recording, eprof/calls.h */
    STARTS_ARE_WANTED = 2,
    /* The function's variables lie above the hook's own frame: 64 KiB and more only if it has
     * large arrays. Without frame pointers the register has any value, and an address far above
     * may be invalid, so there is a bound. */
    FRAME_MOST_BYTES = 64 << 10,
/* Frames end at multiples of 16 (System V ABI, x86-64 3.2.2 and i386 2.2.2; AAPCS64 6.4.5.1), so
 * the function's frame ends this far above the hook's, less one, which marks an estimate. On i386
 * the hook's arguments between them take 16 bytes more. */
#ifdef __i386__
    FRAME_ESTIMATE_BYTES = 31
#else
    FRAME_ESTIMATE_BYTES = 15
#endif
};

#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)

/* A frame record consists of the previous frame pointer and the return address. The stack pointer
 * of the function that called the hook was above the hook's own frame. */
#define OWN_FRAME() ((void **)__builtin_frame_address(0))

EP_INLINE void *end_of(void **record)
{
    return record + 2;
}

#ifdef __aarch64__
/* Variables and other registers may lie above a record (AAPCS64 6.4.6 leaves it open, and gcc puts
 * it at the bottom), so its end is an estimate. The hook's own end is known to gcc, and to clang,
 * whose canonical address is that of the record, since the hook has no more. */
enum { RECORD_IS_BELOW_END = 1 };

EP_INLINE void *own_end(void **own)
{
    void *canonical = __builtin_dwarf_cfa();
    return canonical > end_of(own) ? canonical : end_of(own);
}
#else
enum { RECORD_IS_BELOW_END = 0 };
#define own_end(own) end_of(own)
#endif

/* Whether there may be a record. The stack of a 32-bit program may end close to the end of the
 * address space (0xFFFFE000, Linux arch/x86/include/asm/page_64_types.h), and a small number in the
 * register, of either sign, is no farther away than a frame. */
EP_INLINE bool may_be_record(void **record, const char *lowest)
{
#ifdef __i386__
    if (EP_UNLIKELY((uintptr_t)record < (uintptr_t)lowest) ||
        EP_UNLIKELY((uintptr_t)record > UINT32_C(0xFFFFE000) - 2 * sizeof *record))
        return false;
#endif
    return EP_LIKELY((uintptr_t)record - (uintptr_t)lowest < FRAME_MOST_BYTES);
}

/* The end of the frame of the function that called a hook, or an estimate. If it keeps a frame
 * pointer, the return address there is the call site that the compiler passes. */
EP_INLINE void *frame_of(void **own, const void *call_site)
{
    void **record = own[0];
    if (may_be_record(record, end_of(own)) && EP_LIKELY(record[1] == call_site))
        return (char *)end_of(record) - RECORD_IS_BELOW_END;
    return (char *)end_of(own) + FRAME_ESTIMATE_BYTES;
}

#else

#define OWN_FRAME() __builtin_dwarf_cfa()

#define own_end(own) (own)

EP_INLINE void *frame_of(void *own, const void *call_site)
{
    (void)call_site;
    return (char *)own + FRAME_ESTIMATE_BYTES;
}

#endif

#ifdef EPROF_IS_INLINE

/* The hooks jump to these functions, so the return address and the frame are those of the hooks. */
#define OUTSIDE __attribute__((visibility("hidden"), used, no_instrument_function))
#define ENTER ep_hook_enter
#define LEAVE ep_hook_leave

/* The hooks do not change %rbp, which is the frame pointer of the function. */
#define EXPORTED(name, code) ".globl " name "\n" EPROF_HOOK(name, code)
__asm__(EXPORTED("__cyg_profile_func_enter",
                 EPROF_HOOK_LOAD_KEY EPROF_HOOK_OPEN("16(%rbp)", "ep_hook_enter")));
__asm__(EXPORTED("__cyg_profile_func_exit",
                 EPROF_HOOK_CLOSE("16(%rbp)", "8(%rsp)", "ep_hook_leave")));

#else

#define OUTSIDE HOOK
#define ENTER __cyg_profile_func_enter
#define LEAVE __cyg_profile_func_exit

#endif

#if defined(__x86_64__) && !defined(__ILP32__)
extern __thread struct eprof_hot eprof_hot __attribute__((tls_model("initial-exec")));

/* The thread that switches recording off may not see a call that is just being entered by its edge.
 * So the hook leaves such a call even if recording is off. */
EP_INLINE bool is_open_by_edge(void)
{
    return eprof_hot.top->state;
}
#else
EP_INLINE bool is_open_by_edge(void)
{
    return false;
}
#endif

OUTSIDE void ENTER(void *function, void *call_site);
OUTSIDE void LEAVE(void *function, void *call_site);

void ENTER(void *function, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STARTS_ARE_WANTED)
        eprof_function_enter(function, call_site, frame_of(OWN_FRAME(), call_site),
                             __builtin_return_address(0));
}

/* The hook is the last call of a function, so the compiler may replace the call by a jump, after
 * the function's frame is removed. Then the hook returns to the function's caller, and its frame is
 * where the function's frame was. */
void LEAVE(void *function, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STOPS_ARE_WANTED ||
        is_open_by_edge()) {
        void *token = __builtin_return_address(0);
        bool is_jump = token == call_site;
        eprof_function_leave(function, call_site,
                             is_jump ? own_end(OWN_FRAME()) : frame_of(OWN_FRAME(), call_site),
                             token);
    }
}
