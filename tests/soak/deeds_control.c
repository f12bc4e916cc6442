/* Resets, which are ordered relative to all recording; or in a storm, where it is unknown what a
 * reset has found. */
#include <eprof.h>

#include "clock.h"
#include "deeds.h"
#include "moment.h"

void deed_reset(struct soak_worker *worker)
{
    struct soak *soak = worker->soak;
    if (moment_is_storm()) {
        eprof_reset();
        return;
    }
    moment_begin_alone();
    eprof_reset();
    ledger_reset(&soak->ledger);
    soak->resets++;
    moment_end_alone();
}

void deed_change_source(struct soak_worker *worker)
{
    struct soak *soak = worker->soak;
    /* mostly to the clock whose time is known exactly */
    uint64_t dice = deed_dice(worker, 2) ? deed_dice(worker, UINT64_MAX) : 0;
    if (moment_is_storm() && (!soak->may_change_source || soak->slow_open))
        return;
    if (moment_is_storm()) {
        clock_change(dice);
        return;
    }
    moment_begin_alone();
    if (!soak->slow_open) {
        clock_change(dice);
        ledger_reset(&soak->ledger);
        soak->resets++;
        soak->source_changes++;
    }
    moment_end_alone();
}
