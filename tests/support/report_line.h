/*
 * report_line.h - the line of a report that contains a text
 */
#ifndef REPORT_LINE_H
#define REPORT_LINE_H

#include "test.h"

#include <eprof.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For any text; "no line" if there is none. The result is valid until the next call. */
const char *line_of_text(const char *text, const char *part);

/* For a report of this process. */
const char *report_line(const char *format, const char *part);

void assert_contains(const char *text, const char *part);

#endif /* REPORT_LINE_H */
