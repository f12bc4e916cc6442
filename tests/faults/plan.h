/*
 * plan.h - which call is to fail in a run, and how: a part of what ledger.h has
 */
#ifndef FAULTS_PLAN_H
#define FAULTS_PLAN_H

#include "ledger.h"

/* As in struct ledger. */
struct plan {
    uint32_t first, mode, way;
};

/* FIRST MODE WAY, as a failure is told. */
struct plan plan_of(char **words);
const char *plan_mode(struct plan plan);

/* Into an empty ledger: of the calls of `objects`. */
void plan_note(struct plan plan, const char *objects, struct ledger *ledger);

#endif /* FAULTS_PLAN_H */
