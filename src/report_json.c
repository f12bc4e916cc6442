#include "report.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_json.h"
#include "report_field.h"
#include "report_origin.h"
#include "report_path.h"

/* What is above zero was measured; another figure of the probe is not known. */
static void write_measured(struct ep_output *out, const char *name, double value)
{
    ep_output_print(out, ",\"%s\":", name);
    if (value > 0)
        ep_output_decimal(out, value, 6);
    else
        ep_output_text(out, "null");
}

/* Of a stored image; what is not known is null. */
static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment started = ep_report_moment_utc(snapshot->realtime_ns);
    ep_output_text(out, ",\"command\":");
    if (*snapshot->command)
        ep_escape_json(out, snapshot->command);
    else
        ep_output_text(out, "null");
    ep_output_text(out, ",\"process_id\":");
    if (snapshot->process_id)
        ep_output_print(out, "%" PRIu64, snapshot->process_id);
    else
        ep_output_text(out, "null");
    ep_output_text(out, ",\"started\":");
    if (*started.text)
        ep_escape_json(out, started.text);
    else
        ep_output_text(out, "null");
}

static void write_head(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "{\"format\":1,\"source\":");
    ep_escape_json(out, snapshot->source);
    ep_output_text(out, ",\"unit\":");
    ep_escape_json(out, snapshot->unit);
    ep_output_print(out, ",\"raw\":%s", snapshot->options.raw ? "true" : "false");
    write_measured(out, "ticks_per_us", snapshot->ticks_per_us);
    write_measured(out, "resolution_ns", snapshot->resolution_ns);
    write_measured(out, "pair_ns", snapshot->pair_ns);
    write_measured(out, "inside_ns", snapshot->inside_ns);
    if (snapshot->command)
        write_origin(out, snapshot);
    if (snapshot->thinned_count)
        ep_output_print(out, ",\"throttled\":%zu", snapshot->thinned_count);
}

static void write_text(struct ep_output *out, const char *name, const char *text)
{
    ep_output_print(out, "\"%s\":", name);
    ep_escape_json(out, text);
    ep_output_text(out, ",");
}

static void write_row(struct ep_output *out, const struct eprof_row *row, const char *path,
                      const char *unit)
{
    ep_output_text(out, "{");
    write_text(out, "kind", row->kind);
    write_text(out, "name", row->name);
    write_text(out, "path", path);
    write_text(out, "thread", row->thread);
    write_text(out, "file", row->file);
    ep_output_print(out, "\"line\":%u", row->line);
    for (size_t i = 0; i < EP_FIELDS; i++) {
        const struct ep_field *field = &ep_fields[i];
        ep_output_text(out, ",\"");
        ep_report_field_name(out, field, unit);
        ep_output_print(out, "\":%" PRIu64, ep_field_value(row, field->offset));
    }
    ep_output_text(out, "}");
}

/* A row to a line, so that grep and diff work on it. */
static void write_rows(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_path paths = {.text = NULL};
    const char *between = "\n";
    ep_output_text(out, ",\n\"rows\":[");
    for (size_t i = 0; i < snapshot->trouble_first && !out->error; i++) {
        const char *path = ep_report_path_of(&paths, snapshot, i);
        if (!path)
            ep_output_fail(out, errno);
        if (!path || ep_report_path_is_around(snapshot, i))
            continue;
        ep_output_text(out, between);
        write_row(out, &snapshot->rows[i], path, snapshot->unit);
        between = ",\n";
    }
    ep_output_text(out, "]");
    ep_report_path_free(&paths);
}

static void write_trouble(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, ",\n\"trouble\":{");
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++) {
        ep_output_text(out, i > snapshot->trouble_first ? "," : "");
        ep_escape_json(out, snapshot->rows[i].name);
        ep_output_print(out, ":%" PRIu64, snapshot->rows[i].calls);
    }
    ep_output_text(out, "}");
}

void ep_report_json(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_head(out, snapshot);
    write_rows(out, snapshot);
    write_trouble(out, snapshot);
    ep_output_text(out, "}\n");
}
