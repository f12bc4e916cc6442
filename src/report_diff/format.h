/*
 * report_diff/format.h - figures, labels and sentences of a comparison, as text
 *
 * All texts but labels are ASCII without characters that html has to escape, and without a newline.
 */
#ifndef EP_REPORT_DIFF_FORMAT_H
#define EP_REPORT_DIFF_FORMAT_H

#include "diff/diff.h"
#include "report/format.h"

/* A time that a comparison has of both sides. One of them is judged. */
struct ep_report_diff_time {
    const char *name;   /* "total", the name of its column in all reports */
    const char *column; /* "total_ns", as in csv and json */
    const char *title;  /* in a sentence: "total time of a run" */
};

extern const struct ep_report_diff_time ep_report_diff_format_times[EP_DIFF_TIMES];

const struct ep_report_diff_time *ep_report_diff_format_time_judged(const struct ep_diff *diff);

/* "before", "after" */
extern const char *const ep_report_diff_format_sides[EP_DIFF_SIDES];

/* The numbers of a row in csv and json: calls_before, calls_after, total_before_ns and so on, then
 * change_ns, ratio, ratio_low, ratio_high, then cpu_before_ns and so on. */
enum {
    EP_REPORT_DIFF_CALLS,
    EP_REPORT_DIFF_TIME = EP_DIFF_SIDES, /* of each time, a field for each side */
    EP_REPORT_DIFF_CHANGE = EP_REPORT_DIFF_TIME + EP_DIFF_SIDES * EP_DIFF_CPU,
    EP_REPORT_DIFF_RATIO,                          /* the ratio, and both ends of its interval */
    EP_REPORT_DIFF_CPU = EP_REPORT_DIFF_RATIO + 3, /* of the times from EP_DIFF_CPU on */
    EP_REPORT_DIFF_FIELDS = EP_REPORT_DIFF_CPU + EP_DIFF_SIDES * (EP_DIFF_TIMES - EP_DIFF_CPU)
};

/* The first field of a time, that of the side before. */
EP_INLINE size_t ep_report_diff_format_field_of(enum ep_diff_figure time)
{
    return time < EP_DIFF_CPU ? EP_REPORT_DIFF_TIME + EP_DIFF_SIDES * (size_t)time
                              : EP_REPORT_DIFF_CPU + EP_DIFF_SIDES * (size_t)(time - EP_DIFF_CPU);
}

void ep_report_diff_format_field_name(struct ep_output *out, size_t field);
/* Writes `none` if there is no ratio: the time before is 0, one side has no such region, or there
 * are too few files. So it does for a processor time that is not known. */
void ep_report_diff_format_field_value(struct ep_output *out, const struct ep_diff_row *row,
                                       size_t field, const char *none);
/* Calls or a time for people: "1.23 ms", "~1.23 ms", "-" without calls. */
struct ep_report_figure ep_report_diff_format_field_figure(const struct ep_diff_row *row,
                                                           size_t field);

/* The change of the judged time: in percent below +200 %, else as a factor ("+10.2 %", "x3.40");
 * "new", "gone" or "from 0 ns" where there is no factor. */
struct ep_report_figure ep_report_diff_format_figure_change(const struct ep_diff_row *row);

/* The interval of the true change: "+8.1 to +12.3 %", "+150 % to x3.40", "+8.1 % and more", "any".
 * Empty: none. */
struct ep_report_figure ep_report_diff_format_figure_interval(const struct ep_diff_row *row);

/* A difference with a sign, except 0: "+1.23 ms". */
struct ep_report_figure ep_report_diff_format_figure_difference(int64_t change_ns);

/* The median of the files: "3", or with a fraction "0.5"; from 100 on rounded to a whole number. */
struct ep_report_figure ep_report_diff_format_figure_calls(double calls);

/* 0.95 as "95 %", with at most three digits after the point, and never as 100 %. */
struct ep_report_figure ep_report_diff_format_figure_confidence(double confidence);

/*
 * Labels of the first `count` rows. A path identifies a region, and most paths begin alike. So a
 * label is the end of the path: as many last names as distinguish it from the other regions of the
 * list. NULL and ENOMEM.
 */
char **ep_report_diff_format_labels_make(const struct ep_diff *diff, size_t count);
void ep_report_diff_format_labels_free(char **labels, size_t count);

/* Numbers of regions. */
struct ep_report_diff_counts {
    size_t slower, faster, no_evidence;
    size_t unknown; /* on both sides without a verdict */
    size_t added, gone;
};

struct ep_report_diff_counts ep_report_diff_format_count(const struct ep_diff *diff);
/* Whether any region has an interval: of enough files, or of the errors of its estimates. */
bool ep_report_diff_format_has_intervals(const struct ep_diff *diff);
/* How many regions have a verdict. */
size_t ep_report_diff_format_with_verdict(const struct ep_report_diff_counts *counts);

/* "total time of a run, 10 files before, 12 after, confidence 95 %". */
void ep_report_diff_format_summary_title(struct ep_output *out, const struct ep_diff *diff);
/* "1 region slower, 2 faster, 9 without evidence, 1 new, 2 gone". */
void ep_report_diff_format_summary_found(struct ep_output *out, const struct ep_diff *diff);
/* States the probability with which all intervals hold, or how many files verdicts take. */
void ep_report_diff_format_summary_trust(struct ep_output *out, const struct ep_diff *diff);

/* ---- values (values.c) ---- */

struct ep_report_sheet_style;

/* The table of values, after an empty line; nothing if there are none. */
void ep_report_diff_values_table(struct ep_output *out, const struct ep_diff *diff,
                                 const struct ep_report_sheet_style *style);
/* The same as a part of the page. */
void ep_report_diff_values_html(struct ep_output *out, const struct ep_diff *diff);
/* The figures of a value as those of a region, for csv and json, with the change of the mean. */
struct ep_diff_row ep_report_diff_values_row(const struct ep_diff *diff, size_t i);
/* Its name. The excess of a frame whose budgets differ is "over budget" in its name and its path.
 */
const char *ep_report_diff_values_name(const struct ep_diff *diff, size_t i);
/* Its path, to be freed; `has_budgets`: followed by the budgets if they differ. NULL: no memory. */
char *ep_report_diff_values_path(const struct ep_diff *diff, size_t i, bool has_budgets);

#endif /* EP_REPORT_DIFF_FORMAT_H */
