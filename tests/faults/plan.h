/*
 * plan.h - the call that fails in a run, and the way in which it fails: a part of the ledger
 * (ledger.h)
 */
#ifndef FAULTS_PLAN_H
#define FAULTS_PLAN_H

#include "ledger.h"

/* The fields are those of struct ledger. */
struct plan {
    uint32_t first, mode, way;
};

/* FIRST MODE WAY, in the form in which a failure is printed. */
struct plan plan_of(char **words);
const char *plan_mode(struct plan plan);

/* Writes the plan into an empty ledger, for the calls of `objects`. */
void plan_note(struct plan plan, const char *objects, struct ledger *ledger);

#endif /* FAULTS_PLAN_H */
