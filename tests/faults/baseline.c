#include "baseline.h"

#include <stdio.h>
#include <string.h>

#include "judge.h"

static void run(struct trial *trial, const struct baseline *baseline, struct plan plan)
{
    bool is_host = strncmp(baseline->subject->words, "host ", 5) == 0;
    plan_note(plan, is_host ? "libeprof.so" : "eprof:libz:libprotobuf-c", baseline->places->ledger);
    trial_run(trial, baseline->places, baseline->subject);
}

static const char *judge_of(const struct trial *trial, const struct baseline *baseline)
{
    return judge(trial, &baseline->plain, &baseline->plain_ledger, baseline->places,
                 baseline->subject);
}

static void tell(const struct baseline *baseline, struct plan plan, const char *why)
{
    const struct ledger *ledger = baseline->places->ledger;
    printf("%s %u %s %u: %s, %s: %s\n", baseline->subject->name, plan.first, plan_mode(plan),
           plan.way, call_name(ledger->first_call),
           ledger->first_error ? strerror(ledger->first_error) : "in part", why);
    fflush(stdout);
}

bool baseline_begin(struct baseline *baseline, const struct subject *subject,
                    const struct trial_places *places, struct baseline_sums *sums)
{
    *baseline = (struct baseline){.subject = subject, .places = places, .sums = sums};
    run(&baseline->plain, baseline, (struct plan){.first = 0});
    baseline->plain_ledger = *places->ledger;
    const char *why = judge_of(&baseline->plain, baseline);
    if (!why && (!baseline->plain_ledger.is_ready || !baseline->plain_ledger.calls))
        why = "no call counts";
    if (why) {
        printf("%s, without any fault: %s\n%s\n", subject->name, why, baseline->plain.err.bytes);
        sums->failures++;
    }
    return !why;
}

void baseline_end(struct baseline *baseline)
{
    trial_forget(&baseline->plain);
}

bool baseline_try(struct baseline *baseline, struct plan plan)
{
    const struct ledger *ledger = baseline->places->ledger;
    struct baseline_sums *sums = baseline->sums;
    struct trial trial;
    run(&trial, baseline, plan);
    bool is_failed = ledger->failed > 0;
    const char *why = judge_of(&trial, baseline);
    if (why) {
        tell(baseline, plan, why);
        baseline->failures++;
        sums->failures++;
    }
    sums->runs += is_failed;
    for (int call = 0; call < CALLS; call++)
        sums->faults[call] += ledger->failed_of[call];
    trial_forget(&trial);
    return is_failed;
}
