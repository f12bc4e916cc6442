/*
 * figures.h - what a snapshot says of an instance, as one line of text
 *
 * So that a test states all figures of a row at once, and a failure shows them
 * all beside what was expected.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include <inttypes.h>
#include <stdio.h>

#include "rows.h"

/* The text lives until the next call. */
static inline const char *figures_text(const char *label)
{
    static char text[256];
    struct eprof_row row;
    if (take_rows(eprof_snapshot_take, "instance", label, NULL, &row) == 0)
        return "no row";
    snprintf(text, sizeof text,
             "calls %" PRIu64 ", timed %" PRIu64 ", errors %" PRIu64 ", open %" PRIu64
             ", total %" PRIu64,
             row.calls, row.timed, row.errors, row.open, row.total_ns);
    return text;
}

/* All trouble that is not zero. The text lives until the next call. */
static inline const char *trouble_text(void)
{
    static char text[256];
    size_t length = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    text[0] = '\0';
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "trouble") == 0 && length < sizeof text)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %" PRIu64,
                                       length ? ", " : "", row.name, row.calls);
    }
    eprof_snapshot_free(snapshot);
    return text;
}

/* assert_row("parse", "calls 2, timed 1, errors 0, open 0, total 30"), or "no row" */
#define assert_row(label, text) assert_string_equal(figures_text(label), text)
/* assert_trouble("unbalanced 1, bad_handles 2"), or "" */
#define assert_trouble(text) assert_string_equal(trouble_text(), text)

#endif /* FIGURES_H */
