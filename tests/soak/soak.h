/*
 * soak.h - eight threads that use all functions of the library, and the ledger of their calls
 */
#ifndef SOAK_H
#define SOAK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sanitizer.h"
#include "ledger.h"

/* In a child, a lock of the sanitizer could be held by a thread that does not exist there: so no
 * other thread is in a moment at a fork (moment.h). */
enum { FORKS_ALONE = !CHILDREN_CAN_ALLOCATE || THREAD_SANITIZER };

enum { DEED_KINDS = 18 };

/* The begin of a span that another thread ends. */
struct soak_mail {
    bool is_full;
    uint64_t start_ticks;
    unsigned resets, source_changes; /* the numbers of these at the begin */
};

struct soak;

struct soak_worker {
    pthread_t thread;
    struct soak *soak;
    struct ledger_book *book;
    struct ledger_book *short_book; /* for the threads that it begins */
    int number;
    uint64_t random;       /* the state of its dice */
    int nesting;           /* nested deeds */
    bool is_short;         /* it lives for a few deeds, and does not wait for others */
    bool is_child;         /* it is the only thread of a forked process */
    bool has_temporary;    /* it has its own instance */
    uint64_t *deed_counts; /* by kind (deeds.h) */
};

struct soak {
    struct ledger ledger;
    struct soak_worker workers[LEDGER_WORKERS];
    uint64_t deed_counts[LEDGER_WORKERS][DEED_KINDS];
    int ids[LEDGER_SHARED]; /* the instances that all threads use */
    pthread_barrier_t turn; /* all workers and the main thread wait here, twice */
    atomic_bool is_round_over, is_end;
    bool only_records;               /* the workers take no snapshots, and do not fork or reset */
    bool may_change_source;          /* in a storm a thread may */
    atomic_int short_alive;          /* short threads that live */
    atomic_int slow_open;            /* EPROF_SLOW scopes: the source must not change */
    unsigned resets, source_changes; /* written in a moment alone, or while all threads wait */
    pthread_mutex_t mail_lock;
    struct soak_mail mail;
    atomic_bool has_failed;
    char failure[1100];
};

/* Keeps the first failure, for the main thread to report; a forked child reports its own
 * failure. */
__attribute__((format(printf, 2, 3))) void soak_fail(struct soak_worker *worker, const char *format,
                                                     ...);

#endif /* SOAK_H */
