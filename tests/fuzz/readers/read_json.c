/* Uses jansson, which refuses texts that are not valid by RFC 8259, and duplicate names. */
#include <jansson.h>

#include "../require.h"
#include "readers.h"
#include "shown.h"
#include "snapshot/snapshot.h"

static void require_text(const json_t *object, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(object, name));
    require(value && is_text(shown_to_programs(text), value), "json has a text as it is");
}

static void require_number(const json_t *object, const char *name, uint64_t number)
{
    const json_t *value = json_object_get(object, name);
    require(json_is_integer(value) && (uint64_t)json_integer_value(value) == number,
            "json has a number as it is");
}

static void require_row(const json_t *object, const struct eprof_snapshot *snapshot, size_t index)
{
    const struct eprof_row *row = &snapshot->rows[index];
    char *path = ep_rows_path_copy(snapshot, index);
    require(path != NULL, "there is memory for a path");
    require_text(object, "kind", row->kind);
    require_text(object, "name", row->name);
    require_text(object, "path", path);
    require_text(object, "thread", row->thread);
    require_text(object, "file", row->file);
    require_number(object, "line", row->line);
    for (size_t i = 0; i < EP_FIELDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", ep_columns[i].name,
                 ep_columns[i].is_duration ? "_ns" : "");
        if (ep_columns_is_unknown(row, &ep_columns[i]))
            require(json_is_null(json_object_get(object, name)), "what is not known is null");
        else
            require_number(object, name, ep_columns_value(row, ep_columns[i].offset));
    }
    require_text(object, "unit", row->unit);
    if (row->per_second == EPROF_UNKNOWN)
        require(json_is_null(json_object_get(object, "per_second")), "no rate is null");
    else
        require_number(object, "per_second", row->per_second);
    for (size_t i = 0; i < EP_PROCESS_FIELDS_OF_CSV; i++) {
        const struct ep_field *field = &ep_columns_of_processes[i];
        char name[32];
        snprintf(name, sizeof name, "%s%s", field->name, field->is_duration ? "_ns" : "");
        if (ep_columns_is_unknown(row, field))
            require(json_is_null(json_object_get(object, name)), "what is not known is null");
        else if (!field->is_fraction)
            require_number(object, name, ep_columns_value(row, field->offset));
        else
            require(json_is_real(json_object_get(object, name)), "a fraction is no integer");
    }
    require(json_object_size(object) == 8 + EP_FIELDS + EP_PROCESS_FIELDS_OF_CSV,
            "a row has nothing else");
    free(path);
}

void read_json(const struct report *report)
{
    const struct eprof_snapshot *snapshot = report->snapshot;
    json_error_t error = {.line = 0};
    json_t *profile = json_loadb(report->text, report->bytes, JSON_REJECT_DUPLICATES, &error);
    require(profile != NULL, error.text);
    const json_t *rows = json_object_get(profile, "rows");
    require(json_array_size(rows) == snapshot->row_count, "json has each row");
    for (size_t i = 0; i < snapshot->row_count; i++)
        require_row(json_array_get(rows, i), snapshot, i);
    require_text(profile, "source", snapshot->source);
    if (*snapshot->command)
        require_text(profile, "command", snapshot->command);
    else
        require(json_is_null(json_object_get(profile, "command")), "no command is null");
    json_decref(profile);
}
