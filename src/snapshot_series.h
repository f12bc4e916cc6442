/*
 * snapshot_series.h - what of a snapshot has one name to who keeps figures over time: its rows
 * added up by kind, path and thread
 *
 * Instances of one label are one series, and so are scopes of one path, whatever lines they stand
 * in: a line is another with each change of the program, a series is to go on.
 */
#ifndef EP_SNAPSHOT_SERIES_H
#define EP_SNAPSHOT_SERIES_H

#include "fingerprint_table.h"
#include "snapshot.h"

/* The figures that can be added up. */
enum ep_series_figure {
    EP_SERIES_CALLS,
    EP_SERIES_TIMED,
    EP_SERIES_ERRORS,
    EP_SERIES_TOTAL,
    EP_SERIES_SELF,
    EP_SERIES_OPEN,
    EP_SERIES_FIGURES
};

struct ep_series {
    struct ep_wide print; /* of kind, path and thread, and of what they were asked with */
    size_t first;         /* its first row, */
    size_t row_count;     /* and how many it has */
    uint64_t sum[EP_SERIES_FIGURES];
};

/* All zero: none. */
struct ep_series_set {
    struct ep_fingerprint_table table;
    uint32_t *of; /* by row; EP_MAP_NONE: the row only stands around those asked for */
};

/* Those of all rows. 0; -1 and ENOMEM, and there is nothing to be freed. */
int ep_series_find(struct ep_series_set *set, const struct eprof_snapshot *snapshot);
void ep_series_free(struct ep_series_set *set);

/* The series of a row; NULL: it has none. */
const struct ep_series *ep_series_of(const struct ep_series_set *set, size_t row);
/* The same, but of the first row of each alone. */
const struct ep_series *ep_series_begun_by(const struct ep_series_set *set, size_t row);

/* A beginning for what tells rows apart: of their kind, and of what they were asked with. */
struct ep_wide ep_series_print_of_kind(const struct eprof_snapshot *snapshot, size_t row);

/* A figure of a row. */
uint64_t *ep_series_figure(struct eprof_row *row, enum ep_series_figure figure);

#endif /* EP_SNAPSHOT_SERIES_H */
