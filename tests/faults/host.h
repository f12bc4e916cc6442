/*
 * host.h - a program that uses libeprof, of which a call fails at any place
 *
 * It goes on whatever fails, says the same on stdout each time, and notes in the ledger what it
 * sees that is not promised.
 */
#ifndef FAULTS_HOST_H
#define FAULTS_HOST_H

#include <stdbool.h>

/* NULL: nobody has asked for it. */
extern struct ledger *host_ledger;

/* A part of the public interface. */
struct host_chapter {
    const char *name;
    void (*act)(void);
    bool has_tree; /* it ends without a report of its own, and so with one on stderr */
};
extern const struct host_chapter host_recording[];
extern const struct host_chapter host_results[];

#endif /* FAULTS_HOST_H */
