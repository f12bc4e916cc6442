/*
 * report_diff/report.h - the list of formats of a comparison
 *
 * A writer walks a diff, as those of report/report.h walk a snapshot.
 */
#ifndef EP_REPORT_DIFF_REPORT_H
#define EP_REPORT_DIFF_REPORT_H

#include "base/output.h"
#include "diff/diff.h"

struct ep_report_diff_options {
    size_t top;                       /* at most so many rows; 0: the limit of the format */
    const char *names[EP_DIFF_SIDES]; /* the path of a side that is one file; else NULL */
};

/* Writes the first `rows` rows of the diff. */
typedef void ep_report_diff_writer(struct ep_output *out, const struct ep_diff *diff,
                                   const struct ep_report_diff_options *options, size_t rows);

struct ep_report_diff {
    const char *name;
    ep_report_diff_writer *write;
    size_t rows_most; /* the limit if no number of rows was asked for */
};

ep_report_diff_writer ep_report_diff_table, ep_report_diff_text_csv, ep_report_diff_text_json,
    ep_report_diff_html;

#define EP_REPORT_DIFF_NAMES "table, csv, json, html"

/* NULL: no format has this name. */
const struct ep_report_diff *ep_report_diff_find(const char *name);
/* How many rows of the diff the report shows. */
size_t ep_report_diff_shown(const struct ep_report_diff *report, const struct ep_diff *diff,
                            const struct ep_report_diff_options *options);
/* Writes it to `stream`. 0, or -1 and errno. */
int ep_report_diff_write(const struct ep_report_diff *report, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options, FILE *stream);

#endif /* EP_REPORT_DIFF_REPORT_H */
