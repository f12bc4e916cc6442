/*
 * trial.h - one run of a subject, by a plan
 */
#ifndef FAULTS_TRIAL_H
#define FAULTS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "subject.h"
#include "trial_files.h"

enum { TRIAL_FILES = 8 };

/* What a run has left behind. */
struct trial {
    int status; /* of its exit; negative: the signal that ended it */
    bool hung;  /* and was ended */
    struct trial_text out, err;
    struct {
        char name[64];
        struct trial_text text;
    } files[TRIAL_FILES];
    size_t file_count;
};

/* The plan is in the ledger; what came of it is there as well. */
void trial_run(struct trial *trial, const struct trial_places *places,
               const struct subject *subject);
void trial_forget(struct trial *trial);

/* NULL: there is none of this name. */
const struct trial_text *trial_file(const struct trial *trial, const char *name);

/* Whether `eprof report` takes a file of the last run. */
bool trial_is_profile(const struct trial_places *places, const char *name);

#endif /* FAULTS_TRIAL_H */
