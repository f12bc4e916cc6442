#include "snapshot/columns.h"

#include <string.h>

#define COUNT(field)                                                                               \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct eprof_row, field)                                \
    }
#define TIME(field, its_may_lack)                                                                  \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct eprof_row, field##_ns), .is_duration = true,     \
        .may_lack = (its_may_lack)                                                                 \
    }
#define WORD(field)                                                                                \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct eprof_row, field), .is_word = true               \
    }

const struct ep_field ep_columns[EP_FIELDS] = {
    COUNT(calls),      COUNT(timed),           COUNT(errors),
    COUNT(open),       TIME(total, false),     TIME(self, false),
    TIME(mean, false), TIME(stddev, false),    TIME(min, false),
    TIME(p50, false),  TIME(p90, false),       TIME(p99, false),
    TIME(p999, false), TIME(max, false),       COUNT(outermost),
    COUNT(estimated),  TIME(mean_error, true), TIME(total_error, true),
    TIME(cpu, true),   TIME(wait, true),
};

const struct ep_field ep_columns_words[EP_WORDS] = {
    WORD(kind),
    WORD(name),
    WORD(thread),
    WORD(file),
    WORD(line),
    WORD(unit),
    {.name = "per_second", .offset = offsetof(struct eprof_row, per_second), .may_lack = true},
    WORD(id),
};

#define RARE_COUNT(field)                                                                          \
    {                                                                                              \
        .name = #field, .offset = offsetof(struct eprof_row, field), .may_lack = true              \
    }

const struct ep_field ep_columns_of_processes[EP_PROCESS_FIELDS] = {
    RARE_COUNT(processes),
    TIME(process_min, true),
    TIME(process_mean, true),
    TIME(process_max, true),
    RARE_COUNT(process_slowest),
    {.name = "imbalance",
     .offset = offsetof(struct eprof_row, imbalance_millionths),
     .may_lack = true,
     .is_fraction = true},
    TIME(process_stddev, true),
};

/* Titles of columns in other formats. Among the scopes below one parent, the order of paths is that
 * of names; the order of shares is that of times. */
static const struct {
    const char *title, *name;
} titles[] = {{"path", "name"},
              {"scope", "name"},
              {"function", "name"},
              {"ID", "id"},
              {"usec/call", "mean"},
              {"ticks/call", "mean"},
              {"%total", "total"},
              {"share", "total"},
              {"self%", "self"},
              {"p99.9", "p999"},
              {"slowest", "process_slowest"}};

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
    if (!figure)
        figure = find_among(ep_columns_of_processes, EP_PROCESS_FIELDS, key);
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
    if (field->may_lack) /* 0: unknown */
        return (struct ep_field_order){ep_columns_value(row, field->offset) + 1, ""};
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

bool ep_columns_is_unknown(const struct eprof_row *row, const struct ep_field *field)
{
    bool is_self_of_value =
        ep_columns_is_of_values(row) && field->offset == offsetof(struct eprof_row, self_ns);
    return (field->may_lack && ep_columns_value(row, field->offset) == EPROF_UNKNOWN) ||
           is_self_of_value;
}
