/*
 * entry.c - functions with patched entries: what their calls tell libeprof, and the thunks of timed
 * calls
 */
#if defined(__x86_64__) && defined(__LP64__)

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "eprof.h"
#include "extents.h"
#include "patch.h"
#include "routine.h"
#include "unwind.h"

enum { STARTS_ARE_WANTED = 2 /* a bit of eprof_recording, eprof/calls.h */ };

/* ---- thunks in use ---- */

/* Of the calls of thunks in use. */
static struct {
    struct eprof_entry_call call;
    const void *owner; /* the thread that took it */
} timed[EP_THUNKS];

/* The search for a free one begins after the last one that this thread took. Its address identifies
 * the thread. */
static EP_THREAD_LOCAL uint32_t last_thunk;
static pthread_key_t thread_end;

static void release(uint32_t thunk)
{
    __atomic_store_n(&ep_thunk_returns[thunk], 0, __ATOMIC_RELEASE);
}

/* A jump or an exception may have left a timed call. Its thunk is free again if the slot holds
 * something else by now. slot: of the call that begins on this thread. */
static bool is_left(uint32_t thunk, const uintptr_t *slot)
{
    enum { NEAR_BYTES = 64 << 10 }; /* farther away may be another stack, which may be gone */
    const uintptr_t *left = timed[thunk].call.slot;
    ptrdiff_t bytes = (const char *)left - (const char *)slot;
    return timed[thunk].owner == &last_thunk && bytes < NEAR_BYTES && bytes > -NEAR_BYTES &&
           *left != timed[thunk].call.thunk;
}

static bool take(uint32_t thunk, uintptr_t returns)
{
    uintptr_t none = 0;
    return __atomic_compare_exchange_n(&ep_thunk_returns[thunk], &none, returns, false,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* A free thunk; 0: there is none. */
static uint32_t take_thunk(const uintptr_t *stack)
{
    if (!last_thunk)
        pthread_setspecific(thread_end, &last_thunk);
    for (int round = 0; round < 2; round++) {
        uint32_t thunk = last_thunk;
        for (unsigned i = 0; i < EP_THUNKS; i++) {
            thunk = (thunk + 1) % EP_THUNKS;
            if (thunk && !__atomic_load_n(&ep_thunk_returns[thunk], __ATOMIC_RELAXED) &&
                take(thunk, stack[1] - 1)) {
                timed[thunk].owner = &last_thunk;
                last_thunk = thunk;
                return thunk;
            }
        }
        for (thunk = 1; thunk < EP_THUNKS && round == 0; thunk++)
            if (is_left(thunk, stack + 1))
                release(thunk);
    }
    return 0;
}

/* The thread has no open calls any more. */
static void end_thread(void *owner)
{
    for (uint32_t thunk = 1; thunk < EP_THUNKS; thunk++)
        if (timed[thunk].owner == owner)
            release(thunk);
}

/* Other threads do not exist in a forked child. */
static void begin_child(void)
{
    for (uint32_t thunk = 1; thunk < EP_THUNKS; thunk++)
        if (timed[thunk].owner != &last_thunk)
            release(thunk);
}

/* The call of a thunk ends, by its return or by a sibling call. */
static void end_timed(uint32_t thunk, uintptr_t *slot, uint64_t now_ticks)
{
    eprof_entry_leave(&timed[thunk].call, now_ticks);
    __atomic_store_n(slot, ep_thunk_returns[thunk] + 1, __ATOMIC_RELAXED);
    release(thunk);
    last_thunk = thunk - 1;
}

/* ---- callers ---- */

/* Finds the caller, also if other code is between: qsort(), a signal handler. */
static void find_caller(struct eprof_entry_call *call, uintptr_t frame_pointer)
{
    enum { MOST_FRAMES = 1000 };
    struct ep_extent extent;
    struct ep_unwind frame = {
        .pc = *call->slot, .sp = (uintptr_t)(call->slot + 1), .bp = frame_pointer};
    uintptr_t inner_cfa = frame.sp;
    for (int i = 0; i < MOST_FRAMES && frame.pc; i++) {
        uint32_t thunk = ep_thunk_number(frame.pc);
        if (thunk)
            frame.pc = ep_thunk_returns[thunk] + 1;
        uintptr_t cfa;
        if (!ep_extent_find(frame.pc - !frame.is_interrupted, &extent) ||
            !ep_unwind_step(&frame, &cfa))
            return;
        call->is_in_handler |= frame.is_interrupted;
        if (!extent.entry) {
            inner_cfa = cfa;
            if (cfa && (size_t)call->passed_count < sizeof call->passed / sizeof *call->passed)
                call->passed[call->passed_count++] = cfa;
            continue;
        }
        call->caller = (uint32_t)extent.entry;
        call->caller_frame = cfa;
        call->is_caller_known = 1;
        call->is_direct = i == 0;
        /* The frame between has the same length in each call with these two return addresses, so
         * its slot is not one of an earlier call. With more frames that is not known. */
        if (i == 1 && inner_cfa && cfa - inner_cfa < UINT32_MAX) {
            call->via_return = ((const uint32_t *)inner_cfa)[-2];
            call->via_bytes = (uint32_t)(cfa - inner_cfa) + sizeof(uintptr_t);
        }
        return;
    }
    call->caller_frame = UINTPTR_MAX;
    call->is_caller_known = !frame.pc;
}

/* Whether the call has an edge: then neither stack is unwound nor code read. */
static bool is_known(struct eprof_entry_call *call)
{
    struct ep_extent caller;
    if (!ep_extent_find(*call->slot - 1, &caller) || !caller.entry)
        return false;
    call->caller = (uint32_t)caller.entry;
    return eprof_entry_is_known(call);
}

/* ---- the slow paths ---- */

/* What a timed call adds after its start was stored, and after its end was read: registers are
 * restored twice. */
static uint32_t restore_ticks;

static uint64_t *enter(uintptr_t *stack, uint64_t begin_ticks)
{
    uint32_t thunk;
    while ((thunk = ep_thunk_number(stack[1])) != 0)
        end_timed(thunk, stack + 1, 0);
    if (!(__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STARTS_ARE_WANTED))
        return NULL;
    struct ep_extent extent;
    if (!ep_extent_find(stack[0] - 1, &extent))
        return NULL;
    struct eprof_entry_call call = {.function = extent.begin, .entry = stack[0], .slot = stack + 1};
    if (!is_known(&call)) {
        call.caller = 0;
        find_caller(&call, stack[-1]);
        call.is_leaf = ep_extent_is_leaf(&extent);
    }
    thunk = take_thunk(stack);
    call.thunk = thunk ? (uintptr_t)(ep_thunks + thunk * EP_THUNK_BYTES) : 0;
    if (thunk)
        timed[thunk].call = call;
    if (!eprof_entry_enter(&call) && thunk) {
        release(thunk);
        last_thunk = thunk - 1;
    }
    if (call.start_ticks && begin_ticks && restore_ticks)
        timed[thunk].call.outside_ticks =
            (uint32_t)(__builtin_ia32_rdtsc() - begin_ticks) + restore_ticks;
    return call.start_ticks;
}

/* The median: an interrupt and the first rounds take longer. */
static uint64_t median(uint64_t (*measure_ticks)(void))
{
    enum { ROUNDS = 51 };
    uint64_t ticks[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t now_ticks = measure_ticks();
        int place = i;
        for (; place && ticks[place - 1] > now_ticks; place--)
            ticks[place] = ticks[place - 1];
        ticks[place] = now_ticks;
    }
    return ticks[ROUNDS / 2];
}

static void measure(void)
{
    uint64_t inside_ticks = median(ep_routine_inside_ticks);
    uint64_t saving_ticks = median(ep_routine_saving_ticks);
    if (saving_ticks > inside_ticks)
        restore_ticks = (uint32_t)(saving_ticks - inside_ticks);
    eprof_entry_measured(inside_ticks);
}

uint64_t *ep_routine_enter(uintptr_t *stack, uint64_t begin_ticks)
{
    EP_KEEP_ERRNO;
    uint64_t *start_ticks = NULL;
    /* a sibling call of a timed call ends it, also while recording is off */
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) & STARTS_ARE_WANTED ||
        ep_thunk_number(stack[1]))
        start_ticks = enter(stack, begin_ticks);
    if (start_ticks && !__atomic_exchange_n(&ep_routine_has_counter, 1, __ATOMIC_RELAXED))
        measure();
    return start_ticks;
}

void ep_routine_return(uintptr_t *slot, uint64_t now_ticks)
{
    EP_KEEP_ERRNO;
    end_timed(ep_thunk_number(slot[0]), slot, now_ticks);
}

/* ---- the start ---- */

static void complain(const struct ep_patch_report *report)
{
    const char *module = report->module && *report->module ? report->module : "the program";
    const char *why = strerror(report->error);
    if (report->error == EBUSY)
        why = "another thread was running before libeprof-auto was loaded";
    else if (report->error == ENOTSUP)
        why = "they cannot be timed with a shadow stack (CET), or by a processor without XSAVE";
    else if (report->error == ENOEXEC)
        why = "the unwind information does not contain them (gcc before 11); compile with hooks";
    fprintf(stderr, "eprof: the function entries of %s are not recorded: %s\n", module, why);
}

static void opened(void *context, const struct ep_patch_report *report)
{
    (void)context;
    ep_extent_forget_leaves();
    if (report->error)
        complain(report);
}

/* context: counts the entries that are in no function. */
static bool is_wanted(void *context, uintptr_t entry)
{
    struct ep_extent extent;
    size_t *unknown = context;
    if (ep_extent_find(entry, &extent))
        return eprof_entry_is_wanted(extent.begin);
    ++*unknown;
    return false;
}

/* A return address on a shadow stack (CET) cannot be replaced. */
static bool has_shadow_stack(void)
{
    uint64_t pointer = 0;
    __asm__ volatile(".byte 0xf3, 0x48, 0x0f, 0x1e, 0xc8" : "+a"(pointer)); /* rdsspq %rax */
    return pointer != 0;
}

/* Before the constructors of the modules that need this library. */
__attribute__((constructor)) static void begin(void)
{
    struct ep_patch_report report = {.error = 0};
    bool is_possible = ep_routine_prepare() && !has_shadow_stack() &&
                       pthread_key_create(&thread_end, end_thread) == 0;
    pthread_atfork(NULL, NULL, begin_child);
    ep_patch_tell_opened(opened);
    static size_t unknown; /* static: is_wanted() also gets it for modules that are opened later */
    void (*routine)(void) = is_possible ? ep_routine : NULL;
    if (ep_patch_all(routine, is_wanted, &unknown, &report) == 0 && unknown && !report.patched)
        report.error = ENOEXEC;
    if (report.error)
        complain(&report);
}

#endif
