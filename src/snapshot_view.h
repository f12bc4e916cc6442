/*
 * snapshot_view.h - what of a snapshot is asked for, and in which order
 *
 * Rows are left out or put in another order. No figure changes, but that a focus has tops of
 * its own. A path stays the one from the program's own root, in a focus too.
 */
#ifndef EP_SNAPSHOT_VIEW_H
#define EP_SNAPSHOT_VIEW_H

#include "snapshot.h"

/* First the thread is looked for, then the focus in it, there what matches the filter, and of
 * that the first. */
struct ep_view {
    const char *sort;   /* the name of a column as csv has it: calls, total_ns, self_ns, mean_ns,
                           p50_ns ... name; the largest first, names in their order. NULL: as it
                           is. A "_ns" may be left out */
    size_t top;         /* so many rows of instances, and so many of scopes, with those that they
                           are in: the first in the order of `sort`, else by total time; so many
                           tops of each tree. 0: all */
    const char *thread; /* this thread's, by its name. NULL: all. The snapshot is by threads */
    const char *filter; /* rows whose name matches this pattern (fnmatch), with the scopes that
                           they are in; NULL: all */
    const char *focus;  /* the scope of this path, as csv shows it, and what is below; its name
                           alone stands for every path that ends so. Instances are none of it.
                           NULL: all */
};

/*
 * Trouble always stays. 0; -1: *why says what was asked for in vain, as the end of a line, with
 * names as they are; it lives as the snapshot, which is of no other use then. EINVAL: no such
 * column. ENOENT: nothing is left. ENOMEM.
 */
int ep_view_apply(struct eprof_snapshot *snapshot, const struct ep_view *view, const char **why);

#endif /* EP_SNAPSHOT_VIEW_H */
