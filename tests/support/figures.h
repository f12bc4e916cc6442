/*
 * figures.h - the figures of an instance in a snapshot, as one line of text
 *
 * With it a test states all figures of a row at once, and a failure shows all of them next to the
 * expected ones.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "rows.h"

#include <inttypes.h>
#include <stdio.h>

/* The text is valid until the next call. */
const char *figures_text(const char *label);

/* All diagnostics that are not zero. The text is valid until the next call. */
const char *diagnostic_text(void);

/* assert_row("parse", "calls 2, timed 1, errors 0, open 0, total 30"), or "no row" */
#define assert_row(label, text) assert_string_equal(figures_text(label), text)
/* assert_diagnostics("unbalanced 1, bad_handles 2"), or "" */
#define assert_diagnostics(text) assert_string_equal(diagnostic_text(), text)

#endif /* FIGURES_H */
