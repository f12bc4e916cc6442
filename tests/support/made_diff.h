/*
 * made_diff.h - comparisons made by hand, of two call trees
 *
 * The trees are sums over the files of a side. Regions are matched by kind and path, and intervals
 * are what the maker says: no statistics are done here.
 */
#ifndef MADE_DIFF_H
#define MADE_DIFF_H

#include "made_snapshot.h"

#include <math.h>

#include "report_diff/report.h"
#include "snapshot/snapshot.h"

/* The interval of a region, by its path; what stands in no list has none. */
struct made_interval {
    const char *path;
    double low, high;
};

struct made_diff {
    struct made_tree trees[EP_DIFF_SIDES];
    size_t files[EP_DIFF_SIDES];
    const struct made_interval *intervals; /* up to one without a path; NULL: none */
    struct ep_diff diff;
};

/* Trees, files and intervals are set; by total. Regions that are equal are not added up: there
 * are none. */
const struct ep_diff *made_compare(struct made_diff *made);

/* ---- two versions of a server, ten runs of each, or one ---- */

void make_servers(struct made_diff *made);

/* Too few for a verdict. */
void make_server_pair(struct made_diff *made);
void make_hostile_pair(struct made_diff *made);

/* ---- reports in memory ---- */

char *reported_diff(const struct ep_diff *diff, const char *format, size_t top);
void assert_golden_diff(void (*make_one)(struct made_diff *made), const char *format,
                        const char *file);

#endif /* MADE_DIFF_H */
