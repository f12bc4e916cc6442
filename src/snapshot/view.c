#include "snapshot/view.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "snapshot/making.h"
#include "snapshot/sort.h"

/* ---- error messages ---- */

static int no_memory(const char **why)
{
    errno = ENOMEM;
    *why = strerror(ENOMEM);
    return -1;
}

static int finish(struct eprof_snapshot *snapshot, struct ep_text_output *line, int error,
                  const char **why)
{
    char *text = ep_output_text_close(line);
    *why = text ? ep_rows_text(snapshot, text, strlen(text)) : NULL;
    free(text);
    errno = error;
    return *why ? -1 : no_memory(why);
}

/* EINVAL; lists the columns. */
static int why_no_column(struct eprof_snapshot *snapshot, const char *key, const char **why)
{
    struct ep_text_output line;
    if (ep_output_text_open(&line) != 0)
        return no_memory(why);
    ep_output_print(&line.out, "no column \"%.100s\" to sort by: there are ", key);
    for (size_t i = 0; i < EP_FIELDS; i++)
        ep_output_print(&line.out, "%s%s, ", ep_columns[i].name,
                        ep_columns[i].is_duration ? "_ns" : "");
    for (size_t i = 0; i < EP_WORDS; i++)
        ep_output_print(&line.out, "%s%s", i ? ", " : "", ep_columns_words[i].name);
    return finish(snapshot, &line, EINVAL, why);
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

enum { NAMES_MOST = 16 }; /* in a message, so that the line stays short */

/* ENOENT; lists the first threads. */
static int why_no_thread(struct eprof_snapshot *snapshot, const char *name, const char **why)
{
    struct ep_text_output line;
    if (errno == ENOMEM || ep_output_text_open(&line) != 0)
        return no_memory(why);
    const char *names[NAMES_MOST];
    size_t count = 0;
    ep_output_print(&line.out, "no thread \"%.100s\"", name);
    for (size_t row = 0; row < snapshot->diagnostic_first; row++) {
        const char *thread = snapshot->rows[row].thread;
        if (is_among(names, count, thread))
            continue;
        if (count == NAMES_MOST) {
            ep_output_print(&line.out, ", ...");
            break;
        }
        ep_output_print(&line.out, "%s\"%.20s\"", count ? ", " : ": there are ", thread);
        names[count++] = thread;
    }
    return finish(snapshot, &line, ENOENT, why);
}

/* ENOENT. */
static int why_nothing(struct eprof_snapshot *snapshot, const char *what, const char *asked,
                       const char **why)
{
    struct ep_text_output line;
    if (errno == ENOMEM || ep_output_text_open(&line) != 0)
        return no_memory(why);
    ep_output_print(&line.out, "no %s \"%.200s\"", what, asked);
    return finish(snapshot, &line, ENOENT, why);
}

/* ENOENT: rows are left, but none within this depth. */
static int why_too_deep(struct eprof_snapshot *snapshot, const struct ep_view *view,
                        const char **why)
{
    struct ep_text_output line;
    if (errno == ENOMEM || ep_output_text_open(&line) != 0)
        return no_memory(why);
    ep_output_text(&line.out, "no scope");
    if (view->filter)
        ep_output_print(&line.out, " with a name like \"%.200s\"", view->filter);
    ep_output_text(&line.out, " within ");
    ep_output_count(&line.out, view->depth, "level");
    return finish(snapshot, &line, ENOENT, why);
}

/* ENOENT; lists the first regions whose names contain the one that was asked for, such as functions
 * of C++, whose names have parameters. */
static int why_no_region(struct eprof_snapshot *snapshot, const char *name, const char **why)
{
    struct ep_text_output line;
    const char *names[NAMES_MOST];
    size_t count = 0;
    if (ep_output_text_open(&line) != 0)
        return no_memory(why);
    ep_output_print(&line.out, "no scope, function or value \"%.200s\"", name);
    for (size_t i = 0; i < snapshot->top_count && count < NAMES_MOST; i++) {
        const char *other = snapshot->tops[i].name;
        if (!strstr(other, name) || is_among(names, count, other))
            continue;
        ep_output_print(&line.out, "%s\"%.80s\"", count ? ", " : "; there are ", other);
        names[count++] = other;
    }
    return finish(snapshot, &line, ENOENT, why);
}

static bool has_region(const struct eprof_snapshot *snapshot, const char *name, size_t first)
{
    for (size_t row = first; row < snapshot->diagnostic_first; row++)
        if (ep_rows_is_called(&snapshot->rows[row], name))
            return true;
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (ep_rows_is_called(&snapshot->values[i], name))
            return true;
    return false;
}

/* ---- removing rows ---- */

/* A flag for each row before the diagnostics, and for each of the tops. */
struct kept {
    bool *rows, *tops;
};

static int begin(struct kept *kept, const struct eprof_snapshot *snapshot)
{
    *kept = (struct kept){.rows = malloc(snapshot->diagnostic_first + 1),
                          .tops = malloc(snapshot->top_count + 1)};
    if (!kept->rows || !kept->tops) {
        errno = ENOMEM;
        return -1;
    }
    memset(kept->rows, true, snapshot->diagnostic_first);
    memset(kept->tops, true, snapshot->top_count);
    return 0;
}

/* Also keeps the ancestors of kept scopes, and marks them. Children come after their parents. */
static void keep_ancestors(struct eprof_snapshot *snapshot, bool *is_kept)
{
    struct ep_tree_position *positions = snapshot->positions;
    size_t first = snapshot->scope_first;
    for (size_t row = snapshot->diagnostic_first; row-- > first;) {
        size_t parent = positions[row - first].parent;
        if (!is_kept[row] || parent == SIZE_MAX || is_kept[parent])
            continue;
        is_kept[parent] = true;
        positions[parent - first].is_around = true;
    }
}

static void keep_tops(struct eprof_snapshot *snapshot, const bool *is_kept)
{
    size_t kept = 0;
    for (size_t i = 0; i < snapshot->top_count; i++)
        if (is_kept[i]) {
            snapshot->tops[kept] = snapshot->tops[i];
            snapshot->top_marks[kept++] = snapshot->top_marks[i];
        }
    snapshot->top_count = kept;
}

/* Removes the rest, unless `result` is a failure. */
static int end(struct kept *kept, struct eprof_snapshot *snapshot, int result)
{
    if (result == 0)
        result = ep_rows_keep(snapshot, kept->rows);
    if (result == 0)
        keep_tops(snapshot, kept->tops);
    int error = errno;
    free(kept->rows);
    free(kept->tops);
    errno = error;
    return result;
}

static bool has_thread(const struct eprof_row *row, const char *name)
{
    return strcmp(row->thread, name) == 0;
}

static bool has_name_like(const struct eprof_row *row, const char *pattern)
{
    return fnmatch(pattern, row->name, 0) == 0;
}

/* Removes the values that do not match. Returns whether any is left. */
static bool keep_values(struct eprof_snapshot *snapshot,
                        bool (*matches)(const struct eprof_row *, const char *), const char *asked)
{
    size_t kept = 0;
    for (size_t i = 0; i < snapshot->value_count; i++)
        if (matches(&snapshot->values[i], asked)) {
            snapshot->values[kept] = snapshot->values[i];
            snapshot->value_marks[kept++] = snapshot->value_marks[i];
        }
    snapshot->value_count = kept;
    return kept > 0;
}

/* ENOENT: all rows that are marked are below this depth. */
static int unmark_below(struct kept *kept, const struct eprof_snapshot *snapshot, size_t depth)
{
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first; row++)
        kept->rows[row] &= ep_rows_position(snapshot, row)->depth < depth;
    errno = ENOENT;
    bool is_any = memchr(kept->rows, 1, snapshot->diagnostic_first) || snapshot->value_count;
    return is_any ? 0 : -1;
}

/* ENOENT: no row matches. */
static int mark(struct kept *kept, struct eprof_snapshot *snapshot,
                bool (*matches)(const struct eprof_row *, const char *), const char *asked)
{
    bool is_found = keep_values(snapshot, matches, asked);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++) {
        kept->rows[i] = matches(&snapshot->rows[i], asked);
        is_found |= kept->rows[i];
    }
    for (size_t i = 0; i < snapshot->top_count; i++)
        kept->tops[i] = matches(&snapshot->tops[i], asked);
    errno = ENOENT;
    return is_found ? 0 : -1;
}

static int keep_thread(struct eprof_snapshot *snapshot, const char *name)
{
    struct kept kept;
    int result = begin(&kept, snapshot);
    if (result == 0)
        result = mark(&kept, snapshot, has_thread, name);
    return end(&kept, snapshot, result);
}

/* Keeps the first instances, scopes, and tops of each tree, up to `most` of each. A tree without
 * kept rows keeps no tops. */
static int mark_first(struct kept *kept, const struct eprof_snapshot *snapshot,
                      const struct ep_field *field, size_t most)
{
    struct ep_part part = {.end = snapshot->scope_first};
    size_t scopes = snapshot->scope_first;
    const struct ep_field *by = field ? field : ep_columns_find("total");
    if (ep_sort_keep_first(snapshot->rows, scopes, by, most, kept->rows) != 0 ||
        ep_sort_keep_first(snapshot->rows + scopes, snapshot->diagnostic_first - scopes, by, most,
                           kept->rows + scopes) != 0)
        return -1;
    by = field ? field : ep_columns_find("self");
    while (ep_rows_part_next(snapshot, &part)) {
        size_t first = part.top_first, rows = part.end - part.first;
        bool has_rows = memchr(kept->rows + part.first, 1, rows) != NULL;
        if (ep_sort_keep_first(snapshot->tops + first, part.top_end - first, by,
                               has_rows ? most : 0, kept->tops + first) != 0)
            return -1;
    }
    return 0;
}

/* Keeps the requested rows with their ancestors. Shares refer to the sums before. ENOENT: *why says
 * why nothing is left. */
static int keep_chosen(struct eprof_snapshot *snapshot, const struct ep_view *view,
                       const struct ep_field *field, const char **why)
{
    struct kept kept;
    int result = begin(&kept, snapshot);
    if (result == 0 && view->filter &&
        (result = mark(&kept, snapshot, has_name_like, view->filter)) != 0)
        why_nothing(snapshot, "name like", view->filter, why);
    if (result == 0 && view->depth && (result = unmark_below(&kept, snapshot, view->depth)) != 0)
        why_too_deep(snapshot, view, why);
    if (result == 0 && view->top)
        result = mark_first(&kept, snapshot, field, view->top);
    if (result == 0) {
        keep_ancestors(snapshot, kept.rows);
        result = ep_rows_part_note_wholes(snapshot);
    }
    return end(&kept, snapshot, result);
}

/* ---- the whole view ---- */

static int apply(struct eprof_snapshot *snapshot, const struct ep_view *view, const char **why)
{
    const struct ep_field *field = view->sort ? ep_columns_find(view->sort) : NULL;
    if (view->sort && !field)
        return why_no_column(snapshot, view->sort, why);
    if (view->thread && keep_thread(snapshot, view->thread) != 0)
        return why_no_thread(snapshot, view->thread, why);
    if (view->focus && ep_focus_on(snapshot, view->focus) != 0)
        return why_nothing(snapshot, "scope", view->focus, why);
    *why = strerror(ENOMEM);
    if ((view->filter || view->top || view->depth) && keep_chosen(snapshot, view, field, why) != 0)
        return -1;
    if (view->callers && !has_region(snapshot, view->callers, snapshot->scope_first))
        return why_no_region(snapshot, view->callers, why);
    if (view->histogram && !has_region(snapshot, view->histogram, 0))
        return why_no_region(snapshot, view->histogram, why);
    snapshot->region = view->callers ? view->callers : view->histogram;
    snapshot->order = field;
    snapshot->is_chosen = view->top > 0;
    snapshot->is_filtered = view->filter != NULL;
    snapshot->is_focused = view->focus != NULL;
    /* the roots of a focus were not siblings before; the first instances are shown in their order
     */
    unsigned which = (field || view->top ? EP_SORT_INSTANCES : 0) |
                     (field || view->focus ? EP_SORT_SCOPES : 0) | (field ? EP_SORT_TOPS : 0);
    if (which && ep_sort_rows(snapshot, field ? field : ep_columns_find("total"), which) != 0)
        return no_memory(why);
    return 0;
}

/* Views the trees by threads, too. They are dropped if none of them has a requested row: then such
 * rows are only in the merged tree. */
int ep_view_apply(struct eprof_snapshot *snapshot, const struct ep_view *view, const char **why)
{
    const char *why_threads;
    if (apply(snapshot, view, why) != 0)
        return -1;
    if (!snapshot->by_threads || apply(snapshot->by_threads, view, &why_threads) == 0)
        return 0;
    if (errno == ENOMEM)
        return no_memory(why);
    ep_snapshot_free(snapshot->by_threads);
    snapshot->by_threads = NULL;
    return 0;
}
