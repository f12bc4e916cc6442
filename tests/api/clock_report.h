/*
 * clock_report.h - reports of every format, for a clock that may have jumped or stopped meanwhile
 */
#ifndef CLOCK_REPORT_H
#define CLOCK_REPORT_H

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rows.h"

static const char *const clock_report_formats[] = {
    "table", "tree",   "csv",        "csv:threads", "json",
    "html",  "folded", "speedscope", "callgrind",   "openmetrics",
};

static inline uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* To be freed. */
static inline char *clock_report(const char *format)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    if (eprof_report(stream, format) != 0)
        fail_msg("%s: %s", format, strerror(errno));
    long bytes = ftell(stream);
    char *text = calloc(1, (size_t)bytes + 1);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)bytes, stream), bytes);
    fclose(stream);
    return text;
}

static inline void assert_report_says(const char *format, const char *words)
{
    char *text = clock_report(format);
    if (!strstr(text, words))
        fail_msg("%s does not say \"%s\":\n%s", format, words, text);
    free(text);
}

/* Checks every format that has a field for diagnostics; `words` is the text in the formats for
 * people. */
static inline void assert_told(const char *diagnostics, uint64_t count, const char *words)
{
    char csv[96], json[96], openmetrics[96];
    snprintf(csv, sizeof csv, "\ndiagnostic,%s,,,,0,%" PRIu64 ",", diagnostics, count);
    snprintf(json, sizeof json, "\"%s\":%" PRIu64, diagnostics, count);
    snprintf(openmetrics, sizeof openmetrics, "eprof_diagnostics_total{kind=\"%s\"} %" PRIu64 "\n",
             diagnostics, count);
    assert_report_says("table", words);
    assert_report_says("tree", words);
    assert_report_says("html", words);
    assert_report_says("csv", csv);
    assert_report_says("json", json);
    assert_report_says("openmetrics", openmetrics);
}

/* ---- sane ---- */

static inline void assert_row_is_sane(const struct eprof_row *row, uint64_t longest_ns)
{
    const uint64_t rising[] = {row->min_ns, row->p50_ns,  row->p90_ns,
                               row->p99_ns, row->p999_ns, row->max_ns};
    bool is_sane = row->timed + row->errors <= row->calls && row->self_ns <= row->total_ns &&
                   row->max_ns <= longest_ns && row->total_ns / (row->calls + 1) <= longest_ns &&
                   row->min_ns <= row->mean_ns && row->mean_ns <= row->max_ns &&
                   row->stddev_ns <= row->max_ns;
    for (size_t i = 1; i < sizeof rising / sizeof rising[0]; i++)
        is_sane &= rising[i - 1] <= rising[i];
    if (!is_sane)
        fail_msg("%s %s: calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64 ", total %" PRIu64
                 ", self %" PRIu64 ", mean %" PRIu64 ", min %" PRIu64 ", p50 %" PRIu64
                 ", max %" PRIu64 ", stddev %" PRIu64,
                 row->kind, row->path, row->calls, row->timed, row->errors, row->total_ns,
                 row->self_ns, row->mean_ns, row->min_ns, row->p50_ns, row->max_ns, row->stddev_ns);
}

static inline bool is_child(const struct eprof_row *row, const struct eprof_row *of)
{
    size_t length = strlen(of->path);
    return strcmp(row->kind, "scope") == 0 && strncmp(row->path, of->path, length) == 0 &&
           row->path[length] == ';' && !strchr(row->path + length + 1, ';');
}

/* The parts of a region take no longer than the region, unless calls of the region were
 * rejected. */
static inline void assert_parts_fit(const eprof_snapshot *snapshot, const struct eprof_row *whole)
{
    uint64_t parts_ns = whole->self_ns;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_return_code(eprof_snapshot_row(snapshot, i, &row), errno);
        parts_ns += is_child(&row, whole) ? row.total_ns : 0;
    }
    if (parts_ns > whole->total_ns && !whole->errors)
        fail_msg("%s takes %" PRIu64 " ns, and its parts %" PRIu64, whole->path, whole->total_ns,
                 parts_ns);
}

static inline void assert_rows_are_sane(uint64_t longest_ns)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_return_code(eprof_snapshot_row(snapshot, i, &row), errno);
        if (strcmp(row.kind, "diagnostic") == 0)
            continue;
        assert_row_is_sane(&row, longest_ns);
        if (strcmp(row.kind, "scope") == 0)
            assert_parts_fit(snapshot, &row);
    }
    eprof_snapshot_free(snapshot);
}

/* Whether printf() wrote a value that is not a number, or the value of a negative number that was
 * stored in 64 bits: 292 years and more, in ns. */
static inline bool is_no_number(const char *word, size_t length)
{
    bool is_text = length == 3 && (memcmp(word, "nan", 3) == 0 || memcmp(word, "inf", 3) == 0);
    return is_text || (isdigit((unsigned char)*word) && strtoull(word, NULL, 10) >> 63);
}

static inline void assert_text_is_sane(const char *format, const char *text)
{
    size_t length = 0;
    for (const char *at = text; *at; at += length ? length : 1) {
        for (length = 0; isalnum((unsigned char)at[length]);)
            length++;
        if (length && is_no_number(at, length))
            fail_msg("%s has %.*s:\n%s", format, (int)length, at, text);
    }
}

/* Checks every format and every row: no row has a call of more than `longest_ns`. */
static inline void assert_reports_are_sane(uint64_t longest_ns)
{
    assert_rows_are_sane(longest_ns);
    for (size_t i = 0; i < sizeof clock_report_formats / sizeof clock_report_formats[0]; i++) {
        char *text = clock_report(clock_report_formats[i]);
        assert_text_is_sane(clock_report_formats[i], text);
        free(text);
    }
}

#endif /* CLOCK_REPORT_H */
