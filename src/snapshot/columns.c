#include "snapshot/columns.h"

#include <string.h>

const struct ep_field ep_columns[EP_FIELDS] = {
    {"calls", offsetof(struct eprof_row, calls), false, false},
    {"timed", offsetof(struct eprof_row, timed), false, false},
    {"errors", offsetof(struct eprof_row, errors), false, false},
    {"open", offsetof(struct eprof_row, open), false, false},
    {"total", offsetof(struct eprof_row, total_ns), true, false},
    {"self", offsetof(struct eprof_row, self_ns), true, false},
    {"mean", offsetof(struct eprof_row, mean_ns), true, false},
    {"stddev", offsetof(struct eprof_row, stddev_ns), true, false},
    {"min", offsetof(struct eprof_row, min_ns), true, false},
    {"p50", offsetof(struct eprof_row, p50_ns), true, false},
    {"p90", offsetof(struct eprof_row, p90_ns), true, false},
    {"p99", offsetof(struct eprof_row, p99_ns), true, false},
    {"p999", offsetof(struct eprof_row, p999_ns), true, false},
    {"max", offsetof(struct eprof_row, max_ns), true, false},
};

const struct ep_field ep_columns_words[EP_WORDS] = {
    {"kind", offsetof(struct eprof_row, kind), false, true},
    {"name", offsetof(struct eprof_row, name), false, true},
    {"thread", offsetof(struct eprof_row, thread), false, true},
    {"file", offsetof(struct eprof_row, file), false, true},
    {"line", offsetof(struct eprof_row, line), false, true},
    {"id", offsetof(struct eprof_row, id), false, true},
};

/* Titles of columns in other formats. Among the scopes below one parent, the order of paths is that
 * of names, and the order of shares that of totals. */
static const struct {
    const char *title, *name;
} titles[] = {{"path", "name"},   {"scope", "name"},     {"function", "name"},
              {"ID", "id"},       {"usec/call", "mean"}, {"ticks/call", "mean"},
              {"share", "total"}, {"p99.9", "p999"}};

static bool is_called(const struct ep_field *field, const char *key)
{
    size_t bytes = strlen(field->name);
    if (strncmp(key, field->name, bytes) != 0)
        return false;
    key += bytes;
    return *key == '\0' ||
           (field->is_duration && (strcmp(key, "_ns") == 0 || strcmp(key, "_ticks") == 0));
}

static const struct ep_field *find_among(const struct ep_field *fields, size_t count,
                                         const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (is_called(&fields[i], key))
            return &fields[i];
    return NULL;
}

const struct ep_field *ep_columns_find(const char *key)
{
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strcmp(titles[i].title, key) == 0)
            key = titles[i].name;
    const struct ep_field *figure = find_among(ep_columns, EP_FIELDS, key);
    return figure ? figure : find_among(ep_columns_words, EP_WORDS, key);
}

static const char *word_at(const struct eprof_row *row, size_t offset)
{
    const char *word;
    memcpy(&word, (const char *)row + offset, sizeof word);
    return word;
}

struct ep_field_order ep_columns_order_of(const struct eprof_row *row, const struct ep_field *field)
{
    if (!field->is_word)
        return (struct ep_field_order){ep_columns_value(row, field->offset), ""};
    if (field->offset == offsetof(struct eprof_row, line))
        return (struct ep_field_order){UINT64_MAX - row->line, ""};
    if (field->offset == offsetof(struct eprof_row, id))
        return (struct ep_field_order){UINT64_MAX - (uint32_t)row->id, ""};
    return (struct ep_field_order){0, word_at(row, field->offset)};
}

uint64_t ep_columns_value(const struct eprof_row *row, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}
