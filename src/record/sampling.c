#include "record/sampling.h"

#include "base/platform.h"
#include "record/horizon.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/statistics.h"
#include "record/tree.h"

enum {
    FIRST_CALLS = 8, /* of each node, timed in any case */
    FIRST_MICROSECONDS = 1000,
    MOST_MICROSECONDS = 10000,
    LONG_PROBES = 100,           /* a call that takes as many times its probe is timed each time */
    SHORTER_AFTER = 32,          /* timed calls before blocks become shorter */
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

/* ---- credit, in millionths of a tick ---- */

/* Two readings, of the processor time too if it is recorded, and an allowance for the rest: the
 * instructions of a timed call, the mispredictions before and after it, and what it makes the
 * program wait for. The ray tracer of examples/flake.c takes 188 ns longer for each call that is
 * timed, 40 of them for the readings of the clock (budget=1/64 and budget=1/16 against
 * budget=1/4096, AMD EPYC, 2026-11-28). Inside the library a timed call lasts only 105 ns, so it
 * cannot be measured there. */
static uint32_t measured_charge(const struct ep_source *source, uint64_t ticks_per_us)
{
    enum { READS = 16, REST_NS = 150 };
    uint64_t read_ticks = UINT32_MAX / 4;
    for (int i = 0; i < READS; i++) {
        uint64_t begin = ep_sampling_now(source);
        if (ep_cpu_is_on())
            ep_cpu_now();
        uint64_t ticks = ep_source_difference(source, begin, ep_sampling_now(source));
        read_ticks = ticks < read_ticks ? ticks : read_ticks;
    }
    return (uint32_t)(2 * read_ticks + ticks_per_us * REST_NS / 1000 + 1);
}

static void begin_credit(struct ep_thread *thread)
{
    const struct ep_source *source = ep_process_source();
    bool has_cpu = ep_cpu_is_on();
    if (thread->charge_source == source && thread->charge_has_cpu == has_cpu)
        return;
    ep_process_mutex_lock();
    struct ep_scale scale = ep_rate_scale_at_once();
    uint64_t ticks_per_ms = ep_wide_divide(ep_wide_multiply(scale.ticks, 1000000), scale.ns);
    thread->credit_most =
        (int64_t)(ticks_per_ms * (MOST_MICROSECONDS / 1000)) * EP_SAMPLING_MILLION;
    thread->credit = (int64_t)(ticks_per_ms * (FIRST_MICROSECONDS / 1000)) * EP_SAMPLING_MILLION;
    thread->credited_ticks = ep_source_now(source);
    thread->charge_ticks = measured_charge(source, ticks_per_ms / 1000);
    thread->charge_source = source;
    thread->charge_has_cpu = has_cpu;
    ep_process_mutex_unlock();
}

static void pay(struct ep_thread *thread, uint64_t now_ticks)
{
    const uint64_t longest_ticks = UINT64_C(1) << 42; /* some 20 minutes: fills every purse */
    uint64_t ticks = ep_source_difference(ep_process_source(), thread->credited_ticks, now_ticks);
    thread->credited_ticks = now_ticks;
    if (ticks > longest_ticks)
        ticks = ticks >> 63 ? 0 : longest_ticks;
    thread->credit += (int64_t)(ticks * ep_load(&ep_sampling_budget()->budget_millionths));
    if (thread->credit > thread->credit_most)
        thread->credit = thread->credit_most;
    thread->credit -= (int64_t)thread->charge_ticks * EP_SAMPLING_MILLION;
}

/* ---- blocks ---- */

/* Xorshift (Marsaglia: Xorshift RNGs, Journal of Statistical Software 8, 2003), one generator per
 * thread. The counter and the record's address make the generators of threads and of forked
 * children differ. */
static uint32_t draw(struct ep_thread *thread)
{
    uint32_t x = thread->random;
    if (!x)
        x = (uint32_t)(ep_source_now(ep_process_source()) ^ ep_counter_read() ^
                       (uintptr_t)thread >> 12) *
                UINT32_C(0x9E3779B1) |
            1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return thread->random = x;
}

/* Draws a call of the next block. `rest` is the number of calls before the block; it becomes the
 * number after the drawn call. Returns the calls until the drawn one. */
static uint32_t next_block(struct ep_thread *thread, unsigned shift, uint32_t *rest)
{
    uint32_t place = shift ? draw(thread) >> (32 - shift) : 0;
    uint32_t until = *rest + place + 1;
    *rest = (UINT32_C(1) << shift) - 1 - place;
    return until;
}

static unsigned first_shift(void)
{
    uint64_t period = ep_load(&ep_sampling_budget()->period);
    return period > 1 ? (unsigned)__builtin_ctzll(period) : 0;
}

static void begin_blocks(struct ep_thread *thread, struct ep_node_cell *node,
                         struct ep_sampling_cells *cells)
{
    cells->shift = cells->nested_shift = (uint8_t)first_shift();
    cells->nested_next_shift = cells->nested_timed_shift = cells->nested_shift;
    cells->since = 0;
    cells->rest = cells->nested_rest = 0;
    ep_store(&node->stats.until_timed, next_block(thread, cells->shift, &cells->rest));
    cells->nested_until_timed = next_block(thread, cells->nested_shift, &cells->nested_rest);
    cells->own_until_timed = OWN_UNTIL_TIMED;
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
    ep_cpu_clear(&cells->cpu);
}

/* The cells of a node, made if it has none. Its calls until now were all timed. NULL: no memory;
 * counted. */
static struct ep_sampling_cells *need(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (cells)
        return cells;
    ep_ref ref = ep_thread_take(thread, &thread->tree_cells, CELLS);
    if (!ref)
        return NULL;
    cells = (struct ep_sampling_cells *)&thread->cells[ref];
    cells->timed = cells->weight = node->stats.calls - node->stats.nested - node->stats.errors;
    cells->timed_nested = node->stats.nested;
    ep_store_release(&node->sampling, ref); /* pairs with snapshot/thread_tree.c */
    return cells;
}

/* A node in a hold, whose calls are all timed, gets a cell for their processor time. */
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
    cells->rest = cells->nested_rest = 0;
    ep_store(&node->stats.until_timed, !ep_cpu_is_on());
    cells->nested_until_timed = cells->own_until_timed = 1;
}

void ep_sampling_begin(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    bool is_on = ep_sampling_is_on();
    if (cells)
        clear_sums(cells);
    else if ((is_on || ep_cpu_is_on()) && !node->level)
        cells = need(thread, node);
    if (node->level)
        begin_in_hold(thread, node);
    else
        ep_store(&node->stats.until_timed, is_on);
    if (node->level && ep_sampling_cpu(thread, node))
        ep_cpu_clear(ep_sampling_cpu(thread, node));
    if (is_on)
        begin_credit(thread);
    if (is_on && cells)
        begin_blocks(thread, node, cells);
    else if (cells)
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
    bool has_blocks = node->stats.until_timed && (!cells || first_shift() <= cells->shift);
    if (node->level) {
        begin_in_hold(thread, node);
    } else if (!is_on && cells) {
        end_blocks(node, cells);
    } else if (!is_on) {
        ep_store(&node->stats.until_timed, 0);
    } else if (!has_blocks) {
        cells = need(thread, node);
        ep_store(&node->stats.until_timed, 1);
        if (cells)
            begin_blocks(thread, node, cells);
    }
    if (is_on && (!has_blocks || thread->charge_has_cpu != has_cpu))
        begin_credit(thread);
    if (is_on && !has_blocks)
        ep_store(&ep_process.has_sampled, true);
}

/* ---- calls ---- */

uint32_t ep_sampling_choose_timed(struct ep_thread *thread, struct ep_sampling_cells *cells)
{
    unsigned shift = cells->nested_next_shift;
    cells->nested_timed_shift = cells->nested_shift;
    cells->nested_shift = (uint8_t)shift;
    ep_store(&cells->nested_until_timed, next_block(thread, shift, &cells->nested_rest));
    return UINT32_C(1) << cells->nested_timed_shift;
}

uint32_t ep_sampling_choose_nested(struct ep_thread *thread, struct ep_node_cell *node,
                                   bool is_of_itself)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!ep_load(&node->stats.until_timed))
        return cells ? EP_SCOPE_SAMPLE : 0;
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
    const struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    return cells ? UINT32_C(1) << (is_nested ? cells->nested_timed_shift : cells->shift) : 1;
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

static void add_wide(struct ep_wide *sum, struct ep_wide more)
{
    ep_add_wide(&sum->low, &sum->high, more.low, more.high);
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
    if (difference_ticks * weight > cells->largest_ticks)
        ep_store(&cells->largest_ticks, difference_ticks * weight);
}

void ep_sampling_count(struct ep_thread *thread, struct ep_node_cell *node,
                       uint64_t difference_ticks, uint32_t weight)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    struct ep_cpu_sums *cpu = ep_cpu_is_on() ? ep_sampling_cpu(thread, node) : NULL;
    uint64_t now_cpu_ns = cpu ? ep_cpu_now() : 0;
    if (cells)
        begin_change(cells);
    if (cpu)
        ep_cpu_count(cpu, now_cpu_ns, weight);
    ep_statistics_count_sample(&node->stats, &thread->tree_cells, difference_ticks, weight);
    if (!cells)
        return;
    ep_add64(&cells->timed, 1);
    ep_add64(&cells->weight, weight);
    if (weight > 1)
        add_sampled(cells, difference_ticks, weight);
    end_change(cells);
}

void ep_sampling_count_nested(struct ep_thread *thread, struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (cells)
        ep_add64(&cells->timed_nested, 1);
    ep_statistics_count_nested(&node->stats);
}

/* The length of the next block. Longer only without credit; by more than one step if twice the
 * first credit is missing, as when many paths begin at once. */
static unsigned next_shift(struct ep_thread *thread, const struct ep_node_cell *node,
                           const struct ep_sampling_cells *cells, bool is_nested, unsigned shift,
                           uint64_t difference_ticks)
{
    uint64_t calls =
        is_nested ? ep_load(&cells->timed_nested) : node->stats.calls - node->stats.nested;
    bool is_first = calls < FIRST_CALLS;
    if (difference_ticks > (uint64_t)LONG_PROBES * thread->charge_ticks || is_first)
        return 0;
    if (thread->credit < 0) {
        unsigned steps = -thread->credit > thread->credit_most / 5 ? 2 : 1;
        return shift + steps < EP_SAMPLING_SHIFT_MOST ? shift + steps : EP_SAMPLING_SHIFT_MOST;
    }
    bool is_plenty = thread->credit > thread->credit_most / 2 && cells->since >= SHORTER_AFTER;
    return shift && is_plenty ? shift - 1 : shift;
}

void ep_sampling_next(struct ep_thread *thread, struct ep_node_cell *node, bool is_nested,
                      uint64_t difference_ticks, uint64_t now_ticks)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    if (!cells || (!is_nested && !ep_load(&node->stats.until_timed)))
        return;
    unsigned before = is_nested ? cells->nested_next_shift : cells->shift, shift = before;
    if (ep_sampling_is_on() && !ep_load(&ep_sampling_budget()->period)) {
        pay(thread, now_ticks);
        shift = next_shift(thread, node, cells, is_nested, before, difference_ticks);
    }
    cells->since = shift != before              ? 0
                   : cells->since == UINT16_MAX ? UINT16_MAX
                                                : (uint16_t)(cells->since + 1);
    if (is_nested) {
        cells->nested_next_shift = (uint16_t)shift;
    } else {
        cells->shift = (uint8_t)shift;
        ep_store(&node->stats.until_timed, next_block(thread, shift, &cells->rest));
    }
}

void ep_sampling_move_cpu(struct ep_thread *thread, ep_ref node, ep_ref base)
{
    ep_cpu_move(ep_sampling_cpu(thread, ep_tree_node(thread, base)),
                ep_sampling_cpu(thread, ep_tree_node(thread, node)));
}

/* ---- addition ---- */

bool ep_sampling_reserve(struct ep_thread *thread, struct ep_node_cell *node,
                         const struct ep_node_cell *from)
{
    return !ep_sampling_of(thread, from) || node->level || need(thread, node);
}

void ep_sampling_add(struct ep_thread *thread, struct ep_node_cell *node,
                     const struct ep_node_cell *from)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    const struct ep_sampling_cells *more = ep_sampling_of(thread, from);
    uint64_t timed = from->stats.calls - from->stats.nested - from->stats.errors;
    if (cells)
        begin_change(cells);
    ep_cpu_add(ep_sampling_cpu(thread, node), ep_sampling_cpu(thread, from));
    if (!cells)
        return;
    ep_add64(&cells->timed, more ? more->timed : timed);
    ep_add64(&cells->weight, more ? more->weight : timed);
    ep_add64(&cells->timed_nested, more ? more->timed_nested : from->stats.nested);
    if (more) {
        ep_add64(&cells->nested_calls, more->nested_calls);
        ep_add64(&cells->own_calls, more->own_calls);
        ep_add64(&cells->sampled, more->sampled);
        ep_add64(&cells->sampled_weight, more->sampled_weight);
        ep_add64(&cells->squares, more->squares);
        add_wide(&cells->square_ticks, more->square_ticks);
        add_wide(&cells->square_square_ticks, more->square_square_ticks);
        if (more->largest_ticks > cells->largest_ticks)
            ep_store(&cells->largest_ticks, more->largest_ticks);
    }
    end_change(cells);
}
