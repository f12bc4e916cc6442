/*
 * report_tree_tops.h - below a call tree: its functions, by their own time or what was asked for
 */
#ifndef EP_REPORT_TREE_TOPS_H
#define EP_REPORT_TREE_TOPS_H

#include "report_sheet_rows.h"
#include "snapshot_part.h"

/* The widest title that has no key of its own; a tree's names are as wide. */
#define EP_REPORT_TREE_TOPS_TITLE "top functions by self time"

/* The names are at least `name_width` wide. */
void ep_report_tree_tops_write(struct ep_output *out, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part,
                               const struct ep_report_sheet_style *style, size_t name_width);

#endif /* EP_REPORT_TREE_TOPS_H */
