/*
 * trial.h - one run of a subject, by a plan
 */
#ifndef FAULTS_TRIAL_H
#define FAULTS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "ledger.h"
#include "subject.h"

/* Where all are, absolute. */
struct trial_places {
    const char *eprof, *host, *recorder, *instrument;
    char folder[64];       /* for what is made once; the subjects run in `run` in it */
    struct ledger *ledger; /* in it */
};

struct trial_text {
    char *bytes;
    size_t count;
    bool is_there;
};

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

/* Makes the folder, the ledger and what the subjects need; ends the program if it cannot. */
void trial_begin(struct trial_places *places);
void trial_end(const struct trial_places *places);

/* The plan is in the ledger; what came of it is there as well. */
void trial_run(struct trial *trial, const struct trial_places *places,
               const struct subject *subject);
void trial_forget(struct trial *trial);

/* NULL: there is none of this name. */
const struct trial_text *trial_file(const struct trial *trial, const char *name);

/* Whether `eprof report` takes a file of the last run. */
bool trial_is_profile(const struct trial_places *places, const char *name);

#endif /* FAULTS_TRIAL_H */
