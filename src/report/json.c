#include "report/report.h"

#include <inttypes.h>

#include "base/escape.h"
#include "report/format.h"
#include "report/walk.h"

void ep_report_json_member(struct ep_output *out, const char *between, const char *name,
                           const char *text)
{
    ep_output_print(out, "%s\"%s\":", between, name);
    ep_escape_json(out, text);
}

/* A figure above zero was measured; otherwise it is not known. */
static void write_measured(struct ep_output *out, const char *name, double value)
{
    ep_output_print(out, ",\"%s\":", name);
    if (value > 0)
        ep_output_decimal(out, value, 6);
    else
        ep_output_text(out, "null");
}

/* An empty text means that it is not known. */
static void write_text_or_null(struct ep_output *out, const char *name, const char *text)
{
    if (*text)
        ep_report_json_member(out, ",", name, text);
    else
        ep_output_print(out, ",\"%s\":null", name);
}

static void write_ns_or_null(struct ep_output *out, const char *name, uint64_t ns)
{
    if (ns == EPROF_UNKNOWN)
        ep_output_print(out, ",\"%s\":null", name);
    else
        ep_output_print(out, ",\"%s\":%" PRIu64, name, ns);
}

static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_text_or_null(out, "command", snapshot->command);
    if (snapshot->process_id)
        ep_output_print(out, ",\"process_id\":%" PRIu64, snapshot->process_id);
    else
        ep_output_text(out, ",\"process_id\":null");
    write_text_or_null(out, "started", ep_report_format_utc(snapshot->realtime_ns).text);
}

static void write_unended(struct ep_output *out, const struct ep_notes *notes)
{
    ep_output_text(out, ",\"unended\":[");
    for (size_t i = 0; i < notes->unended_count; i++) {
        ep_report_json_member(out, i ? ",{" : "{", "name", notes->unended[i].name);
        ep_report_json_member(out, ",", "file", notes->unended[i].file);
        ep_output_print(out, ",\"line\":%" PRIu32 "}", notes->unended[i].line);
    }
    ep_output_text(out, "]");
}

static void write_notes(struct ep_output *out, const struct ep_notes *notes)
{
    if (notes->holds_ended)
        ep_output_print(out, ",\"holds\":{\"kept\":%" PRIu64 ",\"ended\":%" PRIu64 "}",
                        notes->holds_kept, notes->holds_ended);
    if (notes->missing)
        ep_output_print(out, ",\"forked_children\":%" PRIu64, notes->missing);
    if (notes->unended_count)
        write_unended(out, notes);
}

void ep_report_json_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_report_json_member(out, "", "source", snapshot->source);
    ep_report_json_member(out, ",", "unit", snapshot->unit);
    ep_output_print(out, ",\"raw\":%s", snapshot->options.raw ? "true" : "false");
    write_measured(out, "ticks_per_us", snapshot->ticks_per_us);
    write_measured(out, "resolution_ns", snapshot->resolution_ns);
    write_measured(out, "pair_ns", snapshot->pair_ns);
    write_measured(out, "inside_ns", snapshot->inside_ns);
    write_ns_or_null(out, "wall_ns", snapshot->run.wall_ns);
    write_ns_or_null(out, "cpu_ns", snapshot->run.cpu_ns);
    write_ns_or_null(out, "overhead_ns", snapshot->run.overhead_ns);
    if (snapshot->run.is_old)
        ep_output_text(out, ",\"as_of_last_update\":true");
    if (snapshot->command)
        write_origin(out, snapshot);
    if (snapshot->process_count)
        ep_output_print(out, ",\"processes\":%" PRIu64, snapshot->process_count);
    if (snapshot->conversion.has_cpu)
        write_measured(out, "cpu_read_ns", snapshot->cpu_read_ns);
    if (snapshot->sampled_count)
        ep_output_print(out, ",\"sampled\":%zu", snapshot->sampled_count);
    write_notes(out, &snapshot->notes);
}

void ep_report_json_head_write_diagnostics(struct ep_output *out,
                                           const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "\"diagnostics\":{");
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++) {
        ep_output_text(out, i > snapshot->diagnostic_first ? "," : "");
        ep_escape_json(out, snapshot->rows[i].name);
        ep_output_print(out, ":%" PRIu64, snapshot->rows[i].calls);
    }
    ep_output_text(out, "}");
}

static void write_fields(struct ep_output *out, const struct eprof_row *row, const char *unit,
                         const struct ep_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ep_output_text(out, ",\"");
        ep_report_format_field_name(out, &fields[i], unit);
        ep_output_text(out, "\":");
        if (ep_columns_is_unknown(row, &fields[i]))
            ep_output_text(out, "null");
        else
            ep_report_format_figure(out, row, &fields[i]);
    }
}

static void write_row(struct ep_output *out, const struct eprof_row *row, const char *path,
                      const char *unit)
{
    ep_report_json_member(out, "{", "kind", row->kind);
    ep_report_json_member(out, ",", "name", row->name);
    ep_report_json_member(out, ",", "path", path);
    ep_report_json_member(out, ",", "thread", row->thread);
    ep_report_json_member(out, ",", "file", row->file);
    ep_output_print(out, ",\"line\":%u", row->line);
    write_fields(out, row, unit, ep_columns, EP_FIELDS);
    ep_report_json_member(out, ",", "unit", row->unit);
    write_ns_or_null(out, "per_second", row->per_second);
    write_fields(out, row, unit, ep_columns_of_processes, EP_PROCESS_FIELDS_OF_CSV);
    ep_output_text(out, "}");
}

/* One row per line, so that grep and diff work. */
static void write_rows(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_path paths = {.end = snapshot->diagnostic_first};
    const char *between = "\n";
    ep_output_text(out, ",\n\"rows\":[");
    while (ep_report_walk_path_next(&paths, out, snapshot)) {
        ep_output_text(out, between);
        write_row(out, &snapshot->rows[paths.row], paths.path, snapshot->unit);
        between = ",\n";
    }
    for (size_t i = 0; i < snapshot->value_count; i++) {
        ep_output_text(out, between);
        write_row(out, &snapshot->values[i], snapshot->values[i].path, snapshot->unit);
        between = ",\n";
    }
    ep_output_text(out, "]");
}

void ep_report_json(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "{\"format\":1,");
    ep_report_json_head_write(out, snapshot);
    write_rows(out, snapshot);
    ep_output_text(out, ",\n");
    ep_report_json_head_write_diagnostics(out, snapshot);
    ep_output_text(out, "}\n");
}
