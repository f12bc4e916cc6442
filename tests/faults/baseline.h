/*
 * baseline.h - a run of a subject without faults, with which the runs with faults are compared
 */
#ifndef FAULTS_BASELINE_H
#define FAULTS_BASELINE_H

#include "ledger.h"
#include "plan.h"
#include "trial.h"

/* Sums over the runs of all subjects. */
struct baseline_sums {
    unsigned long runs;     /* in which a call failed */
    unsigned long failures; /* of the tested code */
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

/* Runs the subject without faults. false: this fails already, and is reported. */
bool baseline_begin(struct baseline *baseline, const struct subject *subject,
                    const struct trial_places *places, struct baseline_sums *sums);
void baseline_end(struct baseline *baseline);

/* Runs the subject by a plan, and reports a failure. Returns whether the call of the plan
 * occurred. */
bool baseline_try(struct baseline *baseline, struct plan plan);

#endif /* FAULTS_BASELINE_H */
