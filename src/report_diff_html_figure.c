#include "report_diff_html_figure.h"

#include <inttypes.h>

#include "report_diff_field.h"
#include "report_diff_figure.h"

static bool is_on_both(const struct ep_diff_row *row)
{
    return ep_report_diff_is_on(row, EP_DIFF_BEFORE) && ep_report_diff_is_on(row, EP_DIFF_AFTER);
}

/* Exact, as csv has them: its first two fields. */
static void write_calls(struct ep_output *out, const struct ep_diff_row *row,
                        enum ep_diff_side side)
{
    ep_report_diff_field_value(out, row, side, "");
}

/* ---- in the table ---- */

static void write_none(struct ep_output *out)
{
    ep_output_text(out, "<span>\u2013</span>");
}

void ep_report_diff_html_figure_times(struct ep_output *out, const struct ep_diff_row *row,
                                      const struct ep_report_diff_time *time)
{
    for (enum ep_diff_side side = EP_DIFF_BEFORE; side < EP_DIFF_SIDES; side++)
        if (ep_report_diff_is_on(row, side))
            ep_output_print(out, "<data value=\"%" PRIu64 "\">%s</data>",
                            ep_report_diff_time_ns(time, &row->figures[side]),
                            ep_report_diff_time_figure(time, &row->figures[side]).text);
        else
            write_none(out);
}

void ep_report_diff_html_figure_calls(struct ep_output *out, const struct ep_diff_row *row)
{
    for (enum ep_diff_side side = EP_DIFF_BEFORE; side < EP_DIFF_SIDES; side++)
        if (ep_report_diff_is_on(row, side)) {
            ep_output_text(out, "<data value=\"");
            write_calls(out, row, side);
            ep_output_print(out, "\">%s</data>",
                            ep_report_diff_figure_calls(row->figures[side].calls).text);
        } else {
            write_none(out);
        }
}

/* ---- in a title ---- */

static void write_verdict(struct ep_output *out, const struct ep_diff *diff,
                          const struct ep_diff_row *row)
{
    struct ep_report_figure interval = ep_report_diff_figure_interval(row);
    const char *verdict = ep_diff_verdict_word(row);
    if (!is_on_both(row)) {
        ep_output_print(out, "\n%s", verdict);
        return;
    }
    ep_output_print(out, "\n%s %s", ep_report_diff_time_judged(diff)->name,
                    ep_report_diff_figure_change(row).text);
    if (*interval.text)
        ep_output_print(out, " (%s)", interval.text);
    ep_output_print(out, "%s%s", *verdict ? ": " : "", verdict);
}

static void write_time(struct ep_output *out, const struct ep_diff_row *row,
                       const struct ep_report_diff_time *time)
{
    uint64_t before_ns = ep_report_diff_time_ns(time, &row->figures[EP_DIFF_BEFORE]);
    uint64_t after_ns = ep_report_diff_time_ns(time, &row->figures[EP_DIFF_AFTER]);
    bool is_less = after_ns < before_ns;
    ep_output_print(out, "\n%s ", time->name);
    if (!is_on_both(row)) /* that of the other side is 0 */
        ep_output_print(out, "%" PRIu64 " ns", before_ns + after_ns);
    else
        ep_output_print(out, "%" PRIu64 " \u2192 %" PRIu64 " ns: %s%" PRIu64, before_ns, after_ns,
                        is_less ? "-" : "+", is_less ? before_ns - after_ns : after_ns - before_ns);
}

static void write_both_calls(struct ep_output *out, const struct ep_diff_row *row)
{
    ep_output_text(out, "\ncalls ");
    if (ep_report_diff_is_on(row, EP_DIFF_BEFORE))
        write_calls(out, row, EP_DIFF_BEFORE);
    if (is_on_both(row))
        ep_output_text(out, " \u2192 ");
    if (ep_report_diff_is_on(row, EP_DIFF_AFTER))
        write_calls(out, row, EP_DIFF_AFTER);
}

void ep_report_diff_html_figure_lines(struct ep_output *out, const struct ep_diff *diff,
                                      const struct ep_diff_row *row)
{
    write_verdict(out, diff, row);
    for (size_t i = 0; i < EP_REPORT_DIFF_TIMES; i++)
        write_time(out, row, &ep_report_diff_times[i]);
    write_both_calls(out, row);
    if (row->figures[EP_DIFF_BEFORE].is_estimate || row->figures[EP_DIFF_AFTER].is_estimate)
        ep_output_print(out, "\nthrottled: times are estimates of 1 call in %d", EP_SAMPLE_WEIGHT);
}
