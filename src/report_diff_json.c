#include "report_diff.h"

#include <errno.h>
#include <stdlib.h>

#include "escape_json.h"
#include "report_diff_field.h"
#include "report_json_head.h"

static void write_head(struct ep_output *out, const struct ep_diff *diff)
{
    ep_output_print(out, "{\"format\":1,\"judged\":\"%s\",\"confidence\":",
                    ep_report_diff_time_judged(diff)->column);
    ep_output_decimal(out, 1 - diff->options.error, 6);
    ep_output_print(out, ",\"regions\":%zu,\"files_needed\":%zu", diff->judged, diff->needed);
}

static void write_side(struct ep_output *out, const struct ep_diff *diff, enum ep_diff_side side)
{
    ep_output_print(out, ",\n\"%s\":{\"files\":%zu,", ep_report_diff_sides[side],
                    diff->files[side]);
    ep_report_json_head_write(out, diff->sides[side]);
    ep_output_text(out, ",");
    ep_report_json_head_write_trouble(out, diff->sides[side]);
    ep_output_text(out, "}");
}

static void write_text(struct ep_output *out, const char *name, const char *text)
{
    ep_output_print(out, "\"%s\":", name);
    ep_escape_json(out, text);
}

static void write_row(struct ep_output *out, const struct ep_diff *diff,
                      const struct ep_diff_row *row, const char *path)
{
    const struct eprof_row *of = ep_diff_row_of(diff, row);
    ep_output_text(out, "{");
    write_text(out, "kind", of->kind);
    ep_output_text(out, ",");
    write_text(out, "name", of->name);
    ep_output_text(out, ",");
    write_text(out, "path", path);
    ep_output_text(out, ",");
    write_text(out, "verdict", ep_diff_verdict_word(row));
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",\"");
        ep_report_diff_field_name(out, field);
        ep_output_text(out, "\":");
        ep_report_diff_field_value(out, row, field, "null");
    }
    ep_output_text(out, "}");
}

/* A row to a line, so that grep and diff work on it. */
static void write_rows(struct ep_output *out, const struct ep_diff *diff, size_t count)
{
    ep_output_text(out, ",\n\"rows\":[");
    for (size_t i = 0; i < count && !out->error; i++) {
        ep_output_text(out, i ? ",\n" : "\n"); /* first: it sets errno */
        char *path = ep_diff_path(diff, &diff->rows[i]);
        if (path)
            write_row(out, diff, &diff->rows[i], path);
        else
            ep_output_fail(out, errno);
        free(path);
    }
    ep_output_text(out, "]");
}

void ep_report_diff_json(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options)
{
    write_head(out, diff);
    write_side(out, diff, EP_DIFF_BEFORE);
    write_side(out, diff, EP_DIFF_AFTER);
    write_rows(out, diff, ep_report_diff_shown(diff, options, SIZE_MAX));
    ep_output_text(out, "}\n");
}
