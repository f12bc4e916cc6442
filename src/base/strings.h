/*
 * base/strings.h - a sequence of texts with a NUL after each: requests to a helper, and its answers
 */
#ifndef EP_BASE_STRINGS_H
#define EP_BASE_STRINGS_H

#include <stddef.h>

#include "base/compiler.h"

/* All zero: empty. */
struct ep_fields {
    char *bytes;
    size_t count, room;
    bool is_incomplete; /* a text is missing for lack of memory */
};

void ep_strings_add(struct ep_fields *fields, const char *text);
void ep_strings_print(struct ep_fields *fields, const char *format, ...) EP_PRINTF(2, 3);
/* Makes room for `bytes` more at bytes[count]. 0, or -1 and ENOMEM. */
int ep_strings_need(struct ep_fields *fields, size_t bytes);
void ep_strings_free(struct ep_fields *fields);

/* Reads from `at` up to, but not including, `end`. */
struct ep_fields_reader {
    const char *at, *end;
};

/* Starts at the first text; valid until one is added. */
struct ep_fields_reader ep_strings_read(const struct ep_fields *fields);

/* The next text. NULL: there is no further one that ends with a NUL. */
const char *ep_strings_next(struct ep_fields_reader *reader);
/* Reads the next text, and returns whether it equals `text`. */
bool ep_strings_next_is(struct ep_fields_reader *reader, const char *text);

#endif /* EP_BASE_STRINGS_H */
