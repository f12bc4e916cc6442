/*
 * format.h - figures, names and origins as text
 */
#ifndef EP_REPORT_FORMAT_H
#define EP_REPORT_FORMAT_H

#include <stdint.h>

#include "base/output.h"
#include "snapshot/columns.h"
#include "snapshot/snapshot.h"

/* ---- figures for people ---- */

/* Room for a number of calls, which has up to 20 digits, and a time: "12 x ~1.23 us". */
struct ep_report_figure {
    char text[48];
};

/* `value` with `places` (0 to 3) of its digits after the point. */
struct ep_report_figure ep_report_format_decimal(uint64_t value, unsigned places);

/* Three digits in the unit that fits: 1.23 us, 12.3 us, 123 us, 1.23 ms. Seconds, the largest unit,
 * have as many digits as they need. */
struct ep_report_figure ep_report_format_duration(uint64_t ns);

/* The same of a cost, which may be a part of a ns: 0.87 ns, 21.3 ns, 123 ns. */
struct ep_report_figure ep_report_format_cost(double ns);

/* A time in microseconds, with three digits after the point below 100. */
struct ep_report_figure ep_report_format_usec(uint64_t ns);

/* "45 %", "4.5 %", or "-" if the whole is 0 or the part larger. */
struct ep_report_figure ep_report_format_share(uint64_t part, uint64_t whole);

/* A figure with text around it. */
struct ep_report_figure ep_report_format_around(const char *before, struct ep_report_figure figure,
                                                const char *after);

/* A figure with the sign of an estimate: "~1.23 us". */
struct ep_report_figure ep_report_format_estimate(struct ep_report_figure figure);

/* A duration, or the ticks; an estimate begins with "~". */
struct ep_report_figure ep_report_format_time(uint64_t value, bool in_ticks, bool is_estimate);

/* A time of which the correction has left nothing. */
#define EP_REPORT_FORMAT_BELOW_PROBE "<1 probe"

/* Whether a figure of the calls is known: not a time without timed calls, nor a percentile of too
 * few: p50 needs 2, p90 10, p99 100 and p99.9 1,000. With fewer it would repeat an extreme. */
bool ep_report_format_is_known(const struct eprof_row *row, size_t offset);

/* A time of a row: "-" if it is not known, "<1 probe" if the probes' cost has left nothing of it,
 * "~1.23 us" for a total, self or mean time that is an estimate, and for a self time that estimates
 * were subtracted from. */
struct ep_report_figure ep_report_format_row_time(const struct eprof_row *row,
                                                  const struct ep_site_mark *mark, size_t offset,
                                                  bool in_ticks);

/* A figure of a value, in its unit and with its sign: "-12", "4.10 kB", "1.23 ms". */
struct ep_report_figure ep_report_format_value(const struct eprof_row *row, size_t offset,
                                               bool in_ticks);
/* "4.10 MB/s", "60/s"; "-": none. */
struct ep_report_figure ep_report_format_per_second(const struct eprof_row *row);

/* The share of a time of a row in the measured time: "4.5 %"; "-" if the time is not known. */
struct ep_report_figure ep_report_format_row_share(const struct eprof_row *row, size_t offset,
                                                   uint64_t whole_ns);

/* Whether some calls are inside another call of the row, which has their time. */
EP_INLINE bool ep_report_format_is_recursive(const struct eprof_row *row)
{
    return row->outermost < row->calls;
}

/* "12 x " before the mean of a recursive row: the total is that of 12 calls. Empty for other rows,
 * for a mean of 0, and if calls are open, whose time is in the total and not in the mean. */
struct ep_report_figure ep_report_format_times(const struct eprof_row *row);

/* Half of the interval of an estimate in percent, rounded up: "±3%", or "+-3%" without UTF-8. "±?"
 * if it is not known. Empty if it is 1 % or less, or if `offset` is neither that of the total nor
 * of the mean. For a self time of which nothing is left it is a time: "±3.00 us". */
struct ep_report_figure ep_report_format_error(const struct eprof_row *row,
                                               const struct ep_site_mark *mark, size_t offset,
                                               bool in_ticks, bool is_utf8);

/* The level of a self time by its share in the whole: 0 is below 0.5 %, 5 is 20 % or more. */
enum { EP_REPORT_HOTTEST = 5 };
unsigned ep_report_format_heat(uint64_t self_ns, uint64_t whole_ns);

/* "1000.0 ticks/us", or "50.0 ticks/s" for a slow source, whose rate would have no digits left. */
void ep_report_format_rate(struct ep_output *out, double ticks_per_us);

/* A figure as an integer, for csv and json; one of a value with its sign. */
void ep_report_format_figure(struct ep_output *out, const struct eprof_row *row,
                             const struct ep_field *field);

/* The name of a field in csv and json. A duration has the unit of the snapshot in it: "total" is
 * total_ns or total_ticks. */
void ep_report_format_field_name(struct ep_output *out, const struct ep_field *field,
                                 const char *unit);

/* ---- widths ---- */

EP_INLINE size_t ep_report_format_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

EP_INLINE void ep_report_format_widen(size_t *width, size_t needed)
{
    if (*width < needed)
        *width = needed;
}

/* ---- names: with file and line where another scope has the same name ---- */

/* The last part of a path. */
const char *ep_report_format_label_base_name(const char *path);
/* The width of a label: "name", or "name (file:line)" if ambiguous, with the last part of the
 * file's path. */
size_t ep_report_format_label_width(const struct eprof_row *row, bool is_ambiguous);

/* Writes the label in exactly `width` columns, filled with blanks. If it is wider, `gap` replaces
 * parts of the name and of the file; in a few columns there is only the name. */
void ep_report_format_label_write(struct ep_output *out, const struct eprof_row *row,
                                  bool is_ambiguous, size_t width, const char *gap);

/* ---- the origin of a stored image ---- */

/* Empty: not known. */
struct ep_report_moment {
    char text[32];
};

/* "2026-11-21T17:34:07Z" for a time of CLOCK_REALTIME; 0: not known. */
struct ep_report_moment ep_report_format_utc(uint64_t realtime_ns);

/* A line with the known parts of the origin: "of ./server --port 80, process 4711, 2026-11-21
 * 17:34:07 UTC"; nothing for the living program. `gap` replaces a part of a command that does not
 * fit into `columns`; 0: it is not cut. */
void ep_report_format_origin(struct ep_output *out, const struct eprof_snapshot *snapshot,
                             size_t columns, const char *gap);

#endif /* EP_REPORT_FORMAT_H */
