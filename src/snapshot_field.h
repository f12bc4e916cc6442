/*
 * snapshot_field.h - the figures of a row by their names: what is shown, and sorted by
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
};

enum { EP_FIELDS = 14 };
extern const struct ep_field ep_fields[EP_FIELDS]; /* in the order of csv */
extern const struct ep_field ep_field_name; /* the row's name, by which it can be sorted too */

/* The figure, or the name, that `key` means, with a unit or without. NULL: none. */
const struct ep_field *ep_field_find(const char *key);

/* The figure at `offset` in the row: how a list of columns gets at its values. */
uint64_t ep_field_value(const struct eprof_row *row, size_t offset);

#endif /* EP_SNAPSHOT_FIELD_H */
