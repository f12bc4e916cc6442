/*
 * report_field.h - the names that csv and json give the figures of a row
 */
#ifndef EP_REPORT_FIELD_H
#define EP_REPORT_FIELD_H

#include "output.h"
#include "snapshot_field.h"

/* Writes the field's name; that of a duration goes on with the unit of the
 * snapshot: "total" is total_ns or total_ticks. */
void ep_report_field_name(struct ep_output *out, const struct ep_field *field, const char *unit);

#endif /* EP_REPORT_FIELD_H */
