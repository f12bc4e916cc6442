/*
 * made_diff.h - comparisons made by hand, of two call trees
 *
 * The trees are sums over the files of a side. Regions are matched by kind and path. The test gives
 * the intervals: no statistics are computed here.
 */
#ifndef MADE_DIFF_H
#define MADE_DIFF_H

#include "made_snapshot.h"

#include <math.h>

#include "report_diff/report.h"
#include "snapshot/snapshot.h"

/* The interval of a region, found by its path; a region that is not in the list has none. */
struct made_interval {
    const char *path;
    double low, high;
};

struct made_diff {
    struct made_tree trees[EP_DIFF_SIDES];
    size_t files[EP_DIFF_SIDES];
    const struct made_interval *intervals; /* the last one has no path; NULL: none */
    struct ep_diff diff;
};

/* Trees, files and intervals must be set; the comparison is sorted by total. Equal regions are not
 * added up, because there are none. */
const struct ep_diff *made_compare(struct made_diff *made);

/* ---- two versions of a server, ten runs of each, or one ---- */

void make_servers(struct made_diff *made);

/* The same with too few runs for a verdict. */
void make_server_pair(struct made_diff *made);
void make_hostile_pair(struct made_diff *made);

/* ---- reports in memory ---- */

char *reported_diff(const struct ep_diff *diff, const char *format, size_t top);
void assert_golden_diff(void (*make_one)(struct made_diff *made), const char *format,
                        const char *file);

#endif /* MADE_DIFF_H */
