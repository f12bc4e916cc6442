/*
 * row_sum.h - one row from the rows of several tree positions
 *
 * All figures are exact except the percentiles: each is the largest of any position.
 */
#ifndef EP_SNAPSHOT_ROW_SUM_H
#define EP_SNAPSHOT_ROW_SUM_H

#include "snapshot/snapshot.h"

/* One tree position. */
struct ep_row_sum_part {
    uint32_t site;
    const struct eprof_row *row;
};

/* The sum of one or more positions, with the names of the first and without a path. */
struct eprof_row ep_row_sum_of(const struct ep_row_sum_part *parts, size_t count);

/* Adds the mark of another position. The errors are added up. */
void ep_row_sum_add_mark(struct ep_site_mark *mark, const struct ep_site_mark *more);

#endif /* EP_SNAPSHOT_ROW_SUM_H */
