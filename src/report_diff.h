/*
 * report_diff.h - the list of formats of a comparison
 *
 * A writer walks a diff, as those of report.h walk a snapshot.
 */
#ifndef EP_REPORT_DIFF_H
#define EP_REPORT_DIFF_H

#include "diff.h"
#include "output.h"

/* What is asked of a report besides. */
struct ep_report_diff_options {
    size_t top; /* so many rows at most; 0: all in csv and json, and elsewhere as many as
                   somebody reads */
    const char *names[EP_DIFF_SIDES]; /* what a side is called where there is one file: its path */
};

struct ep_report_diff {
    const char *name;
    void (*write)(struct ep_output *out, const struct ep_diff *diff,
                  const struct ep_report_diff_options *options);
};

void ep_report_diff_table(struct ep_output *out, const struct ep_diff *diff,
                          const struct ep_report_diff_options *options);
void ep_report_diff_csv(struct ep_output *out, const struct ep_diff *diff,
                        const struct ep_report_diff_options *options);
void ep_report_diff_json(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options);
void ep_report_diff_html(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options);

#define EP_REPORT_DIFF_NAMES "table, csv, json, html"

/* NULL: there is none of that name. */
const struct ep_report_diff *ep_report_diff_find(const char *name);
/* How many rows are shown: `most`, or as many as were asked for, and no more than there are. */
size_t ep_report_diff_shown(const struct ep_diff *diff,
                            const struct ep_report_diff_options *options, size_t most);
/* Writes it through `stream`. 0, or -1 and errno. */
int ep_report_diff_write(const struct ep_report_diff *report, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options, FILE *stream);

#endif /* EP_REPORT_DIFF_H */
