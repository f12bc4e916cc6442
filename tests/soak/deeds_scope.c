/* Scopes of all kinds and holds, with further deeds inside. */
#include <eprof.h>

#include "clock.h"
#include "deeds.h"
#include "moment.h"

enum { LABEL_BY_HAND = 2, LABEL_SLOW = 3, SLOW_TICKS = 80 };

static bool is_deep(const struct soak_worker *worker)
{
    return worker->book->depth == LEDGER_DEPTH;
}

/* ---- scopes that are left with their block ---- */

/* The scope is entered in the current moment; it is left in a moment that continues after this
 * function. */
static void inside(struct soak_worker *worker, int label)
{
    ledger_enter(worker->book, label, clock_now());
    moment_end();
    deed_inside(worker);
    moment_begin();
    ledger_leave(worker->book, clock_now());
}

static void one(struct soak_worker *worker)
{
    EPROF_SCOPE("one");
    inside(worker, 0);
}

static void two(struct soak_worker *worker)
{
    EPROF_BLOCK("two") inside(worker, 1);
}

void deed_scope(struct soak_worker *worker)
{
    static void (*const scopes[])(struct soak_worker * worker) = {one, two};
    if (is_deep(worker))
        return;
    moment_begin();
    scopes[deed_dice(worker, 2)](worker);
    moment_end();
}

void deed_by_hand(struct soak_worker *worker)
{
    if (is_deep(worker))
        return;
    moment_begin();
    eprof_enter(ledger_labels[LABEL_BY_HAND]);
    inside(worker, LABEL_BY_HAND);
    eprof_leave();
    moment_end();
}

/* ---- calls that count only if they are kept ---- */

static bool is_held_enough(const struct soak_worker *worker)
{
    return worker->book->level == LEDGER_LEVELS - 1;
}

/* On a clock of the system the duration is not known in advance: it is more than 0, and less than
 * UINT64_MAX. */
static uint64_t choose_least(struct soak_worker *worker)
{
    if (clock_is_by_hand())
        return SLOW_TICKS;
    return deed_dice(worker, 2) ? UINT64_MAX : 0;
}

static bool slow(struct soak_worker *worker, uint64_t least_ns)
{
    EPROF_SLOW("slow", least_ns);
    ledger_hold(worker->book);
    ledger_enter(worker->book, LABEL_SLOW, clock_now());
    moment_end();
    deed_inside(worker);
    moment_begin();
    return ledger_leave(worker->book, clock_now()) >= least_ns;
}

void deed_slow(struct soak_worker *worker)
{
    /* in a storm the source could change between this check and the begin */
    if (is_deep(worker) || is_held_enough(worker) || moment_is_storm())
        return;
    moment_begin();
    worker->soak->slow_open++;
    bool is_kept = slow(worker, choose_least(worker));
    ledger_keep(worker->book, is_kept);
    worker->soak->slow_open--;
    moment_end();
}

void deed_hold(struct soak_worker *worker)
{
    if (is_held_enough(worker))
        return;
    moment_begin();
    eprof_hold();
    ledger_hold(worker->book);
    moment_end();
    deed_inside(worker);
    moment_begin();
    bool keep = deed_dice(worker, 2);
    eprof_keep(keep);
    ledger_keep(worker->book, keep);
    moment_end();
}
