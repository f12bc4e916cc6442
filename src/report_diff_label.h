/*
 * report_diff_label.h - what the regions of a list are called, so that they can be told apart
 *
 * A region is known by its path, and most paths have the same beginning. So a label is the path's
 * end: as many of its last names as tell it from the other regions of the list.
 */
#ifndef EP_REPORT_DIFF_LABEL_H
#define EP_REPORT_DIFF_LABEL_H

#include "diff.h"

/* The labels of the first `count` rows, to be freed by ep_report_diff_labels_free(). NULL and
 * ENOMEM. */
char **ep_report_diff_labels_make(const struct ep_diff *diff, size_t count);
void ep_report_diff_labels_free(char **labels, size_t count);

#endif /* EP_REPORT_DIFF_LABEL_H */
