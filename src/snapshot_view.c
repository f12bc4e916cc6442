#include "snapshot_view.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot_focus.h"
#include "snapshot_keep.h"
#include "snapshot_part.h"
#include "snapshot_sort.h"
#include "snapshot_view_why.h"

static int no_memory(const char **why)
{
    errno = ENOMEM;
    *why = strerror(ENOMEM);
    return -1;
}

/* ---- what stays ---- */

/* A flag for each row that is not trouble, and for each of the tops. */
struct kept {
    bool *rows, *tops;
};

static int begin(struct kept *kept, const struct eprof_snapshot *snapshot)
{
    *kept = (struct kept){.rows = malloc(snapshot->trouble_first + 1),
                          .tops = malloc(snapshot->top_count + 1)};
    if (!kept->rows || !kept->tops)
        return -1;
    memset(kept->rows, true, snapshot->trouble_first);
    memset(kept->tops, true, snapshot->top_count);
    return 0;
}

static void end(struct kept *kept)
{
    free(kept->rows);
    free(kept->tops);
}

static int leave_rest_out(struct eprof_snapshot *snapshot, const struct kept *kept)
{
    if (ep_keep_rows(snapshot, kept->rows) != 0)
        return -1;
    ep_keep_tops(snapshot, kept->tops);
    return 0;
}

/* ---- one thread ---- */

/* False: it has no rows. */
static bool mark_thread(struct kept *kept, const struct eprof_snapshot *snapshot, const char *name)
{
    bool is_found = false;
    for (size_t i = 0; i < snapshot->trouble_first; i++) {
        kept->rows[i] = strcmp(snapshot->rows[i].thread, name) == 0;
        is_found |= kept->rows[i];
    }
    for (size_t i = 0; i < snapshot->top_count; i++)
        kept->tops[i] = strcmp(snapshot->tops[i].thread, name) == 0;
    return is_found;
}

static int keep_thread(struct eprof_snapshot *snapshot, const char *name, const char **why)
{
    struct kept kept;
    int result = begin(&kept, snapshot);
    if (result == 0 && !mark_thread(&kept, snapshot, name)) {
        end(&kept);
        return ep_view_why_no_thread(snapshot, name, why);
    }
    if (result == 0)
        result = leave_rest_out(snapshot, &kept);
    end(&kept);
    return result == 0 ? 0 : no_memory(why);
}

/* ---- one scope ---- */

static int keep_focus(struct eprof_snapshot *snapshot, const char *path, const char **why)
{
    if (ep_focus_on(snapshot, path) == 0)
        return 0;
    return errno == ENOENT ? ep_view_why_nothing(snapshot, "scope", path, why) : no_memory(why);
}

/* ---- what has a name like this, and of that the first ---- */

/* False: nothing has. */
static bool mark_names(struct kept *kept, const struct eprof_snapshot *snapshot,
                       const char *pattern)
{
    bool is_found = false;
    for (size_t i = 0; i < snapshot->trouble_first; i++) {
        kept->rows[i] = fnmatch(pattern, snapshot->rows[i].name, 0) == 0;
        is_found |= kept->rows[i];
    }
    for (size_t i = 0; i < snapshot->top_count; i++)
        kept->tops[i] = fnmatch(pattern, snapshot->tops[i].name, 0) == 0;
    return is_found;
}

static int mark_first_rows(struct kept *kept, const struct eprof_snapshot *snapshot,
                           const struct ep_field *field, size_t most)
{
    size_t scopes = snapshot->scope_first;
    field = field ? field : ep_field_find("total");
    if (ep_sort_keep_first(snapshot->rows, scopes, field, most, kept->rows) != 0)
        return -1;
    return ep_sort_keep_first(snapshot->rows + scopes, snapshot->trouble_first - scopes, field,
                              most, kept->rows + scopes);
}

/* Of a tree that none of the rows is in none stays. */
static int mark_first_tops(struct kept *kept, const struct eprof_snapshot *snapshot,
                           const struct ep_field *field, size_t most)
{
    struct ep_part part = {.end = snapshot->scope_first};
    field = field ? field : ep_field_find("self");
    while (ep_part_next(snapshot, &part)) {
        size_t first = part.top_first, rows = part.end - part.first;
        bool has_rows = memchr(kept->rows + part.first, 1, rows) != NULL;
        if (ep_sort_keep_first(snapshot->tops + first, part.top_end - first, field,
                               has_rows ? most : 0, kept->tops + first) != 0)
            return -1;
    }
    return 0;
}

static int mark_first(struct kept *kept, const struct eprof_snapshot *snapshot,
                      const struct ep_field *field, size_t most)
{
    if (mark_first_rows(kept, snapshot, field, most) != 0)
        return -1;
    return mark_first_tops(kept, snapshot, field, most);
}

/* With what they are in; shares stay those of all. */
static int leave_chosen(struct eprof_snapshot *snapshot, struct kept *kept)
{
    ep_keep_ancestors(snapshot, kept->rows);
    if (ep_part_note_wholes(snapshot) != 0 || leave_rest_out(snapshot, kept) != 0)
        return -1;
    ep_part_match_wholes(snapshot);
    return 0;
}

static int keep_chosen(struct eprof_snapshot *snapshot, const struct ep_view *view,
                       const struct ep_field *field, const char **why)
{
    struct kept kept;
    int result = begin(&kept, snapshot);
    if (result == 0 && view->filter && !mark_names(&kept, snapshot, view->filter)) {
        end(&kept);
        return ep_view_why_nothing(snapshot, "name like", view->filter, why);
    }
    if (result == 0 && view->top)
        result = mark_first(&kept, snapshot, field, view->top);
    if (result == 0)
        result = leave_chosen(snapshot, &kept);
    end(&kept);
    return result == 0 ? 0 : no_memory(why);
}

/* ---- the order ---- */

/* The roots of a focus were not siblings. Instances that are the first by time are shown so. */
static int sort(struct eprof_snapshot *snapshot, const struct ep_view *view,
                const struct ep_field *field, const char **why)
{
    const struct ep_field *order = field ? field : ep_field_find("total");
    int result = 0;
    if (field || view->top)
        result = ep_sort_instances(snapshot, order);
    if (result == 0 && (field || view->focus))
        result = ep_sort_scopes(snapshot, order);
    if (result == 0 && field)
        result = ep_sort_tops(snapshot, order);
    return result == 0 ? 0 : no_memory(why);
}

static int apply(struct eprof_snapshot *snapshot, const struct ep_view *view, const char **why)
{
    const struct ep_field *field = view->sort ? ep_field_find(view->sort) : NULL;
    if (view->sort && !field)
        return ep_view_why_no_column(snapshot, view->sort, why);
    if (view->thread && keep_thread(snapshot, view->thread, why) != 0)
        return -1;
    if (view->focus && keep_focus(snapshot, view->focus, why) != 0)
        return -1;
    if ((view->filter || view->top) && keep_chosen(snapshot, view, field, why) != 0)
        return -1;
    snapshot->order = field;
    snapshot->is_chosen = view->top > 0;
    snapshot->is_filtered = view->filter != NULL;
    return sort(snapshot, view, field, why);
}

/* A thread may have nothing of what was asked for; where none has, all is in the merged rows. */
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
