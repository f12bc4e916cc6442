#include "report/report.h"

#include <inttypes.h>

#include "base/escape.h"
#include "report/format.h"
#include "report/walk.h"

/* RFC 4180 ends a line with CRLF. Every reader also takes a bare newline, and for cut, sort and awk
 * the CR would be a part of the last column. */
#define LINE_END "\n"

static void write_header(struct ep_output *out, const char *unit)
{
    ep_output_text(out, "kind,name,path,thread,file,line");
    for (size_t i = 0; i < EP_FIELDS; i++) {
        ep_output_text(out, ",");
        ep_report_format_field_name(out, &ep_columns[i], unit);
    }
    ep_output_text(out, ",unit,per_second");
    for (size_t i = 0; i < EP_PROCESS_FIELDS_OF_CSV; i++) {
        ep_output_text(out, ",");
        ep_report_format_field_name(out, &ep_columns_of_processes[i], unit);
    }
    ep_output_text(out, LINE_END);
}

static void write_row(struct ep_output *out, const struct eprof_row *row, const char *path)
{
    const char *texts[] = {row->kind, row->name, path, row->thread, row->file};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ep_escape_csv(out, texts[i]);
        ep_output_text(out, ",");
    }
    ep_output_print(out, "%u", row->line);
    for (size_t i = 0; i < EP_FIELDS; i++) {
        ep_output_text(out, ",");
        if (!ep_columns_is_unknown(row, &ep_columns[i]))
            ep_report_format_figure(out, row, &ep_columns[i]);
    }
    ep_output_text(out, ",");
    ep_escape_csv(out, row->unit);
    ep_output_text(out, ",");
    if (row->per_second != EPROF_UNKNOWN)
        ep_output_print(out, "%" PRIu64, row->per_second);
    for (size_t i = 0; i < EP_PROCESS_FIELDS_OF_CSV; i++) {
        ep_output_text(out, ",");
        if (!ep_columns_is_unknown(row, &ep_columns_of_processes[i]))
            ep_report_format_figure(out, row, &ep_columns_of_processes[i]);
    }
    ep_output_text(out, LINE_END);
}

void ep_report_csv(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_path paths = {.end = snapshot->diagnostic_first};
    write_header(out, snapshot->unit);
    while (ep_report_walk_path_next(&paths, out, snapshot))
        write_row(out, &snapshot->rows[paths.row], paths.path);
    for (size_t i = 0; i < snapshot->value_count; i++)
        write_row(out, &snapshot->values[i], snapshot->values[i].path);
    /* diagnostics have a name and a count, and nothing else */
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++) {
        const struct eprof_row *row = &snapshot->rows[i];
        struct eprof_row bare = {.kind = row->kind,
                                 .name = row->name,
                                 .thread = "",
                                 .file = "",
                                 .calls = row->calls,
                                 .cpu_ns = EPROF_UNKNOWN,
                                 .wait_ns = EPROF_UNKNOWN,
                                 .unit = "",
                                 .per_second = EPROF_UNKNOWN};
        ep_rows_without_processes(&bare);
        write_row(out, &bare, "");
    }
}
