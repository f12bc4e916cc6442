#include "snapshot_told.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot_identity.h"
#include "snapshot_series.h"

enum {
    COUNTERS = EP_SERIES_OPEN, /* what is open may become less */
    MARKS_LEAST = 1024         /* which are 64 KiB: fewer are not worth the time */
};

/* Of a row: the most that was seen. Of a series: what was told. */
struct mark {
    struct ep_wide print;
    uint64_t snapshot; /* the number of the last one that it was in */
    uint64_t most[COUNTERS];
};

static struct mark *mark_of(struct ep_told *told, struct ep_wide print)
{
    uint32_t found = ep_fingerprint_table_find(&told->marks, sizeof(struct mark), print);
    struct mark *mark = found == EP_MAP_NONE ? NULL : (struct mark *)told->marks.rows + found;
    if (mark)
        mark->snapshot = told->snapshots;
    return mark;
}

/* ---- what is not there any more ---- */

static bool copy_recent(struct ep_fingerprint_table *recent, const struct ep_told *told)
{
    const struct mark *marks = told->marks.rows;
    for (size_t i = 0; i < told->marks.count; i++) {
        if (told->snapshots - marks[i].snapshot > EP_TOLD_SNAPSHOTS)
            continue;
        uint32_t found = ep_fingerprint_table_find(recent, sizeof *marks, marks[i].print);
        if (found == EP_MAP_NONE)
            return false;
        ((struct mark *)recent->rows)[found] = marks[i];
    }
    return true;
}

/* Whenever there are twice as many as the last time; without memory for it, another time. */
static void forget_old(struct ep_told *told)
{
    struct ep_fingerprint_table recent = {.rows = NULL};
    if (told->marks.count < 2 * told->kept + MARKS_LEAST)
        return;
    if (copy_recent(&recent, told)) {
        ep_fingerprint_table_free(&told->marks);
        told->marks = recent;
        told->kept = recent.count;
    } else {
        ep_fingerprint_table_free(&recent);
    }
}

/* ---- rows ---- */

/* Adds what the row has more than it had to what its series was told of. */
static void advance(struct mark *mark, struct mark *series, struct eprof_row *row)
{
    for (int i = 0; i < COUNTERS; i++) {
        uint64_t value = *ep_series_figure(row, i);
        if (value <= mark->most[i])
            continue;
        series->most[i] += value - mark->most[i];
        mark->most[i] = value;
    }
}

static bool advance_rows(struct ep_told *told, const struct ep_series_set *set,
                         const struct eprof_snapshot *snapshot, struct ep_wide *ways)
{
    for (size_t i = 0; i < snapshot->row_count; i++) {
        struct ep_wide series = ep_series_of(set, i)->print;
        if (!mark_of(told, series)) /* it is made before, so that the other is not moved by it */
            return false;
        struct mark *mark = mark_of(told, ep_identity_of_row(snapshot, ways, i));
        if (!mark)
            return false;
        advance(mark, mark_of(told, series), &snapshot->rows[i]);
    }
    return true;
}

/* ---- series ---- */

static void raise_first_rows(struct ep_told *told, const struct ep_series_set *set,
                             struct eprof_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->row_count; i++) {
        const struct ep_series *series = ep_series_begun_by(set, i);
        for (int figure = 0; series && figure < COUNTERS; figure++)
            *ep_series_figure(&snapshot->rows[i], figure) +=
                mark_of(told, series->print)->most[figure] - series->sum[figure];
    }
}

int ep_told_raise(struct ep_told *told, uint64_t epoch, struct eprof_snapshot *snapshot)
{
    struct ep_series_set set;
    if (ep_series_find(&set, snapshot) != 0)
        return -1;
    if (told->epoch != epoch)
        ep_fingerprint_table_clear(&told->marks);
    told->epoch = epoch;
    told->snapshots++;
    forget_old(told);
    struct ep_wide *ways = calloc(snapshot->row_count + 1, sizeof *ways);
    bool is_done = ways && advance_rows(told, &set, snapshot, ways);
    if (is_done)
        raise_first_rows(told, &set, snapshot);
    free(ways);
    ep_series_free(&set);
    return is_done ? 0 : (errno = ENOMEM, -1);
}
