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

/* The output and the files of a run. */
struct trial {
    int status; /* exit status; negative: the signal that ended it */
    bool hung;  /* and was ended by the test */
    struct trial_text out, err;
    struct {
        char name[64];
        struct trial_text text;
    } files[TRIAL_FILES];
    size_t file_count;
};

/* The plan is in the ledger, and the results are stored there too. */
void trial_run(struct trial *trial, const struct trial_places *places,
               const struct subject *subject);
void trial_forget(struct trial *trial);

/* NULL: there is no file of this name. */
const struct trial_text *trial_file(const struct trial *trial, const char *name);

/* Returns whether `eprof report` accepts a file of the last run. */
bool trial_is_profile(const struct trial_places *places, const char *name);

#endif /* FAULTS_TRIAL_H */
