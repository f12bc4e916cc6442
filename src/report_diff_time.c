#include "report_diff_time.h"

#include <string.h>

const struct ep_report_diff_time ep_report_diff_times[EP_REPORT_DIFF_TIMES] = {
    {"total", "total_ns", "total time of a run", offsetof(struct ep_diff_figures, total_ns),
     offsetof(struct eprof_row, total_ns), true},
    {"self", "self_ns", "self time of a run", offsetof(struct ep_diff_figures, self_ns),
     offsetof(struct eprof_row, self_ns), true},
    {"mean", "mean_ns", "mean time of a call", offsetof(struct ep_diff_figures, mean_ns),
     offsetof(struct eprof_row, mean_ns), false},
    {"p99", "p99_ns", "99th percentile of the calls", offsetof(struct ep_diff_figures, p99_ns),
     offsetof(struct eprof_row, p99_ns), false},
};

const char *const ep_report_diff_sides[EP_DIFF_SIDES] = {
    [EP_DIFF_BEFORE] = "before", [EP_DIFF_AFTER] = "after"};

const struct ep_report_diff_time *ep_report_diff_time_judged(const struct ep_diff *diff)
{
    size_t i = 0;
    while (i + 1 < EP_REPORT_DIFF_TIMES &&
           ep_report_diff_times[i].field != diff->options.by->offset)
        i++;
    return &ep_report_diff_times[i];
}

uint64_t ep_report_diff_time_ns(const struct ep_report_diff_time *time,
                                const struct ep_diff_figures *figures)
{
    uint64_t ns;
    memcpy(&ns, (const char *)figures + time->offset, sizeof ns);
    return ns;
}

struct ep_report_figure ep_report_diff_time_figure(const struct ep_report_diff_time *time,
                                                   const struct ep_diff_figures *figures)
{
    uint64_t ns = ep_report_diff_time_ns(time, figures);
    if (figures->calls <= 0 && ns == 0)
        return (struct ep_report_figure){"-"};
    struct ep_report_figure figure = ep_report_figure_duration(ns);
    return time->is_sum && figures->is_estimate ? ep_report_figure_estimate(figure) : figure;
}

bool ep_report_diff_is_on(const struct ep_diff_row *row, enum ep_diff_side side)
{
    return row->at[side] != SIZE_MAX;
}
