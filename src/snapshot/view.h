/*
 * view.h - which rows of a snapshot are requested, and in which order
 *
 * Rows are removed or sorted. No figure changes, except that a focus has tops of its own. A path
 * begins at the program's own root, in a focus too.
 */
#ifndef EP_SNAPSHOT_VIEW_H
#define EP_SNAPSHOT_VIEW_H

#include "snapshot/snapshot.h"

/* Applied in this order: thread, focus, depth, filter, top. */
struct ep_view {
    const char *sort;    /* the name of a column as csv has it: calls, total_ns, self_ns, mean_ns,
                            p50_ns ... name; the largest first, names in their order. NULL: as it
                            is. A "_ns" may be omitted */
    size_t top;          /* so many rows of instances, and so many of scopes with their ancestors:
                            the first in the order of `sort`, else by total time; so many tops of
                            each tree. 0: all */
    const char *thread;  /* the rows of this thread, by its name. NULL: all. The snapshot is by
                            threads */
    const char *filter;  /* rows whose name matches this pattern (fnmatch), with their ancestors;
                            NULL: all */
    const char *focus;   /* the scope of this path, as csv shows it, and its descendants; a name
                            alone means every path that ends with it. No instances. NULL: all */
    size_t depth;        /* so many levels of scopes, from the roots or the focus. 0: all */
    const char *callers; /* the report is on this region, a scope; no row is removed. NULL: none */
    const char *histogram; /* the same of a scope or instance */
};

/*
 * Diagnostics always stay. 0; -1: *why is a message for the end of a line, with names unescaped; it
 * lives as long as the snapshot, which can only be freed then. EINVAL: no such column. ENOENT: no
 * row is left. ENOMEM.
 */
int ep_view_apply(struct eprof_snapshot *snapshot, const struct ep_view *view, const char **why);

#endif /* EP_SNAPSHOT_VIEW_H */
