#include "report_diff/report.h"

#include <string.h>

#include "base/terminal.h"

static const struct ep_report_diff reports[] = {
    /* a screenful */
    {"table", ep_report_diff_table, 40},
    {"csv", ep_report_diff_text_csv, SIZE_MAX},
    {"json", ep_report_diff_text_json, SIZE_MAX},
    /* Chromium opens so many in less than a second */
    {"html", ep_report_diff_html, 2000},
};

const struct ep_report_diff *ep_report_diff_find(const char *name)
{
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (strcmp(reports[i].name, name) == 0)
            return &reports[i];
    return NULL;
}

size_t ep_report_diff_shown(const struct ep_report_diff *report, const struct ep_diff *diff,
                            const struct ep_report_diff_options *options)
{
    size_t most = options->top ? options->top : report->rows_most;
    return diff->row_count < most ? diff->row_count : most;
}

/* Unlike ep_report_write() it does not hold off cancellation: only the command compares, and it
 * cancels no thread. */
int ep_report_diff_write(const struct ep_report_diff *report, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options, FILE *stream)
{
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_terminal_describe(&out);
    report->write(&out, diff, options, ep_report_diff_shown(report, diff, options));
    return ep_output_close(&out);
}
