/*
 * columns.h - the columns of a row by their names, for output and for sorting
 */
#ifndef EP_SNAPSHOT_COLUMNS_H
#define EP_SNAPSHOT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "eprof.h"

struct ep_field {
    const char *name; /* without the unit of a duration: "total" is total_ns or total_ticks */
    size_t offset;    /* in struct eprof_row */
    bool is_duration;
    bool is_word;     /* no figure: it identifies or locates the row, or is a unit */
    bool may_lack;    /* a figure that may be EPROF_UNKNOWN */
    bool is_fraction; /* in millionths */
};

enum { EP_FIELDS = 20, EP_WORDS = 8, EP_PROCESS_FIELDS = 7, EP_PROCESS_FIELDS_OF_CSV = 6 };
extern const struct ep_field ep_columns[EP_FIELDS];      /* the figures, in the order of csv */
extern const struct ep_field ep_columns_words[EP_WORDS]; /* the others, in that order,
                                                           and the ID */

/* How the total is spread over processes: the first ones are the last columns of csv. */
extern const struct ep_field ep_columns_of_processes[EP_PROCESS_FIELDS];

/* The column with this name in csv, with or without a unit, or with this title in table and tree;
 * NULL: none. */
const struct ep_field *ep_columns_find(const char *key);

/* A sort key: the largest value first, then the text in ascending order of bytes. For figures the
 * text is always equal, for words the value; the value of a line or an ID falls as the number
 * rises. A figure that is not known comes last. */
struct ep_field_order {
    uint64_t value;
    const char *text;
};
struct ep_field_order ep_columns_order_of(const struct eprof_row *row,
                                          const struct ep_field *field);

/* The timed calls that a percentile needs: with fewer it would repeat an extreme. */
enum {
    EP_COLUMNS_P50_LEAST_TIMED = 2,
    EP_COLUMNS_P90_LEAST_TIMED = 10,
    EP_COLUMNS_P99_LEAST_TIMED = 100,
    EP_COLUMNS_P999_LEAST_TIMED = 1000
};

/* Whether the figures of a row are numbers of its unit, with a sign. */
EP_INLINE bool ep_columns_is_of_values(const struct eprof_row *row)
{
    return strcmp(row->kind, "value") == 0;
}

uint64_t ep_columns_value(const struct eprof_row *row, size_t offset);

/* Whether the row has no value for this figure. */
bool ep_columns_is_unknown(const struct eprof_row *row, const struct ep_field *field);

#endif /* EP_SNAPSHOT_COLUMNS_H */
