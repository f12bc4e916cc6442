#include "instrument/probe_cost.h"

#include <signal.h>
#include <stdlib.h>

#include "eprof.h"
#include "image/layout.h"
#include "instrument/entry_cost.h"
#include "instrument/probe_calls.h"
#include "record/process_life.h"
#include "record/process_lock.h"
#include "record/rate.h"
#include "record/sampling.h"

/* ---- measuring: how much longer work takes with probes around it ---- */

/*
 * The probe is measured around some work, since a region without any is of no use to anyone, and
 * costs differ: the part of a probe after its reading of the clock runs beside the work, and work
 * that the processor has begun is not finished when the next probe begins.
 *
 * The median round counts, so that an interrupt, a change of frequency or the cold first rounds do
 * not. 21 rounds of 32 pairs at some 130 ns each, and of their work alone, take 160 us.
 */
enum { ROUNDS = 21, READS = 200, PAIRS = EP_PROBE_PAIRS };

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Per pair, in thousandths of a tick. A negative median comes only by chance or from a clock that
 * goes back, and one above the maximum from a clock that jumps all the time: then it is unknown. */
static uint64_t median(int64_t *ticks)
{
    qsort(ticks, ROUNDS, sizeof *ticks, compare);
    int64_t middle = ticks[ROUNDS / 2];
    bool is_known = middle > 0 && middle <= (int64_t)(EP_PROBE_MOST_MILLITICKS / 1000);
    return is_known ? (uint64_t)middle * 1000 / PAIRS : 0;
}

/* Reads the clock after the measured instructions have ended, with any source. */
static uint64_t now_after_all(const struct ep_source *source)
{
    if (ep_counter_can_wait())
        ep_counter_wait();
    return ep_source_now(source);
}

static uint64_t ticks_of(const struct ep_source *source, ep_probe_round *round, uint64_t *number)
{
    uint64_t begin = now_after_all(source);
    *number = round(*number);
    __asm__ volatile("" : "+r"(*number));
    return ep_source_difference(source, begin, now_after_all(source));
}

/*
 * Measures by how much a pair in `with` takes longer than one in `without`. *around is the time
 * that it adds to the region around it; *inside, if not NULL, is the part of this time that the
 * pair itself measures. The pairs add up what they measure in *counter.
 */
static void measure(const struct ep_source *source, ep_probe_round *with, ep_probe_round *without,
                    const uint64_t *counter, uint64_t *around_milliticks,
                    uint64_t *inside_milliticks)
{
    int64_t inside[ROUNDS], around[ROUNDS];
    uint64_t number = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t same_number = number, before = *counter;
        uint64_t read_ticks = ticks_of(source, ep_probe_calls_no_work, &same_number);
        uint64_t without_ticks = ticks_of(source, without, &same_number);
        uint64_t with_ticks = ticks_of(source, with, &number);
        around[round] = (int64_t)(with_ticks - without_ticks);
        inside[round] = (int64_t)(*counter - before - (without_ticks - read_ticks));
    }
    ep_store(around_milliticks, median(around));
    if (inside_milliticks)
        ep_store(inside_milliticks, median(inside));
}

/* The greatest common divisor of all steps of the source, in ticks (Euclid); 0: it did not move.
 * The steps themselves only show how long a read takes. */
static uint64_t resolution_of(const struct ep_source *source)
{
    uint64_t divisor = 0, before = ep_source_now(source);
    for (int i = 0; i < READS; i++) {
        uint64_t now = ep_source_now(source);
        uint64_t rest = ep_source_difference(source, before, now);
        if (rest > source->mask >> 1)
            rest = 0;
        while (rest) {
            uint64_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        before = now;
    }
    return divisor;
}

/* ---- processor time ---- */

/* What a reading of it costs, in thousandths of a tick. */
static uint64_t reading_milliticks(const struct ep_source *source)
{
    int64_t ticks[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t begin = now_after_all(source);
        for (int i = 0; i < PAIRS; i++)
            ep_cpu_now();
        ticks[round] = (int64_t)ep_source_difference(source, begin, now_after_all(source));
    }
    return median(ticks);
}

/* By how many ns the processor time of a pair is longer than its time: nothing waits here. The
 * pairs add up both. Readings vary: 510 to 680 ns from one run to the next (AMD EPYC in a virtual
 * machine, 2026-11-28). So this is an eighth less than in the shorter rounds: calls without any
 * waiting must not seem to wait. */
static uint64_t outside_ns(ep_probe_round *with, struct ep_scale scale, const uint64_t *total_ticks,
                           const struct ep_cpu_sums *cpu)
{
    int64_t ns[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t ticks_before = *total_ticks, ns_before = cpu->cpu_ns;
        with(1);
        ns[round] = (int64_t)(cpu->cpu_ns - ns_before -
                              ep_wide_scale_ns(scale, *total_ticks - ticks_before));
    }
    qsort(ns, ROUNDS, sizeof *ns, compare);
    int64_t shorter = ns[ROUNDS / 4];
    return shorter > 0 ? (uint64_t)(shorter - shorter / 8) / PAIRS : 0;
}

static void calibrate_cpu(const struct ep_source *source)
{
    struct ep_cpu_cell *cell = &ep_process.image.cells[EP_CELL_CPU].cpu;
    struct ep_scale scale = ep_rate_scale_at_once();
    if (!ep_cpu_is_on())
        return;
    const struct ep_instance_cells *pair = ep_probe_calls_pair();
    ep_store(&cell->read_ns, ep_wide_scale_ns(scale, reading_milliticks(source)) / 1000);
    ep_store(&cell->outside_ns[EP_CPU_INSTANCE],
             outside_ns(ep_probe_calls_of_instances, scale, &pair->stats.total_ticks,
                        ep_instance_cells_cpu(ep_thread_self, pair)));
    const struct ep_node_cell *node = ep_probe_calls_node();
    ep_store(&cell->outside_ns[EP_CPU_SCOPE],
             outside_ns(ep_probe_calls_of_scopes.timed, scale, &node->stats.total_ticks,
                        ep_sampling_cpu(ep_thread_self, node)));
    ep_store(&cell->outside_ns[EP_CPU_FUNCTION], cell->outside_ns[EP_CPU_SCOPE]);
}

/* ---- calibration ---- */

/* The costs of calls that are timed in any case. */
static void calibrate_timed(const struct ep_source *source, const struct ep_probe_calls *calls,
                            uint64_t *pair_milliticks, uint64_t *inside_milliticks,
                            uint64_t *nested_milliticks)
{
    const struct ep_node_cell *node = ep_probe_calls_node();
    measure(source, calls->timed, ep_probe_calls_only_work, &node->stats.total_ticks,
            pair_milliticks, inside_milliticks);
    measure(source, calls->nested, calls->without_nested, &node->self_ticks, nested_milliticks,
            NULL);
}

/* The costs of calls that are only counted, and of those timed among them. */
static void calibrate_budget(const struct ep_source *source, const struct ep_probe_calls *calls,
                             int kind)
{
    struct ep_sampled_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    struct ep_probe_calls_sampled *seen = &ep_probe_calls_sampled;
    const struct ep_node_cell *node = ep_probe_calls_node();
    if (!ep_sampling_is_on())
        return;
    measure(source, calls->untimed, calls->without_untimed, &node->self_ticks,
            &probe->untimed_milliticks[kind], NULL);
    ep_probe_calls_node();
    *seen = (struct ep_probe_calls_sampled){.untimed = 0};
    measure(source, calls->sampled, ep_probe_calls_only_work, &seen->timed_ticks,
            &probe->pair_milliticks[kind], &probe->inside_milliticks[kind]);
    uint64_t beside = probe->untimed_milliticks[kind] * seen->untimed / (ROUNDS * PAIRS);
    uint64_t with = probe->pair_milliticks[kind], least = probe->inside_milliticks[kind];
    probe->pair_milliticks[kind] = with > beside + least ? with - beside : least;
}

/*
 * A value is recorded beside work that waits for its own results, and after other work. With
 * EPROF_VALUE in a loop around multiplications of 45 ns it took 0.2 ns, around additions of 20 ns 1
 * to 2, around an snprintf() of 41 ns 4 to 5.5, around nothing 5 (2.6 GHz, 2026-11-29). So the mean
 * of both extremes is subtracted: then no scope is off by more than half of the difference. Without
 * a budget values take another way, which is not measured.
 */
static void calibrate_values(const struct ep_source *source)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_node_cell *node = ep_probe_calls_node();
    uint64_t beside_milliticks = 0, alone_milliticks = 0;
    if (ep_probe_calls_begin_values()) {
        measure(source, ep_probe_calls_of_values, ep_probe_calls_only_work, &node->stats.calls,
                &beside_milliticks, NULL);
        measure(source, ep_probe_calls_only_values, ep_probe_calls_no_work, &node->stats.calls,
                &alone_milliticks, NULL);
    }
    ep_probe_calls_node();
    ep_store(&probe->value_milliticks, (beside_milliticks + alone_milliticks) / 2);
}

static void calibrate_scopes(const struct ep_source *source)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_instance_cells *pair = ep_probe_calls_pair();
    measure(source, ep_probe_calls_of_instances, ep_probe_calls_only_work, &pair->stats.total_ticks,
            &probe->pair_milliticks, &probe->inside_milliticks);
    calibrate_timed(source, &ep_probe_calls_of_scopes, &probe->scope_pair_milliticks,
                    &probe->scope_inside_milliticks, &probe->nested_pair_milliticks);
    calibrate_budget(source, &ep_probe_calls_of_scopes, 0);
    calibrate_values(source);
    probe->resolution_ticks = resolution_of(source);
    probe->is_known = 1;
}

static void calibrate_functions(const struct ep_source *source)
{
    struct ep_function_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    if (!ep_probe_calls_add_function())
        return;
    calibrate_timed(source, &ep_probe_calls_of_functions, &probe->pair_milliticks,
                    &probe->inside_milliticks, &probe->nested_pair_milliticks);
    calibrate_budget(source, &ep_probe_calls_of_functions, 1);
    ep_store(&probe->is_known, 1);
    ep_entry_cost_use();
}

void ep_probe_forget(void)
{
    ep_store(&ep_process.image.cells[EP_CELL_PROBE].probe.is_known, 0);
    ep_store(&ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known, 0);
}

/* Measures functions only if there are any. Signals are blocked: a handler would find the scratch
 * record, and its calls would be lost without being counted. */
void ep_probe_calibrate(void)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_source *source = ep_process_source();
    bool has_scopes = !cells[EP_CELL_PROBE].probe.is_known;
    bool has_functions = ep_image_tree(&ep_process.image)->modules &&
                         !cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known;
    ep_entry_cost_use();
    if (!has_scopes && !has_functions)
        return;
    struct ep_thread *self = ep_thread_self, *record = ep_probe_calls_begin();
    if (!record)
        return;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const struct eprof_hot hot = eprof_hot;
    ep_thread_self = record;
    uint64_t pause_cpu_ns = ep_rate_run_pause();
    ep_probe_calls_node(); /* while pairs are measured, the record needs a stack of scopes, too */
    if (has_scopes)
        calibrate_scopes(source);
    if (has_scopes)
        calibrate_cpu(source);
    if (has_functions)
        calibrate_functions(source);
    ep_rate_run_resume(pause_cpu_ns);
    ep_thread_self = self;
    eprof_hot = hot;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
