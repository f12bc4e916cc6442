/*
 * report/report.h - the list of formats
 *
 * A writer walks a snapshot; it does not measure, convert, sort or look anything up.
 */
#ifndef EP_REPORT_REPORT_H
#define EP_REPORT_REPORT_H

#include "base/output.h"
#include "snapshot/snapshot.h"

typedef void ep_report_writer(struct ep_output *out, const struct eprof_snapshot *snapshot);

struct ep_report {
    const char *name;
    ep_report_writer *write;
    struct ep_snapshot_options needs; /* always set in the options of its snapshot */
    bool has_columns;                 /* which a reader can choose, and locations */
    bool only_grows; /* its figures never fall from one report of a process to the next, except by a
                        reset */
};

ep_report_writer ep_report_table, ep_report_tree, ep_report_csv, ep_report_json,
    ep_report_html_page, ep_report_folded, ep_report_speedscope, ep_report_callgrind,
    ep_report_openmetrics;

/* Reports on snapshot->region, for the command; they are no formats. */
ep_report_writer ep_report_callers, ep_report_histogram;

/* The names of all formats, for a message. */
#define EP_REPORT_NAMES "table, tree, csv, json, html, folded, speedscope, callgrind, openmetrics"

/*
 * Reads "FORMAT[:OPTION]..." from `length` bytes of `text`: gives the format's report, and its
 * options in *options. The options (threads, raw, ticks; of openmetrics also summary; of table and
 * tree also where and columns=A+B+...) come in any order and may be repeated. NULL: not understood,
 * and *options is unchanged.
 */
const struct ep_report *ep_report_find(const char *text, size_t length,
                                       struct ep_snapshot_options *options);
/* Whether `text` asks for `report`, which need not be in the list. Sets *options in the same way.
 */
bool ep_report_is(const struct ep_report *report, const char *text, size_t length,
                  struct ep_snapshot_options *options);

/* If the only fault of the text is a column that is not known, writes a message, which is the end
 * of a line, and returns true. */
bool ep_report_explain(const char *text, size_t length, char *line, size_t room);

/* Writes the report through `stream`. 0, or -1 and errno. */
int ep_report_write(const struct ep_report *report, const struct eprof_snapshot *snapshot,
                    FILE *stream);

/*
 * Functions that the reports of comparisons (report_diff/) also call. Those of json.c write no
 * comma before or after their members.
 */

/* How far the figures can be trusted: an empty line, a line on the source and the cost of the
 * probes, and a line for each diagnostic with what to do about it (notes.c). */
void ep_report_notes_write(struct ep_output *out, const struct eprof_snapshot *snapshot);

/* The clock and the probe; for a stored image also its program. */
void ep_report_json_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot);
/* The counts of errors and of lost data. */
void ep_report_json_head_write_diagnostics(struct ep_output *out,
                                           const struct eprof_snapshot *snapshot);
/* Writes "NAME":"TEXT" after `between`. */
void ep_report_json_member(struct ep_output *out, const char *between, const char *name,
                           const char *text);

#endif /* EP_REPORT_REPORT_H */
