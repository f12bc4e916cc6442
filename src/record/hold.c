#include "record/hold.h"

#include <errno.h>

#include "base/platform.h"
#include "eprof.h"
#include "record/held.h"
#include "record/instance_cells.h"
#include "record/light.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/statistics.h"
#include "record/tree.h"

/* ---- scratch nodes ---- */

static ep_ref at_level(struct ep_thread *thread, ep_ref node, uint32_t level)
{
    while (node && ep_tree_node(thread, node)->level < level)
        node = ep_tree_scratch(thread, node);
    return node;
}

ep_ref ep_hold_node(struct ep_thread *thread, ep_ref node)
{
    return at_level(thread, node, thread->level);
}

void ep_hold_visit(struct ep_thread *thread, ep_ref ref, uint64_t generation)
{
    struct ep_node_cell *node = ep_tree_node(thread, ref);
    if (node->level && !node->next_touched) {
        /* into the list of its hold, whose last member refers to itself */
        struct ep_hold *hold = ep_hold_at(thread, node->level);
        ep_tree_clear(thread, node, generation);
        node->next_touched = hold->touched ? hold->touched : ref;
        hold->touched = ref;
    } else {
        ep_tree_visit(thread, node, generation);
    }
}

/* The generation of this thread at a lower level of holds. */
static uint64_t generation_at(const struct ep_thread *thread, uint32_t level)
{
    return ep_thread_generation(thread) - (thread->level - level) * EP_OWNER_TAG_LEVEL;
}

/* ---- the nodes that scratch nodes replace, one level down ---- */

/* The base of a node that was first entered in the hold is the child of its parent's base. It is
 * stored, so that the next hold finds it. */
static ep_ref base_of(struct ep_thread *thread, ep_ref ref)
{
    for (;;) {
        struct ep_node_cell *node = ep_tree_node(thread, ref);
        if (node->base)
            return node->base;
        /* the highest node without a base first */
        struct ep_node_cell *parent = ep_tree_node(thread, node->parent);
        while (!parent->base) {
            node = parent;
            parent = ep_tree_node(thread, node->parent);
        }
        ep_ref base = ep_tree_child(thread, parent->base, node->site);
        bool is_other = base && ep_tree_node(thread, base)->site != node->site;
        if (!base || (is_other && node->site & EP_NODE_VALUE)) /* "(other)" has no values */
            return 0;
        node->base = base;
    }
}

/* Everything that may fail or wait is done before the first figure is moved. */
static void prepare_nodes(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_node_cell *node;
    for (ep_ref ref = hold->touched, next; ref; ref = next) {
        node = ep_tree_node(thread, ref);
        next = node->next_touched == ref ? 0 : node->next_touched;
        if (!ep_thread_is_of_now(thread, node->generation) || !base_of(thread, ref))
            continue;
        struct ep_node_cell *base = ep_tree_node(thread, node->base);
        ep_hold_visit(thread, node->base, generation_at(thread, base->level));
        ep_statistics_reserve(&base->stats, &thread->tree_cells, &node->stats);
        ep_sampling_reserve(thread, base, node);
    }
}

static void end_nodes(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    for (ep_ref ref = hold->touched, next; ref; ref = next) {
        struct ep_node_cell *scratch = ep_tree_node(thread, ref);
        next = scratch->next_touched == ref ? 0 : scratch->next_touched;
        scratch->next_touched = 0;
        bool is_of_now = ep_thread_is_of_now(thread, scratch->generation);
        struct ep_node_cell *into = ep_tree_node(thread, scratch->base);
        if (is_of_now && keep && scratch->base) {
            ep_add64(&into->self_ticks, scratch->self_ticks);
            ep_statistics_add_all(&into->stats, &scratch->stats);
            ep_sampling_add(thread, into, scratch);
            ep_statistics_add_calls(&into->stats, &scratch->stats);
        } else if (is_of_now && keep && scratch->stats.calls) {
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
        } else if (is_of_now && !keep && scratch->base && scratch->owed_ticks) {
            ep_hold_visit(thread, scratch->base, generation_at(thread, into->level));
            ep_add64(&into->self_ticks, scratch->owed_ticks);
        }
        ep_store_release(&scratch->generation, 0);
    }
    hold->touched = 0;
}

/* ---- untimed calls (record/held.h) ---- */

/* The number of untimed calls of a node outside of holds. */
static uint64_t *target_of(struct ep_node_cell *node, struct ep_sampling_cells *cells,
                           enum ep_held_kind kind)
{
    return kind == EP_HELD_OUTERMOST ? &node->stats.calls
           : kind == EP_HELD_OWN     ? &cells->own_calls
                                     : &cells->nested_calls;
}

static void prepare_calls(struct ep_thread *thread, uint32_t level)
{
    struct ep_held *held = thread->held;
    uint64_t generation = generation_at(thread, 0);
    for (uint32_t number = 0; ep_held_next_used(held, level, &number);) {
        struct ep_held_count *count = &held->counts[number];
        if (count->target_generation == generation)
            continue;
        ep_ref base = base_of(thread, count->node);
        if (!base)
            continue;
        struct ep_node_cell *node = ep_tree_node(thread, base);
        if (node->level) {
            ep_held_need_outer(thread, base, count->kind);
            continue;
        }
        ep_hold_visit(thread, base, generation);
        if (ep_sampling_reserve_untimed(thread, node)) {
            count->target = target_of(node, ep_sampling_of(thread, node), count->kind);
            count->target_generation = generation;
        }
    }
}

static void add_calls(struct ep_thread *thread, ep_ref base, enum ep_held_kind kind, uint64_t calls)
{
    struct ep_node_cell *node = ep_tree_node(thread, base);
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    uint32_t outer = node->level ? ep_held_find(thread, base, kind) : 0;
    if (outer) {
        ep_held_use(thread->held, node->level, outer);
        ep_add64(ep_held_calls(thread->held, outer), calls);
    } else if (cells) {
        ep_add64_release(target_of(node, cells, kind), calls); /* as in ep_sampling_choose() */
    } else {
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    }
}

static void keep_calls(struct ep_thread *thread, uint32_t level)
{
    struct ep_held *held = thread->held;
    uint64_t generation = generation_at(thread, 0);
    uint32_t number = 0, idle = 0;
    for (uint64_t calls; (calls = ep_held_take_next(held, level, &number, &idle)) != 0;) {
        const struct ep_held_count *count = &held->counts[number];
        ep_ref base = ep_tree_node(thread, count->node)->base;
        if (count->target_generation == generation)
            ep_add64_release(count->target, calls);
        else if (base)
            add_calls(thread, base, count->kind, calls);
        else
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    }
}

/* ---- scopes that are open when a hold ends ---- */

/* Lists the nodes of open scopes that are timed, so that they get a base: that of an EPROF_SLOW may
 * not be listed yet (record/slow.c). */
static void list_open(struct ep_thread *thread, const struct ep_hold *hold)
{
    const struct ep_open_scope_cell *entry = hold->entry ? thread->top : NULL;
    for (; entry != hold->entry; entry = ep_stack_entry(thread, entry->below))
        if (ep_hold_is_unlisted(ep_tree_node(thread, entry->node)) &&
            !(entry->state & (EP_SCOPE_UNTIMED | EP_SCOPE_VOID)) &&
            ep_thread_is_of_now(thread, entry->generation))
            ep_hold_visit(thread, entry->node, entry->generation);
}

/* For a scope whose base could not be made, for want of memory. It becomes void and is taken out of
 * the open scopes of its site. Returns the node of the surrounding scope, which the scope gets
 * instead. */
static ep_ref lose(struct ep_thread *thread, struct ep_open_scope_cell *entry, uint32_t level,
                   bool keep)
{
    /* The scope is not the innermost open one of its site in two cases: in a forked child, where no
     * site has one yet, and if a signal handler came while it was entered. Scopes of its site
     * inside it have the same node and were lost before */
    struct ep_site_slot *site_slot = &thread->site_slots[ep_tree_site(thread, entry->node)];
    if (entry->state & EP_SCOPE_TIMED && site_slot->open == entry)
        site_slot->open = entry->open_before ? ep_stack_entry(thread, entry->open_before) : NULL;
    if (keep && !(entry->state & EP_SCOPE_VOID))
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_LOST);
    entry->open_before = 0;
    ep_store(&entry->state, entry->state & ~(uint32_t)(EP_SCOPE_TIMED | EP_SCOPE_NESTED));
    ep_ref around = 0;
    while (!around) {
        entry = ep_stack_entry(thread, entry->below);
        bool is_of_hold = ep_tree_node(thread, entry->node)->level >= level;
        around = is_of_hold ? base_of(thread, entry->node) : entry->node;
    }
    return around;
}

/* A dropped scope becomes void, and stays as the parent of the scopes inside it. A scope that was
 * entered while recording was off is always void, and belongs to no hold. */
static void end_scope(struct ep_thread *thread, struct ep_open_scope_cell *entry, uint32_t level,
                      bool keep)
{
    if (!keep)
        ep_store(&entry->child_ticks, 0);
    if (ep_tree_node(thread, entry->node)->level < level)
        return;
    ep_ref base = base_of(thread, entry->node);
    /* "(other)" has no site */
    if (!base || ep_tree_site(thread, base) != ep_tree_site(thread, entry->node)) {
        base = lose(thread, entry, level, keep);
        keep = false;
    }
    uint32_t state = entry->state & ~(uint32_t)EP_SCOPE_SLOW; /* its end decides no hold any more */
    if (keep) {
        if (state & EP_SCOPE_TIMED)
            ep_sampling_move_cpu(thread, entry->node, base);
        ep_store_release(&entry->node, base); /* as in ep_scope_fill() */
        entry->generation -= EP_OWNER_TAG_LEVEL;
        ep_store(&entry->state, state);
        return;
    }
    entry->generation = 0;
    ep_store(&entry->state, state | EP_SCOPE_VOID); /* first: a reader must not add it elsewhere */
    ep_store_release(&entry->node, base);
}

/* The open scopes that began in the hold. */
static void end_scopes(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    if (!hold->entry)
        return;
    if (hold->entry != thread->top)
        ep_light_unsettle();
    for (struct ep_open_scope_cell *entry = thread->top; entry != hold->entry;
         entry = ep_stack_entry(thread, entry->below))
        end_scope(thread, entry, thread->level, keep);
    if (!keep)
        ep_store(&hold->entry->child_ticks, hold->child_before);
}

void ep_hold_tree_leave(struct ep_thread *thread, struct ep_open_scope_cell *entry)
{
    for (uint32_t level = ep_tree_node(thread, entry->node)->level; level; level--)
        end_scope(thread, entry, level, false);
}

/* The self time of the scope that is being left does not contain the time of held scopes. If these
 * are dropped, their time is added to it again. Each of several nested holds returns its own part:
 * an inner hold returns it to the scratch node of the outer one. */
void ep_hold_rebase(struct ep_thread *thread, const struct ep_open_scope_cell *entry, bool counts)
{
    struct ep_open_scope_cell *below = ep_stack_entry(thread, entry->below);
    for (uint32_t level = thread->level; level; level--) {
        struct ep_hold *hold = ep_hold_at(thread, level);
        if (hold->entry != entry)
            continue;
        uint64_t held_ticks = entry->child_ticks - hold->child_before;
        ep_ref scratch = counts && held_ticks ? at_level(thread, entry->node, level) : 0;
        if (scratch) {
            ep_hold_visit(thread, scratch, generation_at(thread, level));
            struct ep_node_cell *node = ep_tree_node(thread, scratch);
            ep_store(&node->owed_ticks, node->owed_ticks + held_ticks);
        }
        hold->entry = below;
        /* a void scope has charged the time held in it to the scope below */
        hold->child_before = below->child_ticks - (counts ? 0 : held_ticks);
    }
}

/* ---- begin and end ---- */

void ep_hold_begin_level(struct ep_thread *thread)
{
    struct ep_hold *hold = ep_hold_at(thread, thread->level + 1);
    hold->generation = ep_thread_generation_number(thread);
    hold->kept_inside = hold->ended_inside = 0;
    hold->counts = !thread->is_off && ep_load(&eprof_recording) & EP_RECORDING_STARTS;
    hold->touched = 0;
    hold->entry = thread->top;
    hold->child_before = thread->top ? thread->top->child_ticks : 0;
    hold->is_beginning = true;
    ep_signal_fence(); /* the thread may be cancelled, and its end ends the hold */
    /* first: the scope around must not be left by unwinding, as usual, once there is a level */
    ep_thread_add_tag(thread, EP_OWNER_TAG_LEVEL);
    ep_signal_fence();
    thread->level++;
    ep_signal_fence();
}

/* As a span of an instance is compared with it (ep_instance_cells_hold_at()). */
static void set_begin(const struct ep_thread *thread)
{
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    hold->source = ep_process_source();
    hold->begin_ticks = ep_source_now(hold->source);
    ep_signal_fence();
    hold->is_beginning = false;
}

bool ep_hold_begin_or_count(struct ep_thread *thread)
{
    if (!thread->holds)
        thread->holds = ep_platform_allocate_wiped(EP_HOLD_LEVELS * sizeof *thread->holds);
    if (!thread->holds)
        ep_thread_diagnose(thread, EP_DIAGNOSTIC_OUT_OF_CELLS);
    /* a hold inside one without a level gets no level either: the last to begin is the first to end
     */
    if (!thread->holds || !ep_hold_has_level(thread)) {
        thread->further_holds++;
        return false;
    }
    ep_held_begin(thread);
    ep_hold_begin_level(thread);
    set_begin(thread);
    return true;
}

/* Into the image, for a forked child, where the record is zeroed. */
static void publish_holds(const struct ep_thread *thread)
{
    ep_store(&thread->cell->holds, thread->level + thread->further_holds + thread->former_holds);
}

void ep_hold_leave_level(struct ep_thread *thread)
{
    thread->level--;
    ep_thread_add_tag(thread, 0 - EP_OWNER_TAG_LEVEL);
}

static void keep_all(struct ep_thread *thread, struct ep_hold *hold)
{
    struct ep_thread_cell *cell = thread->cell;
    uint32_t level = thread->level;
    list_open(thread, hold);
    prepare_nodes(thread, hold);
    bool has_targets = thread->held && level == 1 &&
                       ep_held_has_targets(thread->held, level, generation_at(thread, 0));
    if (thread->held && !has_targets)
        prepare_calls(thread, level);
    end_scopes(thread, hold, true);
    ep_hold_leave_level(thread);
    ep_instance_cells_holds_prepare(thread, hold);
    /* a pause for readers: a thread that keeps without one could not be read between its keeps */
    if (EP_UNLIKELY(ep_load(&ep_process.is_being_read))) {
        ep_process_mutex_lock();
        ep_process_mutex_unlock();
    }
    /* Odd: a reader waits until the keep is complete. If the program is killed now, the rest of the
     * hold is lost, but nothing counts twice, since no report shows scratch cells. Release: pairs
     * with the snapshot's acquires */
    ep_store_release(&cell->keeps, cell->keeps + 1);
    ep_store_fence();
    end_nodes(thread, hold, true);
    if (has_targets)
        ep_held_add(thread->held, level);
    else if (thread->held)
        keep_calls(thread, level);
    ep_instance_cells_holds_end(thread, hold, true);
    ep_store_release(&cell->keeps, cell->keeps + 1);
}

/* ---- numbers of holds ---- */

static void forget_before_reset(const struct ep_thread *thread, struct ep_hold *hold)
{
    if (hold->generation >= ep_load(&thread->control->reset_generation))
        return;
    hold->generation = ep_thread_generation_number(thread);
    hold->kept_inside = hold->ended_inside = 0;
    hold->counts = false;
}

/* After a drop none of them counts as kept. The counts go to the surrounding hold, whose end
 * decides again; without one they go to the note. */
void ep_hold_count_end(struct ep_thread *thread, struct ep_hold *hold, bool keep)
{
    forget_before_reset(thread, hold);
    uint64_t ended = hold->ended_inside + hold->counts;
    uint64_t kept = keep ? hold->kept_inside + hold->counts : 0;
    if (thread->level) {
        struct ep_hold *around = ep_hold_at(thread, thread->level);
        forget_before_reset(thread, around);
        around->ended_inside += ended;
        around->kept_inside += kept;
        return;
    }
    struct ep_note_cell *note = ended ? ep_thread_note(thread) : NULL;
    if (!note)
        return;
    ep_add64(&note->holds_ended, ended);
    ep_add64_release(&note->holds_kept, kept); /* pairs with the acquire in snapshot/notes.c */
}

void ep_hold_end_level(struct ep_thread *thread, bool keep)
{
    struct ep_hold *hold = ep_hold_at(thread, thread->level);
    if (thread->held)
        ep_held_renew(thread);
    if (!hold->entry &&
        thread->cell->frames) /* it began without a stack: all scopes are above it */
        hold->entry = ep_stack_entry(thread, thread->cell->frames);
    if (keep) {
        keep_all(thread, hold);
    } else {
        end_scopes(thread, hold, false);
        end_nodes(thread, hold, false);
        if (thread->held)
            ep_held_discard(thread->held, thread->level);
        ep_hold_leave_level(thread);
        ep_instance_cells_holds_end(thread, hold, false);
    }
    ep_hold_count_end(thread, hold, keep);
}

/* ---- eprof_hold(), eprof_keep() ---- */

/* Whether it takes no memory. */
static bool is_brief(const struct ep_thread *thread)
{
    return !thread->busy && thread->holds && ep_hold_has_level(thread) &&
           (thread->held || !ep_sampling_is_on());
}

void ep_hold_begin(struct ep_thread *thread)
{
    int saved_errno = errno;
    if (thread && is_brief(thread)) {
        ep_thread_mark_busy(thread, EP_THREAD_IS_BRIEF);
        ep_hold_begin_level(thread);
        set_begin(thread);
        publish_holds(thread);
        ep_thread_unmark_busy(thread);
    } else if (thread && ep_thread_begin_cold()) {
        ep_hold_begin_or_count(thread);
        publish_holds(thread);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

void ep_hold_end(struct ep_thread *thread, bool keep)
{
    int saved_errno = errno;
    if (thread && ep_thread_begin_cold()) {
        if (thread->further_holds)
            thread->further_holds--;
        else if (thread->level)
            ep_hold_end_level(thread, keep);
        else if (thread->former_holds)
            thread->former_holds--;
        else
            ep_thread_diagnose(thread, EP_DIAGNOSTIC_UNMATCHED_KEEPS);
        publish_holds(thread);
        ep_thread_end_cold();
    }
    errno = saved_errno;
}

void ep_hold_forget(struct ep_thread *thread)
{
    thread->further_holds = 0;
    while (thread->level)
        ep_hold_end_level(thread, false);
    /* the thread may have been cancelled where it changed the level, or in a keep */
    ep_thread_add_tag(thread, 0 - (ep_thread_generation(thread) & EP_OWNER_TAG_LEVELS));
    if (thread->cell->keeps % 2)
        ep_store_release(&thread->cell->keeps, thread->cell->keeps + 1);
    if (thread->held)
        ep_held_forget(thread->held);
    thread->dropped_count = 0; /* depths are forgotten as well */
    thread->former_holds = 0;
    publish_holds(thread);
}
