/*
 * ledger.h - the plan of one run, and its results: memory that the test program shares with the
 * program under test, its children, and the library that is preloaded into them
 *
 * It is a file; the environment variable EPROF_FAULT_LEDGER has its path.
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
    LEDGER_THIS_CALL_FROM_THEN_ON, /* each further call of the one that fails */
    LEDGER_THIS_KIND_FROM_THEN_ON, /* all calls of one kind: memory, files or processes */
    LEDGER_MODES
};

enum { LEDGER_CONTEXTS = 8192 }; /* for the first calls; no subject makes more */

struct ledger {
    /* the plan */
    char objects[64]; /* whose calls count, by how their names begin: "libeprof.so:eprof" */
    uint32_t first;   /* the call that fails, counted from 1; 0: none */
    uint32_t mode;
    uint32_t way;          /* one of call_ways() */
    uint32_t has_contexts; /* record contexts */
    /* the results, from the instrument */
    uint32_t is_ready;   /* the instrument was loaded */
    uint32_t calls;      /* calls that could have failed */
    uint32_t failed;     /* calls that failed */
    uint32_t harmful;    /* failed, except interruptions and partial results, which are retried */
    uint32_t first_call; /* the first call that failed */
    int32_t first_error; /* its errno */
    uint32_t calls_of[CALLS];
    uint32_t failed_of[CALLS];
    uint32_t is_short_next;             /* the next write of first_call must be short */
    uint32_t is_stderr_cut;             /* text for stderr is lost, or a part of it */
    uint64_t contexts[LEDGER_CONTEXTS]; /* the caller of each call */
    /* results from the program */
    uint32_t is_paused; /* no call fails now, and none counts */
    int32_t mappings;   /* of the library, that remained at the end */
    int32_t descriptors;
    uint32_t is_through; /* the program reached its end */
    uint32_t is_set_up;  /* and the library was set up */
    char complaint[256]; /* undocumented behaviour; "": none */
};

/* Returns NULL if there is no ledger. */
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
