#include "report.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_json.h"
#include "report_field.h"
#include "report_json_head.h"
#include "report_path.h"

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

void ep_report_json(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "{\"format\":1,");
    ep_report_json_head_write(out, snapshot);
    write_rows(out, snapshot);
    ep_output_text(out, ",\n");
    ep_report_json_head_write_trouble(out, snapshot);
    ep_output_text(out, "}\n");
}
