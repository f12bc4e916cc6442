/*
 * readers.h - reports, read as the programs read them that they are for
 *
 * Each takes a report of a snapshot of labels, by a reader that others keep where there is one, and
 * ends the program where it does not say what the snapshot does.
 */
#ifndef READERS_H
#define READERS_H

#include "labels.h"

/* A report and what it is of. */
struct report {
    const struct eprof_snapshot *snapshot;
    char *text;
    size_t bytes;
    const struct labels *labels;
    const char *twin; /* the same report of their twin */
};

typedef void report_reader(const struct report *report);

report_reader read_csv;         /* libcsv */
report_reader read_json;        /* jansson */
report_reader read_speedscope;  /* jansson */
report_reader read_html;        /* gumbo, which parses as browsers do */
report_reader read_pprof;       /* zlib, protobuf-c */
report_reader read_folded;      /* as flamegraph.pl does */
report_reader read_callgrind;   /* as callgrind_annotate does */
report_reader read_openmetrics; /* by the grammar of Prometheus */
report_reader read_text;        /* table and tree: as people do */

/* Of a comparison, whose rows are not looked at, but what its twin says. */
report_reader read_diff_csv;  /* libcsv */
report_reader read_diff_json; /* jansson */

/* Whether a row is of a scope. */
static inline bool is_scope(const struct report *report, size_t row)
{
    return row >= report->snapshot->scope_first;
}

/* A text that is to be freed is what it has to be; frees it. */
static inline bool is_text(char *wanted, const char *text)
{
    bool is = strcmp(wanted, text) == 0;
    if (!is)
        fprintf(stderr, "\"%s\" and not \"%s\"\n", text, wanted);
    free(wanted);
    return is;
}

#endif /* READERS_H */
