/*
 * report.h - the list of formats
 *
 * A writer walks a snapshot; it neither measures, converts, sorts nor looks
 * anything up.
 */
#ifndef EP_REPORT_H
#define EP_REPORT_H

#include "output.h"
#include "snapshot.h"

struct ep_report {
    const char *name;
    void (*write)(struct ep_output *out, const struct eprof_snapshot *snapshot);
    struct ep_snapshot_options needs; /* what its snapshot has besides, whoever asks for it */
    bool only_grows; /* between two reports of a process no figure of it falls, but by a reset */
};

void ep_report_table(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_tree(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_csv(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_json(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_html(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_folded(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_speedscope(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_callgrind(struct ep_output *out, const struct eprof_snapshot *snapshot);
void ep_report_openmetrics(struct ep_output *out, const struct eprof_snapshot *snapshot);

/* The names of all formats, for a message. */
#define EP_REPORT_NAMES "table, tree, csv, json, html, folded, speedscope, callgrind, openmetrics"

/*
 * Reads "FORMAT[:OPTION]...": the format's writer, and the options into
 * *options. `length` bytes of `text` are looked at. NULL: not understood, and
 * *options is as it was. The options (threads, raw, ticks) may stand in any
 * order and more than once.
 */
const struct ep_report *ep_report_find(const char *text, size_t length,
                                       struct ep_snapshot_options *options);
/* The same of a report that need not be in the list: whether `text` asks for it. */
bool ep_report_is(const struct ep_report *report, const char *text, size_t length,
                  struct ep_snapshot_options *options);

/* Writes the report through `stream`. 0, or -1 and errno. */
int ep_report_write(const struct ep_report *report, const struct eprof_snapshot *snapshot,
                    FILE *stream);

#endif /* EP_REPORT_H */
