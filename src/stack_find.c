#include <signal.h>

#include "hold.h"
#include "stack.h"
#include "tree.h"

/* ---- found ---- */

/* Manual entries stand in the frame of what is below them, and have its set of tokens, but
 * none of their own. */
static bool has_token(const struct ep_frame_cell *entry, uint32_t kind, uint32_t token)
{
    return (entry->state & (EP_FRAME_MANUAL | EP_FRAME_FUNCTION)) == kind && entry->token == token;
}

/* The token lies in the frame of its function: of the entries, in the first group of one
 * frame whose address is above it. */
struct ep_frame_cell *ep_stack_find(const struct ep_thread *thread, uint64_t token_address)
{
    uint64_t frame = 0;
    for (struct ep_frame_cell *entry = thread->top; entry->frame != UINT64_MAX;
         entry = ep_stack_entry(thread, entry->below)) {
        if (frame && entry->frame != frame && entry->frame != EP_STACK_ALTERNATE)
            break;
        if (has_token(entry, 0, (uint32_t)token_address))
            return entry;
        /* not so of another stack's, nor of an estimate */
        if (entry->frame > token_address && !ep_stack_is_estimate(entry->frame))
            frame = entry->frame;
    }
    return NULL;
}

/* On the alternate stack of a signal handler, addresses say nothing of what it interrupted. */
static bool is_on_alternate_stack(void)
{
    stack_t stack;
    return sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_ONSTACK;
}

static bool is_of_function(const struct ep_thread *thread, const struct ep_frame_cell *entry,
                           uint32_t number, const struct ep_stack_scope *scope)
{
    if (!(entry->state & EP_FRAME_FUNCTION) || entry->return_address != scope->return_address)
        return false;
    uint32_t site = ep_tree_site(thread, entry->node);
    return site == number || site == EP_SITE_OTHER;
}

/* In the same frame: what was inlined, and scopes. Where it is estimated, by who called it; and one
 * that has grown since, not by what was entered before recording was switched, and may be
 * another. */
static bool is_in_frame(const struct ep_thread *thread, const struct ep_frame_cell *entry,
                        const struct ep_stack_scope *scope)
{
    if (entry->frame == scope->frame)
        return true;
    if (entry->frame == UINT64_MAX || entry->return_address != scope->return_address)
        return false;
    bool is_estimate = ep_stack_is_estimate(entry->frame) || ep_stack_is_estimate(scope->frame);
    return !(entry->state & EP_FRAME_FUNCTION) ||
           (is_estimate && entry->stamp == ep_thread_stamp(thread));
}

/* From an entry on, in the frame that is left, or nearly so. */
static struct ep_frame_cell *find_in_frame(const struct ep_thread *thread,
                                           struct ep_frame_cell *entry, uint32_t number,
                                           const struct ep_stack_scope *scope, bool is_exact)
{
    for (; is_exact ? entry->frame == scope->frame : is_in_frame(thread, entry, scope);
         entry = ep_stack_entry(thread, entry->below))
        if (is_of_function(thread, entry, number, scope))
            return entry;
    return NULL;
}

/* Of another stack's no frame is known: the innermost it is. */
static struct ep_frame_cell *find_on_alternate_stack(const struct ep_thread *thread,
                                                     uint32_t number,
                                                     const struct ep_stack_scope *scope)
{
    struct ep_frame_cell *entry = thread->top;
    for (; entry->frame == EP_STACK_ALTERNATE; entry = ep_stack_entry(thread, entry->below))
        if (is_of_function(thread, entry, number, scope))
            return entry;
    return NULL;
}

/* What lies below the frame that is left is stale: all but the outermost, where that is the
 * function itself, whose frame was not known when it was entered. */
struct ep_frame_cell *ep_stack_find_function(const struct ep_thread *thread, uint32_t number,
                                             const struct ep_stack_scope *scope)
{
    struct ep_frame_cell *entry = thread->top, *outermost = NULL;
    if (entry->frame == EP_STACK_ALTERNATE && is_on_alternate_stack())
        return find_on_alternate_stack(thread, number, scope);
    for (; entry->frame < scope->frame; entry = ep_stack_entry(thread, entry->below))
        outermost = entry;
    struct ep_frame_cell *found = find_in_frame(thread, entry, number, scope, true);
    if (!found && outermost && is_of_function(thread, outermost, number, scope))
        found = outermost;
    return found ? found : find_in_frame(thread, entry, number, scope, false);
}

bool ep_stack_is_being_entered(const struct ep_frame_cell *entry,
                               const struct ep_stack_scope *scope)
{
    return ep_load(&entry->state) & EP_FRAME_CLAIMED &&
           (scope->frame < entry->frame || is_on_alternate_stack());
}

/* ---- stale ---- */

/* A scope's frame is known; that of the function around it may be an estimate, or, where the
 * function aligns its stack, a copy of it: below. */
static bool is_same_frame(const struct ep_frame_cell *entry, const struct ep_stack_scope *scope)
{
    bool is_function = entry->state & EP_FRAME_FUNCTION && !(scope->state & EP_FRAME_FUNCTION);
    return entry->return_address == scope->return_address &&
           (entry->frame == scope->frame || is_function);
}

bool ep_stack_tokens_apart(const struct ep_thread *thread, const struct ep_stack_scope *scope,
                           uint32_t *tokens)
{
    const struct ep_frame_cell *top = thread->top, *entry = top;
    for (; entry->frame == scope->frame; entry = ep_stack_entry(thread, entry->below))
        if (entry->return_address != scope->return_address ||
            has_token(entry, scope->state & EP_FRAME_FUNCTION, scope->token))
            return false;
    *tokens = top->tokens | ep_stack_token_bit(top->token);
    return entry != top && entry->frame > scope->frame;
}

/* The lowest stale entry; NULL: none is. */
static const struct ep_frame_cell *find_stale(const struct ep_thread *thread,
                                              const struct ep_stack_scope *scope)
{
    const struct ep_frame_cell *stale = NULL;
    for (const struct ep_frame_cell *entry = thread->top;;
         entry = ep_stack_entry(thread, entry->below)) {
        if (entry->frame > scope->frame)
            return stale;
        bool is_same_token = !(scope->state & EP_FRAME_MANUAL) &&
                             has_token(entry, scope->state & EP_FRAME_FUNCTION, scope->token);
        if (!is_same_frame(entry, scope) || is_same_token)
            stale = entry;
    }
}

void ep_stack_resync(struct ep_thread *thread, struct ep_stack_scope *scope)
{
    const struct ep_frame_cell *stale = find_stale(thread, scope);
    if (!stale)
        return;
    if (is_on_alternate_stack())
        scope->frame = EP_STACK_ALTERNATE;
    else
        ep_stack_close_above(thread, ep_stack_entry(thread, stale->below),
                             ep_source_now(ep_process_source()));
}
