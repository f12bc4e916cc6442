/* Uses jansson: the report must be that of the twin, except for the labels. */
#include <jansson.h>

#include "../require.h"
#include "readers.h"
#include "shown.h"

static char *as_path(const char *name)
{
    char *path = shown_path(name), *shown = shown_to_programs(path);
    free(path);
    return shown;
}

/* Puts the labels into all texts of the report on the twin. */
static void fill_in(const struct report *report, json_t *value, bool is_path)
{
    const char *name;
    size_t index;
    json_t *part;
    if (json_is_string(value)) {
        char *text = labels_fill_in(report->labels, json_string_value(value),
                                    is_path ? as_path : shown_to_programs);
        require(json_string_set(value, text) == 0, "a label is text");
        free(text);
    } else if (json_is_object(value)) {
        json_object_foreach(value, name, part) fill_in(report, part, strcmp(name, "path") == 0);
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, part) fill_in(report, part, false);
    }
}

static json_t *load(const char *text, size_t bytes)
{
    json_error_t error = {.line = 0};
    json_t *value = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    require(value != NULL, error.text);
    return value;
}

void read_diff_json(const struct report *report)
{
    json_t *value = load(report->text, report->bytes);
    json_t *twin = load(report->twin, strlen(report->twin));
    fill_in(report, twin, false);
    require(json_equal(value, twin) == 1, "a comparison is its twin but for the labels");
    json_decref(value);
    json_decref(twin);
}
