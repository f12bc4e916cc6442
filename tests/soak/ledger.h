/*
 * ledger.h - what was recorded, by the rules of the library, kept without it
 *
 * Each thread has a book of its own, which it alone writes; the ledger as a whole is read, or
 * reset, while no thread writes. Times are of the clock of this harness (clock.h).
 */
#ifndef SOAK_LEDGER_H
#define SOAK_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "rows.h"

enum {
    LEDGER_WORKERS = 8,
    LEDGER_BOOKS = 2 * LEDGER_WORKERS + 1,    /* with the short threads of each, and the main one */
    LEDGER_LABELS = 4,                        /* of scopes */
    LEDGER_DEPTH = 3,                         /* of scopes inside each other */
    LEDGER_NODES = 1 + 4 + 4 * 3 + 4 * 3 * 2, /* the root, and all paths so deep */
    LEDGER_SHARED = 4,                        /* instances that all record on, */
    LEDGER_TEMPORARY = LEDGER_SHARED,         /* and one of its own */
    LEDGER_INSTANCES,
    LEDGER_PAIRS = 6,  /* of an instance inside each other */
    LEDGER_LEVELS = 3, /* what counts, and what is held inside each other */
};

extern const char *const ledger_labels[LEDGER_LABELS];

struct ledger_figures {
    uint64_t calls, timed, total_ticks, self_ticks, min_ticks, max_ticks;
};

struct ledger_account {
    struct ledger_figures nodes[LEDGER_NODES], instances[LEDGER_INSTANCES];
};

/* Open. */
struct ledger_scope {
    int label, node, level;
    bool is_void; /* of before a reset: it counts no more */
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
    int number;      /* of its temporary instance */
    struct {
        int parent, label;
    } nodes[LEDGER_NODES]; /* a parent before its children; [0]: the root */
    int node_count;
    struct ledger_account accounts[LEDGER_LEVELS];
    int level;                            /* of holds */
    uint64_t child_before[LEDGER_LEVELS]; /* of the innermost scope at the begin of each */
    struct ledger_scope scopes[LEDGER_DEPTH];
    int depth;
    struct ledger_pair pairs[LEDGER_INSTANCES][LEDGER_PAIRS];
    int open[LEDGER_INSTANCES];
};

struct ledger {
    struct ledger_book books[LEDGER_BOOKS];
};

/* thread: its name; number: what tells its temporary instance from those of others. */
void ledger_begin(struct ledger_book *book, const char *thread, int number);

void ledger_enter(struct ledger_book *book, int label, uint64_t now_ticks);
/* Returns how long the scope took. */
uint64_t ledger_leave(struct ledger_book *book, uint64_t now_ticks);

void ledger_start(struct ledger_book *book, int instance, uint64_t now_ticks);
void ledger_stop(struct ledger_book *book, int instance, uint64_t now_ticks);
void ledger_span(struct ledger_book *book, int instance, uint64_t ticks);
void ledger_release(struct ledger_book *book, int instance);

void ledger_hold(struct ledger_book *book);
void ledger_keep(struct ledger_book *book, bool keep);

/* All that was recorded is nothing, and what is open counts no more. */
void ledger_reset(struct ledger *ledger);
/* What a forked child has of it, whose thread is that of `own`. */
void ledger_fork(struct ledger *ledger, struct ledger_book *own);

/*
 * The rows that a report has to have, settled. by_thread: a row is a thread's, else of all
 * of them. All short threads are one.
 */
void ledger_rows(const struct ledger *ledger, bool by_thread, struct rows *rows);

#endif /* SOAK_LEDGER_H */
