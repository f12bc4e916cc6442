#include "snapshot_series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fingerprint.h"

uint64_t *ep_series_figure(struct eprof_row *row, enum ep_series_figure figure)
{
    uint64_t *const figures[EP_SERIES_FIGURES] = {
        [EP_SERIES_CALLS] = &row->calls,   [EP_SERIES_TIMED] = &row->timed,
        [EP_SERIES_ERRORS] = &row->errors, [EP_SERIES_TOTAL] = &row->total_ns,
        [EP_SERIES_SELF] = &row->self_ns,  [EP_SERIES_OPEN] = &row->open,
    };
    return figures[figure];
}

/* ---- names ---- */

static const struct ep_tree_place *place_of(const struct eprof_snapshot *snapshot, size_t row)
{
    bool is_scope = row >= snapshot->scope_first && row < snapshot->trouble_first;
    return is_scope ? &snapshot->places[row - snapshot->scope_first] : NULL;
}

/* Of a path: it goes on from that of the row above. Only the root of a focus has more than its
 * name. What is no scope has its name as reports show it, in which two may be the same. */
static struct ep_wide print_of_path(const struct eprof_snapshot *snapshot,
                                    const struct ep_wide *paths, size_t row)
{
    const struct ep_tree_place *place = place_of(snapshot, row);
    const struct eprof_row *at = &snapshot->rows[row];
    if (!place)
        return ep_fingerprint_add_text(ep_fingerprint_begin(), at->name);
    bool is_root = place->parent == SIZE_MAX;
    struct ep_wide above = is_root ? ep_fingerprint_begin() : paths[place->parent];
    const char *name = is_root && at->path ? at->path : at->name;
    return ep_fingerprint_add(above, name, strlen(name) + 1);
}

struct ep_wide ep_series_print_of_kind(const struct eprof_snapshot *snapshot, size_t row)
{
    const struct ep_snapshot_options *options = &snapshot->options;
    const char asked[] = {options->threads, options->raw, options->ticks};
    struct ep_wide print = ep_fingerprint_add(ep_fingerprint_begin(), asked, sizeof asked);
    return ep_fingerprint_add_text(print, snapshot->rows[row].kind);
}

static struct ep_wide print_of(const struct eprof_snapshot *snapshot, struct ep_wide path,
                               size_t row)
{
    struct ep_wide print = ep_series_print_of_kind(snapshot, row);
    print = ep_fingerprint_add(print, &path, sizeof path);
    return ep_fingerprint_add_text(print, snapshot->rows[row].thread);
}

/* ---- sums ---- */

static struct ep_series *at(const struct ep_series_set *set, uint32_t series)
{
    return (struct ep_series *)set->table.rows + series;
}

/* false: no memory. */
static bool add_row(struct ep_series_set *set, const struct eprof_snapshot *snapshot,
                    struct ep_wide print, size_t row)
{
    uint32_t found = ep_fingerprint_table_find(&set->table, sizeof(struct ep_series), print);
    if (found == EP_MAP_NONE)
        return false;
    struct ep_series *series = at(set, found);
    struct eprof_row *figures = &snapshot->rows[row];
    series->first = series->row_count++ ? series->first : row;
    for (int i = 0; i < EP_SERIES_FIGURES; i++)
        series->sum[i] += *ep_series_figure(figures, i);
    set->of[row] = found;
    return true;
}

static bool add_rows(struct ep_series_set *set, const struct eprof_snapshot *snapshot,
                     struct ep_wide *paths)
{
    for (size_t i = 0; i < snapshot->row_count; i++) {
        const struct ep_tree_place *place = place_of(snapshot, i);
        paths[i] = print_of_path(snapshot, paths, i);
        set->of[i] = EP_MAP_NONE;
        if ((!place || !place->is_around) &&
            !add_row(set, snapshot, print_of(snapshot, paths[i], i), i))
            return false;
    }
    return true;
}

int ep_series_find(struct ep_series_set *set, const struct eprof_snapshot *snapshot)
{
    size_t rows = snapshot->row_count + 1; /* of none there is memory too */
    struct ep_wide *paths = calloc(rows, sizeof *paths);
    *set = (struct ep_series_set){.of = calloc(rows, sizeof *set->of)};
    bool is_whole = paths && set->of && add_rows(set, snapshot, paths);
    free(paths);
    if (is_whole)
        return 0;
    ep_series_free(set);
    errno = ENOMEM;
    return -1;
}

void ep_series_free(struct ep_series_set *set)
{
    ep_fingerprint_table_free(&set->table);
    free(set->of);
    set->of = NULL;
}

const struct ep_series *ep_series_of(const struct ep_series_set *set, size_t row)
{
    return set->of[row] == EP_MAP_NONE ? NULL : at(set, set->of[row]);
}

const struct ep_series *ep_series_begun_by(const struct ep_series_set *set, size_t row)
{
    const struct ep_series *series = ep_series_of(set, row);
    return series && series->first == row ? series : NULL;
}
