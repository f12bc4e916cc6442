#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/html/html.h"
#include "report/sheet.h"
#include "report/walk.h"
#include "snapshot/sort.h"

/* ---- a row of the call tree ---- */

/* From this level on rows are not indented further (page.css); the number of the level is before
 * the name. */
enum { INDENTS_MOST = 20 };

static bool has_cpu(const struct ep_page *page)
{
    return page->snapshot->conversion.has_cpu;
}

static bool has_balance(const struct ep_page *page)
{
    return page->snapshot->groups.count > 0;
}

static void write_row_titles(const struct ep_page *page)
{
    static const char *const titles[] = {"total", "self", "self%", "calls", "mean",        "p50",
                                         "p99",   "max",  "cpu",   "wait",  "distribution"};
    ep_output_text(page->out,
                   "<div class=\"row titles\" aria-hidden=\"true\"><span class=\"name\">"
                   "scope</span><span class=\"cells\"><span class=\"share\">%total</span>");
    if (has_balance(page)) {
        ep_output_text(page->out, "<span class=\"balance\" title=\"");
        ep_report_html_cells_balance_title(page);
        ep_output_text(page->out, "\">balance</span>");
    }
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (has_cpu(page) || (strcmp(titles[i], "cpu") != 0 && strcmp(titles[i], "wait") != 0))
            ep_output_print(page->out, "<span>%s</span>", titles[i]);
    ep_output_text(page->out, "</span></div>\n");
}

static void write_share(const struct ep_page *page, uint64_t part, uint64_t self, uint64_t whole,
                        uint64_t error)
{
    ep_output_text(page->out, "<span class=\"share\">");
    ep_report_html_cells_bar(page, part, self, whole, error);
    ep_output_text(page->out, "</span>");
}

static void write_cpu(const struct ep_page *page, const struct eprof_row *row)
{
    const uint64_t times[] = {row->cpu_ns, row->wait_ns};
    for (size_t i = 0; i < 2 && has_cpu(page); i++)
        ep_output_print(
            page->out, "<span>%s</span>",
            times[i] == EPROF_UNKNOWN
                ? ""
                : ep_report_format_time(times[i], page->snapshot->options.ticks, row->estimated)
                      .text);
}

/* 0: each call was timed, or the error is not known. */
static uint64_t error_of(const struct eprof_row *row)
{
    return row->estimated && row->total_error_ns != EPROF_UNKNOWN ? row->total_error_ns : 0;
}

/* The exact figures are in the description. */
static void write_times(const struct ep_page *page, const struct eprof_row *row,
                        const struct ep_tree_position *position)
{
    static const size_t offsets[] = {
        offsetof(struct eprof_row, mean_ns), offsetof(struct eprof_row, p50_ns),
        offsetof(struct eprof_row, p99_ns), offsetof(struct eprof_row, max_ns)};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        ep_output_text(page->out, "<span>");
        ep_report_html_cells_time(page, row, &position->mark, offsets[i]);
        ep_output_text(page->out, "</span>");
    }
    write_cpu(page, row);
    ep_report_html_cells_sparkline(page, position->distribution.sparkline);
}

static void write_balance(const struct ep_page *page, size_t row)
{
    if (!has_balance(page))
        return;
    ep_output_text(page->out, "<span class=\"balance\">"); /* each cell of a grid is an element */
    ep_report_html_cells_balance(page, row);
    ep_output_text(page->out, "</span>");
}

static void write_figures(const struct ep_page *page, size_t at, uint64_t whole_ns)
{
    const struct eprof_row *row = &page->snapshot->rows[at];
    const struct ep_tree_position *position = ep_rows_position(page->snapshot, at);
    ep_output_text(page->out, "<span class=\"cells\" aria-hidden=\"true\">");
    write_share(page, row->total_ns, row->self_ns, whole_ns, error_of(row));
    write_balance(page, at);
    ep_report_html_cells_time_data(page, row, &position->mark,
                                   offsetof(struct eprof_row, total_ns));
    ep_report_html_cells_time_data(page, row, &position->mark, offsetof(struct eprof_row, self_ns));
    ep_output_print(
        page->out, "<span>%s</span><span>",
        ep_report_format_row_share(row, offsetof(struct eprof_row, self_ns), whole_ns).text);
    ep_report_html_cells_calls(page->out, row);
    ep_output_text(page->out, "</span>");
    if (row->timed > 0)
        write_times(page, row, position);
    ep_output_text(page->out, "</span>");
}

/* The contents of the element of a line: name, figures, and the description that is shown when it
 * is pointed at. */
static void write_row_cells(const struct ep_page *page, const struct ep_tree_line *line,
                            uint64_t whole_ns)
{
    if (line->kind != EP_TREE_ROW) {
        ep_output_print(page->out,
                        "<span class=\"name\">\u2026 %zu more</span><span class=\"cells\">",
                        line->left_out);
        write_share(page, line->part_ns, 0, whole_ns, 0);
        ep_output_text(page->out, has_balance(page) ? "<span></span>" : "");
        ep_report_html_cells_data(page, line->part_ns);
        ep_output_text(page->out, "</span>");
        return;
    }
    const struct ep_tree_position *position = ep_rows_position(page->snapshot, line->row);
    const struct eprof_row *row = &page->snapshot->rows[line->row];
    ep_output_text(page->out, "<span class=\"name\">");
    if (line->depth >= INDENTS_MOST)
        ep_output_print(page->out, "<small>%u&#62;</small> ", line->depth);
    ep_report_html_cells_name(page->out, row, position->mark.is_ambiguous);
    ep_output_text(page->out, "</span>");
    write_figures(page, line->row, whole_ns);
    ep_output_print(page->out, "<span class=\"all\" id=\"a%c%zu\">", page->prefix, line->row);
    ep_report_html_cells_all(page, row, &position->mark);
    ep_output_text(page->out, "</span>");
}

/* The class, the anchor, and a reference to the description. */
static void write_row_attributes(const struct ep_page *page, const struct ep_tree_line *line,
                                 uint64_t whole_ns)
{
    if (line->kind != EP_TREE_ROW) {
        ep_output_text(page->out, " class=\"row rest\"");
        return;
    }
    const struct eprof_row *row = &page->snapshot->rows[line->row];
    ep_output_print(page->out, " class=\"row h%u\" id=\"%c%zu\" aria-labelledby=\"a%c%zu\"",
                    ep_report_format_heat(row->self_ns, whole_ns), page->prefix, line->row,
                    page->prefix, line->row);
}

/* ---- the tables: top functions, instances ---- */

/* Rows shown; the others are counted. */
enum { TOPS_MOST = 50, INSTANCES_MOST = 1000 };

enum { CPU_COUNT = 2 };

#define CPU_COLUMNS                                                                                \
    EP_REPORT_SHEET_RARE_TIME("cpu", cpu_ns, 1), EP_REPORT_SHEET_RARE_TIME("wait", wait_ns, 1)

/* Columns with a worth are hidden in a narrow window, those of processor time if there is none. */
static const struct ep_report_sheet_column top_columns[] = {
    EP_REPORT_SHEET_TIME("self", self_ns, 0),
    EP_REPORT_SHEET_TIME("total", total_ns, 0),
    EP_REPORT_SHEET_SHARE("%total", total_ns, 0),
    EP_REPORT_SHEET_COUNT(calls, false),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 1),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 1),
    EP_REPORT_SHEET_TIME("p99", p99_ns, 1),
    EP_REPORT_SHEET_TIME("max", max_ns, 1),
    CPU_COLUMNS,
};

static const struct ep_report_sheet_column instance_columns[] = {
    EP_REPORT_SHEET_TIME("total", total_ns, 0), EP_REPORT_SHEET_COUNT(calls, false),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 0),   EP_REPORT_SHEET_TIME("p50", p50_ns, 1),
    EP_REPORT_SHEET_TIME("p90", p90_ns, 1),     EP_REPORT_SHEET_TIME("p99", p99_ns, 1),
    EP_REPORT_SHEET_TIME("max", max_ns, 1),     CPU_COLUMNS,
};

/* The columns of a table, those of processor time last. */
struct columns {
    const struct ep_report_sheet_column *at;
    size_t count;
};

static struct columns top_columns_of(const struct ep_page *page)
{
    enum { COUNT = sizeof top_columns / sizeof top_columns[0] };
    return (struct columns){top_columns, COUNT - (has_cpu(page) ? 0 : CPU_COUNT)};
}

static struct columns instance_columns_of(const struct ep_page *page)
{
    enum { COUNT = sizeof instance_columns / sizeof instance_columns[0] };
    return (struct columns){instance_columns, COUNT - (has_cpu(page) ? 0 : CPU_COUNT)};
}

static void write_titles(const struct ep_page *page, const char *first, const char *second,
                         struct columns columns, const char *last)
{
    struct ep_output *out = page->out;
    ep_output_print(out, "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">%s</th>", first,
                    second);
    for (size_t i = 0; i < columns.count; i++)
        ep_output_print(out, "<th scope=\"col\"%s>%s</th>",
                        columns.at[i].worth ? " class=\"wide\"" : "", columns.at[i].title);
    ep_output_print(out, "%s</tr></thead>\n<tbody>\n", last);
}

static void write_list_figures(const struct ep_page *page, const struct eprof_row *row,
                               const struct ep_site_mark *mark, struct columns columns,
                               uint64_t whole_ns)
{
    for (size_t i = 0; i < columns.count; i++) {
        const struct ep_report_sheet_column *column = &columns.at[i];
        ep_output_print(page->out, "<td%s>", column->worth ? " class=\"wide\"" : "");
        bool is_unknown = column->may_lack && !ep_report_sheet_column_says(column, row);
        if (column->is_share)
            ep_output_text(page->out,
                           ep_report_format_row_share(row, column->offset, whole_ns).text);
        else if (!column->is_duration)
            ep_report_html_cells_calls(page->out, row);
        else if (!is_unknown)
            ep_report_html_cells_time_data(page, row, mark, column->offset);
        ep_output_text(page->out, "</td>");
    }
}

static void write_name(const struct ep_page *page, const struct eprof_row *row, bool is_ambiguous)
{
    ep_output_text(page->out, "<th scope=\"row\">");
    ep_report_html_cells_name(page->out, row, is_ambiguous);
    ep_output_text(page->out, "</th>");
}

static void write_top(const struct ep_page *page, size_t top, uint64_t whole_ns)
{
    const struct eprof_row *row = &page->snapshot->tops[top];
    const struct ep_site_mark *mark = &page->snapshot->top_marks[top];
    ep_output_print(page->out, "<tr class=\"h%u\"><td class=\"share\">",
                    ep_report_format_heat(row->self_ns, whole_ns));
    ep_report_html_cells_bar(page, row->self_ns, row->self_ns, whole_ns, 0);
    ep_output_text(page->out, "</td>");
    write_name(page, row, mark->is_ambiguous);
    write_list_figures(page, row, mark, top_columns_of(page), whole_ns);
    ep_output_text(page->out, "</tr>\n");
}

void ep_report_html_tree_list_tops(const struct ep_page *page, const struct ep_part *part)
{
    uint64_t whole_ns = ep_rows_part_whole(page->snapshot, part).total_ns;
    size_t count = part->top_end - part->top_first;
    size_t shown = page->snapshot->is_chosen || count < TOPS_MOST ? count : TOPS_MOST;
    ep_output_text(page->out, "<table class=\"tops\" aria-label=\"Top functions by self time\">");
    write_titles(page, "self%", "function", top_columns_of(page), "");
    for (size_t i = 0; i < shown; i++)
        write_top(page, part->top_first + i, whole_ns);
    ep_output_text(page->out, "</tbody></table>\n");
    ep_report_html_cells_rest(page->out, count - shown, "");
}

static void write_instance(const struct ep_page *page, size_t row)
{
    const struct ep_site_mark mark = ep_rows_instance_mark(page->snapshot);
    const struct eprof_row *instance = &page->snapshot->rows[row];
    ep_output_print(page->out, "<tr><td>%d</td>", instance->id);
    write_name(page, instance, false);
    write_list_figures(page, instance, &mark, instance_columns_of(page), 0);
    ep_output_text(page->out, "<td class=\"wide\">");
    if (page->snapshot->instance_slots)
        ep_report_html_cells_sparkline(page,
                                       page->snapshot->instance_slots[row].distribution.sparkline);
    ep_output_text(page->out, "</td></tr>\n");
}

/* Shows the rows with the most time, in the order of the rows. */
void ep_report_html_tree_list_instances(const struct ep_page *page)
{
    size_t count = page->snapshot->scope_first;
    size_t shown = page->snapshot->is_chosen || count < INSTANCES_MOST ? count : INSTANCES_MOST;
    bool *is_shown = malloc(count + 1);
    if (count > 0 && is_shown) {
        ep_output_text(page->out, "<section id=\"instances\"><h2>Instances</h2>\n"
                                  "<table class=\"instances\" aria-label=\"Instances\">");
        write_titles(page, "ID", "name", instance_columns_of(page),
                     "<th scope=\"col\" class=\"wide\">distribution</th>");
        memset(is_shown, true, count);
        if (ep_sort_keep_first(page->snapshot->rows, count, ep_columns_find("total"), shown,
                               is_shown) != 0)
            ep_output_fail(page->out, ENOMEM);
        for (size_t i = 0; i < count && !page->out->error; i++)
            if (is_shown[i])
                write_instance(page, i);
        ep_output_text(page->out, "</tbody></table>\n");
        ep_report_html_cells_rest(page->out, count - shown, "");
        ep_output_text(page->out, "</section>\n");
    } else if (!is_shown) {
        ep_output_fail(page->out, ENOMEM);
    }
    free(is_shown);
}

/* ---- the call tree, as rows that open and close ---- */

enum {
    /* The most elements nested in each other: the parser of Chromium takes 512, and no reader
     * follows so many. Deeper rows are siblings. */
    LEVELS_MOST = 100,
    /* A row with a smaller share of all time is closed at first. */
    OPEN_PERCENT = 3,
    /* A tree of at most so many lines is open. */
    OPEN_LINES = 40
};

static uint32_t level_of(const struct ep_tree_line *line)
{
    return line->depth < LEVELS_MOST ? line->depth : LEVELS_MOST;
}

/* `is_branch`: there are lines below it. */
static void write_line(const struct ep_page *page, const struct ep_tree_choice *choice,
                       const struct ep_tree_line *line, bool is_branch)
{
    bool is_row = line->kind == EP_TREE_ROW;
    bool is_open = choice->count <= OPEN_LINES ||
                   (double)line->part_ns * 100 >= (double)choice->whole_ns * OPEN_PERCENT;
    if (is_branch)
        ep_output_print(page->out, "<details%s><summary", is_open ? " open" : "");
    else
        ep_output_text(page->out, "<div");
    write_row_attributes(page, line, choice->whole_ns);
    ep_output_text(page->out, is_row && !is_branch ? " role=\"group\" tabindex=\"0\">" : ">");
    write_row_cells(page, line, choice->whole_ns);
    ep_output_text(page->out, is_branch ? "</summary>\n" : "</div>\n");
}

void ep_report_html_tree(const struct ep_page *page, const struct ep_tree_choice *choice)
{
    ep_output_print(page->out, "<div class=\"tree%s%s\">\n", has_cpu(page) ? " has-cpu" : "",
                    has_balance(page) ? " has-balance" : "");
    write_row_titles(page);
    for (size_t i = 0; i < choice->count && !page->out->error; i++) {
        uint32_t level = level_of(&choice->lines[i]);
        uint32_t next = i + 1 < choice->count ? level_of(&choice->lines[i + 1]) : 0;
        write_line(page, choice, &choice->lines[i], next > level);
        for (; level > next; level--)
            ep_output_text(page->out, "</details>\n");
    }
    ep_output_text(page->out, "</div>\n");
}

/* ---- values ---- */

static const struct ep_report_sheet_column value_columns[] = {
    EP_REPORT_SHEET_TIME("total", total_ns, 0), EP_REPORT_SHEET_COUNT(calls, false),
    EP_REPORT_SHEET_TIME("mean", mean_ns, 0),   EP_REPORT_SHEET_TIME("min", min_ns, 1),
    EP_REPORT_SHEET_TIME("p50", p50_ns, 1),     EP_REPORT_SHEET_TIME("p99", p99_ns, 1),
    EP_REPORT_SHEET_TIME("max", max_ns, 1),     EP_REPORT_SHEET_RATE(0),
};

enum { VALUE_COLUMNS = sizeof value_columns / sizeof value_columns[0], VALUES_MOST = 2000 };

static void write_value(const struct ep_page *page, const struct eprof_row *row)
{
    struct ep_output *out = page->out;
    ep_output_text(out, "<tr><td>");
    ep_escape_html(out, strcmp(row->unit, "1") == 0 ? "" : row->unit);
    ep_output_text(out, "</td><th scope=\"row\">");
    ep_report_html_cells_text(out, row->path);
    ep_output_text(out, "</th>");
    for (size_t i = 0; i < VALUE_COLUMNS; i++) {
        const struct ep_report_sheet_column *column = &value_columns[i];
        struct ep_report_figure figure = ep_report_format_value(row, column->offset, false);
        if (column->offset == offsetof(struct eprof_row, calls))
            figure = ep_report_format_decimal(row->calls, 0);
        else if (!column->is_duration)
            figure = ep_report_format_per_second(row);
        ep_output_print(out, "<td%s>%s</td>", column->worth ? " class=\"wide\"" : "", figure.text);
    }
    ep_output_text(out, "</tr>\n");
}

void ep_report_html_tree_list_values(const struct ep_page *page)
{
    size_t count = page->snapshot->value_count, shown = count < VALUES_MOST ? count : VALUES_MOST;
    if (count == 0)
        return;
    ep_output_text(page->out, "<section id=\"values\"><h2>Values</h2>\n"
                              "<table class=\"instances\" aria-label=\"Values\">");
    write_titles(page, "unit", "path", (struct columns){value_columns, VALUE_COLUMNS}, "");
    for (size_t i = 0; i < shown; i++)
        write_value(page, &page->snapshot->values[i]);
    ep_output_text(page->out, "</tbody></table>\n");
    ep_report_html_cells_rest(page->out, count - shown, " values");
    ep_output_text(page->out, "</section>\n");
}
