/*
 * ledger.h - the plan of one run, and what came of it: memory that the harness shares with the
 * program under test, its children, and what is preloaded into them
 *
 * It is a file, whose path is the environment's EPROF_FAULT_LEDGER.
 */
#ifndef FAULTS_LEDGER_H
#define FAULTS_LEDGER_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls.h"

#define LEDGER_VARIABLE "EPROF_FAULT_LEDGER"

enum ledger_mode {
    LEDGER_ONCE,
    LEDGER_THIS_CALL_FROM_THEN_ON, /* of the one that fails, each further one */
    LEDGER_THIS_KIND_FROM_THEN_ON, /* all that ask for memory; all of files; all of processes */
    LEDGER_MODES
};

enum { LEDGER_CONTEXTS = 8192 }; /* of the first so many calls: no subject makes as many */

struct ledger {
    /* the plan */
    char objects[64]; /* whose calls count, by how their names begin: "libeprof.so:eprof" */
    uint32_t first;   /* the call that fails, counted from 1; 0: none does */
    uint32_t mode;
    uint32_t way;          /* one of call_ways() */
    uint32_t has_contexts; /* are asked for */
    /* what came of it, by the instrument */
    uint32_t is_ready;   /* there was an instrument */
    uint32_t calls;      /* that could have failed */
    uint32_t failed;     /* that did */
    uint32_t harmful;    /* of these, all but interruptions and parts: who goes on gets the rest */
    uint32_t first_call; /* which the first one was */
    int32_t first_error; /* its errno */
    uint32_t calls_of[CALLS];
    uint32_t failed_of[CALLS];
    uint32_t is_short_next;             /* the next write of first_call is to be short */
    uint32_t is_stderr_cut;             /* what was to be said there is not, or in part */
    uint64_t contexts[LEDGER_CONTEXTS]; /* of each call: where it comes from */
    /* by the program */
    uint32_t is_paused; /* no call fails at the moment, and none counts */
    int32_t mappings;   /* of the library, that were left in the end */
    int32_t descriptors;
    uint32_t is_through; /* it came to its end */
    uint32_t is_set_up;  /* and the library had begun */
    char complaint[256]; /* of what it saw that is not promised; "": nothing */
};

/* NULL: nobody has asked for it. */
static inline struct ledger *ledger_open(void)
{
    const char *path = getenv(LEDGER_VARIABLE);
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return NULL;
    void *at = mmap(NULL, sizeof(struct ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return at == MAP_FAILED ? NULL : at;
}

#endif /* FAULTS_LEDGER_H */
