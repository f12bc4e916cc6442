#include "snapshot_field.h"

#include <string.h>

const struct ep_field ep_fields[EP_FIELDS] = {
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

const struct ep_field ep_field_name = {"name", offsetof(struct eprof_row, name), false};

static bool is_called(const struct ep_field *field, const char *key)
{
    size_t bytes = strlen(field->name);
    if (strncmp(key, field->name, bytes) != 0)
        return false;
    key += bytes;
    return *key == '\0' ||
           (field->is_duration && (strcmp(key, "_ns") == 0 || strcmp(key, "_ticks") == 0));
}

const struct ep_field *ep_field_find(const char *key)
{
    for (size_t i = 0; i < EP_FIELDS; i++)
        if (is_called(&ep_fields[i], key))
            return &ep_fields[i];
    return is_called(&ep_field_name, key) ? &ep_field_name : NULL;
}

uint64_t ep_field_value(const struct eprof_row *row, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}
