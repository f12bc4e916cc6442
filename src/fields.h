/*
 * fields.h - texts one after the other, each with a NUL behind it: what is asked of a helper, and
 * what it answers
 */
#ifndef EP_FIELDS_H
#define EP_FIELDS_H

#include <stddef.h>

#include "compiler.h"

/* All zero: empty. */
struct ep_fields {
    char *bytes;
    size_t count, room;
    bool is_incomplete; /* there was no memory for one */
};

void ep_fields_add(struct ep_fields *fields, const char *text);
void ep_fields_print(struct ep_fields *fields, const char *format, ...) EP_PRINTF(2, 3);
/* Room for `bytes` more, at bytes[count]. 0, or -1 and ENOMEM. */
int ep_fields_need(struct ep_fields *fields, size_t bytes);
void ep_fields_free(struct ep_fields *fields);

/* Reads them: begins at `at`, and nothing at `end` is looked at. */
struct ep_fields_reader {
    const char *at, *end;
};

/* From the first on; good until one is added. */
struct ep_fields_reader ep_fields_read(const struct ep_fields *fields);

/* The next one. NULL: there is none with its NUL. */
const char *ep_fields_next(struct ep_fields_reader *reader);
/* Reads the next one. Whether there is one, and it is this. */
bool ep_fields_next_is(struct ep_fields_reader *reader, const char *text);

#endif /* EP_FIELDS_H */
