/*
 * record/stack.h - the stack of a thread's open scopes: entries are made, found and closed
 *
 * A scope may be left without a leave: by longjmp() or by the end of its thread. Its entry is stale
 * then: the frame of its function no longer exists on the program's own stack. The next enter or
 * leave closes it, and counts an unwound scope (forced_closes in reports).
 *
 * An entry is the cell of an open scope; nodes, which stay after a scope is closed, are in tree.h.
 * The hot paths of enter and leave are in instrument/scope_open.h. "Busy": the thread is busy.
 */
#ifndef EP_RECORD_STACK_H
#define EP_RECORD_STACK_H

#include "eprof.h"
#include "record/tree.h"

EP_INLINE struct ep_open_scope_cell *ep_stack_entry(const struct ep_thread *thread, ep_ref ref)
{
    return &thread->cells[ref].frame;
}

EP_INLINE ep_ref ep_stack_ref(const struct ep_thread *thread,
                              const struct ep_open_scope_cell *entry)
{
    return (ep_ref)((const union ep_cell *)entry - thread->cells);
}

/* The frame of an entry on an alternate signal stack above the interrupted one. Every frame is
 * above it, so each further enter checks whether that stack is still in use. */
enum { EP_STACK_ALTERNATE = 0 };

/* Where a scope is, as its macro says. */
struct ep_stack_scope {
    uint64_t frame;          /* canonical frame address of its function */
    uint32_t return_address; /* lower half of the frame's return address */
    uint32_t token;          /* lower half of the address of its token */
    uint32_t state;          /* EP_SCOPE_MANUAL, EP_SCOPE_FUNCTION, or 0 */
};

/* The canonical frame address of a function without a frame pointer is unknown. The estimate lies
 * between the stack pointer and that address. */
EP_INLINE bool ep_stack_is_estimate(uint64_t frame)
{
    return frame & 1 && frame != UINT64_MAX;
}

/* Two functions that are called in turn at the same stack depth differ by their return addresses.
 * On x86 that lies right below the canonical frame address. On other processors the compiler
 * chooses where it lies, so the caller passes it: one more register, next to two reads of the
 * clock. */
#if defined(__x86_64__) || defined(__i386__)

typedef uint32_t ep_half __attribute__((may_alias)); /* the lower half of a word of the program */

EP_INLINE uint64_t ep_stack_frame_address(eprof_frame frame)
{
    return (uintptr_t)frame;
}

EP_INLINE uint32_t ep_stack_return_address(eprof_frame frame)
{
    const ep_half *return_address = (const ep_half *)((const uintptr_t *)frame - 1);
    ep_written_unseen(return_address);
    return *return_address;
}

/* Read again, so that no register is needed for it until then. */
EP_INLINE uint32_t ep_stack_return_address_again(const struct ep_stack_scope *scope)
{
    return ep_stack_return_address((eprof_frame)(uintptr_t)scope->frame);
}

#else

EP_INLINE uint64_t ep_stack_frame_address(eprof_frame frame)
{
    return (uintptr_t)frame.address;
}

EP_INLINE uint32_t ep_stack_return_address(eprof_frame frame)
{
    return (uint32_t)(uintptr_t)frame.caller;
}

EP_INLINE uint32_t ep_stack_return_address_again(const struct ep_stack_scope *scope)
{
    return scope->return_address;
}

#endif

/* Return address and tokens as one word, as they lie in an entry. */
EP_INLINE uint64_t ep_stack_caller(uint32_t return_address, uint32_t tokens)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return return_address | (uint64_t)tokens << 32;
#else
    return tokens | (uint64_t)return_address << 32;
#endif
}

/* The bit of a token in the set of its frame's tokens. Tokens are single bytes, next to each other
 * or 8 or 16 apart. */
EP_INLINE uint32_t ep_stack_token_bit(uint32_t token)
{
    return UINT32_C(1) << ((token ^ token >> 5) & 31);
}

/* *tokens: the set of tokens of the lower entries in the same frame; `top` is the innermost entry.
 * false: an entry may be stale, or the same token is there. */
EP_INLINE bool ep_stack_tokens(const struct ep_open_scope_cell *top,
                               const struct ep_stack_scope *scope, uint32_t *tokens)
{
    *tokens = 0;
    if (EP_LIKELY(top->frame > scope->frame))
        return true;
    *tokens = top->tokens | ep_stack_token_bit(top->token);
    return top->frame == scope->frame && top->return_address == scope->return_address &&
           top->token != scope->token && !(top->tokens & ep_stack_token_bit(scope->token));
}

/* As ep_stack_tokens(), but compares the tokens of the frame's entries one by one: two tokens may
 * have the same bit. Calls no function. */
bool ep_stack_tokens_apart(const struct ep_thread *thread, const struct ep_stack_scope *scope,
                           uint32_t *tokens);

/* Whether no enter or leave is in progress: otherwise an entry that is being entered or left is
 * above `top` and not free. */
EP_INLINE bool ep_stack_is_quiet(const struct ep_thread *thread)
{
    return thread->free == thread->top->next;
}

/* Makes the lowest entry if the thread has none, and a slot for a site. 0, or -1: no memory;
 * counted. Busy. */
int ep_stack_begin(struct ep_thread *thread, uint32_t number);

/* The lowest entry that is not in use, made if there is none. 0: no memory; counted. Busy. */
ep_ref ep_stack_next(struct ep_thread *thread);

/* ep_stack_lose() counts a manual enter that got no entry above the innermost one;
 * ep_stack_find_lost() finds it for its leave. So each leave ends its own enter. false: none is
 * innermost. */
void ep_stack_lose(struct ep_thread *thread);
bool ep_stack_find_lost(struct ep_thread *thread);

/* The entry that ep_stack_resync() would leave innermost. It only reads, so the thread need not be
 * busy. */
const struct ep_open_scope_cell *ep_stack_around(const struct ep_thread *thread,
                                                 const struct ep_stack_scope *scope);

/* Closes stale entries below a scope that is being entered. A scope on a signal handler's alternate
 * stack, above the program's own, gets the frame EP_STACK_ALTERNATE. Busy. */
void ep_stack_resync(struct ep_thread *thread, struct ep_stack_scope *scope);

/* Whether an entry is still being entered, below the signal handler that asks. It may be
 * left over from an enter that a jump out of a handler cut off. */
bool ep_stack_is_being_entered(const struct ep_open_scope_cell *entry,
                               const struct ep_stack_scope *scope);

/* ---- signal handlers that jump out of an enter or a leave ---- */

/* Whether the open entry of a site (struct ep_site_slot) is complete and that of the site. It is
 * not if a signal handler has interrupted its enter or leave, and may be that of another site if
 * the handler jumped out. */
EP_INLINE bool ep_stack_is_open_of(const struct ep_thread *thread,
                                   const struct ep_open_scope_cell *entry, uint32_t number)
{
    return ep_load(&entry->state) & EP_SCOPE_OPEN && ep_tree_site(thread, entry->node) == number;
}

EP_INLINE void ep_stack_repair_open(const struct ep_thread *thread, struct ep_site_slot *site_slot,
                                    uint32_t number)
{
    if (site_slot->open && ep_tree_site(thread, site_slot->open->node) != number)
        site_slot->open = NULL;
}

/* Whether a call of the library with the stack pointer `at_work` (0: not known) was left by a jump,
 * so that the present one, with the stack pointer `here`, is not inside it. */
bool ep_stack_is_left(uintptr_t at_work, uintptr_t here);

/* ---- the entry of a leave ---- */

/* The open entry of a token; NULL: none. */
struct ep_open_scope_cell *ep_stack_find(const struct ep_thread *thread, uint64_t token_address);

/* The open entry of a function that is being left; NULL: none. It is the entry in the frame of the
 * exit, or else the innermost one of the function (ep_stack_may_end_at()): gcc -O2 splits functions
 * (-fpartial-inlining), so that the enter hook is inlined into the caller, and the exit hook lies
 * in a function of its own, FUNCTION.part.0. */
struct ep_open_scope_cell *ep_stack_find_function(const struct ep_thread *thread, uint32_t number,
                                                  const struct ep_stack_scope *scope);

/* An exit that is farther below the frame of an entry is on another stack. A caller with a larger
 * frame has an estimate, near to what it calls (auto/hooks.c, FRAME_MOST_BYTES). */
enum { EP_STACK_SPLIT_MOST_BYTES = 64 << 10 };

/* Whether recording was on, for all threads and for this one, since the entry was made. */
EP_INLINE bool ep_stack_is_since_switch(const struct ep_thread *thread,
                                        const struct ep_open_scope_cell *entry)
{
    return (entry->generation & EP_GENERATION_NUMBER) >=
               ep_load(&thread->control->switch_generation) &&
           !((entry->generation ^ ep_load(&thread->generation)) & EP_OWNER_TAG_SWITCHES) &&
           !thread->is_off;
}

/* Whether the call of an entry may end in another frame, in which its function has no entry. It may
 * not if the function may have been entered again without an entry, because recording was off or
 * memory was exhausted: then the exit may belong to that call. */
EP_INLINE bool ep_stack_may_end_at(const struct ep_thread *thread,
                                   const struct ep_open_scope_cell *entry, uint64_t frame)
{
    bool is_near = entry->frame - frame <= EP_STACK_SPLIT_MOST_BYTES ||
                   entry->frame == EP_STACK_ALTERNATE || ep_stack_is_estimate(frame);
    return is_near && !(entry->state & EP_SCOPE_UNSURE) && ep_stack_is_since_switch(thread, entry);
}

/* An enter of a site was lost: its open calls are marked as unsure. */
void ep_stack_doubt(struct ep_thread *thread, uint32_t number);

/* Closes all entries above `entry` as unwound. Busy. */
void ep_stack_close_above(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                          uint64_t now_ticks);

/* In a signal handler that interrupts a cold path: whether a handler, not the program, made the
 * entry after that path began. */
bool ep_stack_is_of_handler(const struct ep_thread *thread, const struct ep_open_scope_cell *entry);

/* In such a handler: removes an entry of a handler and those above it, as the hot path does, and
 * counts them as lost. If the entry is the program's own, the handler's enter was lost, and nothing
 * is done. */
void ep_stack_drop(struct ep_thread *thread, const struct ep_open_scope_cell *entry);

/* Closes the innermost entry and adds its time, if it counts. Busy. */
void ep_stack_close_top(struct ep_thread *thread, uint64_t now_ticks);

/* At the thread's end: closes all entries as unwound. Lock. */
void ep_stack_end(struct ep_thread *thread);

/* The number of open entries whose leaves must still be recorded while recording is being switched
 * off. For the thread itself, or under the lock while recording is off. */
uint32_t ep_stack_open(const union ep_cell *cells, const struct ep_thread_cell *thread);

/* In a forked child: makes the stack of a zeroed record again from its cells. 0, or -1. Lock. */
int ep_stack_rebuild(struct ep_thread *thread);
/* In a forked child: closes all entries of a thread that does not exist there. Lock. */
void ep_stack_forget(union ep_cell *cells, const struct ep_thread_cell *thread);

#endif /* EP_RECORD_STACK_H */
