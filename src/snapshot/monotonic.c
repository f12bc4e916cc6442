#include "snapshot/monotonic.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot/series.h"

enum {
    COUNTERS = EP_SERIES_OPEN, /* open calls may become fewer */
    MARKS_LEAST = 1024         /* 280 KiB: fewer are not worth the time */
};

/* The highest figures seen of a row, or the figures reported of a series. */
struct mark {
    struct ep_wide print;
    uint64_t snapshot; /* the last one that contained it */
    uint64_t most[COUNTERS];
    struct ep_ladder ladder;
};

static struct mark *mark_of(struct ep_monotonic *monotonic, struct ep_wide print)
{
    struct mark *mark = ep_series_row(&monotonic->marks, sizeof *mark, print);
    if (mark)
        mark->snapshot = monotonic->snapshots;
    return mark;
}

/* How many marks were absent from the last snapshot, but from no more than `age` - 1. */
static size_t count_gone(const struct ep_monotonic *monotonic, uint64_t age)
{
    const struct mark *marks = monotonic->marks.rows;
    size_t count = 0;
    for (size_t i = 0; i < monotonic->marks.count; i++) {
        uint64_t its = monotonic->snapshots - marks[i].snapshot;
        count += its > 1 && its <= age;
    }
    return count;
}

/* In how many snapshots a mark may have been absent and is still kept. Marks of the last snapshot
 * always are; of the others at most EP_MONOTONIC_GONE, those that were seen last. */
static uint64_t oldest_kept(const struct ep_monotonic *monotonic)
{
    uint64_t kept = 1, beyond = EP_MONOTONIC_SNAPSHOTS + 1;
    while (beyond - kept > 1) {
        uint64_t age = (kept + beyond) / 2;
        if (count_gone(monotonic, age) <= EP_MONOTONIC_GONE)
            kept = age;
        else
            beyond = age;
    }
    return kept;
}

/* Forgets old marks once there are twice as many marks as were left the last time, or
 * EP_MONOTONIC_GONE more. If there is no memory, the next call tries again. */
static void forget_old(struct ep_monotonic *monotonic)
{
    struct ep_fingerprint_table recent = {.rows = NULL};
    const struct mark *marks = monotonic->marks.rows;
    size_t more = monotonic->kept < EP_MONOTONIC_GONE ? monotonic->kept : EP_MONOTONIC_GONE;
    if (monotonic->marks.count < monotonic->kept + more + MARKS_LEAST)
        return;
    uint64_t oldest = oldest_kept(monotonic);
    for (size_t i = 0; i < monotonic->marks.count; i++) {
        if (monotonic->snapshots - marks[i].snapshot > oldest)
            continue;
        struct mark *mark = ep_series_row(&recent, sizeof *mark, marks[i].print);
        if (!mark) {
            ep_hash_table_free(&recent);
            return;
        }
        *mark = marks[i];
    }
    ep_hash_table_free(&monotonic->marks);
    monotonic->marks = recent;
    monotonic->kept = recent.count;
}

/* Adds the growth of the row's ladder to that of its series. A call that is found to be longer than
 * before stays below the bound; so the highest counts of a row rise from bound to bound, and none
 * is above the number of its calls. */
static void advance_ladder(struct ep_ladder *mark, struct ep_ladder *series,
                           const struct ep_ladder *row)
{
    for (int i = 0; i < EP_LADDER_BOUNDS; i++) {
        if (row->calls[i] <= mark->calls[i])
            continue;
        series->calls[i] += row->calls[i] - mark->calls[i];
        mark->calls[i] = row->calls[i];
    }
}

/* Adds the growth of the row to its series. What is unknown in this snapshot adds nothing. */
static void advance(struct mark *mark, struct mark *series, struct eprof_row *row)
{
    for (int i = 0; i < COUNTERS; i++) {
        uint64_t value = ep_series_summand(row, i);
        if (value <= mark->most[i] || ep_series_is_unknown(i, value))
            continue;
        series->most[i] += value - mark->most[i];
        mark->most[i] = value;
    }
}

static bool advance_rows(struct ep_monotonic *monotonic, const struct ep_series_set *set,
                         const struct eprof_snapshot *snapshot, const struct ep_wide *identities)
{
    for (size_t i = 0; i < snapshot->row_count; i++) {
        struct ep_wide series = ep_series_of(set, i)->print;
        if (!mark_of(monotonic, series)) /* created first, since this may move the other mark */
            return false;
        struct mark *mark = mark_of(monotonic, identities[i]);
        if (!mark)
            return false;
        struct mark *sum = mark_of(monotonic, series);
        advance(mark, sum, &snapshot->rows[i]);
        const struct ep_ladder *ladder = ep_rows_ladder(snapshot, i);
        if (ladder)
            advance_ladder(&mark->ladder, &sum->ladder, ladder);
    }
    return true;
}

/* The calls up to a bound include those up to a lower one, and are at most all that were timed. */
static void order_ladder(struct mark *mark)
{
    uint64_t below = 0;
    for (int i = 0; i < EP_LADDER_BOUNDS; i++) {
        below = below > mark->ladder.calls[i] ? below : mark->ladder.calls[i];
        if (below > mark->most[EP_SERIES_TIMED])
            below = mark->most[EP_SERIES_TIMED];
        mark->ladder.calls[i] = below;
    }
}

/* Brings *sum, of the rows of a series, to `most` by this row, as far as that is possible. It may
 * be more: a row whose thread was renamed has calls that stay with its earlier name. */
static void bring(uint64_t *sum, uint64_t most, uint64_t value, uint64_t *counter)
{
    uint64_t surplus = *sum > most ? *sum - most : 0;
    uint64_t taken = surplus < value ? surplus : value;
    uint64_t added = *sum < most ? most - *sum : 0;
    *counter += added - taken;
    *sum += added - taken;
}

/* A series of which a figure is unknown does not have it in this report. */
static void bring_row(struct ep_series *series, const struct mark *mark, struct eprof_row *row,
                      struct ep_ladder *ladder)
{
    for (int i = 0; i < COUNTERS; i++)
        if (!ep_series_is_unknown(i, series->sum[i]))
            bring(&series->sum[i], mark->most[i], ep_series_summand(row, i),
                  ep_series_counter(row, i));
    for (int i = 0; ladder && i < EP_LADDER_BOUNDS; i++)
        bring(&series->ladder.calls[i], mark->ladder.calls[i], ladder->calls[i], &ladder->calls[i]);
}

int ep_monotonic_raise(struct ep_monotonic *monotonic, uint64_t epoch,
                       struct eprof_snapshot *snapshot)
{
    struct ep_series_set set;
    if (ep_series_find(&set, snapshot) != 0)
        return -1;
    if (monotonic->epoch != epoch)
        ep_hash_table_free(&monotonic->marks);
    monotonic->epoch = epoch;
    monotonic->snapshots++;
    forget_old(monotonic);
    struct ep_wide *identities = ep_series_identities(snapshot);
    bool is_done = identities && advance_rows(monotonic, &set, snapshot, identities);
    for (size_t i = 0; is_done && i < snapshot->row_count; i++) {
        struct ep_series *series = (struct ep_series *)(uintptr_t)ep_series_of(&set, i);
        struct mark *mark = mark_of(monotonic, series->print); /* it is there */
        if (ep_series_begun_by(&set, i))
            order_ladder(mark);
        bring_row(series, mark, &snapshot->rows[i], ep_rows_ladder(snapshot, i));
    }
    free(identities);
    ep_series_free(&set);
    return is_done ? 0 : (errno = ENOMEM, -1);
}

/* ---- in a file: the numbers, then the marks ---- */

struct kept {
    uint64_t epoch, snapshots, kept, count;
};

int ep_monotonic_write(const struct ep_monotonic *monotonic, FILE *to)
{
    size_t count = monotonic->marks.count;
    struct kept head = {monotonic->epoch, monotonic->snapshots, monotonic->kept, count};
    bool is_written =
        fwrite(&head, sizeof head, 1, to) == 1 &&
        (!count || fwrite(monotonic->marks.rows, sizeof(struct mark), count, to) == count);
    return is_written ? 0 : -1;
}

int ep_monotonic_read(struct ep_monotonic *monotonic, FILE *from)
{
    struct kept head;
    struct mark read;
    *monotonic = (struct ep_monotonic){.epoch = 0};
    int error = fread(&head, sizeof head, 1, from) == 1 ? 0 : EINVAL;
    for (uint64_t i = 0; !error && i < head.count; i++) {
        bool is_read = fread(&read, sizeof read, 1, from) == 1;
        struct mark *mark =
            is_read ? ep_series_row(&monotonic->marks, sizeof *mark, read.print) : NULL;
        error = !is_read ? EINVAL : !mark ? ENOMEM : 0;
        if (mark)
            *mark = read;
    }
    if (error) {
        ep_monotonic_free(monotonic);
        return errno = error, -1;
    }
    monotonic->epoch = head.epoch;
    monotonic->snapshots = head.snapshots;
    monotonic->kept = (size_t)head.kept;
    return 0;
}

void ep_monotonic_free(struct ep_monotonic *monotonic)
{
    ep_hash_table_free(&monotonic->marks);
    *monotonic = (struct ep_monotonic){.epoch = 0};
}
