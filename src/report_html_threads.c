#include "report_html_threads.h"

#include <errno.h>
#include <stdlib.h>

#include "report_html_figure.h"
#include "report_html_flame.h"
#include "report_html_lines.h"
#include "report_html_list.h"
#include "report_html_name.h"
#include "report_html_tree.h"
#include "snapshot_part.h"

enum {
    ROWS_MOST = 10000, /* of a tree: so many open in Chromium in less than a second */
    ROWS_A_BOX = 2,    /* a row is a line, but a box is one of many in a line */
    ROWS_LEAST = 200,  /* of a thread's, where many share so many */
    THREADS_MOST = 100 /* trees; the others are counted */
};

struct sheet {
    struct ep_report_html_page page;
    size_t number;    /* of all sheets of the page, from 0 */
    size_t most_rows; /* of its tree */
    bool has_instances;
};

/* The button, and the name that is clicked. */
static void write_choice(const struct sheet *sheet, const struct ep_part *part)
{
    const struct eprof_snapshot *snapshot = sheet->page.snapshot;
    struct ep_output *out = sheet->page.out;
    struct ep_whole whole = ep_part_whole(snapshot, part);
    ep_output_print(out,
                    "<input type=\"radio\" name=\"thread\" id=\"thread-%zu\"%s>"
                    "<label for=\"thread-%zu\">",
                    sheet->number, sheet->number ? "" : " checked", sheet->number);
    if (snapshot->options.threads)
        ep_report_html_text(out, whole.thread);
    else
        ep_output_text(out, "all threads");
    ep_output_print(out, " <small>%s</small></label>\n",
                    ep_report_html_duration(snapshot, whole.total_ns, false).text);
}

static void mark_shown(bool *is_shown, const struct ep_tree_choice *choice,
                       const struct ep_part *part)
{
    for (size_t i = 0; i < choice->count; i++)
        if (choice->lines[i].kind == EP_TREE_ROW)
            is_shown[choice->lines[i].row - part->first] = true;
}

/* Past the many rows and boxes, each of which the keyboard stops at. */
static void write_ways(const struct sheet *sheet)
{
    struct ep_output *out = sheet->page.out;
    ep_output_print(out,
                    "<nav aria-label=\"Sections\"><a href=\"#tree-%zu\">Call tree</a> "
                    "<a href=\"#tops-%zu\">Top functions</a>",
                    sheet->number, sheet->number);
    if (sheet->has_instances)
        ep_output_text(out, " <a href=\"#instances\">Instances</a>");
    ep_output_text(out, "</nav>\n");
}

static void write_sections(const struct sheet *sheet, const struct ep_part *part,
                           const struct ep_tree_choice *choice, const bool *is_shown)
{
    const struct ep_report_html_page *page = &sheet->page;
    write_ways(sheet);
    if (ep_part_whole(page->snapshot, part).self_ns > 0)
        ep_output_text(page->out, "<h2>Flame graph</h2>\n");
    ep_report_html_flame(page, part, is_shown, sheet->most_rows / ROWS_A_BOX);
    ep_output_print(page->out, "<h2 id=\"tree-%zu\">Call tree</h2>\n", sheet->number);
    ep_report_html_tree(page, choice);
    ep_output_print(page->out, "<h2 id=\"tops-%zu\">Top functions by self time</h2>\n",
                    sheet->number);
    ep_report_html_list_tops(page, part);
}

static void write_sheet(const struct sheet *sheet, const struct ep_part *part)
{
    struct ep_tree_choice choice;
    struct ep_output *out = sheet->page.out;
    bool *is_shown = calloc(part->end - part->first + 1, sizeof *is_shown);
    bool is_chosen =
        ep_report_html_lines_make(&choice, sheet->page.snapshot, part, sheet->most_rows) == 0;
    write_choice(sheet, part);
    ep_output_text(out, "<section class=\"thread\">\n");
    if (is_chosen && is_shown) {
        mark_shown(is_shown, &choice, part);
        write_sections(sheet, part, &choice, is_shown);
    } else {
        ep_output_fail(out, ENOMEM);
    }
    ep_output_text(out, "</section>\n");
    ep_report_tree_choice_free(&choice);
    free(is_shown);
}

static size_t count_parts(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    while (ep_part_next(snapshot, &part))
        continue;
    return part.number;
}

/* The trees of a snapshot, behind so many of another. */
static void write_sheets(struct ep_output *out, const struct eprof_snapshot *snapshot, char prefix,
                         size_t number)
{
    size_t parts = count_parts(snapshot);
    struct ep_part part = {.end = snapshot->scope_first};
    struct sheet sheet = {.page = {.out = out, .snapshot = snapshot, .prefix = prefix},
                          .number = number,
                          .has_instances = snapshot->scope_first > 0,
                          .most_rows = parts ? ROWS_MOST / parts : 0};
    if (sheet.most_rows < ROWS_LEAST)
        sheet.most_rows = ROWS_LEAST;
    for (; part.number < THREADS_MOST && !out->error && ep_part_next(snapshot, &part);
         sheet.number++)
        write_sheet(&sheet, &part);
    if (parts > THREADS_MOST)
        ep_output_print(out, "<p class=\"rest\">\u2026 %zu more threads</p>\n",
                        parts - THREADS_MOST);
}

void ep_report_html_threads(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->scope_first == snapshot->trouble_first)
        return;
    ep_output_text(out, "<div class=\"threads\" role=\"group\" aria-label=\"Threads\">\n");
    write_sheets(out, snapshot, 'r', 0);
    if (snapshot->by_threads)
        write_sheets(out, snapshot->by_threads, 't', 1);
    ep_output_text(out, "</div>\n");
}
