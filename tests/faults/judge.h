/*
 * judge.h - whether a run in which calls failed has kept what is promised
 */
#ifndef FAULTS_JUDGE_H
#define FAULTS_JUDGE_H

#include "trial.h"

/* NULL, or what is wrong, until the next call. `plain` is a run of the same in which none failed.
 */
const char *judge(const struct trial *trial, const struct trial *plain,
                  const struct ledger *plain_ledger, const struct trial_places *places,
                  const struct subject *subject);

#endif /* FAULTS_JUDGE_H */
