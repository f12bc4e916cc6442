/*
 * ledger.h - the recorded calls, by the rules of the library, but computed without the library
 *
 * Each thread has its own book, and only that thread writes it. The whole ledger is read or reset
 * only while no thread writes. The times come from the clock of this test program (clock.h).
 */
#ifndef SOAK_LEDGER_H
#define SOAK_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "rows.h"

enum {
    LEDGER_WORKERS = 8,
    LEDGER_BOOKS = 2 * LEDGER_WORKERS + 1,    /* short threads and main too */
    LEDGER_LABELS = 4,                        /* of scopes */
    LEDGER_DEPTH = 3,                         /* of nested scopes */
    LEDGER_NODES = 1 + 4 + 4 * 3 + 4 * 3 * 2, /* the root, and all paths up to that depth */
    LEDGER_SHARED = 4,                        /* instances that all threads use, */
    LEDGER_TEMPORARY = LEDGER_SHARED,         /* and one of the thread itself */
    LEDGER_INSTANCES,
    LEDGER_PAIRS = 6,  /* nested pairs of an instance */
    LEDGER_LEVELS = 3, /* counting calls, and nested holds */
};

extern const char *const ledger_labels[LEDGER_LABELS];

struct ledger_figures {
    uint64_t calls, timed, total_ticks, self_ticks, min_ticks, max_ticks;
};

struct ledger_account {
    struct ledger_figures nodes[LEDGER_NODES], instances[LEDGER_INSTANCES];
};

/* An open scope. */
struct ledger_scope {
    int label, node, level;
    bool is_void; /* from before a reset: it does not count */
    bool is_nested;
    uint64_t start_ticks, child_ticks;
};

struct ledger_pair {
    int level;
    bool is_void, is_nested;
    uint64_t start_ticks;
};

struct ledger_book {
    char thread[16]; /* its name in reports */
    int number;      /* for its temporary instance */
    struct {
        int parent, label;
    } nodes[LEDGER_NODES]; /* a parent comes before its children; [0]: the root */
    int node_count;
    struct ledger_account accounts[LEDGER_LEVELS];
    int level;                            /* of holds */
    uint64_t child_before[LEDGER_LEVELS]; /* child_ticks of the scope around each */
    struct ledger_scope scopes[LEDGER_DEPTH];
    int depth;
    struct ledger_pair pairs[LEDGER_INSTANCES][LEDGER_PAIRS];
    int open[LEDGER_INSTANCES];
};

struct ledger {
    struct ledger_book books[LEDGER_BOOKS];
};

/* thread: its name; number: distinguishes its temporary instance from those of other threads. */
void ledger_begin(struct ledger_book *book, const char *thread, int number);

void ledger_enter(struct ledger_book *book, int label, uint64_t now_ticks);
/* Returns the duration of the scope. */
uint64_t ledger_leave(struct ledger_book *book, uint64_t now_ticks);

void ledger_start(struct ledger_book *book, int instance, uint64_t now_ticks);
void ledger_stop(struct ledger_book *book, int instance, uint64_t now_ticks);
void ledger_span(struct ledger_book *book, int instance, uint64_t ticks);
void ledger_release(struct ledger_book *book, int instance);

void ledger_hold(struct ledger_book *book);
void ledger_keep(struct ledger_book *book, bool keep);

/* Removes all recorded calls; open calls do not count any more. */
void ledger_reset(struct ledger *ledger);
/* Changes the ledger into that of a forked child, whose thread has the book `own`. */
void ledger_fork(struct ledger *ledger, struct ledger_book *own);

/*
 * The expected rows of a report, settled. by_thread: each row belongs to one thread, otherwise to
 * all threads. All short threads count as one.
 */
void ledger_rows(const struct ledger *ledger, bool by_thread, struct rows *rows);

#endif /* SOAK_LEDGER_H */
