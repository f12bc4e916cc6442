#include "record/sampling.h"

#include "base/platform.h"
#include "record/blocks.h"
#include "record/held.h"
#include "record/horizon.h"
#include "record/statistics.h"
#include "record/tree.h"

enum {
    OWN_UNTIL_TIMED = INT32_MAX, /* calls that are never timed */
    CELLS = sizeof(struct ep_sampling_cells) / EP_CELL_BYTES
};

/* ---- the budget ---- */

bool ep_sampling_set(uint64_t millionths, uint64_t period)
{
    struct ep_sampled_probe_cell *cell =
        &ep_process.image.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    if (cell->budget_millionths == millionths && cell->period == period)
        return false;
    ep_store(&cell->budget_millionths, millionths);
    ep_store(&cell->period, period);
    if (ep_load(&eprof_recording) & EP_RECORDING_STARTS)
        ep_store(&eprof_recording, ep_sampling_recording());
    ep_horizon_raise();
    return true;
}

/* ---- blocks ---- */

static void begin_blocks(struct ep_thread *thread, struct ep_node_cell *node,
                         struct ep_sampling_cells *cells)
{
    cells->shift = cells->nested_shift = (uint8_t)ep_blocks_first_shift();
    cells->nested_next_shift = cells->nested_timed_shift = cells->nested_shift;
    cells->since = 0;
    cells->former_shift = cells->nested_former_shift = 0;
    cells->rest = cells->nested_rest = 0;
    ep_store(&node->stats.until_timed, ep_blocks_next(thread, cells->shift, &cells->rest));
    cells->nested_until_timed = ep_blocks_next(thread, cells->nested_shift, &cells->nested_rest);
    cells->own_until_timed = OWN_UNTIL_TIMED;
}

/* As ep_sampling_of(), also for a node in a hold. */
static struct ep_sampling_cells *cells_of(const struct ep_thread *thread,
                                          const struct ep_node_cell *node)
{
    ep_ref ref = node->sampling;
    if (node->level) {
        uint32_t number = ep_held_find(thread, ep_cell_ref(thread->cells, node), EP_HELD_OUTERMOST);
        ref = number ? thread->held->counts[number].sampling : 0;
    }
    return ref ? (struct ep_sampling_cells *)&thread->cells[ref] : NULL;
}

static void clear_sums(struct ep_sampling_cells *cells)
{
    ep_store(&cells->nested_calls, 0);
    ep_store(&cells->own_calls, 0);
    ep_store(&cells->timed, 0);
    ep_store(&cells->weight, 0);
    ep_store(&cells->timed_nested, 0);
    ep_store(&cells->sampled, 0);
    ep_store(&cells->sampled_weight, 0);
    ep_store(&cells->squares, 0);
    ep_store(&cells->square_ticks.low, 0);
    ep_store(&cells->square_ticks.high, 0);
    ep_store(&cells->square_square_ticks.low, 0);
    ep_store(&cells->square_square_ticks.high, 0);
    ep_store(&cells->largest_ticks, 0);
    ep_store(&cells->largest_weight, 0);
    ep_cpu_clear(&cells->cpu);
}

/* Odd while the sums change; pairs with the acquires in snapshot/thread_tree.c. */
static void begin_change(struct ep_sampling_cells *cells)
{
    ep_store(&cells->changes, cells->changes + 1);
    ep_store_fence();
}

static void end_change(struct ep_sampling_cells *cells)
{
    ep_store_release(&cells->changes, cells->changes + 1);
}

/* The calls before the node had cells, all of which were timed. A signal handler may count others
 * in the cells meanwhile. */
static void count_earlier(struct ep_sampling_cells *cells, const struct ep_statistics *stats)
{
    uint64_t timed, nested, timed_before, nested_before;
    do {
        timed = ep_load(&cells->timed);
        nested = ep_load(&cells->timed_nested);
        nested_before = ep_load(&stats->nested);
        timed_before = ep_load(&stats->calls) - nested_before - ep_load(&stats->errors);
    } while (ep_load(&cells->timed) != timed || ep_load(&cells->timed_nested) != nested);
    ep_add64(&cells->timed, timed_before - timed);
    ep_add64(&cells->weight, timed_before - timed);
    ep_add64(&cells->timed_nested, nested_before - nested);
}

/* The cells of a node, made if it has none. Its calls until now were all timed. NULL: no memory;
 * counted. */
static struct ep_sampling_cells *need(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    if (cells)
        return cells;
    uint32_t number = 0;
    if (node->level)
        number = ep_held_need(thread, ep_cell_ref(thread->cells, node), EP_HELD_OUTERMOST);
    if (node->level && !number)
        return NULL;
    ep_ref ref = ep_thread_take(thread, &thread->tree_cells, CELLS);
    if (!ref)
        return NULL;
    cells = (struct ep_sampling_cells *)&thread->cells[ref];
    begin_change(cells);
    if (node->level)
        thread->held->counts[number].sampling = ref;
    else
        ep_store_release(&node->sampling, ref); /* pairs with snapshot/thread_tree.c */
    count_earlier(cells, &node->stats);
    end_change(cells);
    return cells;
}

/* The same, with blocks that begin. */
static struct ep_sampling_cells *need_blocks(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    if (cells)
        return cells;
    cells = need(thread, node);
    if (cells && !node->level && ep_sampling_is_on())
        begin_blocks(thread, node, cells);
    return cells;
}

/* Whether a node needs its cells before its first call. While each call is a block of its own, the
 * statistics tell everything, so a path with few calls takes no more memory than without a budget.
 */
static bool needs_cells_at_once(const struct ep_node_cell *node)
{
    if (node->site & EP_NODE_VALUE)
        return false;
    if (!node->level && ep_cpu_is_on())
        return true;
    return ep_sampling_is_on() && (node->level || ep_blocks_first_shift());
}

/* A node in a hold gets a cell for processor time. Its blocks are in record/held.h. */
static void begin_in_hold(struct ep_thread *thread, struct ep_node_cell *node)
{
    const struct ep_cpu_sums *has_sums = ep_sampling_cpu(thread, node);
    ep_ref ref = ep_cpu_is_on() && !has_sums ? ep_thread_take(thread, &thread->tree_cells, 1) : 0;
    if (ref)
        ep_store(&node->stats.cpu, EP_CPU_IN_HOLD | ref);
    else if (!has_sums)
        ep_store(&node->stats.until_timed, ep_sampling_is_on());
}

/* A node that has sampling cells keeps them when the budget is taken away: all its calls are timed
 * then, as blocks of one call. With processor time no call at all goes untimed. */
static void end_blocks(struct ep_node_cell *node, struct ep_sampling_cells *cells)
{
    cells->shift = cells->nested_shift = 0;
    cells->nested_next_shift = cells->nested_timed_shift = 0;
    cells->former_shift = cells->nested_former_shift = 0;
    cells->rest = cells->nested_rest = 0;
    ep_store(&node->stats.until_timed, !ep_cpu_is_on());
    cells->nested_until_timed = cells->own_until_timed = 1;
}

void ep_sampling_begin(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    bool is_on = ep_sampling_is_on();
    if (cells)
        clear_sums(cells);
    else if (needs_cells_at_once(node))
        cells = need(thread, node);
    if (node->level)
        begin_in_hold(thread, node);
    else
        ep_store(&node->stats.until_timed, is_on);
    if (node->level && ep_sampling_cpu(thread, node))
        ep_cpu_clear(ep_sampling_cpu(thread, node));
    if (is_on)
        ep_blocks_begin_credit(thread);
    if (is_on && cells && !node->level)
        begin_blocks(thread, node, cells);
    else if (cells && !node->level)
        end_blocks(node, cells);
    if (is_on)
        ep_store(&ep_process.has_sampled, true); /* each thread stores the same */
}

void ep_sampling_adopt(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    bool is_on = ep_sampling_is_on(), has_cpu = ep_cpu_is_on();
    if (has_cpu && !cells && !node->level)
        cells = need(thread, node);
    unsigned shift = cells ? cells->shift : 0;
    bool has_blocks = node->stats.until_timed && ep_blocks_first_shift() <= shift;
    if (node->level) {
        if (is_on)
            need(thread, node);
        begin_in_hold(thread, node);
    } else if (!is_on && cells) {
        end_blocks(node, cells);
    } else if (!is_on) {
        ep_store(&node->stats.until_timed, 0);
    } else if (!has_blocks) {
        if (needs_cells_at_once(node))
            cells = need(thread, node);
        ep_store(&node->stats.until_timed, 1);
        if (cells)
            begin_blocks(thread, node, cells);
    }
    if (is_on && (!has_blocks || thread->charge_has_cpu != has_cpu))
        ep_blocks_begin_credit(thread);
    if (is_on && !has_blocks)
        ep_store(&ep_process.has_sampled, true);
}

/* ---- calls ---- */

void ep_sampling_end_block(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!cells || node->level)
        return;
    cells->shift = 0;
    cells->rest = 0;
    if (ep_load(&node->stats.until_timed))
        ep_store(&node->stats.until_timed, 1);
}

uint32_t ep_sampling_choose_timed(struct ep_thread *thread, struct ep_sampling_cells *cells)
{
    unsigned shift = cells->nested_next_shift;
    cells->nested_timed_shift = cells->nested_shift;
    cells->nested_shift = (uint8_t)shift;
    ep_store(&cells->nested_until_timed, ep_blocks_next(thread, shift, &cells->nested_rest));
    return UINT32_C(1) << cells->nested_timed_shift;
}

uint32_t ep_sampling_choose_held(struct ep_thread *thread, const struct ep_node_cell *node,
                                 uint32_t kind)
{
    if (ep_sampling_is_on())
        return ep_held_choose(thread, ep_cell_ref(thread->cells, node), kind);
    return ep_load(&node->stats.until_timed) || cells_of(thread, node) ? EP_SCOPE_SAMPLE : 0;
}

/* In a signal handler that interrupts a cold path none are made. */
static struct ep_sampling_cells *need_unless_busy(struct ep_thread *thread,
                                                  struct ep_node_cell *node)
{
    if (thread->busy || !ep_thread_begin_cold())
        return NULL;
    struct ep_sampling_cells *cells = need_blocks(thread, node);
    ep_thread_end_cold();
    return cells;
}

uint32_t ep_sampling_choose_nested(struct ep_thread *thread, struct ep_node_cell *node,
                                   bool is_of_itself)
{
    if (node->level)
        return ep_sampling_choose_held(thread, node, is_of_itself ? EP_HELD_OWN : EP_HELD_NESTED);
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!ep_load(&node->stats.until_timed))
        return cells ? EP_SCOPE_SAMPLE : 0;
    if (!cells)
        cells = need_unless_busy(thread, node);
    if (is_of_itself && cells) {
        cells->own_until_timed = OWN_UNTIL_TIMED;
        ep_add64(&cells->own_calls, 1);
        return EP_SCOPE_UNTIMED;
    }
    if (!cells)
        return EP_SCOPE_SAMPLE;
    if ((int32_t)ep_load(&cells->nested_until_timed) <= 1) {
        ep_sampling_choose_timed(thread, cells);
        return EP_SCOPE_SAMPLE;
    }
    ep_add32(&cells->nested_until_timed, (uint32_t)-1);
    ep_add64(&cells->nested_calls, 1);
    return EP_SCOPE_UNTIMED;
}

uint32_t ep_sampling_weight(const struct ep_thread *thread, const struct ep_node_cell *node,
                            bool is_nested)
{
    if (node->level)
        return ep_held_weight(thread, ep_cell_ref(thread->cells, node), is_nested);
    const struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    return cells ? UINT32_C(1) << (is_nested ? cells->nested_timed_shift : cells->shift) : 1;
}

static void add_wide(struct ep_wide *sum, struct ep_wide more)
{
    ep_add_wide(&sum->low, &sum->high, more.low, more.high);
}

static void raise_largest(struct ep_sampling_cells *cells, uint64_t weighted_ticks, uint64_t weight)
{
    if (weighted_ticks <= cells->largest_ticks)
        return;
    ep_store(&cells->largest_ticks, weighted_ticks);
    ep_store(&cells->largest_weight, weight);
}

static void add_sampled(struct ep_sampling_cells *cells, uint64_t difference_ticks, uint32_t weight)
{
    uint64_t square = (uint64_t)weight * weight;
    ep_add64(&cells->sampled, 1);
    ep_add64(&cells->sampled_weight, weight);
    ep_add64(&cells->squares, square);
    add_wide(&cells->square_ticks, ep_wide_multiply(square, difference_ticks));
    add_wide(&cells->square_square_ticks,
             ep_wide_multiply_by(ep_wide_square(difference_ticks), square));
    raise_largest(cells, difference_ticks * weight, weight);
}

void ep_sampling_count(struct ep_thread *thread, struct ep_node_cell *node,
                       uint64_t difference_ticks, uint32_t weight)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    struct ep_cpu_sums *cpu = ep_cpu_is_on() ? ep_sampling_cpu(thread, node) : NULL;
    uint64_t now_cpu_ns = cpu ? ep_cpu_now() : 0;
    if (cells)
        begin_change(cells);
    if (cpu)
        ep_cpu_count(cpu, now_cpu_ns, weight);
    ep_statistics_add_sample(&node->stats, &thread->tree_cells, difference_ticks, weight);
    if (cells) {
        ep_add64(&cells->timed, 1);
        ep_add64(&cells->weight, weight);
    }
    if (cells && weight > 1)
        add_sampled(cells, difference_ticks, weight);
    /* Last: if the program is killed before, the call is lost; else it could be taken for one that
     * was not timed. Pairs with the acquires in snapshot/figures.c */
    ep_add64_release(&node->stats.calls, 1);
    if (cells)
        end_change(cells);
}

void ep_sampling_count_nested(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    if (cells)
        ep_add64(&cells->timed_nested, 1);
    ep_statistics_count_nested(&node->stats);
}

/* After a call of a node without cells, which it gets when its next block has several calls. */
static void next_without_cells(struct ep_thread *thread, struct ep_node_cell *node, bool is_busy,
                               uint64_t difference_ticks, uint64_t now_ticks)
{
    uint16_t since = 0;
    uint8_t former_shift = 0;
    struct ep_blocks_course course = {
        &since, &former_shift, node->stats.calls - node->stats.nested < EP_BLOCKS_FIRST_CALLS};
    unsigned shift = ep_blocks_adapt(thread, 0, course, difference_ticks, now_ticks);
    if (!shift)
        return;
    struct ep_sampling_cells *cells =
        is_busy ? need_blocks(thread, node) : need_unless_busy(thread, node);
    if (!cells)
        return;
    cells->shift = (uint8_t)shift;
    ep_store(&node->stats.until_timed, ep_blocks_next(thread, shift, &cells->rest));
}

void ep_sampling_next(struct ep_thread *thread, struct ep_node_cell *node, bool is_nested,
                      bool is_busy, uint64_t difference_ticks, uint64_t now_ticks)
{
    if (node->level) {
        ep_held_next(thread, ep_cell_ref(thread->cells, node), is_nested, difference_ticks,
                     now_ticks);
        return;
    }
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!is_nested && !ep_load(&node->stats.until_timed))
        return;
    if (!cells && !is_nested)
        next_without_cells(thread, node, is_busy, difference_ticks, now_ticks);
    if (!cells)
        return;
    uint64_t calls =
        is_nested ? ep_load(&cells->timed_nested) : node->stats.calls - node->stats.nested;
    struct ep_blocks_course course = {
        &cells->since, is_nested ? &cells->nested_former_shift : &cells->former_shift,
        calls < EP_BLOCKS_FIRST_CALLS};
    unsigned shift = ep_blocks_adapt(thread, is_nested ? cells->nested_next_shift : cells->shift,
                                     course, difference_ticks, now_ticks);
    if (is_nested) {
        cells->nested_next_shift = (uint16_t)shift;
    } else {
        cells->shift = (uint8_t)shift;
        ep_store(&node->stats.until_timed, ep_blocks_next(thread, shift, &cells->rest));
    }
}

void ep_sampling_move_cpu(struct ep_thread *thread, ep_ref node, ep_ref base)
{
    ep_cpu_move(ep_sampling_cpu(thread, ep_tree_node(thread, base)),
                ep_sampling_cpu(thread, ep_tree_node(thread, node)));
}

/* ---- addition ---- */

bool ep_sampling_reserve(struct ep_thread *thread, struct ep_node_cell *to,
                         const struct ep_node_cell *from)
{
    return !cells_of(thread, from) || need_blocks(thread, to);
}

bool ep_sampling_reserve_untimed(struct ep_thread *thread, struct ep_node_cell *node)
{
    return need_blocks(thread, node);
}

void ep_sampling_add(struct ep_thread *thread, struct ep_node_cell *node,
                     const struct ep_node_cell *from)
{
    struct ep_sampling_cells *cells = cells_of(thread, node);
    const struct ep_sampling_cells *more = cells_of(thread, from);
    uint64_t timed = from->stats.calls - from->stats.nested - from->stats.errors;
    if (cells)
        begin_change(cells);
    ep_cpu_add(ep_sampling_cpu(thread, node), ep_sampling_cpu(thread, from));
    if (!cells)
        return;
    /* in a hold the untimed calls are not in the statistics of the node (record/held.h) */
    uint64_t known = more ? more->timed : 0;
    timed = more && !from->level ? known : timed;
    ep_add64(&cells->timed, timed);
    ep_add64(&cells->weight, more ? more->weight + (timed - known) : timed);
    ep_add64(&cells->timed_nested, more && !from->level ? more->timed_nested : from->stats.nested);
    if (more) {
        ep_add64(&cells->nested_calls, more->nested_calls);
        ep_add64(&cells->own_calls, more->own_calls);
        ep_add64(&cells->sampled, more->sampled);
        ep_add64(&cells->sampled_weight, more->sampled_weight);
        ep_add64(&cells->squares, more->squares);
        add_wide(&cells->square_ticks, more->square_ticks);
        add_wide(&cells->square_square_ticks, more->square_square_ticks);
        raise_largest(cells, more->largest_ticks, more->largest_weight);
    }
    end_change(cells);
}
