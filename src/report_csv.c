#include "report.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_csv.h"
#include "report_field.h"
#include "report_path.h"

/* RFC 4180 ends a line with CRLF. Every reader takes a bare newline as well, and
 * cut, sort, awk and the like take nothing else: the CR would be a part of the
 * last column. */
#define LINE_END "\n"

static void write_header(struct ep_output *out, const char *unit)
{
    ep_output_text(out, "kind,name,path,thread,file,line");
    for (size_t i = 0; i < EP_FIELDS; i++) {
        ep_output_text(out, ",");
        ep_report_field_name(out, &ep_fields[i], unit);
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
    for (size_t i = 0; i < EP_FIELDS; i++)
        ep_output_print(out, ",%" PRIu64, ep_field_value(row, ep_fields[i].offset));
    ep_output_text(out, LINE_END);
}

/* Of trouble there is a name and a count and nothing else. */
static void write_trouble(struct ep_output *out, const struct eprof_row *row)
{
    const struct eprof_row bare = {
        .kind = row->kind, .name = row->name, .thread = "", .file = "", .calls = row->calls};
    write_row(out, &bare, "");
}

static void write_rows(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_path paths = {.text = NULL};
    for (size_t i = 0; i < snapshot->trouble_first && !out->error; i++) {
        const char *path = ep_report_path_of(&paths, snapshot, i);
        if (!path)
            ep_output_fail(out, errno);
        else if (!ep_report_path_is_around(snapshot, i))
            write_row(out, &snapshot->rows[i], path);
    }
    ep_report_path_free(&paths);
}

void ep_report_csv(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    write_header(out, snapshot->unit);
    write_rows(out, snapshot);
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        write_trouble(out, &snapshot->rows[i]);
}
