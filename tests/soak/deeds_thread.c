/* Threads that live for a few deeds. */
#include <eprof.h>

#include "deeds.h"
#include "moment.h"

/* The number of threads at once: each has its own cells, and rare paths fill these slowly. */
enum { SHORT_DEEDS = 8, MOST_AT_ONCE = 2 };

/* The thread that began this one is in a moment, so this thread is in it too. */
static void *live(void *own)
{
    struct soak_worker *worker = own;
    uint64_t way = deed_dice(worker, 4);
    moment_leave_out();
    if (way == 1)
        eprof_thread_enter("short");
    for (uint64_t left = 1 + deed_dice(worker, SHORT_DEEDS); left; left--)
        deed_next(worker);
    if (way == 2)
        eprof_thread_enter("short");
    if (way == 3)
        eprof_thread_exit();
    return NULL;
}

static void let_live(struct soak_worker *worker)
{
    struct soak_worker brief = {.soak = worker->soak,
                                .book = worker->short_book,
                                .number = worker->number,
                                .random = worker->random + 1,
                                .is_short = true,
                                .deed_counts = worker->deed_counts};
    moment_begin();
    int error = pthread_create(&brief.thread, NULL, live, &brief);
    if (error)
        soak_fail(worker, "there is no thread to be had: %d", error);
    else
        pthread_join(brief.thread, NULL);
    moment_end();
}

void deed_short_thread(struct soak_worker *worker)
{
    if (worker->soak->short_alive++ < MOST_AT_ONCE)
        let_live(worker);
    worker->soak->short_alive--;
}
