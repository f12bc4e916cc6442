/* Instances: nested and overlapping pairs, and spans from one thread to another. */
#include <eprof.h>
#include <stdio.h>

#include "clock.h"
#include "deeds.h"
#include "moment.h"

enum { MOST_SPAN_TICKS = 1000 };

/* ---- pairs ---- */

static int choose_shared(struct soak_worker *worker)
{
    return (int)deed_dice(worker, LEDGER_SHARED);
}

static bool is_full(const struct soak_worker *worker, int instance)
{
    return worker->book->open[instance] == LEDGER_PAIRS;
}

static void start(struct soak_worker *worker, int instance, int id)
{
    moment_begin();
    eprof_start(id);
    ledger_start(worker->book, instance, clock_now());
    moment_end();
}

static void stop(struct soak_worker *worker, int instance, int id)
{
    moment_begin();
    ledger_stop(worker->book, instance, clock_now());
    eprof_stop(id);
    moment_end();
}

void deed_pair(struct soak_worker *worker)
{
    int instance = choose_shared(worker), id = worker->soak->ids[instance];
    if (is_full(worker, instance))
        return;
    start(worker, instance, id);
    deed_inside(worker);
    stop(worker, instance, id);
}

void deed_overlap(struct soak_worker *worker)
{
    const int *ids = worker->soak->ids;
    int one = choose_shared(worker), other = (one + 1) % LEDGER_SHARED;
    if (is_full(worker, one) || is_full(worker, other))
        return;
    start(worker, one, ids[one]);
    deed_inside(worker);
    start(worker, other, ids[other]);
    clock_advance(1 + deed_dice(worker, 10));
    stop(worker, one, ids[one]);
    deed_inside(worker);
    stop(worker, other, ids[other]);
}

void deed_temporary(struct soak_worker *worker)
{
    char label[24];
    if (worker->has_temporary)
        return;
    snprintf(label, sizeof label, "temporary %d", worker->number);
    moment_begin();
    int id = eprof_alloc(label);
    moment_end();
    if (id < 0) {
        soak_fail(worker, "there is no instance to be had");
        return;
    }
    worker->has_temporary = true;
    start(worker, LEDGER_TEMPORARY, id);
    deed_inside(worker);
    stop(worker, LEDGER_TEMPORARY, id);
    deed_inside(worker);
    moment_begin();
    ledger_release(worker->book, LEDGER_TEMPORARY);
    if (eprof_release(id) != 0)
        soak_fail(worker, "the instance %d cannot be released", id);
    moment_end();
    worker->has_temporary = false;
}

/* ---- spans ---- */

/* In a storm in which the source changes, the two ends of a span may come from two clocks. */
static bool has_one_clock(const struct soak_worker *worker)
{
    return !moment_is_storm() || !worker->soak->may_change_source;
}

void deed_span(struct soak_worker *worker)
{
    int instance = choose_shared(worker);
    if (!has_one_clock(worker))
        return;
    moment_begin();
    uint64_t start_ticks = eprof_now(), known_ticks = clock_now();
    clock_advance(1 + deed_dice(worker, 20));
    eprof_record(worker->soak->ids[instance], start_ticks, eprof_now());
    ledger_span(worker->book, instance, clock_now() - known_ticks);
    moment_end();
}

/* A span belongs to the hold in which it began, and the ticks of another thread do not show this
 * hold. */
static bool may_exchange(const struct soak_worker *worker)
{
    return !moment_is_storm() && worker->book->level == 0;
}

void deed_send(struct soak_worker *worker)
{
    struct soak *soak = worker->soak;
    if (!may_exchange(worker))
        return;
    moment_begin();
    pthread_mutex_lock(&soak->mail_lock);
    soak->mail = (struct soak_mail){true, eprof_now(), soak->resets, soak->source_changes};
    pthread_mutex_unlock(&soak->mail_lock);
    moment_end();
}

static struct soak_mail take_mail(struct soak *soak)
{
    pthread_mutex_lock(&soak->mail_lock);
    struct soak_mail mail = soak->mail;
    soak->mail.is_full = false;
    pthread_mutex_unlock(&soak->mail_lock);
    return mail;
}

/* The second end of a span. If all threads share the clock, it is the current time. Otherwise it is
 * a random time after the first end on the clock moved by hand, and the same time as the first end
 * on the others. */
static uint64_t other_end(struct soak_worker *worker, uint64_t start_ticks)
{
    if (!clock_is_per_thread())
        return eprof_now();
    return start_ticks + (clock_is_by_hand() ? 1 + deed_dice(worker, MOST_SPAN_TICKS) : 0);
}

/* A span that began before a reset does not count; but if each thread has its own time, the library
 * cannot know this. The reset may also have come in the same microsecond, so these cases are left
 * out. */
void deed_receive(struct soak_worker *worker)
{
    struct soak *soak = worker->soak;
    if (!may_exchange(worker))
        return;
    moment_begin();
    struct soak_mail mail = take_mail(soak);
    bool is_of_now = clock_is_per_thread() || mail.resets == soak->resets;
    if (mail.is_full && mail.source_changes == soak->source_changes && is_of_now) {
        int instance = choose_shared(worker);
        uint64_t stop_ticks = other_end(worker, mail.start_ticks);
        eprof_record(soak->ids[instance], mail.start_ticks, stop_ticks);
        ledger_span(worker->book, instance, clock_is_by_hand() ? stop_ticks - mail.start_ticks : 0);
    }
    moment_end();
}
