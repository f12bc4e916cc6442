/*
 * rounds.h - the calls that a thread records in a round, with exact times, and the check of an
 * image for them
 *
 * Each thread moves its own clock, so that each call of a region takes the same number of ticks on
 * any thread, with any number of threads. So an image alone shows whether the fields of a
 * region differ by more than one call.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "stored.h"
#include "thread_clock.h"

enum { ROUNDS_THREADS = 4, ROUNDS_BETWEEN_NEW = 4, ROUNDS_MOST_NEW = 2000 };

/* ------------------------------------------------------------- recorded -- */

struct rounds_instances {
    int plain, nested, span, kept;
};

static struct rounds_instances rounds_instances;

/* To be called before the threads begin. */
static inline void rounds_begin(void)
{
    const struct eprof_source source = {.size = sizeof source,
                                        .name = "thread",
                                        .now = thread_clock_now,
                                        .ticks_per_second = 1000000000,
                                        .flags = EPROF_SOURCE_PER_THREAD};
    if (eprof_source_add(&source) != 0 || eprof_source_use("thread") != 0)
        _exit(2);
    rounds_instances.plain = eprof_alloc("plain");
    rounds_instances.nested = eprof_alloc("nested");
    rounds_instances.span = eprof_alloc("span");
    rounds_instances.kept = eprof_alloc("kept");
}

static inline void rounds_do_instances(void)
{
    eprof_start(rounds_instances.plain);
    thread_ticks += 3;
    eprof_stop(rounds_instances.plain);

    eprof_start(rounds_instances.nested);
    thread_ticks += 1;
    eprof_start(rounds_instances.nested);
    thread_ticks += 4;
    eprof_stop(rounds_instances.nested);
    eprof_stop(rounds_instances.nested);

    uint64_t start = eprof_now();
    thread_ticks += 7;
    eprof_record(rounds_instances.span, start, eprof_now());
}

static inline void rounds_recurse(int depth)
{
    EPROF_SCOPE("folded");
    thread_ticks += 1;
    if (depth > 1)
        rounds_recurse(depth - 1);
}

static inline void rounds_do_scopes(void)
{
    EPROF_SCOPE("outer");
    thread_ticks += 2;
    for (int i = 0; i < 2; i++) {
        EPROF_SCOPE("inner");
        thread_ticks += 11;
    }
    rounds_recurse(3);
    eprof_hold();
    EPROF_BLOCK("dropped") thread_ticks += 19;
    eprof_keep(false);
}

static inline void rounds_do_hold(void)
{
    eprof_hold();
    EPROF_BLOCK("kept")
    {
        thread_ticks += 6;
        EPROF_BLOCK("below") thread_ticks += 7;
    }
    eprof_start(rounds_instances.kept);
    thread_ticks += 17;
    eprof_stop(rounds_instances.kept);
    eprof_keep(true);
}

static inline void rounds_do_new(uint32_t number)
{
    char label[24];
    snprintf(label, sizeof label, "new %" PRIu32, number);
    eprof_enter(label);
    thread_ticks += 5;
    eprof_leave();
}

static inline uint32_t rounds_new(uint32_t rounds)
{
    uint32_t count = (rounds + ROUNDS_BETWEEN_NEW - 1) / ROUNDS_BETWEEN_NEW;
    return count < ROUNDS_MOST_NEW ? count : ROUNDS_MOST_NEW;
}

/* Round number `round` of a thread that is named by its number. */
static inline void rounds_do(uint32_t round)
{
    rounds_do_instances();
    rounds_do_scopes();
    rounds_do_hold();
    if (rounds_new(round + 1) != rounds_new(round))
        rounds_do_new(rounds_new(round));
}

static inline void rounds_name(int thread)
{
    char name[8];
    snprintf(name, sizeof name, "%d", thread);
    eprof_thread_enter(name);
}

/* ------------------------------------------------------------------ found -- */

/* The figures of one round. */
struct rounds_region {
    const char *kind, *path;
    uint64_t calls, timed;
    uint64_t ticks, self_ticks; /* of a timed call */
};

static const struct rounds_region rounds_regions[] = {
    {"instance", "plain", 1, 1, 3, 3},      {"instance", "nested", 2, 1, 5, 5},
    {"instance", "span", 1, 1, 7, 7},       {"scope", "outer", 1, 1, 46, 21},
    {"scope", "outer;inner", 2, 2, 11, 11}, {"scope", "outer;folded", 3, 1, 3, 3},
    {"scope", "kept", 1, 1, 13, 6},         {"scope", "kept;below", 1, 1, 7, 7},
    {"instance", "kept", 1, 1, 17, 17},
};

/* The calls of all regions; sometimes there is one more, of a new scope. */
enum { ROUNDS_CALLS = 13 };

/* The number of rounds that had ended, and the number that may have begun. */
struct rounds_range {
    uint32_t ended, begun;
};

static inline uint64_t rounds_apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Checks a row of any region. */
static inline void rounds_assert_sane(const struct eprof_row *row)
{
    bool is_in_order = row->min_ns <= row->p50_ns && row->p50_ns <= row->p90_ns &&
                       row->p90_ns <= row->p99_ns && row->p99_ns <= row->p999_ns &&
                       row->p999_ns <= row->max_ns;
    if (row->self_ns > row->total_ns || row->timed > row->calls || row->errors ||
        (row->timed && !is_in_order) || row->max_ns > 1000 || row->calls > UINT32_MAX)
        fail_msg("%s of %s: calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64
                 ", total %" PRIu64 ", self %" PRIu64 ", min %" PRIu64 ", p50 %" PRIu64
                 ", max %" PRIu64,
                 row->path, row->thread, row->calls, row->timed, row->errors, row->total_ns,
                 row->self_ns, row->min_ns, row->p50_ns, row->max_ns);
}

static inline void rounds_assert_region(const struct stored *stored, const char *thread,
                                        const struct rounds_region *region,
                                        struct rounds_range range)
{
    struct eprof_row row = stored_row(stored, region->kind, region->path, thread);
    /* a nested call is counted as nested first, and then as a call: in between, an enclosing call
     * seems not to be timed */
    uint64_t nested = region->calls > region->timed;
    if (row.calls < range.ended * region->calls || row.calls > range.begun * region->calls ||
        row.timed + nested < range.ended * region->timed || row.timed > range.begun * region->timed)
        fail_msg("%s of thread %s: %" PRIu64 " calls, %" PRIu64 " timed, in %" PRIu32 " to %" PRIu32
                 " rounds",
                 region->path, thread, row.calls, row.timed, range.ended, range.begun);
    uint64_t apart = 1 + nested;
    if (rounds_apart(row.total_ns, row.timed * region->ticks) > apart * region->ticks ||
        rounds_apart(row.self_ns, row.timed * region->self_ticks) > apart * region->self_ticks)
        fail_msg("%s of thread %s: %" PRIu64 " timed, total %" PRIu64 ", self %" PRIu64,
                 region->path, thread, row.timed, row.total_ns, row.self_ns);
    if (row.timed && (row.min_ns != region->ticks || row.max_ns != region->ticks ||
                      row.stddev_ns > region->ticks || row.mean_ns < region->ticks ||
                      row.mean_ns > region->ticks + apart * region->ticks / row.timed + 1))
        fail_msg("%s of thread %s: min %" PRIu64 ", mean %" PRIu64 ", max %" PRIu64
                 ", stddev %" PRIu64,
                 region->path, thread, row.min_ns, row.mean_ns, row.max_ns, row.stddev_ns);
}

/* Calls that are kept together are in the file together, unless a kill came during a keep. */
static inline void rounds_assert_whole_keeps(const struct stored *stored, const char *thread)
{
    uint64_t scope = stored_row(stored, "scope", "kept", thread).calls;
    uint64_t below = stored_row(stored, "scope", "kept;below", thread).calls;
    uint64_t instance = stored_row(stored, "instance", "kept", thread).calls;
    if ((scope != below || scope != instance) &&
        !stored->image.cells[EP_CELL_LOCK].lock.interrupted)
        fail_msg("kept by thread %s: %" PRIu64 ", %" PRIu64 " and %" PRIu64, thread, scope, below,
                 instance);
}

static inline void rounds_assert_new(const struct stored *stored, const char *thread,
                                     struct rounds_range range)
{
    uint32_t found = 0;
    const struct eprof_snapshot *snapshot = stored->snapshot;
    for (size_t i = snapshot->scope_first; i < snapshot->diagnostic_first; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        if (strncmp(row->name, "new ", 4) != 0 || strcmp(row->thread, thread) != 0)
            continue;
        found++;
        if (row->calls > 1 || row->total_ns > 5 || (row->calls && row->total_ns != 5))
            fail_msg("%s: %" PRIu64 " calls, total %" PRIu64, row->name, row->calls, row->total_ns);
    }
    if (found < rounds_new(range.ended) || found > rounds_new(range.begun))
        fail_msg("thread %s has entered %" PRIu32 " new ones, in %" PRIu32 " to %" PRIu32 " rounds",
                 thread, found, range.ended, range.begun);
}

/* ---- the cells: facts that a row does not show ---- */

/* The sum of all counts, and the pending call. */
static inline uint64_t rounds_histogram(const struct ep_image *image,
                                        const struct ep_statistics *stats)
{
    uint64_t sum = stats->pending != 0;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref ref = ep_cell_octave(image->cells, stats, octave);
        for (unsigned i = 0; ref && i < EP_OCTAVE_BUCKETS; i++)
            sum += ep_image_cell(image, ref)->octave.count[i];
    }
    return sum;
}

static inline void rounds_assert_histogram(const struct ep_image *image, uint64_t generation,
                                           const struct ep_statistics *stats)
{
    uint64_t counts = rounds_histogram(image, stats);
    uint64_t timed = stats->calls - stats->nested - stats->errors;
    bool is_of_now =
        (generation & EP_GENERATION_NUMBER) >= ep_image_control(image)->reset_generation;
    if (is_of_now && counts + 1 - timed > 2) /* between -1 and 1, as unsigned numbers */
        fail_msg("%" PRIu64 " calls, %" PRIu64 " nested, %" PRIu64 " in the histogram",
                 stats->calls, stats->nested, counts);
}

static inline void rounds_assert_histograms(const struct ep_image *image)
{
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_node_cell *node;
        for (ep_ref at = thread->nodes; at; at = node->next) {
            node = (const void *)ep_image_cell(image, at);
            rounds_assert_histogram(image, node->generation, &node->stats);
        }
        const struct ep_instance_cells *pair;
        for (ep_ref at = thread->pairs; at; at = pair->next) {
            pair = (const void *)ep_image_cell(image, at);
            rounds_assert_histogram(image, pair->generation, &pair->stats);
        }
    }
}

/* ---- the whole image ---- */

/* Checks an image with rows per thread, for these rounds of each thread. A thread that has ended no
 * round may be missing completely. */
static inline void rounds_assert(const struct stored *stored, const struct rounds_range *ranges)
{
    for (size_t i = 0; i < stored->snapshot->diagnostic_first; i++) {
        struct eprof_row row = stored_row_at(stored, i);
        rounds_assert_sane(&row);
        if (strstr(row.path, "dropped"))
            fail_msg("%s of %s: %" PRIu64 " calls", row.path, row.thread, row.calls);
    }
    for (int i = 0; i < ROUNDS_THREADS; i++) {
        char thread[8];
        snprintf(thread, sizeof thread, "%d", i);
        for (size_t r = 0; r < sizeof rounds_regions / sizeof rounds_regions[0]; r++)
            rounds_assert_region(stored, thread, &rounds_regions[r], ranges[i]);
        rounds_assert_whole_keeps(stored, thread);
        rounds_assert_new(stored, thread, ranges[i]);
    }
    rounds_assert_histograms(&stored->image);
}

/* There must be no other diagnostics; a program that was not closed may have been interrupted. */
static inline void rounds_assert_diagnostics(const struct stored *stored, const char *expected)
{
    const struct eprof_snapshot *snapshot = stored->snapshot;
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++)
        if (!expected || (strcmp(snapshot->rows[i].name, expected) != 0 &&
                          (strcmp(snapshot->rows[i].name, "interrupted") != 0 ||
                           strcmp(expected, "not_closed") != 0)))
            fail_msg("diagnostics: %s %" PRIu64, snapshot->rows[i].name, snapshot->rows[i].calls);
}

#endif /* ROUNDS_H */
