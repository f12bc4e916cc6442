#include "measure.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "reported.h"
#include "sampled.h"
#include "truth.h"

enum {
    /* The library measures its probe again before each measurement, and the median counts. The time
     * of a parent is about 10 ms, so each change of the processor's frequency disturbs it. */
    MEASURES = 5,
    MEASURES_OF_PARENT = 41,
    MOST_ROUNDS = 41,
    LEAST_ROUNDS = 3,
    CHILDREN_A_ROUND = 200 /* so that the time for reading the clock does not matter */
};
static const double rounds_ns = 50e6; /* the approximate duration of a measurement */

/* The time of one call, averaged over several in a row. */
static double time_of(regions_call *call, const struct regions *regions, unsigned parents)
{
    double begin_ns = truth_now_ns();
    for (unsigned parent = 0; parent < parents; parent++)
        call(regions);
    return (truth_now_ns() - begin_ns) / parents;
}

/* The contribution of one round to the mean of the child, or to the self time of the parent. */
static double reported_by(const struct recording *recording, const struct regions *regions,
                          unsigned parents, bool is_of_parent)
{
    const char *name = is_of_parent ? "parent" : "child";
    struct reported before = reported_read(name, recording->is_raw);
    for (unsigned parent = 0; parent < parents; parent++)
        recording->call(regions);
    struct reported after = reported_read(name, recording->is_raw);
    double spent_ns =
        is_of_parent ? after.self_ns - before.self_ns : after.total_ns - before.total_ns;
    return spent_ns / (after.timed - before.timed);
}

/* The library measures its probe again if it changes to a source that was not in use. */
static void begin(const struct recording *recording, const struct regions *regions)
{
    if (eprof_source_use("gettimeofday") != 0 || eprof_source_use(recording->source) != 0) {
        fprintf(stderr, "honesty: %s: %s\n", recording->source, strerror(errno));
        exit(errno == ENOTSUP ? 77 : 2);
    }
    for (int warm = 0; warm < 3; warm++) {
        regions_bare(regions);
        recording->call(regions);
    }
}

/* The true times of one call of the parent and the reported ones, measured in turns. */
struct rounds {
    unsigned count;
    double bare_ns[MOST_ROUNDS], own_ns[MOST_ROUNDS], reported_ns[MOST_ROUNDS];
};

/* The smallest value counts, with and without probes: that round was not interrupted. */
static struct measured child_of(struct rounds *rounds, unsigned calls)
{
    double own_ns = rank_least(rounds->own_ns, rounds->count);
    double bare_ns = rank_least(rounds->bare_ns, rounds->count);
    return (struct measured){.true_ns = (bare_ns - own_ns) / calls,
                             .reported_ns = rank_least(rounds->reported_ns, rounds->count),
                             .timed = 1};
}

/* If the probes take longer than the parent's own work, its self time is a small difference: the
 * smallest value is from a round in which the probes were faster than the library had measured. So
 * the result is the median of the difference from the true time in the same round. */
static struct measured parent_of(struct rounds *rounds)
{
    double off_ns[MOST_ROUNDS];
    for (unsigned round = 0; round < rounds->count; round++)
        off_ns[round] = rounds->reported_ns[round] - rounds->own_ns[round];
    double own_ns = rank_median(rounds->own_ns, rounds->count);
    return (struct measured){
        .true_ns = own_ns, .reported_ns = own_ns + rank_median(off_ns, rounds->count), .timed = 1};
}

static struct measured measure(const struct recording *recording, const struct regions *regions,
                               bool is_of_parent)
{
    unsigned parents = CHILDREN_A_ROUND / regions->calls + 1;
    struct rounds rounds;
    begin(recording, regions);
    if (recording->is_sampled)
        return sampled_measure(recording, regions, is_of_parent);
    double count = rounds_ns / time_of(regions_bare, regions, parents) / parents;
    rounds.count = count > MOST_ROUNDS    ? MOST_ROUNDS
                   : count < LEAST_ROUNDS ? LEAST_ROUNDS
                                          : (unsigned)count;
    for (unsigned round = 0; round < rounds.count; round++) {
        rounds.own_ns[round] = time_of(regions_own, regions, parents);
        rounds.bare_ns[round] = time_of(regions_bare, regions, parents);
        rounds.reported_ns[round] = reported_by(recording, regions, parents, is_of_parent);
    }
    return is_of_parent ? parent_of(&rounds) : child_of(&rounds, regions->calls);
}

static int compare_off(const void *a, const void *b)
{
    const struct measured *x = a, *y = b;
    double x_ns = x->reported_ns - x->true_ns, y_ns = y->reported_ns - y->true_ns;
    return (x_ns > y_ns) - (x_ns < y_ns);
}

struct measured measure_region(const struct recording *recording, const struct regions *regions,
                               bool is_of_parent)
{
    struct measured all[MEASURES_OF_PARENT];
    size_t count = 0;
    do
        all[count++] = measure(recording, regions, is_of_parent);
    while (count < (is_of_parent ? MEASURES_OF_PARENT : MEASURES));
    qsort(all, count, sizeof *all, compare_off);
    return all[count / 2];
}
