/*
 * record/light.h - scopes that programs enter and leave inline (eprof/scopes.h), beside the stack
 * of open scopes
 *
 * A thread that records under a budget has a light stack: an entry for each open scope from some
 * scope on, the lowest one. A scope that was entered out of line has a cell in the stack of
 * record/stack.h as well; one that was entered inline gets its cell when the library is next called
 * on the thread: before that, nothing inside it needs the cell. A scope with a cell is left out of
 * line.
 *
 * State. The call tree with folded recursion is an automaton: the node of the innermost scope and
 * the nodes that are open decide which node a site leads to, and whether its call is nested. So a
 * state is a node and a set of open nodes. (Sites are not enough: A{B{C{A}}} and A{C{B{A}}} end in
 * the same node with the same open sites, and B leads to different nodes.) From one state, a site
 * always leads to the same next state: this is an edge. The set is kept as the sum of a random
 * number of each node, so that it is found again however it came about.
 *
 * Edges. The edge of a state and a site lies at the sum of their offsets (row displacement; Tarjan
 * and Yao: Storing a Sparse Table, CACM 22, 1979). The offset of a state is random. Where two edges
 * fall into one place, the state of the second one gets another offset, under which its edges are
 * learned again; so no two edges that are used miss for ever. The scope around a state's scope then
 * leads to the new offset. Two keys of functions may have the same offset in every state: then one
 * edge replaces the other, and a function with a patched entry gets another key.
 *
 * Timed calls. A call that is timed and represents others is entered and left by its edge, too: its
 * entry has no cell, but a start, and is left out of line. A call that represents only itself may
 * be long, and readers see an open scope by its cell. While processor time is recorded each timed
 * call has a cell; one that began by its edge before that has no processor time.
 *
 * Each call of the library that reads or changes the stack lies between ep_light_begin() and
 * ep_light_end(). Meanwhile the thread's top is an entry that matches nothing, and scopes of signal
 * handlers are out of line.
 *
 * Holds. In a hold a scope leads to another node (record/hold.h), so its states and edges are
 * others as well, and stay for the next hold. When a hold begins or ends, the state of the
 * innermost scope is exchanged, at the latest when that scope has become the innermost one again.
 * An edge in a hold leads to a count of record/held.h.
 *
 * The light stack begins again after a raise, after a hold that ends before the scopes in it, and
 * after a leave of its lowest scope. Tokens of open scopes still point to entries. The leave of
 * such a scope must not find the entry of another scope there, and after a longjmp() that entry may
 * be the innermost one. So the stack begins again above the entries that such tokens can point to.
 * The leave of a scope gives back the entry that its token points to.
 *
 * Functions. A hook has a key in place of the offset of a site (eprof/hooks.h). The exit hook has
 * another key than the enter hook, so both compare the lower half of the function's address, which
 * is the token of the entry. No token of the program points to the entry of a function.
 *
 * Scopes that are entered by hand. They belong to no frame and have no token: such an entry has the
 * frame of the entry below it, and only a leave by hand takes it off (record/light_manual.h). Those
 * that are timed have cells. If an entry is lost, its leave is still to come (ep_stack_lose()).
 *
 * A raise of the generation takes the edges away from all threads (ep_thread_raise_all()); each
 * thread learns them anew.
 */
#ifndef EP_RECORD_LIGHT_H
#define EP_RECORD_LIGHT_H

#include "eprof/hooks.h"
#include "record/stack.h"

enum {
    EP_LIGHT_OPEN = 126, /* the deepest scope that can be entered inline; deeper ones are not */
    EP_LIGHT_STATES = 3 * EP_THREAD_PLACES / 4, /* calls in further states are out of line */
    EP_LIGHT_PLACES_FIRST = 1024,
    EP_LIGHT_SLOW = 64,    /* paths of EPROF_SLOW that are known at a time */
    EP_LIGHT_REHEARSAL = 1 /* no address of a frame or a token */
};

/* At the place of its offset. A state that got another offset has several of these. */
struct ep_light_state {
    uint64_t sum;   /* of the open nodes */
    ep_ref node;    /* 0: no state has this offset */
    uint16_t level; /* of its hold; 0: none */
    uint16_t is_function;
};

/* Of an entry that is timed (EP_LIGHT_TIMED) or has a cell. The first two are used without a cell,
 * the weight also for a nested call with one. */
struct ep_light_timed {
    uint64_t start_ticks;
    uint32_t weight; /* how many calls it represents; 0: the sampling cells of its node tell */
    uint32_t is_nested;
    uint32_t entry; /* of a function with a patched entry: its lower half; else 0 */
    uint32_t unused;
};

/* Where the scope of an EPROF_SLOW leads from a state. It is at another level of holds, so there is
 * no edge to it. */
struct ep_light_slow {
    uint64_t from, after; /* states */
    uint64_t generation;  /* of the thread in the hold; 0: there is none here */
    ep_ref node;
    uint32_t site;
};

struct ep_light {
    struct eprof_edge edges[EP_THREAD_EDGES]; /* zero in a forked child: they lead to the parent's
                                                 counters */
    struct eprof_open open[EP_LIGHT_OPEN + 1];
    struct ep_light_timed timed[EP_LIGHT_OPEN + 1]; /* for the entries of `open` */
    struct ep_light_state states[EP_THREAD_PLACES];
    /* places of states, by node and set; 0: empty. There are twice as many slots as places; the
     * tables for fewer places come before */
    uint32_t slots[4 * EP_THREAD_PLACES];
    struct ep_light_slow slow[EP_LIGHT_SLOW];
    uint32_t state_count;
    uint32_t places;         /* in use, a power of two: so that few states touch few pages */
    uint64_t highest_offset; /* of the site of an edge */
    uint64_t key;            /* of the function that is being entered; 0: none */
    uint32_t caller;         /* the function with an entry that it was called from; 0: none */
    uint32_t via_return, via_bytes; /* as in struct eprof_entry_call */
    uint32_t is_leaf;               /* EPROF_ENTRY_LEAF or 0 */
    uint32_t betweens;              /* calls that found an entry which was being entered or left, */
    struct eprof_open *between;     /* since one found this entry first; NULL: none */
    uint32_t inner;         /* calls of signal handlers inside a call; they change nothing here */
    struct eprof_open *top; /* while the library is at work */
    uintptr_t work_stack;   /* the stack pointer of the call that is at work; 0: not known */
    struct eprof_open *lowest; /* of the innermost scope that had a cell when the stack was begun */
    const struct eprof_open *left; /* of the scope that is being left, by its token; NULL: none */
    uint64_t generation;   /* of the thread without its holds, when the edges were last cleared */
    uint32_t level;        /* of holds, when scopes were last let in */
    struct eprof_hot *hot; /* of the thread; NULL: not armed yet */
};

#if defined(__x86_64__) && !defined(__ILP32__)
/* Exchanges `top` by one instruction: a signal handler that came between a load and a store might
 * have changed what scopes may be entered inline. */
EP_INLINE struct eprof_open *ep_light_exchange_top(struct eprof_open *after)
{
    struct eprof_open *before = eprof_hot.top;
    bool is_exchanged;
    /* NOLINTNEXTLINE(bugprone-infinite-loop): the assembly sets it */
    do
        __asm__ volatile("cmpxchgq %3, %0"
                         : "+m"(eprof_hot.top), "+a"(before), "=@ccz"(is_exchanged)
                         : "r"(after)
                         : "memory");
    while (!is_exchanged);
    return before;
}

/* Where the stack pointer is: without a frame pointer, which would have to be saved. */
EP_INLINE uintptr_t ep_light_here(void)
{
    uintptr_t here;
    __asm__ volatile("movq %%rsp, %0" : "=r"(here));
    return here;
}

/* The library is at work from now on; here: ep_light_here(). Returns the former `top`. If it is at
 * work already, this is a signal handler, or one has left that work by a jump. */
EP_INLINE struct eprof_open *ep_light_begin_work(struct ep_light *light, uintptr_t here)
{
    if (ep_load(&eprof_hot.top) != &ep_thread_at_work)
        ep_store(&light->work_stack, here); /* if a handler jumps right after the exchange */
    ep_signal_fence();
    struct eprof_open *top = ep_light_exchange_top(&ep_thread_at_work);
    if (EP_LIKELY(top != &ep_thread_at_work))
        ep_store(&light->work_stack, here); /* if a handler has worked right before it */
    return top;
}

EP_INLINE void ep_light_end_work(struct ep_light *light, struct eprof_open *top)
{
    ep_signal_fence();
    ep_store(&eprof_hot.top, top);
    ep_signal_fence();
    ep_store(&light->work_stack, 0);
}
#endif

/* The thread's generation without the level of its holds. */
EP_INLINE uint64_t ep_light_generation(const struct ep_thread *thread)
{
    return ep_thread_generation(thread) & (EP_OWNER_TAG_LEVEL - 1);
}

/* The end of a hold has changed open scopes: the light stack begins again. */
EP_INLINE void ep_light_unsettle(void)
{
    ep_store(&eprof_hot.edges, (const char *)ep_thread_no_edges);
}

/* Gives a cell to each scope that was entered inline. Returns whether the caller is to pass true to
 * ep_light_end(); not in a signal handler that interrupts such a call. */
bool ep_light_begin(void);
/* Before a call of the library: takes so many innermost entries off, of functions with patched
 * entries that have no cell. false: a signal handler gave one a cell. */
bool ep_light_take_off(unsigned count);

/* Lets scopes be entered inline from now on, if that is possible, from the scope that is innermost
 * now; makes an edge to it if it was just entered by a macro. */
void ep_light_end(bool has_begun);

/* An enter in between is about to read the clock: its entry, which is filled but for the state. */
void ep_light_entering(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                       uint32_t state);

EP_INLINE const struct ep_light_state *ep_light_state_of(const struct ep_light *light,
                                                         uint64_t offset)
{
    return &light->states[offset / EPROF_EDGE_BYTES];
}

EP_INLINE bool ep_light_has_cell(const struct eprof_open *open)
{
    return open->cell && open->cell < EP_LIGHT_MANUAL;
}

EP_INLINE struct ep_light_timed *ep_light_timed_of(struct ep_light *light,
                                                   const struct eprof_open *open)
{
    return &light->timed[open - light->open];
}

/* Of an entry of a function with a patched entry: the lower half of that; else 0. */
EP_INLINE uint32_t ep_light_entry_of(struct ep_light *light, const struct eprof_open *open)
{
    if (open->cell == EP_LIGHT_ENTRY)
        return open->token;
    bool may_be = open->cell && open->cell != EP_LIGHT_MANUAL;
    return may_be ? ep_light_timed_of(light, open)->entry : 0;
}

/* The place of an edge in a state is `offset`. `key` identifies the edge: it is the offset again
 * for the site of a scope, and the key of the hook for a function. */
struct ep_light_key {
    uint64_t key, offset;
};

/* Enters a scope by its edge in two cases: the call is timed and represents others, or the count of
 * the edge is of a hold and not in use yet. timed_token: the token of the entry if the call is
 * timed. owner: the token of the program; NULL: this is a function, whose untimed entry gets
 * ~timed_token, its address. false: neither is the case, or the general case is needed.
 *
 * rehearse: makes the call for the leave that the program will make, with EP_LIGHT_REHEARSAL; it is
 * called before a timed call starts. One call in hundreds is timed: meanwhile other code has taken
 * the place of the leave in the processor's caches. Without a rehearsal the leave takes 5 to 40 ns
 * longer until it reads the clock, and this time seems to be the program's. */
bool ep_light_timed_enter(struct ep_light_key key, const struct ep_stack_scope *scope,
                          uint32_t timed_token, struct eprof_token *owner, void (*rehearse)(void));
/* Leaves a timed scope that was entered by its edge. token: its timed_token. frame: that of a
 * function; 0: this is a scope, which its token identifies. false: the innermost scope is another
 * one, or the general case is needed; the clock is read if *now_ticks is 0. EP_LIGHT_REHEARSAL
 * as frame: this reads the clock and returns true. */
bool ep_light_timed_leave(uint32_t token, uint64_t frame, uint64_t *now_ticks);

EP_INLINE void ep_light_set_entry(const struct ep_thread *thread,
                                  const struct eprof_entry_call *call)
{
    struct ep_light *light = thread->light;
    if (light && !light->inner) {
        light->caller = call->is_direct || call->via_bytes ? call->caller : 0;
        light->via_return = call->via_return;
        light->via_bytes = call->via_bytes;
        light->is_leaf = call->is_leaf ? EPROF_ENTRY_LEAF : 0;
    }
}

/* Between ep_light_begin() and the enter of a function. */
EP_INLINE void ep_light_set_key(const struct ep_thread *thread, uintptr_t key)
{
    struct ep_light *light = thread->light;
    if (light && !light->inner)
        light->key = key;
}

/* How many calls the innermost open scope represents, which is timed; it has a cell. */
uint32_t ep_light_timed_weight(struct ep_thread *thread, const struct ep_open_scope_cell *entry);

/* ---- states and edges (record/light_edges.c) ---- */

/* The set of open nodes. */
uint64_t ep_light_sum(const struct ep_thread *thread);
/* The state of the innermost scope, which is at the level of the innermost hold. 0: there are too
 * many states, or nothing was entered in the scope in such a hold yet. */
uint64_t ep_light_state_now(const struct ep_thread *thread, struct ep_light *light, uint64_t sum);
/* The state after an open scope, whose own state is known, when `entry` is entered; 0: there are
 * too many. Makes an edge to it if the next call can be inline. */
uint64_t ep_light_lead(const struct ep_thread *thread, struct ep_light *light,
                       struct eprof_open *before, const struct ep_open_scope_cell *entry,
                       uint32_t state);
/* An edge from the innermost scope to a node of the values of a site: it has no state. */
void ep_light_lead_value(const struct ep_thread *thread, uint32_t number,
                         struct ep_node_cell *node);
void ep_light_forget_edges(struct ep_light *light);

/* ---- scopes of EPROF_SLOW, in a hold that begins with them ---- */

/* Where a path may be known. */
EP_INLINE struct ep_light_slow *ep_light_slow_at(struct ep_light *light, uint64_t from,
                                                 uint32_t site)
{
    return &light->slow[(from / EPROF_EDGE_BYTES + site) % EP_LIGHT_SLOW];
}

/* The path of a site from the innermost scope, if it was entered there in a hold of this level
 * since the thread's generation was raised; else NULL. Between ep_light_begin() and
 * ep_light_end(). */
EP_INLINE const struct ep_light_slow *ep_light_known(const struct ep_thread *thread, uint32_t site)
{
    struct ep_light *light = thread->light;
    const struct eprof_open *top = light->top;
    const struct ep_light_slow *known = ep_light_slow_at(light, top->state, site);
    bool is_known =
        EP_LIKELY(known->from == top->state) && EP_LIKELY(known->site == site) &&
        EP_LIKELY(known->generation == ep_thread_generation(thread) + EP_OWNER_TAG_LEVEL) &&
        EP_LIKELY(top->cell == ep_stack_ref(thread, thread->top)) && EP_LIKELY(!top->limit);
    return is_known ? known : NULL;
}

/* An entry above the innermost one, for a scope that has a cell and leads to that state. Between
 * ep_light_begin() and ep_light_end(), before its clock is read. */
EP_INLINE void ep_light_push(const struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                             uint64_t state)
{
    struct ep_light *light = thread->light;
    struct eprof_open *open = light->top + 1;
    struct ep_light_timed *timed = ep_light_timed_of(light, open);
    open->frame = entry->frame;
    open->return_address = entry->return_address;
    open->token = 0;
    open->hook = entry->token;
    timed->entry = timed->weight = 0;
    ep_store(&open->cell, ep_stack_ref(thread, entry));
    ep_store(&open->state, state);
    light->top = open;
}

/* ---- calls ---- */

/* Before the end of a call that has left this scope of a macro. */
EP_INLINE void ep_light_left(const struct ep_thread *thread, const void *token)
{
    struct ep_light *light = thread->light;
    if (light && !light->inner)
        light->left = ((const struct eprof_token *)token)->open;
}

/* Begins and ends, for calls that only need the cells. */
void ep_light_write_out(void);

/* The thread has no light stack any more: it ends, or this is a forked child. */
void ep_light_forget(void);

/* In a forked child, for the new record of its thread: gives a cell to each scope that was entered
 * inline in the parent, and takes over the light stack. Lock. */
void ep_light_inherit(struct ep_thread *thread);

/* Gives a light stack to the record by which the probe is measured, whose stack was just made. The
 * caller restores eprof_hot. Lock. */
void ep_light_lend(struct ep_thread *thread);

/* The cell of an entry is closed and a later enter in the same call of the library may use it
 * again. */
EP_INLINE void ep_light_closed(const struct ep_thread *thread, ep_ref ref)
{
    struct ep_light *light = thread->light;
    if (!light || light->inner || eprof_hot.top != &ep_thread_at_work || light->top->cell != ref)
        return;
    ep_store(&light->top->cell, 0);
    ep_store(&light->top->state, 0);
    if (light->top > light->lowest)
        light->top--;
}

#endif /* EP_RECORD_LIGHT_H */
