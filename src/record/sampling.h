/*
 * record/sampling.h - which calls of a node are timed under a budget, and what each of them
 * represents
 *
 * Every call is counted; reading the clock is what costs. The calls of a node are cut into blocks
 * of 2^shift calls, and in each block one call, drawn at random, is timed. Each call has the same
 * chance, so no period of the program can coincide with a period of the draws. A timed call
 * represents the calls of its block: its weight is 2^shift (Horvitz and Thompson: A Generalization
 * of Sampling Without Replacement from a Finite Universe, JASA 47, 1952).
 *
 * `shift` changes only where a block begins. A block is not cut because of its own draw: otherwise
 * long calls, after which `shift` changes, would be too frequent or too rare among the draws.
 *
 * Credit. A thread begins with the time of 1 ms for probes, gains the budget's share of the time
 * that passes, and saves at most 10 ms. Each timed call pays for its probe. The blocks of a node
 * that is timed while the credit is spent become longer; while much credit is left they become
 * shorter. The first calls of a node are timed in any case.
 *
 * Cells. A node gets its struct ep_sampling_cells when a call of it may go untimed. Until then each
 * call represents itself, and the statistics tell everything: so paths with few calls take no more
 * memory than without a budget.
 *
 * Nested calls of a node that the node itself makes are never timed: their time passes from the
 * node to itself. Those that other nodes make have blocks of their own, since only their self time
 * is estimated.
 */
#ifndef EP_RECORD_SAMPLING_H
#define EP_RECORD_SAMPLING_H

#include "record/cpu.h"
#include "record/thread.h"

enum {
    EP_SAMPLING_SHIFT_MOST = 12, /* the longest block has 4,096 calls */
    EP_SAMPLING_MILLION = 1000000,
    EP_SAMPLING_DEFAULT = EP_SAMPLING_MILLION / 50 /* 2 % */
};

/* Sets the budget: `millionths` of each thread's time, or a fixed `period`, a power of two; both 0:
 * each call is timed. Each node adopts it at its next visit. Lock.
 * Returns whether that is a change. */
bool ep_sampling_set(uint64_t millionths, uint64_t period);

EP_INLINE const struct ep_sampled_probe_cell *ep_sampling_budget(void)
{
    return &ep_process.image.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
}

/* Whether calls may go untimed with the source in use. The program's own source is read at each
 * call, unless a period is set, since only its owner knows what a reading costs. */
EP_INLINE bool ep_sampling_is_on(void)
{
    const struct ep_source *source = ep_process_source();
    return ep_load(&ep_sampling_budget()->period) > 1 ||
           (ep_load(&ep_sampling_budget()->budget_millionths) && source && !source->is_own);
}

/* What eprof_recording is while recording is on. */
EP_INLINE int ep_sampling_recording(void)
{
    return EP_RECORDING_ALL | (ep_sampling_is_on() ? EP_RECORDING_INLINE : 0);
}

/* Reads the source after all earlier instructions, and before all later ones, if that is possible.
 */
EP_INLINE uint64_t ep_sampling_now(const struct ep_source *source)
{
    if (!source->is_counter || !ep_counter_can_wait())
        return ep_source_now(source);
    ep_counter_wait();
    uint64_t now_ticks = ep_counter_read();
    ep_counter_wait();
    return now_ticks;
}

EP_INLINE struct ep_sampling_cells *ep_sampling_of(const struct ep_thread *thread,
                                                   const struct ep_node_cell *node)
{
    bool has_cells = !node->level && node->sampling;
    return has_cells ? (struct ep_sampling_cells *)&thread->cells[node->sampling] : NULL;
}

/* The processor time of a node; NULL: it has none. */
EP_INLINE struct ep_cpu_sums *ep_sampling_cpu(const struct ep_thread *thread,
                                              const struct ep_node_cell *node)
{
    struct ep_sampling_cells *cells = ep_sampling_of(thread, node);
    ep_ref ref = node->level ? ep_load(&node->stats.cpu) : 0;
    if (cells)
        return &cells->cpu;
    return ref & EP_CPU_IN_HOLD ? &thread->cells[ref & ~EP_CPU_IN_HOLD].cpu_sums : NULL;
}

/* Begins a node's blocks, without figures, or ends its sampling if there is no budget. The thread
 * is busy. */
void ep_sampling_begin(struct ep_thread *thread, struct ep_node_cell *node);
/* The same for a node with figures, after the budget may have changed. The thread is busy. */
void ep_sampling_adopt(struct ep_thread *thread, struct ep_node_cell *node);

/* ep_sampling_choose() for a node in a hold; `kind` is an enum ep_held_kind. */
uint32_t ep_sampling_choose_held(struct ep_thread *thread, const struct ep_node_cell *node,
                                 uint32_t kind);

/* The next call of a node, each call of which is timed, represents only itself. In a hold see
 * ep_held_is_slow(). */
void ep_sampling_end_block(struct ep_thread *thread, struct ep_node_cell *node);

/* How a call of a node that begins is recorded: EP_SCOPE_UNTIMED, EP_SCOPE_SAMPLE, or 0 without a
 * budget. An untimed call counts now. A signal handler that interrupts an inline enter may see that
 * no call is left until the timed one. */
EP_INLINE uint32_t ep_sampling_choose(struct ep_thread *thread, struct ep_node_cell *node)
{
    uint32_t until = ep_load(&node->stats.until_timed);
    if ((int32_t)until <= 1 && node->level)
        return ep_sampling_choose_held(thread, node, 0);
    if ((int32_t)until <= 1)
        return until || node->sampling ? EP_SCOPE_SAMPLE : 0;
    ep_add32(&node->stats.until_timed, (uint32_t)-1);
    ep_add64_release(&node->stats.calls, 1); /* pairs with the acquires in snapshot/figures.c */
    return EP_SCOPE_UNTIMED;
}

/* The same for a nested call. is_of_itself: the innermost open scope is of the same node. */
uint32_t ep_sampling_choose_nested(struct ep_thread *thread, struct ep_node_cell *node,
                                   bool is_of_itself);
/* Chooses a nested call that begins, and draws the next one at once: other nested calls may begin
 * before this one ends. Returns how many calls it represents. */
uint32_t ep_sampling_choose_timed(struct ep_thread *thread, struct ep_sampling_cells *cells);

/* Before the clock is read for an outermost call that is timed. */
EP_INLINE void ep_sampling_start_cpu(const struct ep_thread *thread,
                                     const struct ep_node_cell *node)
{
    if (EP_UNLIKELY(ep_cpu_is_on()))
        ep_cpu_start(ep_sampling_cpu(thread, node));
}
/* A hold ends while a call of the node is open: `base` gets it. */
void ep_sampling_move_cpu(struct ep_thread *thread, ep_ref node, ep_ref base);

/* The number of calls that a timed call of the node represents: the outermost call that ends now,
 * or the nested call that was chosen last. */
uint32_t ep_sampling_weight(const struct ep_thread *thread, const struct ep_node_cell *node,
                            bool is_nested);

/* Counts an outermost call that was timed, with its weight. */
void ep_sampling_count(struct ep_thread *thread, struct ep_node_cell *node,
                       uint64_t difference_ticks, uint32_t weight);
/* Counts a nested call that was timed; its time is in the self times already. */
void ep_sampling_count_nested(struct ep_thread *thread, struct ep_node_cell *node);

/* After a timed call: pays for its probe, and draws the next call that is timed. If it is nested,
 * that has been done, and only the length of the block after that call is decided. is_busy: the
 * caller has made the thread busy. */
void ep_sampling_next(struct ep_thread *thread, struct ep_node_cell *node, bool is_nested,
                      bool is_busy, uint64_t difference_ticks, uint64_t now_ticks);

/* Prepares a node for the addition of the figures of `from`, a node of a record of this process.
 * false: no memory; counted. The thread is busy. */
bool ep_sampling_reserve(struct ep_thread *thread, struct ep_node_cell *to,
                         const struct ep_node_cell *from);
/* Prepares a node for untimed calls of a kept hold. The same. */
bool ep_sampling_reserve_untimed(struct ep_thread *thread, struct ep_node_cell *node);
/* Adds what the calls of `from` represent. The figures are added by ep_statistics_add_all()
 * before it. */
void ep_sampling_add(struct ep_thread *thread, struct ep_node_cell *node,
                     const struct ep_node_cell *from);

#endif /* EP_RECORD_SAMPLING_H */
