/*
 * host.h - a program that uses libeprof, in which any call may fail
 *
 * It continues after each failure, prints the same on stdout in each run, and records in the ledger
 * any behaviour that is not documented.
 */
#ifndef FAULTS_HOST_H
#define FAULTS_HOST_H

#include <stdbool.h>

/* NULL: the program was started without a ledger. */
extern struct ledger *host_ledger;

/* A part of the public interface. */
struct host_chapter {
    const char *name;
    void (*act)(void);
    bool has_tree; /* it ends without its own report, so the library prints one on stderr */
};
extern const struct host_chapter host_recording[];
extern const struct host_chapter host_results[];

#endif /* FAULTS_HOST_H */
