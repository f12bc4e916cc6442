#include "snapshot/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- fingerprints ---- */

/* Begins a fingerprint with the kind and the snapshot's options. */
static struct ep_wide print_of_kind(const struct eprof_snapshot *snapshot, size_t row)
{
    const struct ep_snapshot_options *options = &snapshot->options;
    const char asked[] = {options->threads, options->raw, options->ticks};
    struct ep_wide print = ep_hash_add(ep_hash_begin(), asked, sizeof asked);
    return ep_hash_add_text(print, snapshot->rows[row].kind);
}

static const struct ep_tree_position *position_of(const struct eprof_snapshot *snapshot, size_t row)
{
    bool is_scope = row >= snapshot->scope_first && row < snapshot->diagnostic_first;
    return is_scope ? ep_rows_position(snapshot, row) : NULL;
}

/* The path of the parent; a root has an empty one. */
static struct ep_wide path_above(const struct ep_tree_position *position,
                                 const struct ep_wide *paths)
{
    return position->parent == SIZE_MAX ? ep_hash_begin() : paths[position->parent];
}

static struct ep_wide identity_of(const struct eprof_snapshot *snapshot, struct ep_wide *paths,
                                  size_t row)
{
    const struct ep_tree_position *position = position_of(snapshot, row);
    const struct eprof_row *at = &snapshot->rows[row];
    struct ep_wide print = print_of_kind(snapshot, row);
    if (row >= snapshot->diagnostic_first)
        return ep_hash_add_text(print, at->name);
    if (!position) {
        const struct ep_instance_slot *instance = &snapshot->instance_slots[row];
        print = ep_hash_add(print, &at->id, sizeof at->id);
        print = ep_hash_add(print, &instance->born, sizeof instance->born);
        return ep_hash_add(print, &instance->thread, sizeof instance->thread);
    }
    paths[row] = ep_hash_add(path_above(position, paths), &position->site, sizeof position->site);
    print = ep_hash_add(print, &paths[row], sizeof paths[row]);
    return ep_hash_add(print, &position->thread, sizeof position->thread);
}

/* Only the root of a focus has a path in place of a name. Rows of instances and diagnostics have
 * their name as reports show it, which two of them may share. */
static struct ep_wide series_of(const struct eprof_snapshot *snapshot, struct ep_wide *paths,
                                size_t row)
{
    const struct ep_tree_position *position = position_of(snapshot, row);
    const struct eprof_row *at = &snapshot->rows[row];
    const char *name = position && position->parent == SIZE_MAX && at->path ? at->path : at->name;
    paths[row] = position ? ep_hash_add(path_above(position, paths), name, strlen(name) + 1)
                          : ep_hash_add_text(ep_hash_begin(), name);
    struct ep_wide print = print_of_kind(snapshot, row);
    print = ep_hash_add(print, &paths[row], sizeof paths[row]);
    return ep_hash_add_text(print, at->thread);
}

/* The fingerprints of all rows, and room for `more`; to be freed. `print_of` also sets the path of
 * a scope, which the paths below it continue. NULL: no memory. */
static struct ep_wide *find_prints(const struct eprof_snapshot *snapshot, size_t more,
                                   struct ep_wide (*print_of)(const struct eprof_snapshot *,
                                                              struct ep_wide *, size_t))
{
    size_t rows = snapshot->row_count;
    struct ep_wide *prints = calloc(rows + more + 1, sizeof *prints);
    struct ep_wide *paths = calloc(rows + 1, sizeof *paths);
    for (size_t i = 0; prints && paths && i < rows; i++)
        prints[i] = print_of(snapshot, paths, i);
    if (!paths) {
        free(prints);
        prints = NULL;
    }
    free(paths);
    return prints;
}

struct ep_wide *ep_series_identities(const struct eprof_snapshot *snapshot)
{
    struct ep_wide *prints = find_prints(snapshot, snapshot->top_count, identity_of);
    for (size_t i = 0; prints && i < snapshot->top_count; i++) {
        const uint32_t site = snapshot->top_marks[i].site;
        struct ep_wide print = ep_hash_add_text(ep_hash_begin(), "top");
        prints[snapshot->row_count + i] = ep_hash_add(print, &site, sizeof site);
    }
    return prints;
}

/* ---- series ---- */

uint64_t *ep_series_figure(struct eprof_row *row, enum ep_series_figure figure)
{
    uint64_t *const figures[EP_SERIES_FIGURES] = {
        [EP_SERIES_CALLS] = &row->calls,   [EP_SERIES_TIMED] = &row->timed,
        [EP_SERIES_ERRORS] = &row->errors, [EP_SERIES_TOTAL] = &row->total_ns,
        [EP_SERIES_SELF] = &row->self_ns,  [EP_SERIES_CPU] = &row->cpu_ns,
        [EP_SERIES_WAIT] = &row->wait_ns,  [EP_SERIES_OPEN] = &row->open,
    };
    return figures[figure];
}

static bool is_sampled(const struct eprof_row *row)
{
    return row->estimated && row->outermost > row->errors;
}

/* The calls that the total of a row represents. */
static uint64_t totaled(const struct eprof_row *row)
{
    return is_sampled(row) ? row->outermost - row->errors : row->timed;
}

uint64_t ep_series_summand(struct eprof_row *row, enum ep_series_figure figure)
{
    return figure == EP_SERIES_TIMED ? totaled(row) : *ep_series_figure(row, figure);
}

uint64_t *ep_series_counter(struct eprof_row *row, enum ep_series_figure figure)
{
    return figure == EP_SERIES_TIMED && is_sampled(row) ? &row->outermost
                                                        : ep_series_figure(row, figure);
}

/* A sum with an unknown figure is the highest number, and so unknown. False: no memory. */
static bool add_row(struct ep_series_set *set, const struct eprof_snapshot *snapshot,
                    struct ep_wide print, size_t row)
{
    struct ep_series *series = ep_series_row(&set->table, sizeof *series, print);
    if (!series)
        return false;
    series->first = series->row_count++ ? series->first : row;
    for (int i = 0; i < EP_SERIES_FIGURES; i++)
        series->sum[i] =
            ep_saturating_add(series->sum[i], ep_series_summand(&snapshot->rows[row], i));
    const struct ep_ladder *ladder = ep_rows_ladder(snapshot, row);
    if (ladder)
        ep_ladder_add(&series->ladder, ladder);
    set->of[row] = (uint32_t)(series - (struct ep_series *)set->table.rows);
    return true;
}

int ep_series_find(struct ep_series_set *set, const struct eprof_snapshot *snapshot)
{
    struct ep_wide *prints = find_prints(snapshot, 0, series_of);
    *set = (struct ep_series_set){.of = calloc(snapshot->row_count + 1, sizeof *set->of)};
    bool is_whole = prints && set->of;
    for (size_t i = 0; is_whole && i < snapshot->row_count; i++) {
        const struct ep_tree_position *position = position_of(snapshot, i);
        set->of[i] = EP_MAP_NONE;
        if (!position || !position->is_around)
            is_whole = add_row(set, snapshot, prints[i], i);
    }
    free(prints);
    if (is_whole)
        return 0;
    ep_series_free(set);
    errno = ENOMEM;
    return -1;
}

void ep_series_free(struct ep_series_set *set)
{
    ep_hash_table_free(&set->table);
    free(set->of);
    set->of = NULL;
}

const struct ep_series *ep_series_of(const struct ep_series_set *set, size_t row)
{
    uint32_t series = set->of[row];
    return series == EP_MAP_NONE ? NULL : (struct ep_series *)set->table.rows + series;
}

const struct ep_series *ep_series_begun_by(const struct ep_series_set *set, size_t row)
{
    const struct ep_series *series = ep_series_of(set, row);
    return series && series->first == row ? series : NULL;
}

/* ---- growth ---- */

/* A row of a struct ep_fingerprint_table. */
struct known {
    struct ep_wide print;
    struct ep_growth had;
};

static uint64_t more(uint64_t had, uint64_t has)
{
    return has > had ? has - had : 0;
}

static struct ep_growth growth_of(const struct ep_growth *had, const struct ep_growth *has)
{
    return (struct ep_growth){more(had->calls, has->calls), more(had->timed, has->timed),
                              more(had->total_ns, has->total_ns), more(had->self_ns, has->self_ns)};
}

struct ep_wide ep_series_value_identity(const struct eprof_row *row)
{
    struct ep_wide print = ep_hash_add_text(ep_hash_begin(), row->kind);
    print = ep_hash_add_text(ep_hash_add_text(print, row->thread), row->path);
    print = ep_hash_add_text(print, row->unit);
    return ep_hash_add(ep_hash_add_text(print, row->file), &row->line, sizeof row->line);
}

/* Records the figures of all rows and tops, and the calls of values. If `growths` is given, sets
 * the growth since the recorded figures instead. */
static bool record(struct ep_growth *growths, struct ep_fingerprint_table *table,
                   const struct eprof_snapshot *snapshot)
{
    size_t rows = snapshot->row_count, all = rows + snapshot->top_count;
    struct ep_wide *prints = ep_series_identities(snapshot);
    bool is_whole = prints != NULL;
    for (size_t i = 0; is_whole && i < all; i++) {
        const struct eprof_row *row = i < rows ? &snapshot->rows[i] : &snapshot->tops[i - rows];
        struct ep_growth has = {row->calls, totaled(row), row->total_ns, row->self_ns};
        struct known *known = ep_series_row(table, sizeof *known, prints[i]);
        is_whole = known != NULL;
        if (known && growths)
            growths[i] = growth_of(&known->had, &has);
        else if (known)
            known->had = has;
    }
    free(prints);
    for (size_t i = 0; is_whole && i < snapshot->value_count; i++) {
        const struct eprof_row *row = &snapshot->values[i];
        struct ep_growth has = {.calls = row->calls};
        struct known *known = ep_series_row(table, sizeof *known, ep_series_value_identity(row));
        is_whole = known != NULL;
        if (known && growths)
            growths[all + i] = growth_of(&known->had, &has);
        else if (known)
            known->had = has;
    }
    return is_whole;
}

int ep_series_growth_find(struct ep_growths *growths, const struct eprof_snapshot *before,
                          const struct eprof_snapshot *after)
{
    struct ep_fingerprint_table table = {.rows = NULL};
    growths->rows =
        calloc(after->row_count + after->top_count + after->value_count + 1, sizeof *growths->rows);
    growths->tops = growths->rows ? &growths->rows[after->row_count] : NULL;
    growths->values = growths->rows ? &growths->tops[after->top_count] : NULL;
    bool is_whole = growths->rows && (!before || record(NULL, &table, before)) &&
                    record(growths->rows, &table, after);
    ep_hash_table_free(&table);
    if (is_whole)
        return 0;
    ep_series_growth_free(growths);
    errno = ENOMEM;
    return -1;
}

void ep_series_growth_free(struct ep_growths *growths)
{
    free(growths->rows);
    *growths = (struct ep_growths){.rows = NULL};
}
