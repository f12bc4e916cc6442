/*
 * soak.h - eight threads that do all that the library allows, and the ledger of it
 */
#ifndef SOAK_H
#define SOAK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sanitizer.h"
#include "ledger.h"

/* A child could find a lock of the sanitizer's own held by a thread that is not there: so none is
 * in a moment at a fork (moment.h). */
enum { FORKS_ALONE = !CHILDREN_CAN_ALLOCATE || THREAD_SANITIZER };

enum { DEED_KINDS = 18 };

/* The begin of a span that another thread ends. */
struct soak_mail {
    bool is_full;
    uint64_t start_ticks;
    unsigned resets, source_changes; /* that there had been */
};

struct soak;

struct soak_worker {
    pthread_t thread;
    struct soak *soak;
    struct ledger_book *book;
    struct ledger_book *short_book; /* of the threads that it begins */
    int number;
    uint64_t random;       /* the state of its dice */
    int nesting;           /* of deeds inside each other */
    bool is_short;         /* it lives for a few deeds, and meets nobody */
    bool is_child;         /* it is the only thread of a forked process */
    bool has_temporary;    /* an instance of its own */
    uint64_t *deed_counts; /* by kind (deeds.h) */
};

struct soak {
    struct ledger ledger;
    struct soak_worker workers[LEDGER_WORKERS];
    uint64_t deed_counts[LEDGER_WORKERS][DEED_KINDS];
    int ids[LEDGER_SHARED]; /* the instances that all record on */
    pthread_barrier_t turn; /* all workers and the main thread meet here, twice */
    atomic_bool is_round_over, is_end;
    bool only_records;      /* the workers look at nothing, fork nothing and reset nothing */
    bool may_change_source; /* a thread in a storm */
    atomic_int short_alive; /* threads */
    atomic_int slow_open;   /* scopes that decide a hold by their time: the source stays */
    unsigned resets, source_changes; /* written in a moment alone, or while all wait */
    pthread_mutex_t mail_lock;
    struct soak_mail mail;
    atomic_bool has_failed;
    char failure[1100];
};

/* The first that goes wrong is kept, for the main thread to tell; a forked child tells it itself.
 */
__attribute__((format(printf, 2, 3))) void soak_fail(struct soak_worker *worker, const char *format,
                                                     ...);

#endif /* SOAK_H */
