/* Uses jansson: the time between two events belongs to the frame that is open. */
#include <jansson.h>

#include "../require.h"
#include "readers.h"
#include "shown.h"

struct reading {
    const struct report *report;
    const json_t *frames;
    const char *figure; /* "time" or "calls" */
    size_t row, end;    /* next to open; the end of this profile */
    size_t open[2];     /* open rows; trees of labels have two levels */
    size_t depth;
    uint64_t at, own; /* the value of the last event; the time until the next one */
};

static void require_text(const json_t *object, const char *name, const char *text)
{
    const char *value = json_string_value(json_object_get(object, name));
    require(value && is_text(shown_to_programs(text), value), "speedscope has a text as it is");
}

/* The frame of an event must be that of the row. */
static void require_frame(const struct reading *reading, const json_t *event, size_t index)
{
    const struct eprof_row *row = &reading->report->snapshot->rows[index];
    const json_t *frame = json_array_get(
        reading->frames, (size_t)json_integer_value(json_object_get(event, "frame")));
    require_text(frame, "name", row->name);
    if (*row->file)
        require_text(frame, "file", row->file);
    else
        require(!json_object_get(frame, "file"), "no file is told where there is none");
}

static void open_row(struct reading *reading, const json_t *event)
{
    require(reading->row < reading->end && reading->depth < 2, "there are no more rows");
    const struct eprof_row *row = &reading->report->snapshot->rows[reading->row];
    require_frame(reading, event, reading->row);
    reading->own = strcmp(reading->figure, "time") == 0 ? row->self_ns : row->calls;
    reading->open[reading->depth++] = reading->row++;
}

/* No time passes after it: the self time of its parent came before. */
static void close_row(struct reading *reading, const json_t *event)
{
    require(reading->depth > 0, "what is closed was opened");
    require_frame(reading, event, reading->open[--reading->depth]);
    reading->own = 0;
}

static void take_event(struct reading *reading, const json_t *event)
{
    uint64_t at = (uint64_t)json_integer_value(json_object_get(event, "at"));
    const char *type = json_string_value(json_object_get(event, "type"));
    require(at - reading->at == reading->own, "what passes is a row's own");
    reading->at = at;
    require(type != NULL, "an event has a type");
    strcmp(type, "O") == 0 ? open_row(reading, event) : close_row(reading, event);
}

/* With threads, the name of a profile has the name of the thread before it. */
static void require_name(const struct reading *reading, const json_t *profile)
{
    const struct eprof_snapshot *snapshot = reading->report->snapshot;
    char *text = NULL;
    const char *thread = snapshot->options.threads ? snapshot->rows[reading->row].thread : "";
    require(asprintf(&text, "%s%s%s", thread, snapshot->options.threads ? ": " : "",
                     reading->figure) > 0,
            "there is memory for a name");
    require_text(profile, "name", text);
    free(text);
}

static void take_profile(struct reading *reading, const json_t *profile, size_t first, size_t end)
{
    const json_t *events = json_object_get(profile, "events");
    reading->row = first;
    reading->end = end;
    reading->depth = 0;
    reading->at = reading->own = 0;
    require_name(reading, profile);
    for (size_t i = 0; i < json_array_size(events); i++)
        take_event(reading, json_array_get(events, i));
    require(reading->row == end && reading->depth == 0, "all rows were opened and closed");
}

void read_speedscope(const struct report *report)
{
    const struct eprof_snapshot *snapshot = report->snapshot;
    json_error_t error = {.line = 0};
    json_t *content = json_loadb(report->text, report->bytes, JSON_REJECT_DUPLICATES, &error);
    require(content != NULL, error.text);
    struct reading reading = {
        .report = report, .frames = json_object_get(json_object_get(content, "shared"), "frames")};
    const json_t *profiles = json_object_get(content, "profiles");
    size_t scopes = snapshot->diagnostic_first - snapshot->scope_first;
    size_t each = snapshot->options.threads ? 2 : scopes; /* rows of a thread: labels.c */
    require(json_array_size(profiles) == 2 * scopes / each, "there are two profiles of each tree");
    for (size_t i = 0; i < json_array_size(profiles); i++) {
        size_t first = snapshot->scope_first + i / 2 * each;
        reading.figure = i % 2 ? "calls" : "time";
        take_profile(&reading, json_array_get(profiles, i), first, first + each);
    }
    if (*snapshot->command)
        require_text(content, "name", snapshot->command);
    json_decref(content);
}
