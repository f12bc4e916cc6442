#include "report_html_tree.h"

#include "report_html_row.h"

enum {
    /* Of rows in each other: a browser takes 512 elements in each other (the parser of Chromium),
       and nobody follows so many. What is deeper stands side by side. */
    LEVELS_MOST = 100,
    /* A row with less of all time is closed at first. */
    OPEN_PERCENT = 3,
    /* But a tree of so few lines is open. */
    OPEN_LINES = 40
};

static uint32_t level_of(const struct ep_tree_line *line)
{
    return line->depth < LEVELS_MOST ? line->depth : LEVELS_MOST;
}

static bool is_open(const struct ep_tree_choice *choice, const struct ep_tree_line *line)
{
    return choice->count <= OPEN_LINES ||
           (double)line->part_ns * 100 >= (double)choice->whole_ns * OPEN_PERCENT;
}

/* A line that others are in. */
static void open_branch(const struct ep_report_html_page *page, const struct ep_tree_choice *choice,
                        const struct ep_tree_line *line)
{
    ep_output_print(page->out, "<details%s><summary", is_open(choice, line) ? " open" : "");
    ep_report_html_row_attributes(page, line, choice->whole_ns);
    ep_output_text(page->out, ">");
    ep_report_html_row_cells(page, line, choice->whole_ns);
    ep_output_text(page->out, "</summary>\n");
}

static void write_leaf(const struct ep_report_html_page *page, const struct ep_tree_choice *choice,
                       const struct ep_tree_line *line)
{
    ep_output_text(page->out, "<div");
    ep_report_html_row_attributes(page, line, choice->whole_ns);
    ep_output_text(page->out, line->kind == EP_TREE_ROW ? " role=\"group\" tabindex=\"0\">" : ">");
    ep_report_html_row_cells(page, line, choice->whole_ns);
    ep_output_text(page->out, "</div>\n");
}

void ep_report_html_tree(const struct ep_report_html_page *page,
                         const struct ep_tree_choice *choice)
{
    ep_output_text(page->out, "<div class=\"tree\">\n");
    ep_report_html_row_titles(page);
    for (size_t i = 0; i < choice->count && !page->out->error; i++) {
        uint32_t level = level_of(&choice->lines[i]);
        uint32_t next = i + 1 < choice->count ? level_of(&choice->lines[i + 1]) : 0;
        if (next > level)
            open_branch(page, choice, &choice->lines[i]);
        else
            write_leaf(page, choice, &choice->lines[i]);
        for (; level > next; level--)
            ep_output_text(page->out, "</details>\n");
    }
    ep_output_text(page->out, "</div>\n");
}
