/*
 * instrument/entry.c - calls of functions whose entries are patched
 *
 * They feed the same stack and tree as hooks. But only the end of a timed call is reported. So an
 * open scope of an untimed call may have ended. Each further enter that is out of line finds that
 * out: libeprof-auto unwinds to the innermost function with an entry around the new call, also
 * through other code, such as qsort() or a signal handler, and gives its frame. Calls inside that
 * function have ended. Where the code cannot be unwound, two signs remain: the frame of the open
 * call is not above that of the new one, or the slot of its return address holds another one.
 */
#include "instrument/entry.h"
#include "eprof.h"
#include "instrument/entry_cost.h"
#include "instrument/function.h"
#include "instrument/function_filter.h"
#include "instrument/function_table.h"
#include "instrument/scope_open.h"
#include "record/process_life.h"

/* ---- which functions are recorded ---- */

EP_EXPORT int eprof_entry_is_wanted(uintptr_t function)
{
    EP_KEEP_ERRNO;
    struct ep_loaded_module module;
    if (!ep_process_self() || ep_process.is_off)
        return 0;
    if (!ep_function_filter_is_set())
        return 1;
    if (!ep_thread_begin_cold())
        return 0;
    bool is_wanted = ep_module_find(function, &module, ep_function_filter_ask) == 0 &&
                     !ep_function_filter_leaves_out(&module, function);
    ep_thread_end_cold();
    return is_wanted;
}

/* ---- which calls have ended ---- */

/* Open calls are looked at from the innermost one on. */
enum { LOOK_MOST = 64 };

/* Where the program is now: the innermost function that may be open. */
struct place {
    uint64_t frame;  /* canonical */
    uint32_t entry;  /* of the function */
    uint32_t thunks; /* the lower half of the address of the thunks; 0: it is not known */
    bool is_unknown; /* the frame is that of a call inside that function */
    const struct eprof_entry_call *call; /* NULL: none */
};

/* What the light stack and the stack have in common. */
struct open_call {
    uint64_t frame;
    uint32_t return_address, entry;
    bool is_silent; /* nothing reports its end, or an exception may have left it */
};

/* Whether the call is that of a function of which a part was moved away (FUNCTION.cold), so that it
 * looks like other code. */
static bool is_passed(const struct place *place, const struct open_call *open)
{
    for (int i = 0; place->call && i < place->call->passed_count; i++)
        if (open->frame == place->call->passed[i])
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no frame has the address 0 */
            return ((const uint32_t *)(uintptr_t)open->frame)[-2] == open->return_address;
    return false;
}

static bool is_at(const struct place *place, const struct open_call *open)
{
    bool is_in_frame = open->frame == place->frame || open->frame == EP_STACK_ALTERNATE;
    return (is_in_frame && !place->is_unknown && open->entry == place->entry) ||
           is_passed(place, open);
}

/* Whether a call has ended, as far as addresses tell: another stack may be above or below. */
static bool has_ended(const struct place *place, const struct open_call *open)
{
    if (open->frame < place->frame)
        return true;
    return place->is_unknown
               ? open->frame == place->frame ||
                     ((const uint32_t *)(uintptr_t)open->frame)[-2] != open->return_address
               : open->frame == place->frame && !is_at(place, open);
}

/* The number of innermost calls that have ended, up to one whose end is reported. If the function
 * at the place is open, these are all calls inside it. get: the call at a distance from the
 * innermost one; false: there are no more. */
static unsigned count_ended(const struct place *place, const struct ep_thread *thread,
                            bool (*get)(const struct ep_thread *thread, const struct place *place,
                                        unsigned distance, struct open_call *open))
{
    struct open_call open;
    unsigned ended = 0, reported = LOOK_MOST, distance = 0;
    for (; distance < LOOK_MOST && get(thread, place, distance, &open); distance++) {
        if (is_at(place, &open))
            return reported < distance ? reported : distance;
        if (!open.is_silent && reported == LOOK_MOST)
            reported = distance;
        if (open.frame == UINT64_MAX)
            break;
        ended += ended == distance && open.is_silent && has_ended(place, &open);
    }
    return ended < reported ? ended : reported;
}

/* Not an entry that a signal handler has interrupted while it was entered or left. */
static bool get_light(const struct ep_thread *thread, const struct place *place, unsigned distance,
                      struct open_call *open)
{
    (void)place;
    const struct ep_light *light = thread->light;
    const struct eprof_open *entry = eprof_hot.top - distance;
    if (!light || entry <= light->lowest || entry->cell < EP_LIGHT_ENTRY || !entry->state)
        return false;
    bool is_silent = entry->cell == EP_LIGHT_ENTRY;
    *open = (struct open_call){.frame = entry->frame,
                               .return_address = entry->return_address,
                               .entry = is_silent ? entry->token : ~entry->token,
                               .is_silent = is_silent};
    return true;
}

/* A timed call has a thunk in place of its return address. */
static bool is_silent(const struct place *place, const struct ep_open_scope_cell *entry)
{
    return entry->state & EP_SCOPE_ENTRY ||
           (place->thunks && entry->state & EP_SCOPE_FUNCTION &&
            entry->return_address - place->thunks < EPROF_THUNKS_BYTES);
}

static bool get_cell(const struct ep_thread *thread, const struct place *place, unsigned distance,
                     struct open_call *open)
{
    const struct ep_open_scope_cell *entry = thread->top;
    for (; distance; distance--) {
        if (entry->frame == UINT64_MAX)
            return false;
        entry = ep_stack_entry(thread, entry->below);
    }
    *open = (struct open_call){.frame = entry->frame,
                               .return_address = entry->return_address,
                               .entry = entry->token,
                               .is_silent = is_silent(place, entry)};
    return true;
}

/* Returns whether there were any. Between ep_light_begin() and ep_light_end(). */
static bool close_ended(struct ep_thread *thread, const struct place *place)
{
    if (thread->busy || !thread->top || !is_silent(place, thread->top) ||
        (thread->light && thread->light->inner))
        return false;
    unsigned ended = count_ended(place, thread, get_cell);
    for (unsigned i = 0; i < ended; i++) {
        const struct ep_open_scope_cell *top = thread->top;
        if (!ep_scope_leave_untimed(thread, EP_SCOPE_FUNCTION | EP_SCOPE_ENTRY))
            ep_scope_close(thread, top, ep_source_now(ep_process_source()));
        ep_light_closed(thread, ep_stack_ref(thread, top));
    }
    return ended;
}

void ep_entry_end_below(const void *stack_pointer)
{
    struct ep_thread *thread = ep_thread_self;
    const struct place place = {.frame = (uintptr_t)stack_pointer, .is_unknown = true};
    ep_light_take_off(count_ended(&place, thread, get_light));
    if (!thread->top || !(thread->top->state & EP_SCOPE_ENTRY))
        return;
    bool has_begun = ep_light_begin();
    close_ended(thread, &place);
    ep_light_end(has_begun);
}

/* ---- calls that have an edge ---- */

/* As the routine of libeprof-auto takes calls off, also those that have a cell. NULL: none is open,
 * or addresses do not tell. */
static const struct eprof_open *innermost_open(const struct ep_light *light, uint64_t frame)
{
    enum { NEAR_BYTES = 64 << 10 }; /* farther away may be another stack */
    const struct eprof_open *open = eprof_hot.top;
    if (open < light->lowest || open > light->open + EP_LIGHT_OPEN)
        return NULL; /* the library is at work */
    while (open->frame <= frame) {
        if (frame - open->frame > NEAR_BYTES || open == light->lowest)
            return NULL;
        open--;
    }
    return open;
}

static bool holds_slot(const struct eprof_open *open, uint64_t frame)
{
    enum { NEAR_BYTES = 64 << 10 };
    return open->frame - frame < NEAR_BYTES &&
           ((const uint32_t *)(uintptr_t)open->frame)[-2] == open->return_address;
}

/* An edge exists only if the call returns into the function of the entry before it. */
EP_EXPORT int eprof_entry_is_known(struct eprof_entry_call *call)
{
    struct ep_light *light = ep_thread_self->light;
    uint64_t frame = (uintptr_t)(call->slot + 1);
    const struct eprof_open *open = light && !light->inner ? innermost_open(light, frame) : NULL;
    if (!open || ep_light_entry_of(light, open) != call->caller)
        return 0;
    uint64_t key = EPROF_ENTRY_KEY(call->entry, *call->slot);
    const char *place = ep_load(&eprof_hot.edges) + ep_load(&open->state) +
                        (EPROF_ENTRY_OFFSET(key) | (uint64_t)open->limit);
    const struct eprof_edge *edge = (const struct eprof_edge *)(const void *)place;
    /* before the key is compared: a signal handler may put another edge there */
    uint64_t state = ep_load(&edge->state);
    ep_signal_fence();
    if (ep_load(&edge->site) != key || (state & EPROF_ENTRY_SLOT && !holds_slot(open, frame)))
        return 0;
    call->caller_frame = open->frame;
    call->is_caller_known = call->is_direct = 1;
    call->is_leaf = state & EPROF_ENTRY_LEAF;
    return 1;
}

/* ---- enter ---- */

/* If the innermost entry is this call's and its end is reported, it is left by the thunk. */
static int expect_return(struct ep_thread *thread, struct eprof_entry_call *call)
{
    struct ep_open_scope_cell *top = thread->top;
    struct ep_light *light = thread->light;
    bool is_own = top &&
                  (top->frame == (uintptr_t)(call->slot + 1) || top->frame == EP_STACK_ALTERNATE) &&
                  top->token == (uint32_t)call->entry &&
                  (top->return_address == (uint32_t)*call->slot ||
                   top->return_address == (uint32_t)call->thunk);
    if (!is_own || (top->state & EP_SCOPE_ENTRY && top->state & EP_SCOPE_UNTIMED))
        return 0;
    ep_store(&top->state, top->state & ~(uint32_t)EP_SCOPE_ENTRY);
    ep_store(&top->return_address, (uint32_t)call->thunk);
    if (light && !light->inner && light->top->cell == ep_stack_ref(thread, top))
        light->top->return_address = (uint32_t)call->thunk;
    *call->slot = call->thunk;
    if (ep_process_source()->is_counter)
        call->start_ticks = &top->start_ticks;
    return 1;
}

/* The same for a call that was entered by its edge. A timed one has an entry without a cell, until
 * a signal handler gives it one, with the return address that the entry has at that moment. */
static int expect_light_return(struct ep_thread *thread, struct eprof_entry_call *call)
{
    struct eprof_open *top = eprof_hot.top;
    if (top->frame == (uintptr_t)(call->slot + 1) && ep_load(&top->cell) == EP_LIGHT_TIMED) {
        ep_store(&top->return_address, (uint32_t)call->thunk);
        ep_signal_fence();
    }
    if (top->return_address != (uint32_t)call->thunk || ep_load(&top->cell) != EP_LIGHT_TIMED)
        return expect_return(thread, call);
    *call->slot = call->thunk;
    if (ep_process_source()->is_counter)
        call->start_ticks = &ep_light_timed_of(thread->light, top)->start_ticks;
    return 1;
}

/* around_frame: of the innermost open scope, from which the routine counts the distance. */
static struct ep_light_key key_of(struct eprof_entry_call *call, uint64_t around_frame)
{
    struct ep_light_key key = {EPROF_ENTRY_KEY(call->entry, *call->slot), 0};
    if (call->via_bytes && around_frame != call->caller_frame)
        call->via_bytes = 0; /* a scope or a function with hooks is between */
    if (call->via_bytes)
        key.key = EPROF_ENTRY_VIA_KEY(key.key, around_frame - (uintptr_t)(call->slot + 1));
    key.offset = EPROF_ENTRY_OFFSET(key.key);
    return key;
}

EP_EXPORT int eprof_entry_enter(struct eprof_entry_call *call)
{
    uint32_t number = ep_function_number(call->function);
    bool is_left_out = ep_function_is_left_out(call->function, &number);
    if (is_left_out || !call->thunk) {
        if (!is_left_out) /* the program left thousands of timed calls by jumps, or is as deep */
            ep_thread_diagnose(ep_thread_self, EP_DIAGNOSTIC_LOST);
        /* what this call makes must not be taken for calls of an outer one of its function: the
         * routine takes only calls without a cell off */
        ep_light_write_out();
        return 0;
    }
    uint32_t entry = (uint32_t)call->entry;
    struct ep_stack_scope scope = {.frame = (uintptr_t)(call->slot + 1),
                                   .return_address = (uint32_t)*call->slot,
                                   .token = entry,
                                   .state = EP_SCOPE_FUNCTION};
    /* A signal handler must leave the stack as it was, since it may have interrupted an inline part
     * (record/light.h). So the end of its outermost function is reported in any case. */
    if (!call->is_in_handler)
        scope.state |= EP_SCOPE_ENTRY;
    struct place place = {.frame = call->caller_frame, .entry = call->caller, .call = call};
    if (!call->is_caller_known)
        place = (struct place){.frame = scope.frame, .is_unknown = true, .call = call};
    else if (!call->is_in_handler)
        place.thunks = (uint32_t)call->thunk & -EPROF_THUNKS_BYTES;
    ep_light_take_off(count_ended(&place, ep_thread_self, get_light));
    uint32_t via_bytes = call->via_bytes;
    struct ep_light_key key = key_of(call, eprof_hot.top->frame);
    if (ep_light_timed_enter(key, &scope, ~entry, NULL, NULL))
        return expect_light_return(ep_thread_self, call);
    ep_process_self(); /* in a forked child the open calls get their entries */
    bool has_begun = ep_light_begin();
    if (close_ended(ep_thread_self, &place)) {
        ep_light_end(has_begun);
        call->via_bytes = via_bytes;
        key = key_of(call, eprof_hot.top->frame);
        if (ep_light_timed_enter(key, &scope, ~entry, NULL, NULL))
            return expect_light_return(ep_thread_self, call);
        has_begun = ep_light_begin();
    }
    /* the routine stores the start later: the time of a handler may lie before it (is_torn()) */
    if (call->is_in_handler && ep_thread_self->top)
        ep_thread_self->was_interrupted = true;
    call->via_bytes = via_bytes;
    key = key_of(call, ep_thread_self->top ? ep_thread_self->top->frame : 0);
    ep_light_set_key(ep_thread_self, key.key);
    ep_light_set_entry(ep_thread_self, call);
    ep_thread_self->thunks = (uint32_t)call->thunk & -EPROF_THUNKS_BYTES;
    ep_thread_wait(ep_thread_self);
    ep_function_enter(call->function, number, &scope);
    int is_timed = expect_return(ep_thread_self, call);
    ep_light_end(has_begun);
    ep_thread_wait(ep_thread_self);
    return is_timed;
}

/* ---- leave ---- */

/* The innermost call, which is timed. It has a cell if it began out of line, or if a signal handler
 * gave it one. */
static bool represents_others(struct ep_thread *thread, uint32_t entry)
{
    const struct ep_open_scope_cell *top = thread->top;
    if (eprof_hot.top->cell == EP_LIGHT_TIMED)
        return true;
    return top && top->token == entry && top->state & EP_SCOPE_SAMPLE &&
           ep_light_timed_weight(thread, top) > 1;
}

/* Calls inside it have lower frames. */
EP_EXPORT void eprof_entry_leave(const struct eprof_entry_call *call, uint64_t now_ticks)
{
    uint64_t frame = (uintptr_t)(call->slot + 1);
    struct open_call open;
    while (get_light(ep_thread_self, NULL, 0, &open) && open.is_silent && open.frame < frame)
        if (!ep_light_take_off(1))
            break;
    struct ep_stack_scope scope = {.frame = frame,
                                   .return_address = (uint32_t)call->thunk,
                                   .token = (uint32_t)call->entry,
                                   .state = EP_SCOPE_FUNCTION};
    const struct ep_source *source = ep_process_source();
    struct ep_thread *thread = ep_thread_self;
    bool is_counter = source && source->is_counter;
    bool is_sampled = represents_others(thread, (uint32_t)call->entry);
    thread->leaves_entry = true;
    ep_function_leave((uint32_t)call->entry, ep_function_number(call->function), scope,
                      is_counter ? now_ticks : 0);
    thread->leaves_entry = false;
    if (is_counter && now_ticks && call->outside_ticks)
        ep_entry_cost_add(thread, is_sampled,
                          call->outside_ticks + (ep_counter_read() - now_ticks));
}
