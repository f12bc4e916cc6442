/*
 * trial_process.h - the process that a subject is, started and awaited
 *
 * It runs in `run`, with the instrument before all other libraries and `request` as its stdin; its
 * output is in `stdout` and `stderr`. What it leaves running is ended with it.
 */
#ifndef FAULTS_TRIAL_PROCESS_H
#define FAULTS_TRIAL_PROCESS_H

#include <stdbool.h>

#include "subject.h"
#include "trial_files.h"

/* By the plan in the ledger. The status of its exit; negative: the signal that ended it, which is
 * the harness's own if it hung. */
int trial_process_run(const struct trial_places *places, const struct subject *subject, bool *hung);

/* The same without faults, of any command line; the ledger is empty before. */
int trial_process_run_plainly(const struct trial_places *places, const char *words,
                              const char *items);

#endif /* FAULTS_TRIAL_PROCESS_H */
