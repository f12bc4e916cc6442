#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/report.h"
#include "report_diff/format.h"
#include "report_diff/report.h"

/* The texts of a row, before its numbers. */
enum { KIND, NAME, PATH, VERDICT, TEXTS };

static const char *const names[TEXTS] = {"kind", "name", "path", "verdict"};

typedef void row_writer(struct ep_output *out, const char *const *texts,
                        const struct ep_diff_row *row, const char *judged);

/* Writes one row for each region, with `between` between two rows. */
static void write_regions(struct ep_output *out, const struct ep_diff *diff, size_t count,
                          const char *between, row_writer *write)
{
    for (size_t i = 0; i < count && !out->error; i++) {
        const struct ep_diff_row *row = &diff->rows[i];
        const struct eprof_row *of = ep_diff_row_of(diff, row);
        char *path = ep_diff_path(diff, row);
        if (path) {
            const char *const texts[TEXTS] = {of->kind, of->name, path, ep_diff_verdict_word(row)};
            ep_output_text(out, i ? between : "");
            write(out, texts, row, ep_report_diff_format_time_judged(diff)->column);
        } else {
            ep_output_fail(out, errno);
        }
        free(path);
    }
}

/* Values come after the regions; `is_first`: nothing was written before. */
static void write_values(struct ep_output *out, const struct ep_diff *diff, bool is_first,
                         const char *between, row_writer *write)
{
    for (size_t i = 0; i < diff->value_count; i++) {
        struct ep_diff_row row = ep_report_diff_values_row(diff, i);
        char *path = ep_report_diff_values_path(diff, i, false);
        const char *const texts[TEXTS] = {"value", ep_report_diff_values_name(diff, i), path,
                                          ep_diff_value_word(&diff->values[i])};
        ep_output_text(out, is_first && i == 0 ? "" : between);
        if (path)
            write(out, texts, &row, "mean_ns");
        else
            ep_output_fail(out, ENOMEM);
        free(path);
    }
}

/* ---- csv ---- */

static void write_header(struct ep_output *out)
{
    for (size_t i = 0; i < TEXTS; i++)
        ep_output_print(out, "%s,", names[i]);
    ep_output_text(out, "judged");
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",");
        ep_report_diff_format_field_name(out, field);
    }
    ep_output_text(out, "\n"); /* report/csv.c gives the reason for LF */
}

static void write_csv_row(struct ep_output *out, const char *const *texts,
                          const struct ep_diff_row *row, const char *judged)
{
    for (size_t i = 0; i < TEXTS; i++) {
        ep_escape_csv(out, texts[i]);
        ep_output_text(out, ",");
    }
    ep_output_text(out, judged);
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",");
        ep_report_diff_format_field_value(out, row, field, "");
    }
    ep_output_text(out, "\n");
}

/* A diagnostic has a count and no other figure; 0: the snapshot does not have it. */
static uint64_t count_diagnostics(const struct eprof_snapshot *snapshot, const char *name)
{
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++)
        if (strcmp(snapshot->rows[i].name, name) == 0)
            return snapshot->rows[i].calls;
    return 0;
}

static void write_diagnostics(struct ep_output *out, const struct ep_diff *diff,
                              enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const struct eprof_snapshot *before = diff->sides[EP_DIFF_BEFORE];
    for (size_t i = snapshot->diagnostic_first; i < snapshot->row_count; i++) {
        const char *name = snapshot->rows[i].name;
        const char *const texts[TEXTS] = {"diagnostic", name, "", ""};
        struct ep_diff_row row = {.at = {SIZE_MAX, SIZE_MAX}};
        for (int of = 0; of < EP_DIFF_SIDES; of++)
            row.figures[of] =
                (struct ep_diff_figures){.calls = (double)count_diagnostics(diff->sides[of], name),
                                         .cpu_ns = EPROF_UNKNOWN,
                                         .wait_ns = EPROF_UNKNOWN};
        if (side == EP_DIFF_BEFORE || count_diagnostics(before, name) == 0)
            write_csv_row(out, texts, &row, "");
    }
}

void ep_report_diff_text_csv(struct ep_output *out, const struct ep_diff *diff,
                             const struct ep_report_diff_options *options, size_t rows)
{
    (void)options;
    write_header(out);
    write_regions(out, diff, rows, "", write_csv_row);
    write_values(out, diff, rows == 0, "", write_csv_row);
    write_diagnostics(out, diff, EP_DIFF_BEFORE);
    write_diagnostics(out, diff, EP_DIFF_AFTER);
}

/* ---- json ---- */

static void write_side(struct ep_output *out, const struct ep_diff *diff, enum ep_diff_side side)
{
    ep_output_print(out, ",\n\"%s\":{\"files\":%zu,", ep_report_diff_format_sides[side],
                    diff->files[side]);
    ep_report_json_head_write(out, diff->sides[side]);
    ep_output_text(out, ",");
    ep_report_json_head_write_diagnostics(out, diff->sides[side]);
    ep_output_text(out, "}");
}

/* One row per line, so that grep and diff work. */
static void write_json_row(struct ep_output *out, const char *const *texts,
                           const struct ep_diff_row *row, const char *judged)
{
    (void)judged; /* the head has it */
    for (size_t i = 0; i < TEXTS; i++)
        ep_report_json_member(out, i ? "," : "\n{", names[i], texts[i]);
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",\"");
        ep_report_diff_format_field_name(out, field);
        ep_output_text(out, "\":");
        ep_report_diff_format_field_value(out, row, field, "null");
    }
    ep_output_text(out, "}");
}

void ep_report_diff_text_json(struct ep_output *out, const struct ep_diff *diff,
                              const struct ep_report_diff_options *options, size_t rows)
{
    (void)options;
    ep_output_print(out, "{\"format\":1,\"judged\":\"%s\",\"confidence\":",
                    ep_report_diff_format_time_judged(diff)->column);
    ep_output_decimal(out, 1 - diff->options.error, 6);
    ep_output_print(out, ",\"regions\":%zu,\"files_needed\":%zu", diff->judged, diff->needed);
    write_side(out, diff, EP_DIFF_BEFORE);
    write_side(out, diff, EP_DIFF_AFTER);
    ep_output_text(out, ",\n\"rows\":[");
    write_regions(out, diff, rows, ",", write_json_row);
    write_values(out, diff, rows == 0, ",", write_json_row);
    ep_output_text(out, "]}\n");
}
