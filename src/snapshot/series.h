/*
 * series.h - the rows of a snapshot summed by kind, path and thread, for readers that keep figures
 * over time
 *
 * Instances of one label are one series, and so are scopes of one path, even on different lines:
 * lines change with each version of the program, a series should go on.
 */
#ifndef EP_SNAPSHOT_SERIES_H
#define EP_SNAPSHOT_SERIES_H

#include "base/hash.h"
#include "snapshot/snapshot.h"

/* The figures that can be summed. */
enum ep_series_figure {
    EP_SERIES_CALLS,
    EP_SERIES_TIMED, /* summed: the calls that the total represents */
    EP_SERIES_ERRORS,
    EP_SERIES_TOTAL,
    EP_SERIES_SELF,
    EP_SERIES_CPU, /* this and the next: EPROF_UNKNOWN if it is of any row of the series */
    EP_SERIES_WAIT,
    EP_SERIES_OPEN,
    EP_SERIES_FIGURES
};

struct ep_series {
    struct ep_wide print; /* fingerprint of kind, path, thread and snapshot options */
    size_t first;         /* its first row */
    size_t row_count;
    uint64_t sum[EP_SERIES_FIGURES];
    struct ep_ladder ladder; /* the sum of those of its rows */
};

/* All zero: none. */
struct ep_series_set {
    struct ep_fingerprint_table table;
    uint32_t *of; /* by row; EP_MAP_NONE: the row is only an ancestor of requested ones */
};

/* The series of all rows. 0; -1 and ENOMEM, and nothing is to be freed. */
int ep_series_find(struct ep_series_set *set, const struct eprof_snapshot *snapshot);
void ep_series_free(struct ep_series_set *set);

/* The series of a row; NULL: none. */
const struct ep_series *ep_series_of(const struct ep_series_set *set, size_t row);
/* The series whose first row this is; NULL: none. */
const struct ep_series *ep_series_begun_by(const struct ep_series_set *set, size_t row);

/* A figure of a row; that of EP_SERIES_TIMED is only the number of timed calls. */
uint64_t *ep_series_figure(struct eprof_row *row, enum ep_series_figure figure);
/* Whether `sum`, of a row or of a series, is not known. */
EP_INLINE bool ep_series_is_unknown(enum ep_series_figure figure, uint64_t sum)
{
    return (figure == EP_SERIES_CPU || figure == EP_SERIES_WAIT) && sum == EPROF_UNKNOWN;
}
/* What a row adds to its series, and the figure of the row that changes it. */
uint64_t ep_series_summand(struct eprof_row *row, enum ep_series_figure figure);
uint64_t *ep_series_counter(struct eprof_row *row, enum ep_series_figure figure);

/* The row of `bytes` bytes with this fingerprint; a new row is created. NULL and ENOMEM. */
EP_INLINE void *ep_series_row(struct ep_fingerprint_table *table, size_t bytes,
                              struct ep_wide print)
{
    uint32_t found = ep_hash_table_find(table, bytes, print);
    return found == EP_MAP_NONE ? NULL : (char *)table->rows + found * bytes;
}

/*
 * A fingerprint that identifies each row and each of the tops across snapshots of one process: an
 * instance by slot, generation and thread; a scope by thread and the sites from the root to it; a
 * top by its site. Names do not matter: a thread that is renamed keeps its rows, and equal names
 * are not mixed up. To be freed; NULL: no memory.
 */
struct ep_wide *ep_series_identities(const struct eprof_snapshot *snapshot);
/* The same for a row of the values. */
struct ep_wide ep_series_value_identity(const struct eprof_row *row);

/* By how much figures have grown since an earlier snapshot of the same process. */
struct ep_growth {
    uint64_t calls;
    uint64_t timed; /* or represented by timed ones */
    uint64_t total_ns;
    uint64_t self_ns;
};

/* All zero: empty. */
struct ep_growths {
    struct ep_growth *rows;   /* of each row, */
    struct ep_growth *tops;   /* of each of the tops, after them, */
    struct ep_growth *values; /* and of each value: only the calls */
};

/* A new row has grown by all its figures. A figure that fell, since the length of a tick is known
 * better by now, has a growth of 0. `before` NULL: everything is new, as after a reset. 0; -1 and
 * ENOMEM, and nothing is to be freed. */
int ep_series_growth_find(struct ep_growths *growths, const struct eprof_snapshot *before,
                          const struct eprof_snapshot *after);
void ep_series_growth_free(struct ep_growths *growths);

#endif /* EP_SNAPSHOT_SERIES_H */
