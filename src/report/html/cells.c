#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "report/html/html.h"
#include "snapshot/columns.h"

/* ---- names ---- */

void ep_report_html_cells_text(struct ep_output *out, const char *name)
{
    ep_output_text(out, *name ? "<bdi>" : "<small>(empty)</small>");
    ep_escape_html(out, name);
    ep_output_text(out, *name ? "</bdi>" : "");
}

void ep_report_html_cells_bare_text(struct ep_output *out, const char *name)
{
    if (*name)
        ep_escape_html(out, name);
    else
        ep_output_text(out, "(empty)");
}

static void write_badge(struct ep_output *out, uint64_t count, const char *what)
{
    if (count)
        ep_output_print(out, " <em>%" PRIu64 " %s</em>", count, what);
}

void ep_report_html_cells_name(struct ep_output *out, const struct eprof_row *row,
                               bool is_ambiguous)
{
    ep_report_html_cells_text(out, row->name);
    if (is_ambiguous && *row->file) {
        ep_output_text(out, " <small>");
        ep_escape_html(out, row->file);
        ep_output_print(out, ":%u</small>", row->line);
    }
    write_badge(out, row->open, "open");
    write_badge(out, row->errors, row->errors == 1 ? "error" : "errors");
}

/* ---- figures ---- */

void ep_report_html_cells_calls(struct ep_output *out, const struct eprof_row *row)
{
    ep_output_print(out, "%" PRIu64, row->calls);
    if (ep_report_format_is_recursive(row))
        ep_output_print(out, " <small>%" PRIu64 " outermost</small>", row->outermost);
}

void ep_report_html_cells_data(const struct ep_page *page, uint64_t ns)
{
    ep_output_print(page->out, "<data value=\"%" PRIu64 "\">%s</data>", ns,
                    ep_report_format_time(ns, page->snapshot->options.ticks, false).text);
}

void ep_report_html_cells_time(const struct ep_page *page, const struct eprof_row *row,
                               const struct ep_site_mark *mark, size_t offset)
{
    bool in_ticks = page->snapshot->options.ticks;
    ep_escape_html(page->out, ep_report_format_row_time(row, mark, offset, in_ticks).text);
    struct ep_report_figure error = ep_report_format_error(row, mark, offset, in_ticks, true);
    if (*error.text)
        ep_output_print(page->out, " <small>%s</small>", error.text);
}

void ep_report_html_cells_time_data(const struct ep_page *page, const struct eprof_row *row,
                                    const struct ep_site_mark *mark, size_t offset)
{
    bool is_known = ep_report_format_is_known(row, offset);
    if (is_known)
        ep_output_print(page->out, "<data value=\"%" PRIu64 "\">", ep_columns_value(row, offset));
    else
        ep_output_text(page->out, "<span>"); /* each cell of a grid is an element */
    ep_report_html_cells_time(page, row, mark, offset);
    ep_output_text(page->out, is_known ? "</data>" : "</span>");
}

/* "p99.9", and "total error" for total_error. */
static void write_field_name(struct ep_output *out, const char *name)
{
    const char *between = strchr(name, '_');
    if (strcmp(name, "p999") == 0)
        ep_output_text(out, "p99.9");
    else if (between)
        ep_output_print(out, "%.*s %s", (int)(between - name), name, between + 1);
    else
        ep_output_text(out, name);
}

/* "12 calls, 12 timed" and "total 1234567 ns". */
static void write_field(const struct ep_page *page, const struct eprof_row *row,
                        const struct ep_site_mark *mark, const struct ep_field *field)
{
    uint64_t value = ep_columns_value(row, field->offset);
    if (field->is_duration) {
        write_field_name(page->out, field->name);
        ep_output_text(page->out, " ");
        if (value > 0)
            ep_output_print(page->out, "%" PRIu64 " %s", value, page->snapshot->unit);
        else
            ep_report_html_cells_time(page, row, mark, field->offset);
    } else if (field->offset == offsetof(struct eprof_row, calls))
        ep_output_print(page->out, "%" PRIu64 " call%s", value, value == 1 ? "" : "s");
    else
        ep_output_print(page->out, "%" PRIu64 " %s", value, field->name);
}

/* A figure that says nothing: no errors, no open calls, all calls timed, or no times at all. That
 * times are estimates is said after the figures. */
static bool is_trivial(const struct eprof_row *row, const struct ep_field *field)
{
    if (field->may_lack)
        return ep_columns_is_unknown(row, field) || ep_columns_value(row, field->offset) == 0;
    if (field->is_duration)
        return !ep_report_format_is_known(row, field->offset);
    if (field->offset == offsetof(struct eprof_row, timed))
        return row->timed == row->calls;
    if (field->offset == offsetof(struct eprof_row, outermost))
        return !ep_report_format_is_recursive(row);
    if (field->offset == offsetof(struct eprof_row, estimated))
        return true;
    return field->offset != offsetof(struct eprof_row, calls) &&
           ep_columns_value(row, field->offset) == 0;
}

/* A box from `low` to `high`, in parts of the whole. */
static void write_span(struct ep_output *out, const char *style, double low, double high)
{
    ep_output_print(out, "<rect%s x=\"", style);
    ep_output_decimal(out, low * 100, 1);
    ep_output_text(out, "%\" width=\"");
    ep_output_decimal(out, (high - low) * 100, 1);
    ep_output_text(out, "%\" height=\"100%\"/>");
}

/* How the total is spread over processes: in words, and as a strip from the least to the greatest
 * with a mark at the mean. */
static void write_processes(const struct ep_page *page, const struct eprof_row *row)
{
    const double most = (double)row->process_max_ns, mark = 0.02;
    double mean = most > 0 ? (double)row->process_mean_ns / most : 0;
    ep_output_print(page->out, ", in %" PRIu64 " %s: ", row->processes,
                    page->snapshot->has_ranks ? "ranks" : "processes");
    for (size_t i = 1; i < EP_PROCESS_FIELDS_OF_CSV; i++) {
        const struct ep_field *field = &ep_columns_of_processes[i];
        const char *name = field->name + (field->is_fraction ? 0 : strlen("process_"));
        ep_output_print(page->out, "%s%s ", i > 1 ? ", " : "", name);
        ep_report_format_figure(page->out, row, field);
        if (field->is_duration)
            ep_output_print(page->out, " %s", page->snapshot->unit);
    }
    if (most <= 0)
        return;
    ep_output_text(page->out, " <svg class=\"strip\" aria-hidden=\"true\">");
    write_span(page->out, "", (double)row->process_min_ns / most, 1);
    write_span(page->out, " class=\"own\"", mean > mark ? mean - mark : 0, mean);
    ep_output_text(page->out, "</svg>");
}

void ep_report_html_cells_all(const struct ep_page *page, const struct eprof_row *row,
                              const struct ep_site_mark *mark)
{
    ep_report_html_cells_text(page->out, row->name);
    ep_output_text(page->out, " <span>");
    for (size_t i = 0; i < EP_FIELDS; i++) {
        const struct ep_field *field = &ep_columns[i];
        if (is_trivial(row, field))
            continue;
        ep_output_text(page->out, i ? ", " : "");
        write_field(page, row, mark, field);
    }
    if (row->estimated)
        ep_output_text(page->out, ", sampled: times are estimates");
    if (row->processes != EPROF_UNKNOWN)
        write_processes(page, row);
    if (*row->file) {
        ep_output_text(page->out, ", ");
        ep_escape_html(page->out, row->file);
        ep_output_print(page->out, ":%u", row->line);
    }
    ep_output_text(page->out, "</span>");
}

void ep_report_html_cells_rest(struct ep_output *out, size_t left_out, const char *what)
{
    if (left_out)
        ep_output_print(out, "<p class=\"rest\">\u2026 %zu more%s</p>\n", left_out, what);
}

/* ---- drawings ---- */

/* A bar is about 100 pixels long, so a tenth of a pixel is not visible. A page of 10,000 rows opens
 * faster without such bars. */
static bool is_visible(uint64_t part, uint64_t whole)
{
    return (double)part * 1000 >= (double)whole;
}

static void write_box(struct ep_output *out, const char *style, uint64_t part, uint64_t whole)
{
    /* at most 100 %: the part of a recursion may be larger than the whole */
    double percent = part < whole ? (double)part / (double)whole * 100 : 100;
    if (!is_visible(part, whole))
        return;
    ep_output_print(out, "<rect%s width=\"", style);
    ep_output_decimal(out, whole ? percent : 0, 1);
    ep_output_text(out, "%\" height=\"100%\"/>");
}

/* The interval of an estimate, around the end of its bar, in a drawing of its own that is stretched
 * to its width. An upper end beyond the whole is not drawn. */
static void write_whisker(struct ep_output *out, uint64_t part, uint64_t error, uint64_t whole)
{
    double per = 100 / (double)whole;
    double low = part > error ? (double)(part - error) * per : 0;
    double high = (double)ep_saturating_add(part, error) * per;
    bool is_cut = high > 100;
    if (low >= 100 || !is_visible(error, whole))
        return;
    ep_output_text(out, "<svg class=\"whisker\" x=\"");
    ep_output_decimal(out, low, 1);
    ep_output_text(out, "%\" width=\"");
    ep_output_decimal(out, (is_cut ? 100 : high) - low, 1);
    ep_output_print(out,
                    "%%\" height=\"100%%\" viewBox=\"0 0 9 9\" preserveAspectRatio=\"none\">"
                    "<path d=\"M0 1V8M0 4.5H9%s\"/></svg>",
                    is_cut ? "" : "M9 1V8");
}

void ep_report_html_cells_bar(const struct ep_page *page, uint64_t part, uint64_t self,
                              uint64_t whole, uint64_t error)
{
    if (is_visible(part, whole)) {
        ep_output_text(page->out, "<svg class=\"bar\" aria-hidden=\"true\">");
        write_box(page->out, "", part, whole);
        write_box(page->out, " class=\"own\"", self, whole);
        if (error && whole)
            write_whisker(page->out, part, error, whole);
        ep_output_text(page->out, "</svg>");
    }
    ep_output_print(page->out, "<b>%s</b>", ep_report_format_share(part, whole).text);
}

enum { SPARKLINE_HEIGHT = 12, COLUMN_WIDTH = 2 };

/* The columns are centred; each is a box from the bottom up. */
static void write_columns(struct ep_output *out, const struct ep_sparkline *sparkline)
{
    unsigned left = (EP_SPARKLINE_COLUMNS - sparkline->columns) / 2 * COLUMN_WIDTH;
    for (unsigned i = 0; i < sparkline->columns; i++) {
        unsigned height = (sparkline->heights[i] * SPARKLINE_HEIGHT + EP_SPARKLINE_HIGHEST - 1) /
                          EP_SPARKLINE_HIGHEST;
        if (height)
            ep_output_print(out, "M%u %dv-%uh%dv%u", left + i * COLUMN_WIDTH, SPARKLINE_HEIGHT,
                            height, COLUMN_WIDTH, height);
    }
}

void ep_report_html_cells_sparkline(const struct ep_page *page,
                                    const struct ep_sparkline *sparkline)
{
    if (!sparkline || sparkline->columns < 2)
        return;
    ep_output_print(page->out, "<svg class=\"spread\" viewBox=\"0 0 %d %d\"><path d=\"",
                    EP_SPARKLINE_COLUMNS * COLUMN_WIDTH, SPARKLINE_HEIGHT);
    write_columns(page->out, sparkline);
    ep_output_text(page->out, "\"/></svg>");
}

/* ---- the balance of processes ---- */

/* The drawing is stretched to its width, so that a unit of the width is smaller than a pixel. A few
 * processes are bars with gaps, many of them a strip. */
enum { BALANCE_WIDTH = 640, BALANCE_HEIGHT = 48, BARS_WIDEST = 10, BARS_MOST = 32 };

static void write_group(struct ep_output *out, size_t at, size_t count, uint64_t ns, uint64_t most)
{
    size_t columns = count > BARS_WIDEST ? count : BARS_WIDEST;
    size_t left = at * BALANCE_WIDTH / columns, right = (at + 1) * BALANCE_WIDTH / columns;
    size_t gap = count <= BARS_MOST ? (right - left) / 4 : 0;
    unsigned height = (unsigned)((double)ns / (double)most * (BALANCE_HEIGHT - 1)) + 1;
    ep_output_print(out, "M%zu %dv-%uh%zuv%u", left, BALANCE_HEIGHT, height, right - left - gap,
                    height);
}

void ep_report_html_cells_balance(const struct ep_page *page, size_t row)
{
    const uint64_t *max_ns = ep_rows_groups(page->snapshot, row);
    size_t count = page->snapshot->groups.count, slowest = 0;
    for (size_t i = 1; max_ns && i < count; i++)
        slowest = max_ns[i] > max_ns[slowest] ? i : slowest;
    if (!max_ns || max_ns[slowest] == 0)
        return;
    ep_output_print(page->out, "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\"><path d=\"",
                    BALANCE_WIDTH, BALANCE_HEIGHT);
    for (size_t i = 0; i < count; i++)
        if (max_ns[i] && i != slowest)
            write_group(page->out, i, count, max_ns[i], max_ns[slowest]);
    ep_output_text(page->out, "\"/><path class=\"own\" d=\"");
    write_group(page->out, slowest, count, max_ns[slowest], max_ns[slowest]);
    ep_output_text(page->out, "\"/></svg>");
}

void ep_report_html_cells_balance_title(const struct ep_page *page)
{
    const struct ep_process_groups *groups = &page->snapshot->groups;
    size_t ranked = 0;
    while (ranked < groups->count && groups->at[ranked].has_ranks)
        ranked++;
    const struct ep_process_group *last = &groups->at[ranked ? ranked - 1 : groups->count - 1];
    /* not each number of a group is that of a process: the last rank may be the first of a group,
     * and process ids have gaps */
    if (groups->numbers == 1)
        ep_output_print(page->out, "the time of each of the %s %" PRIu64 " to %" PRIu64,
                        ranked ? "ranks" : "processes", groups->at[0].first, last->first);
    else if (ranked)
        ep_output_print(page->out,
                        "each bar: the slowest of up to %" PRIu64 " ranks, from %" PRIu64 " on",
                        groups->numbers, groups->at[0].first);
    else
        ep_output_print(page->out,
                        "each bar: the slowest of the processes whose ids are in one range of "
                        "%" PRIu64 ", from %" PRIu64 " on",
                        groups->numbers, groups->at[0].first);
    if (ranked && ranked < groups->count)
        ep_output_text(page->out, ", then of processes without a rank");
    ep_output_print(page->out, "; the slowest%s is coloured", groups->numbers > 1 ? " of all" : "");
}
