/*
 * output.h - where reports go: text, and the first error
 *
 * A writer writes on without looking; whoever closes the output learns of the
 * first error, once. What comes after it is not written: a report with a hole
 * is worse than a short one.
 */
#ifndef EP_OUTPUT_H
#define EP_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

#include "compiler.h"

struct ep_output {
    FILE *stream;
    int error;        /* errno of the first failure; 0: none */
    int errno_before; /* the caller's, given back where nothing failed */
    bool is_ascii;    /* of names, each column of another character is a question mark: the
                         terminal does not take UTF-8. A writer sets it */
};

/* Takes the lock of `stream`; it is the caller's and stays open. */
void ep_output_open(struct ep_output *out, FILE *stream);
/* Flushes, gives the lock back. Returns 0, or -1 and the errno of the first failure. */
int ep_output_close(struct ep_output *out);

/* The writer itself has failed (ENOMEM, say): as if a write had. */
void ep_output_fail(struct ep_output *out, int error);

void ep_output_bytes(struct ep_output *out, const char *bytes, size_t count);
void ep_output_text(struct ep_output *out, const char *text);
/* Not for %f and its like: their decimal point is the locale's. */
void ep_output_print(struct ep_output *out, const char *format, ...) EP_PRINTF(2, 3);
void ep_output_repeat(struct ep_output *out, char byte, size_t count);

/* A number with `places` digits (0 to 6) behind a point, whatever the locale.
 * What is not above zero, and what is not a number, is written as zero. */
void ep_output_decimal(struct ep_output *out, double value, unsigned places);

#endif /* EP_OUTPUT_H */
