#include "report_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "escape_csv.h"
#include "report_diff_field.h"

/* The texts of a row that stand before its numbers. */
struct texts {
    const char *kind, *name, *path, *verdict, *judged;
};

static void write_header(struct ep_output *out)
{
    ep_output_text(out, "kind,name,path,verdict,judged");
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",");
        ep_report_diff_field_name(out, field);
    }
    ep_output_text(out, "\n"); /* as report_csv.c has it, and says why */
}

static void write_row(struct ep_output *out, struct texts texts, const struct ep_diff_row *row)
{
    const char *const in_order[] = {texts.kind, texts.name, texts.path, texts.verdict};
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++) {
        ep_escape_csv(out, in_order[i]);
        ep_output_text(out, ",");
    }
    ep_output_text(out, texts.judged);
    for (size_t field = 0; field < EP_REPORT_DIFF_FIELDS; field++) {
        ep_output_text(out, ",");
        ep_report_diff_field_value(out, row, field, "");
    }
    ep_output_text(out, "\n");
}

static void write_region(struct ep_output *out, const struct ep_diff *diff,
                         const struct ep_diff_row *row)
{
    const struct eprof_row *of = ep_diff_row_of(diff, row);
    char *path = ep_diff_path(diff, row);
    if (path)
        write_row(out,
                  (struct texts){of->kind, of->name, path, ep_diff_verdict_word(row),
                                 ep_report_diff_time_judged(diff)->column},
                  row);
    else
        ep_output_fail(out, errno);
    free(path);
}

/* ---- trouble: of each name there are counts and nothing else ---- */

static uint64_t count_trouble(const struct eprof_snapshot *snapshot, const char *name)
{
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        if (strcmp(snapshot->rows[i].name, name) == 0)
            return snapshot->rows[i].calls;
    return 0;
}

static void write_trouble(struct ep_output *out, const struct ep_diff *diff, enum ep_diff_side side)
{
    const struct eprof_snapshot *snapshot = diff->sides[side];
    const struct eprof_snapshot *before = diff->sides[EP_DIFF_BEFORE];
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++) {
        const char *name = snapshot->rows[i].name;
        struct ep_diff_row row = {.at = {SIZE_MAX, SIZE_MAX}};
        for (int of = 0; of < EP_DIFF_SIDES; of++)
            row.figures[of].calls = (double)count_trouble(diff->sides[of], name);
        if (side == EP_DIFF_BEFORE || count_trouble(before, name) == 0)
            write_row(out, (struct texts){"trouble", name, "", "", ""}, &row);
    }
}

void ep_report_diff_csv(struct ep_output *out, const struct ep_diff *diff,
                        const struct ep_report_diff_options *options)
{
    write_header(out);
    for (size_t i = 0; i < ep_report_diff_shown(diff, options, SIZE_MAX) && !out->error; i++)
        write_region(out, diff, &diff->rows[i]);
    write_trouble(out, diff, EP_DIFF_BEFORE);
    write_trouble(out, diff, EP_DIFF_AFTER);
}
