/*
 * judge.h - checks whether a run in which calls failed had the documented behaviour
 */
#ifndef FAULTS_JUDGE_H
#define FAULTS_JUDGE_H

#include "trial.h"

/* Returns NULL, or a description of the fault, which is valid until the next call. `plain` is a run
 * of the same subject in which no call failed. */
const char *judge(const struct trial *trial, const struct trial *plain,
                  const struct ledger *plain_ledger, const struct trial_places *places,
                  const struct subject *subject);

#endif /* FAULTS_JUDGE_H */
