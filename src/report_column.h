/*
 * report_column.h - a column of figures in a report for people
 */
#ifndef EP_REPORT_COLUMN_H
#define EP_REPORT_COLUMN_H

#include "report_figure.h"
#include "snapshot.h"

struct ep_report_column {
    const char *title;
    size_t offset; /* in struct eprof_row */
    bool is_duration;
    bool (*is_worth_it)(const struct eprof_row *row); /* shown if it is for any row; NULL: always */
};

bool ep_report_column_has_errors(const struct eprof_row *row);
bool ep_report_column_has_open(const struct eprof_row *row);

/* "-" for a duration of what was not timed, "~1.23 us" for a total or a self time that is an
 * estimate. */
struct ep_report_figure ep_report_column_figure(const struct ep_report_column *column,
                                                const struct eprof_row *row,
                                                const struct ep_site_mark *mark, bool in_ticks);

#endif /* EP_REPORT_COLUMN_H */
