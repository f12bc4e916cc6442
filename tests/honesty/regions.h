/*
 * regions.h - a parent that has its own work, and calls a child inside or between this work
 */
#ifndef REGIONS_H
#define REGIONS_H

#include <stdbool.h>

#include "work.h"

struct regions {
    work_call *work;
    unsigned long child_steps; /* in each call of the child */
    unsigned long own_steps;   /* total of the parent */
    unsigned calls;            /* of the child, in one call of the parent */
    bool is_between;           /* the work of the parent is between the calls, not around them */
};

/* These make one call of the parent: without probes; without probes and children; with instances;
 * with scopes. The regions are named "parent" and "child". */
typedef void regions_call(const struct regions *regions);
regions_call regions_bare, regions_own, regions_by_instances, regions_by_scopes;

/* It must run before the first call of regions_by_instances. */
void regions_make_instances(void);

#endif /* REGIONS_H */
