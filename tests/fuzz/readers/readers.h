/*
 * readers.h - reads reports as the programs do for which they are made
 *
 * Each function reads a report on a snapshot of labels, with a parser of another project if there
 * is one, and ends the program if the report does not have the content of the snapshot.
 */
#ifndef READERS_H
#define READERS_H

#include "labels.h"

/* A report, with its snapshot. */
struct report {
    const struct eprof_snapshot *snapshot;
    char *text;
    size_t bytes;
    const struct labels *labels;
    const char *twin; /* the same report on the twin */
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

/* Reports on a comparison, which are compared only with those on the twin. */
report_reader read_diff_csv;  /* libcsv */
report_reader read_diff_json; /* jansson */

/* Returns whether a row is a scope. */
static inline bool is_scope(const struct report *report, size_t row)
{
    return row >= report->snapshot->scope_first;
}

/* Asserts that a text is the expected one; frees the text. */
static inline bool is_text(char *wanted, const char *text)
{
    bool is = strcmp(wanted, text) == 0;
    if (!is)
        fprintf(stderr, "\"%s\" and not \"%s\"\n", text, wanted);
    free(wanted);
    return is;
}

#endif /* READERS_H */
