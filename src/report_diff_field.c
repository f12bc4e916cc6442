#include "report_diff_field.h"

#include <inttypes.h>
#include <math.h>

/* In the order of the columns: calls before and after, then each time so, then these. */
enum {
    TIMES = EP_DIFF_SIDES,
    CHANGE = TIMES + EP_DIFF_SIDES * EP_REPORT_DIFF_TIMES,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH
};

static const struct ep_report_diff_time *time_of(size_t field)
{
    return &ep_report_diff_times[(field - TIMES) / EP_DIFF_SIDES];
}

static enum ep_diff_side side_of(size_t field)
{
    return field % EP_DIFF_SIDES == EP_DIFF_BEFORE ? EP_DIFF_BEFORE : EP_DIFF_AFTER;
}

void ep_report_diff_field_name(struct ep_output *out, size_t field)
{
    static const char *const names[] = {"change_ns", "ratio", "ratio_low", "ratio_high"};
    if (field >= CHANGE)
        ep_output_text(out, names[field - CHANGE]);
    else if (field >= TIMES)
        ep_output_print(out, "%s_%s_ns", time_of(field)->name,
                        ep_report_diff_sides[side_of(field)]);
    else
        ep_output_print(out, "calls_%s", ep_report_diff_sides[side_of(field)]);
}

/* The median of the files: mostly it has no fraction, and then it is written as other counts are.
 */
static void write_calls(struct ep_output *out, double calls)
{
    bool is_whole = calls < 0x1p64 && (double)(uint64_t)calls >= calls;
    ep_output_decimal(out, calls, is_whole ? 0 : 6);
}

static void write_ratio(struct ep_output *out, double ratio, const char *none)
{
    if (isfinite(ratio))
        ep_output_decimal(out, ratio, 6);
    else
        ep_output_text(out, none);
}

void ep_report_diff_field_value(struct ep_output *out, const struct ep_diff_row *row, size_t field,
                                const char *none)
{
    bool is_on_both =
        ep_report_diff_is_on(row, EP_DIFF_BEFORE) && ep_report_diff_is_on(row, EP_DIFF_AFTER);
    bool has_interval = is_on_both && row->ratio.has_interval;
    const struct ep_diff_figures *figures = &row->figures[side_of(field)];
    if (field == CHANGE)
        ep_output_print(out, "%" PRId64, row->change_ns);
    else if (field == RATIO)
        write_ratio(out, is_on_both ? row->ratio.estimate : (double)INFINITY, none);
    else if (field == RATIO_LOW)
        write_ratio(out, has_interval ? row->ratio.low : (double)INFINITY, none);
    else if (field == RATIO_HIGH)
        write_ratio(out, has_interval ? row->ratio.high : (double)INFINITY, none);
    else if (field >= TIMES)
        ep_output_print(out, "%" PRIu64, ep_report_diff_time_ns(time_of(field), figures));
    else
        write_calls(out, figures->calls);
}
