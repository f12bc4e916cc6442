/*
 * written.h - the text that is written through an output, kept in memory; and a test that any bytes
 * go through an escaper and back
 */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "kept.h"
#include "random.h"
#include "test.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/utf8.h"

struct memory {
    struct test_text kept;
    struct ep_output out;
    char *text; /* once it is closed */
};

void memory_open(struct memory *memory);
void memory_close(struct memory *memory);

typedef void (*text_writer)(struct ep_output *out, const char *text);

/* The text that `write` makes from `text`. */
char *written(text_writer write, const char *text);
void assert_written(text_writer write, const char *text, const char *expected);

enum { ANY_TEXTS = 20000, ANY_TEXT_BYTES = 24, ANY_PIECES = 6 };

/* Bytes with a special meaning are as likely as all others together. */
void random_text(char text[ANY_TEXT_BYTES + 1]);
/* At most ANY_PIECES of these pieces. */
void random_pieces(char *text, const char *const *pieces, size_t count);

/* Replaces each \xNN in the text by the byte NN. */
void unescape(char *text);
bool is_utf8(const char *text);
void assert_reads_back(text_writer write, bool (*read)(const char *text, char *value));

#endif /* WRITTEN_H */
