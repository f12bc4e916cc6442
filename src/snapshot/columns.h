/*
 * columns.h - the columns of a row by their names, for output and for sorting
 */
#ifndef EP_SNAPSHOT_COLUMNS_H
#define EP_SNAPSHOT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eprof.h"

struct ep_field {
    const char *name; /* of a duration without its unit: "total" is total_ns or total_ticks */
    size_t offset;    /* in struct eprof_row */
    bool is_duration;
    bool is_word; /* no figure: it identifies or locates the row */
};

enum { EP_FIELDS = 14, EP_WORDS = 6 };
extern const struct ep_field ep_columns[EP_FIELDS];      /* the figures, in the order of csv */
extern const struct ep_field ep_columns_words[EP_WORDS]; /* the others, in that order, and the ID */

/* The column of a name of csv, unit or not, or of a title of table and tree; NULL: none. */
const struct ep_field *ep_columns_find(const char *key);

/* A sort key: the largest value first, then the text in ascending order of bytes. Figures have the
 * same text, words the same value; a line and an ID have a value that falls as they rise. */
struct ep_field_order {
    uint64_t value;
    const char *text;
};
struct ep_field_order ep_columns_order_of(const struct eprof_row *row,
                                          const struct ep_field *field);

/* The figure at this offset in the row. */
uint64_t ep_columns_value(const struct eprof_row *row, size_t offset);

#endif /* EP_SNAPSHOT_COLUMNS_H */
