/*
 * trial_process.h - starts the process of a subject, and waits for it
 *
 * The process runs in the folder `run`, with the instrument before all other libraries and with
 * `request` as its stdin; its output is in `stdout` and `stderr`. Processes that it leaves running
 * are ended with it.
 */
#ifndef FAULTS_TRIAL_PROCESS_H
#define FAULTS_TRIAL_PROCESS_H

#include <stdbool.h>

#include "subject.h"
#include "trial_files.h"

/* Runs it by the plan in the ledger. Returns the exit status; negative: the signal that ended it,
 * which came from the test program if the process hung. */
int trial_process_run(const struct trial_places *places, const struct subject *subject, bool *hung);

/* The same without faults, for any command line; the ledger must be empty. */
int trial_process_run_plainly(const struct trial_places *places, const char *words,
                              const char *items);

#endif /* FAULTS_TRIAL_PROCESS_H */
