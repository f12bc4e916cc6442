#include "report/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/escape.h"
#include "base/wide.h"

void ep_report_format_rate(struct ep_output *out, double ticks_per_us)
{
    bool is_slow = ticks_per_us < 1;
    ep_output_decimal(out, is_slow ? ticks_per_us * 1e6 : ticks_per_us, 1);
    ep_output_text(out, is_slow ? " ticks/s" : " ticks/us");
}

void ep_report_format_field_name(struct ep_output *out, const struct ep_field *field,
                                 const char *unit)
{
    ep_output_text(out, field->name);
    if (field->is_duration)
        ep_output_print(out, "_%s", unit);
}

void ep_report_format_figure(struct ep_output *out, const struct eprof_row *row,
                             const struct ep_field *field)
{
    uint64_t figure = ep_columns_value(row, field->offset);
    if (field->is_fraction)
        ep_output_print(out, "%" PRIu64 ".%06u", figure / 1000000, (unsigned)(figure % 1000000));
    else if (field->is_duration && ep_columns_is_of_values(row))
        ep_output_print(out, "%" PRId64, (int64_t)figure);
    else
        ep_output_print(out, "%" PRIu64, figure);
}

/* Each step is about twice the one before. */
unsigned ep_report_format_heat(uint64_t self_ns, uint64_t whole_ns)
{
    static const double percents[EP_REPORT_HOTTEST] = {0.5, 2, 5, 10, 20};
    double percent = whole_ns ? (double)self_ns / (double)whole_ns * 100 : 0;
    unsigned heat = 0;
    while (heat < EP_REPORT_HOTTEST && percent >= percents[heat])
        heat++;
    return heat;
}

/* ---- figures for people ---- */

static uint64_t divide_rounded(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor >= divisor - divisor / 2);
}

/* value / 10^places. It does not use %f, whose decimal point depends on the locale. */
static struct ep_report_figure with_unit(uint64_t value, unsigned places, const char *unit)
{
    static const unsigned powers[] = {1, 10, 100, 1000};
    struct ep_report_figure figure;
    if (places)
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 ".%0*u%s", value / powers[places],
                 (int)places, (unsigned)(value % powers[places]), unit);
    else
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 "%s", value, unit);
    return figure;
}

struct ep_report_figure ep_report_format_decimal(uint64_t value, unsigned places)
{
    return with_unit(value, places, "");
}

struct ep_report_figure ep_report_format_duration(uint64_t ns)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    const unsigned second = 9; /* 10^9 ns */
    unsigned exponent = 0;
    uint64_t step_ns = 1; /* 10^exponent, the unit of the last digit */
    while (exponent < second && divide_rounded(ns, step_ns) >= 1000) {
        exponent++;
        step_ns *= 10;
    }
    /* a unit begins with two digits after the point and ends with none */
    return with_unit(divide_rounded(ns, step_ns), (second - exponent) % 3,
                     units[(exponent + 2) / 3]);
}

struct ep_report_figure ep_report_format_cost(double ns)
{
    if (!(ns > 0))
        return ep_report_format_duration(0);
    if (ns < 9.995)
        return with_unit((uint64_t)(ns * 100 + 0.5), 2, " ns");
    if (ns < 99.95)
        return with_unit((uint64_t)(ns * 10 + 0.5), 1, " ns");
    return ep_report_format_duration((uint64_t)(ns + 0.5));
}

struct ep_report_figure ep_report_format_usec(uint64_t ns)
{
    if (ns < 100 * 1000)
        return with_unit(ns, 3, "");
    return with_unit(divide_rounded(ns, 1000), 0, "");
}

struct ep_report_figure ep_report_format_share(uint64_t part, uint64_t whole)
{
    /* a region that recurs through others may have a larger total than the whole: no share; one
     * that was fitted to the whole is larger by roundings only */
    if (whole == 0 || part > ep_saturating_add(whole, whole / 1000))
        return (struct ep_report_figure){"-"};
    double percent = (double)part / (double)whole * 100;
    uint64_t tenths = (uint64_t)(percent * 10 + 0.5);
    /* below 10 % one digit after the point, above none */
    return tenths < 100 ? with_unit(tenths, 1, " %")
                        : with_unit((uint64_t)(percent + 0.5), 0, " %");
}

struct ep_report_figure ep_report_format_around(const char *before, struct ep_report_figure figure,
                                                const char *after)
{
    struct ep_report_figure whole;
    int room = (int)(sizeof whole.text - 1 - strlen(before) - strlen(after));
    snprintf(whole.text, sizeof whole.text, "%s%.*s%s", before, room, figure.text, after);
    return whole;
}

struct ep_report_figure ep_report_format_estimate(struct ep_report_figure figure)
{
    return ep_report_format_around("~", figure, "");
}

struct ep_report_figure ep_report_format_time(uint64_t value, bool in_ticks, bool is_estimate)
{
    struct ep_report_figure figure =
        in_ticks ? ep_report_format_decimal(value, 0) : ep_report_format_duration(value);
    return is_estimate ? ep_report_format_estimate(figure) : figure;
}

/* ---- the times of a row ---- */

bool ep_report_format_is_known(const struct eprof_row *row, size_t offset)
{
    static const struct {
        size_t offset;
        uint64_t least_timed;
    } percentiles[] = {{offsetof(struct eprof_row, p50_ns), EP_COLUMNS_P50_LEAST_TIMED},
                       {offsetof(struct eprof_row, p90_ns), EP_COLUMNS_P90_LEAST_TIMED},
                       {offsetof(struct eprof_row, p99_ns), EP_COLUMNS_P99_LEAST_TIMED},
                       {offsetof(struct eprof_row, p999_ns), EP_COLUMNS_P999_LEAST_TIMED}};
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++)
        if (percentiles[i].offset == offset)
            return row->timed >= percentiles[i].least_timed;
    if (offset == offsetof(struct eprof_row, stddev_ns))
        return row->timed > 1;
    /* an open scope has its time so far */
    return row->timed > 0 || ep_columns_value(row, offset) > 0;
}

/* The figures of all calls; the others are those of the timed calls. */
static bool is_of_all(size_t offset)
{
    return offset == offsetof(struct eprof_row, total_ns) ||
           offset == offsetof(struct eprof_row, self_ns) ||
           offset == offsetof(struct eprof_row, mean_ns) ||
           offset == offsetof(struct eprof_row, cpu_ns) ||
           offset == offsetof(struct eprof_row, wait_ns);
}

/* Whether the cost of the probes was subtracted from it. */
static bool is_corrected(const struct ep_site_mark *mark, size_t offset)
{
    return mark->is_corrected && offset != offsetof(struct eprof_row, stddev_ns) &&
           offset != offsetof(struct eprof_row, cpu_ns) &&
           offset != offsetof(struct eprof_row, wait_ns) &&
           offset != offsetof(struct eprof_row, mean_error_ns) &&
           offset != offsetof(struct eprof_row, total_error_ns);
}

struct ep_report_figure ep_report_format_row_time(const struct eprof_row *row,
                                                  const struct ep_site_mark *mark, size_t offset,
                                                  bool in_ticks)
{
    uint64_t value = ep_columns_value(row, offset);
    bool is_self = offset == offsetof(struct eprof_row, self_ns);
    bool is_estimate = (row->estimated && is_of_all(offset)) || (mark->is_self_rest && is_self);
    if (!ep_report_format_is_known(row, offset))
        return (struct ep_report_figure){"-"};
    if (value == 0 && is_corrected(mark, offset))
        return (struct ep_report_figure){EP_REPORT_FORMAT_BELOW_PROBE};
    return ep_report_format_time(value, in_ticks, is_estimate);
}

struct ep_report_figure ep_report_format_row_share(const struct eprof_row *row, size_t offset,
                                                   uint64_t whole_ns)
{
    if (!ep_report_format_is_known(row, offset))
        return (struct ep_report_figure){"-"};
    return ep_report_format_share(ep_columns_value(row, offset), whole_ns);
}

struct ep_report_figure ep_report_format_times(const struct eprof_row *row)
{
    struct ep_report_figure figure = {""};
    if (ep_report_format_is_recursive(row) && row->open == 0 && row->mean_ns > 0)
        snprintf(figure.text, sizeof figure.text, "%" PRIu64 " x ",
                 row->estimated ? row->outermost : row->timed);
    return figure;
}

static const char *plus_minus(bool is_utf8)
{
    return is_utf8 ? "\xC2\xB1" : "+-";
}

static struct ep_report_figure percent_error(uint64_t value_ns, uint64_t error_ns, bool is_utf8)
{
    struct ep_report_figure figure = {""};
    if (value_ns > 0 && error_ns == EPROF_UNKNOWN) /* of exact times the error is 0 */
        return ep_report_format_around(plus_minus(is_utf8), figure, "?");
    if (value_ns == 0 || error_ns <= value_ns / 100)
        return figure;
    struct ep_wide percents = ep_wide_multiply(error_ns, 100);
    percents = ep_wide_add(percents, (struct ep_wide){value_ns - 1, 0});
    snprintf(figure.text, sizeof figure.text, "%s%" PRIu64 "%%", plus_minus(is_utf8),
             ep_wide_divide(percents, value_ns));
    return figure;
}

struct ep_report_figure ep_report_format_error(const struct eprof_row *row,
                                               const struct ep_site_mark *mark, size_t offset,
                                               bool in_ticks, bool is_utf8)
{
    bool is_nothing = row->self_ns == 0 && is_corrected(mark, offset) && row->timed > 0;
    if (offset == offsetof(struct eprof_row, mean_ns))
        return percent_error(row->mean_ns, row->mean_error_ns, is_utf8);
    if (offset == offsetof(struct eprof_row, total_ns))
        return percent_error(row->total_ns, row->total_error_ns, is_utf8);
    if (offset != offsetof(struct eprof_row, self_ns) || !is_nothing || !mark->self_error_ns)
        return (struct ep_report_figure){""};
    if (mark->self_error_ns == EPROF_UNKNOWN)
        return ep_report_format_around(plus_minus(is_utf8), (struct ep_report_figure){"?"}, "");
    return ep_report_format_around(plus_minus(is_utf8),
                                   ep_report_format_time(mark->self_error_ns, in_ticks, false), "");
}

/* ---- values ---- */

/* Three digits in the prefix that fits: "512", "1.23 k", "12.3 M". */
static struct ep_report_figure with_prefix(uint64_t magnitude)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    unsigned exponent = 0;
    uint64_t step = 1; /* of the last digit that is shown */
    while (magnitude / step + (magnitude % step * 2 >= step && step > 1) >= 1000) {
        exponent++;
        step *= 10;
    }
    uint64_t digits = magnitude / step + (magnitude % step * 2 >= step && step > 1);
    return ep_report_format_around("", ep_report_format_decimal(digits, (18 - exponent) % 3),
                                   prefixes[(exponent + 2) / 3]);
}

/* Numbers without a unit are written as they are up to six digits. */
static struct ep_report_figure magnitude_of(const char *unit, uint64_t magnitude, bool in_ticks)
{
    if (strcmp(unit, "bytes") == 0) {
        struct ep_report_figure figure = with_prefix(magnitude);
        return ep_report_format_around("", figure, strchr(figure.text, ' ') ? "B" : " B");
    }
    if (strcmp(unit, "1") != 0)
        return ep_report_format_time(magnitude, in_ticks, false);
    return magnitude < 1000000 ? ep_report_format_decimal(magnitude, 0) : with_prefix(magnitude);
}

/* The mean of small numbers has digits after the point, which its column has not: 0.55. */
static struct ep_report_figure mean_of(const struct eprof_row *row, uint64_t total)
{
    uint64_t hundredths = total / row->calls < 100
                              ? ep_wide_divide(ep_wide_multiply(total, 100), row->calls)
                              : UINT64_MAX;
    if (total % row->calls == 0 || hundredths >= 10000)
        return magnitude_of(row->unit, total / row->calls, false);
    return hundredths < 1000 ? ep_report_format_decimal(hundredths, 2)
                             : ep_report_format_decimal(hundredths / 10, 1);
}

struct ep_report_figure ep_report_format_value(const struct eprof_row *row, size_t offset,
                                               bool in_ticks)
{
    uint64_t value = ep_columns_value(row, offset);
    bool is_negative = value >> 63;
    if (!ep_report_format_is_known(row, offset))
        return (struct ep_report_figure){"-"};
    bool is_mean = offset == offsetof(struct eprof_row, mean_ns) && row->calls > 0;
    if (is_mean && strcmp(row->unit, "1") == 0 && row->total_ns != INT64_MAX &&
        row->total_ns != (uint64_t)INT64_MIN) {
        is_negative = row->total_ns >> 63;
        return ep_report_format_around(
            is_negative ? "-" : "", mean_of(row, is_negative ? 0 - row->total_ns : row->total_ns),
            "");
    }
    return ep_report_format_around(
        is_negative ? "-" : "", magnitude_of(row->unit, is_negative ? 0 - value : value, in_ticks),
        "");
}

struct ep_report_figure ep_report_format_per_second(const struct eprof_row *row)
{
    if (row->per_second == EPROF_UNKNOWN)
        return (struct ep_report_figure){"-"};
    return ep_report_format_around(
        "", magnitude_of(strcmp(row->unit, "bytes") == 0 ? row->unit : "1", row->per_second, false),
        "/s");
}

/* ---- names ---- */

const char *ep_report_format_label_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* " (", ":", ")" and the digits of the line. */
static size_t frame_width(unsigned line)
{
    size_t width = strlen(" (:)") + 1;
    for (; line >= 10; line /= 10)
        width++;
    return width;
}

static size_t location_width(const struct eprof_row *row, bool is_ambiguous)
{
    if (!is_ambiguous || !*row->file)
        return 0;
    return frame_width(row->line) +
           ep_escape_name_width(ep_report_format_label_base_name(row->file));
}

size_t ep_report_format_label_width(const struct eprof_row *row, bool is_ambiguous)
{
    return ep_escape_name_width(row->name) + location_width(row, is_ambiguous);
}

void ep_report_format_label_write(struct ep_output *out, const struct eprof_row *row,
                                  bool is_ambiguous, size_t width, const char *gap)
{
    size_t name = ep_escape_name_width(row->name), location = location_width(row, is_ambiguous);
    size_t frame = frame_width(row->line), file_least = ep_escape_name_width(gap) + 2;
    bool fits = name + location <= width;
    if (location == 0 || (!fits && width / 2 < frame + file_least)) {
        ep_escape_name_cut(out, row->name, width, gap);
        return;
    }
    if (!fits) {
        /* half of the width, or what the name leaves */
        location = ep_report_format_least(location,
                                          width - ep_report_format_least(name, width - width / 2));
        name = width - location;
    }
    ep_escape_name_cut(out, row->name, name, gap);
    ep_output_text(out, " (");
    ep_escape_name_cut(out, ep_report_format_label_base_name(row->file), location - frame, gap);
    ep_output_print(out, ":%u)", row->line);
    ep_output_repeat(out, ' ', width - name - location);
}

/* ---- origin ---- */

enum { COMMAND_LEAST = 16 }; /* columns, also on a narrower terminal */

#define NS_PER_SECOND UINT64_C(1000000000)

/* A time that a time_t of 32 bits cannot hold, or that of a damaged file, is not known. */
static struct ep_report_moment moment_of(uint64_t realtime_ns, const char *format)
{
    struct ep_report_moment moment = {""};
    time_t seconds = (time_t)(realtime_ns / NS_PER_SECOND);
    struct tm broken_down;
    if (realtime_ns == 0 || (uint64_t)seconds != realtime_ns / NS_PER_SECOND ||
        !gmtime_r(&seconds, &broken_down) ||
        strftime(moment.text, sizeof moment.text, format, &broken_down) == 0)
        moment.text[0] = '\0';
    return moment;
}

struct ep_report_moment ep_report_format_utc(uint64_t realtime_ns)
{
    return moment_of(realtime_ns, "%Y-%m-%dT%H:%M:%SZ");
}

/* The text after the command: "process 4711, 2026-11-21 17:34:07 UTC". */
static void write_rest(char rest[96], const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment moment = moment_of(snapshot->realtime_ns, "%Y-%m-%d %H:%M:%S UTC");
    const char *between = *moment.text ? ", " : "";
    if (snapshot->has_ranks)
        snprintf(rest, 96, "%" PRIu64 " ranks%s%s", snapshot->process_count, between, moment.text);
    else if (snapshot->process_id)
        snprintf(rest, 96, "process %" PRIu64 "%s%s", snapshot->process_id, between, moment.text);
    else
        snprintf(rest, 96, "several runs%s%s%s", between, *moment.text ? "the first " : "",
                 moment.text);
}

void ep_report_format_origin(struct ep_output *out, const struct eprof_snapshot *snapshot,
                             size_t columns, const char *gap)
{
    char rest[96];
    if (!snapshot->command)
        return;
    write_rest(rest, snapshot);
    size_t around = strlen("of , ") + strlen(rest);
    size_t room = columns > around + COMMAND_LEAST ? columns - around : COMMAND_LEAST;
    ep_output_text(out, "of ");
    if (*snapshot->command && (columns == 0 || ep_escape_name_width(snapshot->command) <= room))
        ep_escape_name(out, snapshot->command);
    else if (*snapshot->command)
        ep_escape_name_cut(out, snapshot->command, room, gap);
    ep_output_print(out, "%s%s\n", *snapshot->command ? ", " : "", rest);
}
