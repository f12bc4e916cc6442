/*
 * instrument/value.c - EPROF_VALUE, EPROF_BYTES and EPROF_FRAME
 *
 * The numbers of a site at a call path are in a node of the call tree, below the innermost open
 * scope (EP_NODE_VALUE). So holds, resets, forks, ended threads and merges treat them as they treat
 * calls. A frame is a scope whose outermost calls are all timed. The time by which a frame exceeds
 * its budget is a number of a site of its own (EP_SITE_OVER).
 */
#include "eprof.h"
#include "instrument/entry.h"
#include "instrument/scope_open.h"
#include "instrument/site.h"
#include "record/control.h"
#include "record/held.h"
#include "record/horizon.h"
#include "record/light_manual.h"
#include "record/process_life.h"
#include "record/process_lock.h"
#include "record/slow.h"

/* ---- numbers ---- */

/* A signal handler may do so at the same time. `calls` last: pairs with the acquires in
 * snapshot/figures.c. */
static void add(struct ep_statistics *stats, uint64_t magnitude)
{
    struct ep_thread *thread = ep_thread_self;
    bool is_added = magnitude < EP_OCTAVE_BUCKETS
                        ? ep_statistics_add_lowest(thread->cells, stats, magnitude)
                        : ep_statistics_add_hot(thread->cells, stats, magnitude);
    if (EP_UNLIKELY(!is_added))
        ep_statistics_add(stats, &thread->tree_cells, magnitude);
    ep_statistics_add_time(stats, magnitude);
    ep_add64_release(&stats->calls, 1);
}

/* The node below `around`; NULL: there was no room, which is counted. The thread is busy. */
static struct ep_node_cell *need_node(struct ep_thread *thread, ep_ref around, uint32_t key)
{
    ep_ref parent = ep_hold_node(thread, around);
    ep_ref ref = parent ? ep_tree_child(thread, parent, key) : 0;
    if (!ref || ep_tree_node(thread, ref)->site != key) /* "(other)" has no numbers */
        return NULL;
    ep_hold_visit(thread, ref, ep_thread_generation(thread));
    return ep_tree_node(thread, ref);
}

/* Closes the scopes of functions that have ended. The thread is busy. */
static void resync(struct ep_thread *thread, struct ep_stack_scope scope)
{
    if (ep_stack_is_quiet(thread))
        ep_stack_resync(thread, &scope);
}

static uint32_t need_number(struct eprof_site *site, enum ep_site_kind kind)
{
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (!number) {
        number = ep_site_of_kind(site, kind);
        ep_site_set_number(site, number);
    }
    return number;
}

/* bits: EP_NODE_... */
EP_COLD static void record_general(struct eprof_site *site, enum ep_site_kind kind, uint32_t bits,
                                   uint64_t magnitude, struct ep_stack_scope scope)
{
    EP_KEEP_ERRNO;
    struct ep_node_cell *node = NULL;
    struct ep_thread *thread = ep_process_self();
    if (!thread || thread->is_off || !(ep_load(&eprof_recording) & EP_RECORDING_STARTS))
        return;
    if (!ep_thread_begin_cold()) /* a handler in a cold path; counted */
        return;
    uint32_t number = need_number(site, kind);
    if (number && ep_stack_begin(thread, 0) == 0) {
        resync(thread, scope);
        node = need_node(thread, thread->top->node, number | bits);
    }
    ep_thread_end_cold();
    if (node)
        add(&node->stats, magnitude);
    else
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
}

static bool record_at(struct ep_thread *thread, uint32_t number, uint32_t bits, uint64_t magnitude,
                      const struct ep_stack_scope *scope)
{
    const struct ep_open_scope_cell *top = thread->top;
    if (!top || !number || thread->busy || thread->is_off)
        return false;
    bool is_inside = top->frame > scope->frame ||
                     (top->frame == scope->frame && top->return_address == scope->return_address);
    if (!is_inside)
        return false;
    ep_ref ref = ep_tree_find(thread, top->node, number | bits);
    struct ep_node_cell *node = ref ? ep_tree_node(thread, ref) : NULL;
    if (!node || node->generation != ep_thread_generation(thread))
        return false;
    add(&node->stats, magnitude);
    if (bits == EP_NODE_VALUE)
        ep_light_lead_value(thread, number, node);
    return true;
}

__attribute__((noinline)) static void record(struct eprof_site *site, enum ep_site_kind kind,
                                             int64_t value, struct ep_stack_scope scope)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint32_t bits = EP_NODE_VALUE | (value < 0 ? EP_NODE_NEGATIVE : 0);
    ep_entry_end_below(__builtin_dwarf_cfa());
    bool has_begun = ep_light_begin();
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (EP_UNLIKELY(!record_at(ep_thread_self, number, bits, magnitude, &scope)))
        record_general(site, kind, bits, magnitude, scope);
    ep_light_end(has_begun);
}

EP_EXPORT void eprof_value_record(struct eprof_site *site, int64_t value, int is_bytes,
                                  eprof_frame frame)
{
    struct ep_stack_scope scope = {.frame = ep_stack_frame_address(frame),
                                   .return_address = ep_stack_return_address(frame)};
    uint64_t offset = __atomic_load_n(&site->offset, __ATOMIC_RELAXED);
    struct ep_statistics *stats =
        value >= 0 ? ep_light_manual_value(offset, scope.frame, scope.return_address) : NULL;
    if (EP_LIKELY(stats != NULL))
        add(stats, (uint64_t)value);
    else
        record(site, is_bytes ? EP_SITE_BYTES : EP_SITE_VALUE, value, scope);
}

/* ---- frames ---- */

EP_EXPORT void eprof_frame_enter(struct eprof_frame_token *token, eprof_frame frame)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    bool has_begun = ep_light_begin();
    token->token.open = NULL;
    if (thread && !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS &&
        ep_thread_begin_cold()) {
        uint32_t number = need_number(token->site, EP_SITE_FRAME);
        ep_thread_end_cold();
        ep_held_is_slow(thread, true);
        if (number)
            ep_scope_open(number,
                          (struct ep_stack_scope){.frame = ep_stack_frame_address(frame),
                                                  .return_address = ep_stack_return_address(frame),
                                                  .token = (uint32_t)(uintptr_t)token,
                                                  .state = EP_SCOPE_SAMPLE});
        else
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        ep_held_is_slow(thread, false);
    }
    ep_control_quiesce_given_up(ep_thread_self);
    ep_light_end(has_begun);
}

/* The node below that of the frame, in the hold in which the frame began. The thread is busy. */
static struct ep_node_cell *need_over_node(struct ep_thread *thread,
                                           const struct ep_open_scope_cell *entry,
                                           const struct eprof_frame_token *token)
{
    uint32_t number = ep_site_of_excess(token->site, token->budget_ns),
             key = number | EP_NODE_VALUE;
    ep_ref ref = number ? ep_tree_child(thread, entry->node, key) : 0;
    if (!ref || ep_tree_node(thread, ref)->site != key)
        return NULL;
    ep_hold_visit(thread, ref, entry->generation);
    return ep_tree_node(thread, ref);
}

/* Counts a frame that ends now, if it took too long. */
static void count_over(struct ep_thread *thread, const struct ep_open_scope_cell *entry,
                       const struct eprof_frame_token *token, uint64_t now_ticks)
{
    uint64_t ticks = ep_source_difference(ep_process_source(), entry->start_ticks, now_ticks);
    bool counts = entry->state & EP_SCOPE_TIMED && !(entry->state & EP_SCOPE_VOID) &&
                  ep_thread_is_of_now(thread, entry->generation) && ep_horizon_is_possible(ticks) &&
                  token->budget_ns < UINT64_MAX;
    if (!counts || !ep_thread_begin_cold())
        return;
    uint64_t over_ticks = 0;
    struct ep_node_cell *node = NULL;
    bool is_over = ep_slow_lasts(thread, ticks, token->budget_ns + 1);
    if (is_over) {
        uint64_t ns = ep_wide_scale_ns(thread->scale, ticks);
        over_ticks = ep_wide_divide(ep_wide_multiply(ticks, ns - token->budget_ns), ns);
        node = need_over_node(thread, entry, token);
    }
    ep_thread_end_cold();
    if (node)
        add(&node->stats, over_ticks);
    else if (is_over)
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
}

EP_EXPORT void eprof_frame_leave(struct eprof_frame_token *token)
{
    EP_KEEP_ERRNO;
    if (!ep_process_is_ready())
        return;
    uint64_t now_ticks = ep_sampling_now(ep_process_source());
    struct ep_thread *thread = ep_process_self();
    bool has_begun = ep_light_begin();
    const struct ep_open_scope_cell *entry =
        thread && thread->top ? ep_stack_find(thread, (uintptr_t)token) : NULL;
    if (entry && !thread->busy)
        count_over(thread, entry, token, now_ticks);
    if (entry)
        ep_scope_close(thread, entry, now_ticks);
    if (thread)
        ep_light_left(thread, &token->token);
    ep_light_end(has_begun);
}
