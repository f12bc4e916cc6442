/*
 * ground.h - a subject as it is if nothing fails, by which it is judged when something does
 */
#ifndef FAULTS_GROUND_H
#define FAULTS_GROUND_H

#include "ledger.h"
#include "plan.h"
#include "trial.h"

/* What has been done, of all subjects. */
struct ground_sums {
    unsigned long runs;     /* in which something failed */
    unsigned long failures; /* of ours */
    unsigned long faults[CALLS];
};

struct ground {
    const struct subject *subject;
    const struct trial_places *places;
    struct ground_sums *sums;
    struct trial plain;
    struct ledger plain_ledger;
    unsigned failures;
};

/* Runs it without faults. false: that fails already, which is told. */
bool ground_begin(struct ground *ground, const struct subject *subject,
                  const struct trial_places *places, struct ground_sums *sums);
void ground_end(struct ground *ground);

/* Runs it by a plan; a failure is told. Whether there was such a call. */
bool ground_try(struct ground *ground, struct plan plan);

#endif /* FAULTS_GROUND_H */
