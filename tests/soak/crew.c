#include "crew.h"

#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"

static void *work(void *own)
{
    struct soak_worker *worker = own;
    eprof_thread_enter(worker->book->thread);
    pthread_barrier_wait(&worker->soak->turn);
    while (!worker->soak->is_end)
        deed_next(worker);
    return NULL;
}

static void begin_worker(struct soak *soak, int number, uint64_t seed)
{
    char name[16];
    struct soak_worker *worker = &soak->workers[number];
    *worker = (struct soak_worker){.soak = soak,
                                   .book = &soak->ledger.books[number],
                                   .short_book = &soak->ledger.books[LEDGER_WORKERS + number],
                                   .number = number,
                                   .random = seed,
                                   .deed_counts = soak->deed_counts[number]};
    snprintf(name, sizeof name, "worker %d", number);
    ledger_begin(worker->book, name, number);
    ledger_begin(worker->short_book, "short", number);
    if (pthread_create(&worker->thread, NULL, work, worker) != 0)
        abort();
}

static void make_instances(struct soak *soak)
{
    for (int i = 0; i < LEDGER_SHARED; i++) {
        char label[16];
        snprintf(label, sizeof label, "shared %d", i);
        soak->ids[i] = eprof_alloc(label);
        if (soak->ids[i] < 0)
            abort();
    }
}

void crew_begin(struct soak *soak, uint64_t (*seed)(void))
{
    clock_begin();
    make_instances(soak);
    ledger_begin(&soak->ledger.books[LEDGER_BOOKS - 1], "main", LEDGER_WORKERS);
    pthread_mutex_init(&soak->mail_lock, NULL);
    pthread_barrier_init(&soak->turn, NULL, LEDGER_WORKERS + 1);
    for (int i = 0; i < LEDGER_WORKERS; i++)
        begin_worker(soak, i, seed());
    pthread_barrier_wait(&soak->turn);
}

void crew_gather(struct soak *soak)
{
    soak->is_round_over = true;
    pthread_barrier_wait(&soak->turn);
    soak->is_round_over = false;
}

void crew_let_go(struct soak *soak)
{
    pthread_barrier_wait(&soak->turn);
}

void crew_end(struct soak *soak)
{
    soak->is_end = true;
    crew_let_go(soak);
    for (int i = 0; i < LEDGER_WORKERS; i++)
        pthread_join(soak->workers[i].thread, NULL);
}

uint64_t crew_deeds(const struct soak *soak, int kind)
{
    uint64_t sum = 0;
    for (int i = 0; i < LEDGER_WORKERS; i++)
        sum += soak->deed_counts[i][kind];
    return sum;
}
