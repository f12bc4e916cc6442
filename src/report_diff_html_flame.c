#include "report_diff_html_flame.h"

#include "report_diff_html_change.h"
#include "report_diff_html_figure.h"
#include "report_diff_html_headline.h"
#include "report_html_name.h"

static const char prefixes[EP_DIFF_SIDES] = {'b', 'a'};

/* NULL: the region was not asked for. */
static const struct ep_diff_row *region_of(const struct ep_report_diff_html_page *page,
                                           enum ep_diff_side side, size_t row)
{
    uint32_t region = page->diff->row_of[side][row];
    return region == UINT32_MAX ? NULL : &page->diff->rows[region];
}

static struct ep_report_html_box box_of(const struct ep_report_diff_html_page *page,
                                        enum ep_diff_side side, size_t i)
{
    const struct ep_report_diff_html_graph *graph = &page->graphs[side];
    const struct ep_flame_box *flame_box = &graph->flame.boxes[i];
    const struct ep_diff_row *region = region_of(page, side, flame_box->row);
    double runs_ns = page->whole_ns * (double)page->diff->files[side];
    struct ep_report_html_box box = {.style = "h0",
                                     .start = (double)flame_box->start_ns / runs_ns,
                                     .wide = (double)flame_box->wide_ns / runs_ns,
                                     .level = flame_box->level + 1};
    if (!region)
        return box;
    size_t number = (size_t)(region - page->diff->rows);
    box.style = ep_report_diff_html_change(page, region);
    box.is_hatched = !ep_report_diff_is_on(region, EP_DIFF_BEFORE) ||
                     !ep_report_diff_is_on(region, EP_DIFF_AFTER);
    if (graph->box_of[number] == i)
        box.anchor = (struct ep_report_html_anchor){prefixes[side], number};
    if (number < page->listed)
        box.target = (struct ep_report_html_anchor){'d', number};
    return box;
}

static void write_box(const struct ep_report_diff_html_page *page, enum ep_diff_side side, size_t i)
{
    size_t row = page->graphs[side].flame.boxes[i].row;
    const char *name = page->diff->sides[side]->rows[row].name;
    const struct ep_diff_row *region = region_of(page, side, row);
    const struct ep_report_html_box box = box_of(page, side, i);
    ep_report_html_box_begin(page->out, &box);
    ep_report_html_bare_text(page->out, name);
    if (region)
        ep_report_diff_html_figure_lines(page->out, page->diff, region);
    if (ep_report_html_box_label(page->out, &box)) {
        ep_output_text(page->out, region ? ep_report_diff_html_change_sign(page, region) : "");
        ep_report_html_bare_text(page->out, name);
    }
    ep_report_html_box_end(page->out, &box);
}

static void write_run(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    ep_output_print(page->out, "%s: ", ep_report_diff_sides[side]);
    ep_report_diff_html_headline_run(page, side);
}

/* The box that all others of its side stand below. */
static void write_root(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    const struct ep_report_html_box box = {.style = "h0",
                                           .wide = page->graphs[side].run_ns / page->whole_ns};
    ep_report_html_box_begin(page->out, &box);
    write_run(page, side);
    if (ep_report_html_box_label(page->out, &box))
        write_run(page, side);
    ep_report_html_box_end(page->out, &box);
}

static void write_boxes(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    const struct ep_flame *flame = &page->graphs[side].flame;
    ep_output_print(page->out,
                    "<svg role=\"group\" aria-label=\"Flame graph of %s\" width=\"100%%\" "
                    "height=\"%u\">\n",
                    ep_report_diff_sides[side], ep_report_html_box_levels_height(flame->levels));
    write_root(page, side);
    for (size_t i = 0; i < flame->count; i++)
        write_box(page, side, i);
    ep_output_text(page->out, "</svg>\n");
}

static void write_title(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    ep_output_print(page->out, "<h3>%s <small>", side == EP_DIFF_AFTER ? "After" : "Before");
    ep_report_diff_html_headline_side(page, side);
    ep_output_text(page->out, "</small></h3>\n");
}

void ep_report_diff_html_flame(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    const struct ep_flame *flame = &page->graphs[side].flame;
    if (flame->whole_ns == 0)
        return;
    write_title(page, side);
    ep_output_text(page->out, "<figure class=\"flame\">\n");
    write_boxes(page, side);
    ep_output_text(page->out, "<figcaption>");
    ep_report_html_box_left_out(page->out, flame);
    ep_output_text(page->out, "</figcaption>\n</figure>\n");
}
