/*
 * base/output.h - the output of a report: text, and the first error
 *
 * A writer does not check for errors; closing the output returns the first one. Nothing is written
 * after an error: a report with a hole is worse than a short one.
 */
#ifndef EP_BASE_OUTPUT_H
#define EP_BASE_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"

struct ep_output {
    FILE *stream;
    int error;        /* errno of the first failure; 0: none */
    int errno_before; /* of the caller, restored if nothing failed */
    bool is_terminal; /* names are escaped as a terminal needs it, in addition to the format */
    bool is_ascii;    /* the terminal does not take UTF-8: each column of another character in a
                         name, on a terminal in all text, is a question mark. A writer may set it */
};

/* Locks `stream`, which belongs to the caller and stays open. */
void ep_output_open(struct ep_output *out, FILE *stream);
/* Flushes and unlocks. Returns 0, or -1 and the errno of the first failure. */
int ep_output_close(struct ep_output *out);

/* Records a failure of the writer itself (such as ENOMEM) like a failed write. */
void ep_output_fail(struct ep_output *out, int error);

void ep_output_bytes(struct ep_output *out, const char *bytes, size_t count);
void ep_output_text(struct ep_output *out, const char *text);
/* Not for %f and similar: their decimal point depends on the locale. */
void ep_output_print(struct ep_output *out, const char *format, ...) EP_PRINTF(2, 3);
/* "1 file", "2 files" */
void ep_output_count(struct ep_output *out, size_t count, const char *noun);
void ep_output_repeat(struct ep_output *out, char byte, size_t count);

/* A number with `places` digits (0 to 6) after a point, in every locale. NaN and values not above
 * zero are written as zero. */
void ep_output_decimal(struct ep_output *out, double value, unsigned places);

/* An output that becomes a text in memory. */
struct ep_text_output {
    struct ep_output out; /* write here */
    char *text;
    size_t bytes;
};

/* 0, or -1 and errno. */
int ep_output_text_open(struct ep_text_output *output);
/* The text, to be freed. NULL and errno. */
char *ep_output_text_close(struct ep_text_output *output);

#endif /* EP_BASE_OUTPUT_H */
