/*
 * stack.h - the stack of a thread's open scopes: entries made, found, closed
 *
 * A scope may be left without leaving: by longjmp(), or by a thread's end. What is left of
 * it is seen by the frames of the program's own stack, at the next enter or leave: an entry is
 * stale if its function's frame is not there any more. It is closed then, and counted as a
 * forced close.
 */
#ifndef EP_STACK_H
#define EP_STACK_H

#include "eprof.h"
#include "thread.h"

EP_INLINE struct ep_frame_cell *ep_stack_entry(const struct ep_thread *thread, ep_ref ref)
{
    return &thread->cells[ref].frame;
}

EP_INLINE ep_ref ep_stack_ref(const struct ep_thread *thread, const struct ep_frame_cell *entry)
{
    return (ep_ref)((const union ep_cell *)entry - thread->cells);
}

/* The frame of an entry on an alternate stack that lies above what it interrupted. Everything is
 * above this: each further enter is looked at, and asks whether that stack is in use still. */
enum { EP_STACK_ALTERNATE = 0 };

/* Where a scope is, as its macro tells. */
struct ep_stack_scope {
    uint64_t frame;          /* canonical frame address of its function */
    uint32_t return_address; /* the lower half of that of the frame */
    uint32_t token;          /* the lower half of the address of its token */
    uint32_t state;          /* EP_FRAME_MANUAL, EP_FRAME_FUNCTION, or 0 */
};

/* Of a function that keeps no frame pointer the canonical frame address is not known, but an
 * address that lies above the stack pointer and below it. */
EP_INLINE bool ep_stack_is_estimate(uint64_t frame)
{
    return frame & 1 && frame != UINT64_MAX;
}

/*
 * Two functions that are called one after the other from the same place in the stack are told apart
 * by their return addresses. On x86 that lies right below the canonical frame address. Elsewhere
 * it lies where the compiler likes, and is told; a register more, next to two reads of the clock.
 */
#if defined(__x86_64__) || defined(__i386__)

EP_INLINE uint64_t ep_stack_frame_address(eprof_frame frame)
{
    return (uintptr_t)frame;
}

EP_INLINE uint32_t ep_stack_return_address(eprof_frame frame)
{
    const uintptr_t *return_address = (const uintptr_t *)frame - 1;
    ep_written_unseen(return_address);
    return (uint32_t)*return_address;
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

#endif

/* Return address and tokens as they lie in an entry, in one word. */
EP_INLINE uint64_t ep_stack_caller(uint32_t return_address, uint32_t tokens)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return return_address | (uint64_t)tokens << 32;
#else
    return tokens | (uint64_t)return_address << 32;
#endif
}

/* A token's bit in the set of the tokens of its frame. They are single bytes, next to each
 * other or eight or sixteen apart. */
EP_INLINE uint32_t ep_stack_token_bit(uint32_t token)
{
    return UINT32_C(1) << ((token ^ token >> 5) & 31);
}

/*
 * The set of the tokens of the entries below, in the same frame, into *tokens; `top` is the
 * innermost entry. false: something may be stale, or the same token is there.
 */
EP_INLINE bool ep_stack_tokens(const struct ep_frame_cell *top, const struct ep_stack_scope *scope,
                               uint32_t *tokens)
{
    *tokens = 0;
    if (EP_LIKELY(top->frame > scope->frame))
        return true;
    *tokens = top->tokens | ep_stack_token_bit(top->token);
    return top->frame == scope->frame && top->return_address == scope->return_address &&
           top->token != scope->token && !(top->tokens & ep_stack_token_bit(scope->token));
}

/* The same where a bit of the set was found twice, which may be another token's: one by one. Calls
 * nothing. */
bool ep_stack_tokens_apart(const struct ep_thread *thread, const struct ep_stack_scope *scope,
                           uint32_t *tokens);

/* Whether nothing is under way: an entry that is claimed, or left, is above `top` and not free. */
EP_INLINE bool ep_stack_is_settled(const struct ep_thread *thread)
{
    return thread->free == thread->top->next;
}

/* The lowest entry, of a thread that has none yet, and a place for a site. 0, or -1:
 * no memory; counted. The thread is busy. */
int ep_stack_begin(struct ep_thread *thread, uint32_t number);

/* The lowest entry that is not in use, made if there is none. 0: no memory; counted. The
 * thread is busy. */
ep_ref ep_stack_next(struct ep_thread *thread);

/* Closes what is stale below a scope that is being entered. One on the alternate stack of a
 * signal handler, above the program's own, gets the frame that says so. The thread is busy. */
void ep_stack_resync(struct ep_thread *thread, struct ep_stack_scope *scope);

/* Whether an entry that is claimed is being entered still, beneath the signal handler that asks for
 * its own scope; and is not left over from an enter that a jump out of a handler has cut off. */
bool ep_stack_is_being_entered(const struct ep_frame_cell *entry,
                               const struct ep_stack_scope *scope);

/* The open entry of a token; NULL: there is none. */
struct ep_frame_cell *ep_stack_find(const struct ep_thread *thread, uint64_t token_address);

/* The open entry of a function that is being left; NULL: there is none. */
struct ep_frame_cell *ep_stack_find_function(const struct ep_thread *thread, uint32_t number,
                                             const struct ep_stack_scope *scope);

/* Closes all entries above `entry`, as forced. The thread is busy. */
void ep_stack_close_above(struct ep_thread *thread, const struct ep_frame_cell *entry,
                          uint64_t now_ticks);

/* In a signal handler in the midst of a cold path: takes an entry, and what is above it, off the
 * stack and counts them as lost, if handlers have entered it since that path began: the hot way, as
 * there is no other then, so that above them all is as it was. An entry of the program's own is
 * what is found where the handler's enter was lost: nothing comes of it. */
void ep_stack_drop(struct ep_thread *thread, const struct ep_frame_cell *entry);

/* Closes the innermost entry: accounts its time where it counts. The thread is busy. */
void ep_stack_close_top(struct ep_thread *thread, uint64_t now_ticks);

/* At the thread's end: closes all, as forced. Lock. */
void ep_stack_end(struct ep_thread *thread);

/* How many entries are open whose leaves are to come while recording is switched off. For the
 * thread itself, or under the lock while recording is off. */
uint32_t ep_stack_open(const union ep_cell *cells, const struct ep_thread_cell *thread);

/* In a forked child: the stack of a record that was wiped, from its cells. 0, or -1. Lock. */
int ep_stack_rebuild(struct ep_thread *thread);
/* The same for a thread that is not there any more: all is closed. Lock. */
void ep_stack_forget(union ep_cell *cells, const struct ep_thread_cell *thread);

#endif /* EP_STACK_H */
