/*
 * snapshot_field.h - the columns of a row by their names: what is shown, and sorted by
 */
#ifndef EP_SNAPSHOT_FIELD_H
#define EP_SNAPSHOT_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eprof.h"

struct ep_field {
    const char *name; /* of a duration without its unit: "total" is total_ns or total_ticks */
    size_t offset;    /* in struct eprof_row */
    bool is_duration;
    bool is_word; /* no figure: what a row is, or where */
};

enum { EP_FIELDS = 14, EP_WORDS = 6 };
extern const struct ep_field ep_fields[EP_FIELDS]; /* the figures, in the order of csv */
extern const struct ep_field ep_words[EP_WORDS];   /* the others, in that order, and the ID */

/* The column that `key` means, with a unit or without, as csv or as table and tree call it. NULL:
 * none. */
const struct ep_field *ep_field_find(const char *key);

/*
 * What a row is sorted by: the largest value first, then the text that is lowest byte by byte. Of a
 * figure the text is the same for all, of a word the value; a line and an ID are values of which
 * the lowest comes first.
 */
struct ep_field_order {
    uint64_t value;
    const char *text;
};
struct ep_field_order ep_field_order_of(const struct eprof_row *row, const struct ep_field *field);

/* The figure at `offset` in the row: how a list of columns gets at its values. */
uint64_t ep_field_value(const struct eprof_row *row, size_t offset);

#endif /* EP_SNAPSHOT_FIELD_H */
