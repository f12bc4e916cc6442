/*
 * report_diff_field.h - the numbers of a row of a comparison, by the names that csv and json give
 * them
 *
 * calls_before, calls_after, total_before_ns and so on, change_ns, ratio, ratio_low, ratio_high.
 */
#ifndef EP_REPORT_DIFF_FIELD_H
#define EP_REPORT_DIFF_FIELD_H

#include "output.h"
#include "report_diff_time.h"

/* Calls and times of both sides, and four on the change. */
enum { EP_REPORT_DIFF_FIELDS = EP_DIFF_SIDES * (1 + EP_REPORT_DIFF_TIMES) + 4 };

void ep_report_diff_field_name(struct ep_output *out, size_t field);
/* Writes `none` for a ratio where there is none: to zero, to nothing, of too few files. */
void ep_report_diff_field_value(struct ep_output *out, const struct ep_diff_row *row, size_t field,
                                const char *none);

#endif /* EP_REPORT_DIFF_FIELD_H */
