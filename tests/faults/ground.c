#include "ground.h"

#include <stdio.h>
#include <string.h>

#include "judge.h"

static void run(struct trial *trial, const struct ground *ground, struct plan plan)
{
    bool is_host = strncmp(ground->subject->words, "host ", 5) == 0;
    plan_note(plan, is_host ? "libeprof.so" : "eprof:libz:libprotobuf-c", ground->places->ledger);
    trial_run(trial, ground->places, ground->subject);
}

static const char *judge_of(const struct trial *trial, const struct ground *ground)
{
    return judge(trial, &ground->plain, &ground->plain_ledger, ground->places, ground->subject);
}

static void tell(const struct ground *ground, struct plan plan, const char *why)
{
    const struct ledger *ledger = ground->places->ledger;
    printf("%s %u %s %u: %s, %s: %s\n", ground->subject->name, plan.first, plan_mode(plan),
           plan.way, call_name(ledger->first_call),
           ledger->first_error ? strerror(ledger->first_error) : "in part", why);
    fflush(stdout);
}

bool ground_begin(struct ground *ground, const struct subject *subject,
                  const struct trial_places *places, struct ground_sums *sums)
{
    *ground = (struct ground){.subject = subject, .places = places, .sums = sums};
    run(&ground->plain, ground, (struct plan){.first = 0});
    ground->plain_ledger = *places->ledger;
    const char *why = judge_of(&ground->plain, ground);
    if (!why && (!ground->plain_ledger.is_ready || !ground->plain_ledger.calls))
        why = "no call counts";
    if (why) {
        printf("%s, without any fault: %s\n%s\n", subject->name, why, ground->plain.err.bytes);
        sums->failures++;
    }
    return !why;
}

void ground_end(struct ground *ground)
{
    trial_forget(&ground->plain);
}

bool ground_try(struct ground *ground, struct plan plan)
{
    const struct ledger *ledger = ground->places->ledger;
    struct ground_sums *sums = ground->sums;
    struct trial trial;
    run(&trial, ground, plan);
    bool is_failed = ledger->failed > 0;
    const char *why = judge_of(&trial, ground);
    if (why) {
        tell(ground, plan, why);
        ground->failures++;
        sums->failures++;
    }
    sums->runs += is_failed;
    for (int call = 0; call < CALLS; call++)
        sums->faults[call] += ledger->failed_of[call];
    trial_forget(&trial);
    return is_failed;
}
