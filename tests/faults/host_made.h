/*
 * host_made.h - what a program has recorded, as it counts itself
 */
#ifndef FAULTS_HOST_MADE_H
#define FAULTS_HOST_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* What was recorded since the last reset, if nothing failed. */
struct host_made {
    bool is_counted;    /* the library is set up: what is lost is counted from here on */
    uint64_t instances; /* calls of them */
    uint64_t scopes;
    uint64_t functions;
    bool is_of_child; /* which was forked */
};
extern struct host_made host_made;

/* eprof_alloc(). */
int host_allocate(const char *label);
/* Nothing is recorded: there was a reset. */
void host_forget_made(void);
/* In a forked child, before its first call: it has recorded nothing yet. */
void host_begin_child(void);

#endif /* FAULTS_HOST_MADE_H */
