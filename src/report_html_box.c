#include "report_html_box.h"

enum {
    BOX_HEIGHT = 17, /* px, of a line of text of 12 */
    LEVEL_HEIGHT = BOX_HEIGHT + 1,
    BASELINE = 13 /* of the text, from the top of its box */
};

/* Of the width: three letters need twenty pixels, of 1,300 or of a telephone's 400, where the
 * page's style hides the others; and who goes from box to box with the keyboard wants those that
 * matter. */
static const double narrowest_text = 0.015, narrowest_on_a_small_screen = 0.05,
                    narrowest_stop = 0.01;

unsigned ep_report_html_box_levels_height(uint32_t levels)
{
    return (levels + 1) * LEVEL_HEIGHT;
}

/* With so many places that boxes meet to a thousandth of a pixel. */
static void write_percent(struct ep_output *out, const char *attribute, double share)
{
    ep_output_print(out, " %s=\"", attribute);
    ep_output_decimal(out, share * 100, 5);
    ep_output_text(out, "%\"");
}

void ep_report_html_box_begin(struct ep_output *out, const struct ep_report_html_box *box)
{
    if (box->target.prefix)
        ep_output_print(out, "<a href=\"#%c%zu\"%s>", box->target.prefix, box->target.number,
                        box->wide < narrowest_stop ? " tabindex=\"-1\"" : "");
    ep_output_print(out, "<svg class=\"%s\"", box->style);
    if (box->anchor.prefix)
        ep_output_print(out, " id=\"%c%zu\"", box->anchor.prefix, box->anchor.number);
    write_percent(out, "x", box->start);
    write_percent(out, "width", box->wide);
    ep_output_print(out, " y=\"%u\" height=\"%d\"><title>", box->level * LEVEL_HEIGHT, BOX_HEIGHT);
}

/* An edge would cover all of a narrow one. */
static void write_rectangles(struct ep_output *out, const struct ep_report_html_box *box)
{
    static const char rectangle[] = "<rect width=\"100%\" height=\"100%\"";
    ep_output_print(out, "%s/>", rectangle);
    if (box->is_hatched)
        ep_output_print(out, "%s class=\"hatch%s\"/>", rectangle,
                        box->wide < narrowest_text ? "" : " edge");
}

bool ep_report_html_box_label(struct ep_output *out, const struct ep_report_html_box *box)
{
    ep_output_text(out, "</title>");
    write_rectangles(out, box);
    if (box->wide < narrowest_text)
        return false;
    /* the name once more, for the eye alone */
    ep_output_print(out, "<text%s x=\"3\" y=\"%d\" aria-hidden=\"true\">",
                    box->wide < narrowest_on_a_small_screen ? " class=\"small\"" : "", BASELINE);
    return true;
}

void ep_report_html_box_end(struct ep_output *out, const struct ep_report_html_box *box)
{
    ep_output_print(out, "%s</svg>%s\n", box->wide < narrowest_text ? "" : "</text>",
                    box->target.prefix ? "</a>" : "");
}

void ep_report_html_box_define_hatch(struct ep_output *out)
{
    ep_output_text(out, "<svg width=\"0\" height=\"0\" aria-hidden=\"true\"><pattern id=\"hatch\" "
                        "width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
                        "patternTransform=\"rotate(45)\"><path d=\"M0 0V7\"/></pattern></svg>\n");
}

void ep_report_html_box_left_out(struct ep_output *out, const struct ep_flame *flame)
{
    if (flame->narrower > 0) {
        ep_output_print(out, " \u2026 %zu narrower than ", flame->narrower);
        ep_output_decimal(out, flame->narrowest * 100, 2);
        ep_output_text(out, " % of all.");
    }
    if (flame->further > 0)
        ep_output_print(out, " \u2026 %zu below level %d.", flame->further,
                        EP_REPORT_HTML_BOX_LEVELS);
}
