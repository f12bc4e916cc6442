#include "snapshot_told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fingerprint.h"
#include "snapshot_series.h"

enum { COUNTERS = EP_SERIES_OPEN }; /* what is open may become less */

/* Of a row: the most that was seen. Of a series: what was told. */
struct mark {
    struct ep_wide print;
    uint64_t snapshot;  /* the number of the one that it was found in last, */
    uint32_t namesakes; /* and how often it was there once more */
    uint64_t most[COUNTERS];
};

static struct mark *mark_of(struct ep_told *told, struct ep_wide print)
{
    uint32_t found = ep_fingerprint_table_find(&told->marks, sizeof(struct mark), print);
    return found == EP_MAP_NONE ? NULL : (struct mark *)told->marks.rows + found;
}

/* ---- rows ---- */

/* A row is what its series is, and which of it: a slot, or the sites from the root to it. */
static struct ep_wide print_of_row(const struct eprof_snapshot *snapshot, struct ep_wide *ways,
                                   struct ep_wide series, size_t row)
{
    if (row < snapshot->scope_first || row >= snapshot->trouble_first) {
        int id = snapshot->rows[row].id;
        return ep_fingerprint_add(series, &id, sizeof id);
    }
    const struct ep_tree_place *place = &snapshot->places[row - snapshot->scope_first];
    struct ep_wide above = place->parent == SIZE_MAX ? ep_fingerprint_begin() : ways[place->parent];
    ways[row] = ep_fingerprint_add(above, &place->site, sizeof place->site);
    return ep_fingerprint_add(series, &ways[row], sizeof ways[row]);
}

/* Two threads of one name have the same rows: the second time it is the second's. */
static struct mark *next_mark_of(struct ep_told *told, struct ep_wide print)
{
    struct mark *first = mark_of(told, print);
    if (!first)
        return NULL;
    if (first->snapshot == told->snapshots) {
        uint32_t namesakes = ++first->namesakes;
        return mark_of(told, ep_fingerprint_add(print, &namesakes, sizeof namesakes));
    }
    first->snapshot = told->snapshots;
    first->namesakes = 0;
    return first;
}

/* Not of trouble: "clock" is a sum over the rows there are, and no count of its own. Not by
 * threads: where they take names from each other, their rows do, and what was told would be added
 * again and again. */
static bool is_another(const struct mark *mark, const struct eprof_row *row, bool by_threads)
{
    return !by_threads && row->calls < mark->most[EP_SERIES_CALLS] &&
           strcmp(row->kind, "trouble") != 0;
}

/* Adds what the row has more than it had to what its series was told of. */
static void advance(struct mark *mark, struct mark *series, struct eprof_row *row, bool is_new)
{
    for (int i = 0; i < COUNTERS; i++) {
        uint64_t value = *ep_series_figure(row, i);
        uint64_t before = is_new ? 0 : mark->most[i];
        if (value > before)
            series->most[i] += value - before;
        mark->most[i] = value > before ? value : before;
    }
}

static bool advance_rows(struct ep_told *told, const struct ep_series_set *set,
                         const struct eprof_snapshot *snapshot, struct ep_wide *ways)
{
    told->snapshots++;
    for (size_t i = 0; i < snapshot->row_count; i++) {
        struct ep_wide series = ep_series_of(set, i)->print;
        if (!mark_of(told, series)) /* it is made before, so that the other is not moved by it */
            return false;
        struct mark *mark = next_mark_of(told, print_of_row(snapshot, ways, series, i));
        if (!mark)
            return false;
        struct eprof_row *row = &snapshot->rows[i];
        advance(mark, mark_of(told, series), row, is_another(mark, row, snapshot->options.threads));
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
    struct ep_wide *ways = calloc(snapshot->row_count + 1, sizeof *ways);
    bool is_done = ways && advance_rows(told, &set, snapshot, ways);
    if (is_done)
        raise_first_rows(told, &set, snapshot);
    free(ways);
    ep_series_free(&set);
    return is_done ? 0 : (errno = ENOMEM, -1);
}
