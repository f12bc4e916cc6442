/*
 * regions.h - a parent that has work of its own, and around or between it calls a child
 */
#ifndef REGIONS_H
#define REGIONS_H

#include <stdbool.h>

#include "work.h"

struct regions {
    work_call *work;
    unsigned long child_steps; /* in each call of the child */
    unsigned long own_steps;   /* of the parent, in all */
    unsigned calls;            /* of the child, in one of the parent */
    bool is_between;           /* the parent's work lies between the calls, not around them */
};

/* One call of the parent: not measured; without its children; by instances; by scopes.
 * They are called "parent" and "child". */
typedef void regions_call(const struct regions *regions);
regions_call regions_bare, regions_own, regions_by_instances, regions_by_scopes;

/* Before the first of regions_by_instances. */
void regions_make_instances(void);

#endif /* REGIONS_H */
