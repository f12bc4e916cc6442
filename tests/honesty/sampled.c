/*
 * Under a budget a total is an estimate for all calls since the last reset. So each round begins
 * with a reset, and lasts long enough for some thousand timed calls: it is a run of a program. The
 * result is the median of the rounds, since the errors of estimates have both signs.
 *
 * A round is cut into slices, because a round of some ms seldom passes without an interruption.
 * Few interruptions hit a timed call, but such a call then represents some hundred: it changes the
 * estimate of that round by more than the limit, and the median ignores the round. So the true time
 * must have no interruptions either: it is the median slice. Where each call is timed, all
 * interruptions are in the figures: they are known from the slices of the round, and subtracted.
 * Where a part of the calls is timed, the same part of them is.
 */
#include "sampled.h"

#include <eprof.h>
#include <math.h>

#include "rank.h"
#include "reported.h"
#include "truth.h"

enum { MOST_SLICES = 200, MOST_ROUNDS = 15, LEAST_ROUNDS = 3 };
static const double slice_ns = 50e3, round_ns = 10e6, rounds_ns = 150e6; /* approximate durations */

/* The parts of a round: so many slices, each of so many calls of the parent. */
struct plan {
    unsigned slices, parents;
};

/* The time of one call of the parent. */
struct times {
    double ns;             /* without interruptions */
    double interrupted_ns; /* the interruptions */
};

static double slice(regions_call *call, const struct regions *regions, unsigned parents)
{
    double begin_ns = truth_now_ns();
    for (unsigned parent = 0; parent < parents; parent++)
        call(regions);
    return (truth_now_ns() - begin_ns) / parents;
}

/* After a reset all calls of the first slices are timed: these are longer, and not counted. */
static struct times times_of(regions_call *call, const struct regions *regions, struct plan plan)
{
    double slices_ns[MOST_SLICES], sum_ns = 0;
    unsigned first = plan.slices / 8, count = plan.slices - first;
    for (unsigned i = 0; i < plan.slices; i++)
        slices_ns[i] = slice(call, regions, plan.parents);
    for (unsigned i = first; i < plan.slices; i++)
        /* cppcheck-suppress uninitvar; the loop above sets all slices */
        sum_ns += slices_ns[i];
    double median_ns = rank_median(slices_ns + first, count);
    return (struct times){.ns = median_ns, .interrupted_ns = sum_ns / count - median_ns};
}

static struct plan plan_of(const struct regions *regions)
{
    double parent_ns = slice(regions_bare, regions, 200 / regions->calls + 1);
    unsigned parents = (unsigned)(slice_ns / parent_ns) + 1;
    unsigned slices = (unsigned)(round_ns / parent_ns / parents) + 1;
    return (struct plan){.slices = slices < MOST_SLICES ? slices : MOST_SLICES, .parents = parents};
}

/* The true time of a round, and what the library reports. */
struct round {
    double true_ns, reported_ns;
    double error_ns; /* half of the interval of a self time */
    double timed;    /* the part of the calls of the child that was timed */
};

/* The self time is the difference of two totals. */
static struct round round_of_parent(struct times own, struct times with, struct reported parent,
                                    struct reported child)
{
    return (struct round){.true_ns = own.ns,
                          .reported_ns = parent.self_ns / parent.outermost - with.interrupted_ns,
                          .error_ns = hypot(parent.error_ns, child.error_ns) / parent.outermost,
                          .timed = child.timed / child.outermost};
}

static struct round round_of_child(double true_ns, double interrupted_ns, struct reported child)
{
    double timed = child.timed / child.outermost;
    double reported_ns = child.total_ns / child.outermost - interrupted_ns * timed;
    return (struct round){.true_ns = true_ns, .reported_ns = reported_ns, .timed = timed};
}

static struct round round_of(const struct recording *recording, const struct regions *regions,
                             struct plan plan, bool is_of_parent)
{
    struct times own = times_of(regions_own, regions, plan);
    struct times bare = times_of(regions_bare, regions, plan);
    eprof_reset();
    struct times with = times_of(recording->call, regions, plan);
    struct reported child = reported_read("child", recording->is_raw);
    if (is_of_parent)
        return round_of_parent(own, with, reported_read("parent", recording->is_raw), child);
    return round_of_child((bare.ns - own.ns) / regions->calls, with.interrupted_ns / regions->calls,
                          child);
}

struct measured sampled_measure(const struct recording *recording, const struct regions *regions,
                                bool is_of_parent)
{
    double true_ns[MOST_ROUNDS], off_ns[MOST_ROUNDS], error_ns[MOST_ROUNDS], timed[MOST_ROUNDS];
    struct plan plan = plan_of(regions);
    double begin_ns = truth_now_ns();
    unsigned count = 0;
    while (count < LEAST_ROUNDS || (count < MOST_ROUNDS && truth_now_ns() - begin_ns < rounds_ns)) {
        struct round round = round_of(recording, regions, plan, is_of_parent);
        true_ns[count] = round.true_ns;
        off_ns[count] = round.reported_ns - round.true_ns;
        error_ns[count] = round.error_ns;
        timed[count++] = round.timed;
    }
    double median_ns = rank_median(true_ns, count);
    return (struct measured){.true_ns = median_ns,
                             .reported_ns = median_ns + rank_median(off_ns, count),
                             .error_ns = rank_median(error_ns, count),
                             .timed = rank_median(timed, count)};
}
