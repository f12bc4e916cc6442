/*
 * baseline.h - a subject as it is if nothing fails, by which it is judged when something does
 */
#ifndef FAULTS_BASELINE_H
#define FAULTS_BASELINE_H

#include "ledger.h"
#include "plan.h"
#include "trial.h"

/* What has been done, of all subjects. */
struct baseline_sums {
    unsigned long runs;     /* in which something failed */
    unsigned long failures; /* of ours */
    unsigned long faults[CALLS];
};

struct baseline {
    const struct subject *subject;
    const struct trial_places *places;
    struct baseline_sums *sums;
    struct trial plain;
    struct ledger plain_ledger;
    unsigned failures;
};

/* Runs it without faults. false: that fails already, which is told. */
bool baseline_begin(struct baseline *baseline, const struct subject *subject,
                    const struct trial_places *places, struct baseline_sums *sums);
void baseline_end(struct baseline *baseline);

/* Runs it by a plan; a failure is told. Whether there was such a call. */
bool baseline_try(struct baseline *baseline, struct plan plan);

#endif /* FAULTS_BASELINE_H */
