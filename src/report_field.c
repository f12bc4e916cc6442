#include "report_field.h"

#include <string.h>

const struct ep_report_field ep_report_fields[EP_REPORT_FIELDS] = {
    {"calls", offsetof(struct eprof_row, calls), false},
    {"timed", offsetof(struct eprof_row, timed), false},
    {"errors", offsetof(struct eprof_row, errors), false},
    {"open", offsetof(struct eprof_row, open), false},
    {"total", offsetof(struct eprof_row, total_ns), true},
    {"self", offsetof(struct eprof_row, self_ns), true},
    {"mean", offsetof(struct eprof_row, mean_ns), true},
    {"stddev", offsetof(struct eprof_row, stddev_ns), true},
    {"min", offsetof(struct eprof_row, min_ns), true},
    {"p50", offsetof(struct eprof_row, p50_ns), true},
    {"p90", offsetof(struct eprof_row, p90_ns), true},
    {"p99", offsetof(struct eprof_row, p99_ns), true},
    {"p999", offsetof(struct eprof_row, p999_ns), true},
    {"max", offsetof(struct eprof_row, max_ns), true},
};

void ep_report_field_name(struct ep_output *out, const struct ep_report_field *field,
                          const char *unit)
{
    ep_output_text(out, field->name);
    if (field->is_duration)
        ep_output_print(out, "_%s", unit);
}

uint64_t ep_report_field_value(const struct eprof_row *row, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}
