/*
 * host_made.h - the calls that a program has recorded, as it counts them itself
 */
#ifndef FAULTS_HOST_MADE_H
#define FAULTS_HOST_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* The calls since the last reset, if nothing failed. */
struct host_made {
    bool is_counted;    /* the library is set up: lost calls are counted from now on */
    uint64_t instances; /* calls of instances */
    uint64_t scopes;
    uint64_t functions;
    bool is_of_child; /* this is a forked child */
};
extern struct host_made host_made;

/* eprof_alloc(). */
int host_allocate(const char *label);
/* To be called after a reset: no calls are recorded. */
void host_forget_made(void);
/* To be called in a forked child before its first call: it has recorded nothing yet. */
void host_begin_child(void);

#endif /* FAULTS_HOST_MADE_H */
