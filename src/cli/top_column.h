/*
 * top_column.h - the columns of `eprof top`: what is shown of a line, and sorted by
 */
#ifndef EP_CLI_TOP_COLUMN_H
#define EP_CLI_TOP_COLUMN_H

#include "report_figure.h"
#include "snapshot_growth.h"

enum ep_top_column {
    EP_TOP_SELF_RATE,
    EP_TOP_TOTAL_RATE,
    EP_TOP_CALLS_RATE,
    EP_TOP_NOW,
    EP_TOP_MEAN,
    EP_TOP_P99,
    EP_TOP_SELF,
    EP_TOP_TOTAL,
    EP_TOP_CALLS,
    EP_TOP_FIGURES, /* so many have a figure; */
    EP_TOP_NAME = EP_TOP_FIGURES,
    EP_TOP_COLUMNS
};

/* For a message. */
#define EP_TOP_COLUMN_NAMES "self/s, total/s, calls/s, now, mean, p99, self, total, calls, name"

/* A region, or one of its paths. */
struct ep_top_line {
    const struct eprof_row *row;
    const struct ep_growth *growth;
    size_t number; /* of the row, or of the top */
    struct ep_site_mark mark;
};

/* EP_TOP_COLUMNS: there is none of that name. */
enum ep_top_column ep_top_column_find(const char *name);
const char *ep_top_column_name(enum ep_top_column column);

/* What a line is sorted by: the largest comes first. Not of EP_TOP_NAME. */
uint64_t ep_top_column_value(enum ep_top_column column, const struct ep_top_line *line);

/* As text. `elapsed_ns` is what the growth took; 0: it is not known, and "-" its rate. */
struct ep_report_figure ep_top_column_figure(enum ep_top_column column,
                                             const struct ep_top_line *line, uint64_t elapsed_ns);

#endif /* EP_CLI_TOP_COLUMN_H */
