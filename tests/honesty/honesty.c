/*
 * honesty SOURCE WORK instances|scopes [children|parent] [raw] [between] [sampled]
 *
 * The regions take 100 ns, 1 us, 10 us and 1 ms, and are called 1 to 1,000 times inside a parent.
 * The program checks whether the reported mean is within 3 ns or 3 % of the true time. For a parent
 * with 10 us of its own work around 1,000 children of 100 ns, it checks whether the self time is
 * within 3 %. The true time is that of the same work without probes, measured in turns with the
 * work with probes. The program ends with 1 if the error of a figure is larger. children, parent:
 * only these are checked. raw: the times contain the cost of the probes. between: the 10 us of the
 * parent are between the calls.
 *
 * sampled: a budget is set (EPROF=budget=2), under which only a part of the calls is timed and
 * times are estimates (sampled.c). Then there are regions of 10 and 30 ns too, the self time may
 * also be as far off as its interval says, and of independent additions 30 % are allowed: the calls
 * of a loop overlap, and a call that is timed by reads in order does not
 * (docs/tutorials/cost-and-exactness.md).
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "judge.h"
#include "measure.h"
#include "regions.h"

struct subject {
    struct recording recording;
    work_call *work;
    bool is_between, has_children, has_parent;
};

static bool judge_child(const struct subject *subject, const char *what, double child_ns,
                        unsigned calls)
{
    struct regions regions = {
        .work = subject->work, .child_steps = work_steps(subject->work, child_ns), .calls = calls};
    struct limit limit = {subject->work == work_add ? 0.3 : 0.03, 3};
    return judge(what, calls, measure_region(&subject->recording, &regions, false), limit);
}

static bool judge_parent(const struct subject *subject)
{
    struct regions regions = {.work = subject->work,
                              .child_steps = work_steps(subject->work, 100),
                              .own_steps = work_steps(subject->work, 10000),
                              .calls = 1000,
                              .is_between = subject->is_between};
    return judge("its parent", 1, measure_region(&subject->recording, &regions, true),
                 (struct limit){0.03, 0});
}

static bool judge_children(const struct subject *subject)
{
    static const struct {
        const char *what;
        double child_ns;
    } children[] = {{"10 ns", 10}, {"30 ns", 30},  {"100 ns", 100},
                    {"1 us", 1e3}, {"10 us", 1e4}, {"1 ms", 1e6}};
    const size_t first = subject->recording.is_sampled ? 0 : 2; /* shorter ones need a budget */
    static const unsigned calls[] = {1, 10, 100, 1000};
    bool is_honest = true;
    for (size_t child = first; child < sizeof children / sizeof children[0]; child++)
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
            is_honest &=
                judge_child(subject, children[child].what, children[child].child_ns, calls[i]);
    return is_honest;
}

int main(int count, char **words)
{
    if (count < 4 || !work_of(words[2])) {
        fprintf(stderr,
                "usage: %s SOURCE multiply|divide|chase|add instances|scopes [children|parent] "
                "[raw] [between] [sampled]\n",
                words[0]);
        return 2;
    }
    bool is_by_scopes = strcmp(words[3], "scopes") == 0;
    struct subject subject = {
        .recording = {.source = words[1],
                      .call = is_by_scopes ? regions_by_scopes : regions_by_instances},
        .work = work_of(words[2]),
        .has_children = true,
        .has_parent = is_by_scopes}; /* an instance has no self time */
    for (int i = 4; i < count; i++) {
        subject.recording.is_raw |= strcmp(words[i], "raw") == 0;
        subject.recording.is_sampled |= strcmp(words[i], "sampled") == 0;
        subject.is_between |= strcmp(words[i], "between") == 0;
        subject.has_children &= strcmp(words[i], "parent") != 0;
        subject.has_parent &= strcmp(words[i], "children") != 0;
    }
    /* If permitted, it runs with real-time priority: otherwise other processes would interrupt a
     * region of 1 ms. */
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1});
    regions_make_instances();
    judge_print_head();
    bool is_honest = true;
    if (subject.has_children)
        is_honest &= judge_children(&subject);
    if (subject.has_parent)
        is_honest &= judge_parent(&subject);
    return is_honest ? 0 : 1;
}
