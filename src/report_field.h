/*
 * report_field.h - the figures of a row, by the names that csv and json give them
 */
#ifndef EP_REPORT_FIELD_H
#define EP_REPORT_FIELD_H

#include "output.h"
#include "snapshot.h"

struct ep_report_field {
    const char *name;
    size_t offset; /* in struct eprof_row */
    bool is_duration;
};

enum { EP_REPORT_FIELDS = 14 };
extern const struct ep_report_field ep_report_fields[EP_REPORT_FIELDS]; /* in their order */

/* Writes the field's name; that of a duration goes on with the unit of the
 * snapshot: "total" is total_ns or total_ticks. */
void ep_report_field_name(struct ep_output *out, const struct ep_report_field *field,
                          const char *unit);

/* The figure at `offset` in the row: how a list of columns gets at its values. */
uint64_t ep_report_field_value(const struct eprof_row *row, size_t offset);

#endif /* EP_REPORT_FIELD_H */
