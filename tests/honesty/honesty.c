/*
 * honesty SOURCE WORK instances|scopes [children] [raw] [between]
 *
 * Regions of 100 ns, 1 us, 10 us and 1 ms, called 1 to 1,000 times inside a parent: whether the
 * reported mean is within 3 ns or 3 % of the truth; and, unless it is "children" only, of a parent
 * with 10 us of work of its own around 1,000 children of 100 ns, whether its self time is within
 * 3 %. The truth is what the same work takes without probes, in turns with them. Ends with 1 where
 * a figure is further off. raw: as it was measured, with the probes in it. between: the parent's
 * 10 us lie between the calls.
 */
#include <eprof.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank.h"
#include "regions.h"
#include "reported.h"
#include "truth.h"

enum {
    MEASURES = 5,     /* each after the library has measured its probe anew; the median counts */
    MOST_ROUNDS = 41, /* the quickest counts, with probes and without: nothing interrupted it */
    LEAST_ROUNDS = 3,
    CHILDREN_A_ROUND = 200 /* so that a read of the truth is nothing to them */
};
static const double rounds_ns = 50e6; /* of a measure, about */

struct subject {
    const char *source;
    regions_call *recorded;
    bool is_raw, is_between, is_of_children;
    work_call *work;
};

/* What was asked, and the answers. */
struct finding {
    double true_ns, reported_ns;
};

/* ---- a measure ---- */

static double time_of(regions_call *call, const struct regions *regions, unsigned parents)
{
    double begin_ns = truth_now_ns();
    for (unsigned parent = 0; parent < parents; parent++)
        call(regions);
    return truth_now_ns() - begin_ns;
}

static struct reported read_or_end(const struct subject *subject, const char *name)
{
    struct reported reported = {0, 0, 0};
    if (!reported_read(name, subject->is_raw, &reported)) {
        fprintf(stderr, "honesty: no report of %s: %s\n", name, strerror(errno));
        exit(2);
    }
    return reported;
}

/* What one round adds to the child's mean, or to the parent's self time. */
static double reported_by(const struct subject *subject, const struct regions *regions,
                          unsigned parents, bool is_of_parent)
{
    const char *name = is_of_parent ? "parent" : "child";
    struct reported before = read_or_end(subject, name);
    for (unsigned parent = 0; parent < parents; parent++)
        subject->recorded(regions);
    struct reported after = read_or_end(subject, name);
    double spent_ns =
        is_of_parent ? after.self_ns - before.self_ns : after.total_ns - before.total_ns;
    return spent_ns / (after.timed - before.timed);
}

/* The library's probe is measured anew by a source that was not in use. */
static void begin(const struct subject *subject, const struct regions *regions)
{
    if (eprof_source_use("gettimeofday") != 0 || eprof_source_use(subject->source) != 0) {
        fprintf(stderr, "honesty: %s: %s\n", subject->source, strerror(errno));
        exit(errno == ENOTSUP ? 77 : 2);
    }
    for (int warm = 0; warm < 3; warm++) {
        regions_bare(regions);
        subject->recorded(regions);
    }
}

static struct finding measure(const struct subject *subject, const struct regions *regions,
                              bool is_of_parent)
{
    double bare_ns[MOST_ROUNDS], own_ns[MOST_ROUNDS], reported_ns[MOST_ROUNDS];
    unsigned parents = CHILDREN_A_ROUND / regions->calls + 1;
    begin(subject, regions);
    double rounds = rounds_ns / time_of(regions_bare, regions, parents);
    unsigned count = rounds > MOST_ROUNDS    ? MOST_ROUNDS
                     : rounds < LEAST_ROUNDS ? LEAST_ROUNDS
                                             : (unsigned)rounds;
    for (unsigned round = 0; round < count; round++) {
        own_ns[round] = time_of(regions_own, regions, parents);
        bare_ns[round] = time_of(regions_bare, regions, parents);
        reported_ns[round] = reported_by(subject, regions, parents, is_of_parent);
    }
    double own = rank_least(own_ns, count) / parents;
    double bare = rank_least(bare_ns, count) / parents;
    return (struct finding){.true_ns = is_of_parent ? own : (bare - own) / regions->calls,
                            .reported_ns = rank_least(reported_ns, count)};
}

/* ---- judged ---- */

/* The measure whose difference is the middle one. */
static struct finding find(const struct subject *subject, const struct regions *regions,
                           bool is_of_parent)
{
    struct finding findings[MEASURES];
    double differences[MEASURES], sorted[MEASURES];
    for (int i = 0; i < MEASURES; i++) {
        findings[i] = measure(subject, regions, is_of_parent);
        sorted[i] = differences[i] = findings[i].reported_ns - findings[i].true_ns;
    }
    double middle = rank_median(sorted, MEASURES);
    int i = 0;
    while (differences[i] != middle)
        i++;
    return findings[i];
}

static bool judge(const char *what, unsigned calls, struct finding finding, double least_ns)
{
    double off_ns = finding.reported_ns - finding.true_ns;
    double allowed_ns = finding.true_ns * 0.03;
    if (allowed_ns < least_ns)
        allowed_ns = least_ns;
    bool is_honest = off_ns <= allowed_ns && off_ns >= -allowed_ns;
    printf("%-10s %5u %12.1f %12.1f %+9.1f %+8.2f %%  %s\n", what, calls, finding.true_ns,
           finding.reported_ns, off_ns, off_ns / finding.true_ns * 100,
           is_honest ? "" : "too far off");
    return is_honest;
}

static bool judge_child(const struct subject *subject, const char *what, double child_ns,
                        unsigned calls)
{
    struct regions regions = {
        .work = subject->work, .child_steps = work_steps(subject->work, child_ns), .calls = calls};
    return judge(what, calls, find(subject, &regions, false), 3);
}

static bool judge_parent(const struct subject *subject)
{
    struct regions regions = {.work = subject->work,
                              .child_steps = work_steps(subject->work, 100),
                              .own_steps = work_steps(subject->work, 10000),
                              .calls = 1000,
                              .is_between = subject->is_between};
    return judge("its parent", 1, find(subject, &regions, true), 0);
}

static bool judge_all(const struct subject *subject)
{
    static const struct {
        const char *what;
        double child_ns;
    } children[] = {{"100 ns", 100}, {"1 us", 1e3}, {"10 us", 1e4}, {"1 ms", 1e6}};
    static const unsigned calls[] = {1, 10, 100, 1000};
    bool is_honest = true;
    printf("%-10s %5s %12s %12s %9s\n", "region", "calls", "true ns", "reported ns", "off by");
    for (size_t child = 0; child < sizeof children / sizeof children[0]; child++)
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            is_honest &=
                judge_child(subject, children[child].what, children[child].child_ns, calls[i]);
    /* an instance has no self time */
    if (subject->recorded == regions_by_scopes && !subject->is_of_children)
        is_honest &= judge_parent(subject);
    return is_honest;
}

int main(int count, char **words)
{
    if (count < 4 || !work_of(words[2])) {
        fprintf(
            stderr,
            "usage: %s SOURCE multiply|divide|chase instances|scopes [children] [raw] [between]\n",
            words[0]);
        return 2;
    }
    struct subject subject = {.source = words[1],
                              .work = work_of(words[2]),
                              .recorded = strcmp(words[3], "scopes") == 0 ? regions_by_scopes
                                                                          : regions_by_instances};
    for (int i = 4; i < count; i++) {
        subject.is_raw |= strcmp(words[i], "raw") == 0;
        subject.is_between |= strcmp(words[i], "between") == 0;
        subject.is_of_children |= strcmp(words[i], "children") == 0;
    }
    /* Where it is allowed: a region of 1 ms would else be interrupted by whatever else runs. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    regions_make_instances();
    return judge_all(&subject) ? 0 : 1;
}
