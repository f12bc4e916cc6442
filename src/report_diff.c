#include "report_diff.h"

#include <string.h>

static const struct ep_report_diff reports[] = {
    {"table", ep_report_diff_table},
    {"csv", ep_report_diff_csv},
    {"json", ep_report_diff_json},
    {"html", ep_report_diff_html},
};

const struct ep_report_diff *ep_report_diff_find(const char *name)
{
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        if (strcmp(reports[i].name, name) == 0)
            return &reports[i];
    return NULL;
}

size_t ep_report_diff_shown(const struct ep_diff *diff,
                            const struct ep_report_diff_options *options, size_t most)
{
    if (options->top)
        most = options->top;
    return diff->row_count < most ? diff->row_count : most;
}

int ep_report_diff_write(const struct ep_report_diff *report, const struct ep_diff *diff,
                         const struct ep_report_diff_options *options, FILE *stream)
{
    struct ep_output out;
    ep_output_open(&out, stream);
    report->write(&out, diff, options);
    return ep_output_close(&out);
}
