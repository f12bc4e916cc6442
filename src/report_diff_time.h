/*
 * report_diff_time.h - the times that a comparison has of both sides, one of which is judged
 */
#ifndef EP_REPORT_DIFF_TIME_H
#define EP_REPORT_DIFF_TIME_H

#include "diff.h"
#include "report_figure.h"

struct ep_report_diff_time {
    const char *name;   /* "total", as of all columns */
    const char *column; /* "total_ns", as in csv and json */
    const char *title;  /* in a sentence: "total time of a run" */
    size_t offset;      /* in struct ep_diff_figures, in ns; */
    size_t field;       /* in struct eprof_row */
    bool is_sum;        /* an estimate where its function was throttled */
};

enum { EP_REPORT_DIFF_TIMES = 4 };
extern const struct ep_report_diff_time ep_report_diff_times[EP_REPORT_DIFF_TIMES];

/* The one that is judged. */
const struct ep_report_diff_time *ep_report_diff_time_judged(const struct ep_diff *diff);

uint64_t ep_report_diff_time_ns(const struct ep_report_diff_time *time,
                                const struct ep_diff_figures *figures);
/* The same for people: "1.23 ms", "~1.23 ms", "-" where there was nothing to measure. */
struct ep_report_figure ep_report_diff_time_figure(const struct ep_report_diff_time *time,
                                                   const struct ep_diff_figures *figures);

/* "before", "after" */
extern const char *const ep_report_diff_sides[EP_DIFF_SIDES];
bool ep_report_diff_is_on(const struct ep_diff_row *row, enum ep_diff_side side);

#endif /* EP_REPORT_DIFF_TIME_H */
