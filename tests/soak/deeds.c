#include "deeds.h"

#include "../support/random.h"
#include "clock.h"

enum { MOST_NESTED = 6, MOST_INSIDE = 2, MOST_TICKS = 50, DICE_SIDES = 100000 };

/* The threads that may do a deed, besides the eight workers. */
enum { WORKER, CHILD = 1, SHORT = 2, ANY = CHILD | SHORT };

/* The weight is the number of deeds of this kind in 100,000. Slow deeds are rare, so that recording
 * takes most of the time. */
static const struct {
    const char *name;
    void (*act)(struct soak_worker *worker);
    int weight, who;
} deeds[DEED_KINDS] = {
    {"scopes", deed_scope, 30000, ANY},
    {"scopes by hand", deed_by_hand, 10000, ANY},
    {"slow scopes", deed_slow, 5000, ANY},
    {"holds", deed_hold, 10000, ANY},
    {"pairs", deed_pair, 25000, ANY},
    {"overlapping pairs", deed_overlap, 9300, ANY},
    {"spans", deed_span, 6000, ANY},
    {"spans begun", deed_send, 2000, SHORT},
    {"spans ended", deed_receive, 2000, SHORT},
    {"temporary instances", deed_temporary, 300, CHILD},
    {"snapshots", deed_snapshot, 60, CHILD},
    {"reports", deed_report, 60, WORKER},
    {"saves", deed_save, 20, WORKER},
    {"resets", deed_reset, 40, WORKER},
    {"source changes", deed_change_source, 20, WORKER},
    {"short threads", deed_short_thread, 180, WORKER},
    {"forks", deed_fork, 20, WORKER},
    {"nothing", deed_inside, 0, ANY}, /* the rest of the numbers of the dice */
};

uint64_t deed_dice(struct soak_worker *worker, uint64_t sides)
{
    return random_of(&worker->random) % sides;
}

static void meet(struct soak_worker *worker)
{
    pthread_barrier_wait(&worker->soak->turn); /* in between only the main */
    pthread_barrier_wait(&worker->soak->turn); /* thread runs */
}

static int choose(struct soak_worker *worker)
{
    int dice = (int)deed_dice(worker, DICE_SIDES), kind = 0;
    while (kind < DEED_KINDS - 1 && dice >= deeds[kind].weight)
        dice -= deeds[kind++].weight;
    return kind;
}

static bool may(const struct soak_worker *worker, int who)
{
    return (!worker->is_child || who & CHILD) && (!worker->is_short || who & SHORT) &&
           (!worker->soak->only_records || who & SHORT);
}

void deed_next(struct soak_worker *worker)
{
    const struct soak *soak = worker->soak;
    if (soak->is_round_over && !worker->is_child && !worker->is_short)
        meet(worker);
    int kind = choose(worker);
    if (soak->is_end || worker->nesting == MOST_NESTED || !may(worker, deeds[kind].who))
        return;
    worker->nesting++;
    worker->deed_counts[kind]++;
    deeds[kind].act(worker);
    worker->nesting--;
}

void deed_inside(struct soak_worker *worker)
{
    clock_advance(1 + deed_dice(worker, MOST_TICKS));
    for (uint64_t left = deed_dice(worker, MOST_INSIDE + 1); left; left--)
        deed_next(worker);
    clock_advance(1 + deed_dice(worker, MOST_TICKS));
}

const char *deed_name(int kind)
{
    return deeds[kind].name;
}
