#include "report_diff_html_change.h"

#include "report_diff_time.h"

enum { LEVELS = 4 };

/* Of the graphs' width: less makes a box less than three pixels wider on a large screen. Then each
 * is some three to five times the one before. */
static const double percents[LEVELS] = {0.2, 1, 3, 10};

/* From the most faster to the most slower. */
static const char *const styles[] = {"f4", "f3", "f2", "f1", "h0", "s1", "s2", "s3", "s4"};

static int level_of(const struct ep_report_diff_html_page *page, const struct ep_diff_row *row)
{
    double change_ns =
        (double)row->figures[EP_DIFF_AFTER].self_ns - (double)row->figures[EP_DIFF_BEFORE].self_ns;
    int sign = change_ns < 0 ? -1 : 1, level = 0;
    while (level < LEVELS && sign * change_ns * 100 >= percents[level] * page->whole_ns)
        level++;
    return sign * level;
}

/* What is judged may be another figure than the self time. */
static bool is_borne_out(enum ep_diff_verdict verdict, int level)
{
    switch (verdict) {
    case EP_DIFF_NO_EVIDENCE:
        return false;
    case EP_DIFF_FASTER:
        return level < 0;
    case EP_DIFF_SLOWER:
        return level > 0;
    case EP_DIFF_UNKNOWN:
        break;
    }
    return true;
}

/* Below 0: faster. What one side alone has stands out however short it is. */
static int shown_level_of(const struct ep_report_diff_html_page *page,
                          const struct ep_diff_row *row)
{
    int level = page->whole_ns > 0 ? level_of(page, row) : 0;
    if (!ep_report_diff_is_on(row, EP_DIFF_BEFORE))
        return level < 1 ? 1 : level;
    if (!ep_report_diff_is_on(row, EP_DIFF_AFTER))
        return level > -1 ? -1 : level;
    return is_borne_out(row->verdict, level) ? level : 0;
}

const char *ep_report_diff_html_change(const struct ep_report_diff_html_page *page,
                                       const struct ep_diff_row *row)
{
    return styles[LEVELS + shown_level_of(page, row)];
}

const char *ep_report_diff_html_change_sign(const struct ep_report_diff_html_page *page,
                                            const struct ep_diff_row *row)
{
    int level = shown_level_of(page, row);
    if (!ep_report_diff_is_on(row, EP_DIFF_BEFORE))
        return "new ";
    if (!ep_report_diff_is_on(row, EP_DIFF_AFTER))
        return "gone ";
    return level > 0 ? "\u25B2 " : level < 0 ? "\u25BC " : "";
}

static void write_swatch(struct ep_output *out, const char *style)
{
    ep_output_print(out, "<svg class=\"%s\"><rect/></svg>", style);
}

/* In the order of the colours: what lies between is the same. */
static void write_swatches(struct ep_output *out)
{
    ep_output_text(out,
                   "<p class=\"flame key\"><span>\u25BC faster</span> <span aria-hidden=\"true\">");
    for (int i = 0; i <= 2 * LEVELS; i++)
        write_swatch(out, styles[i]);
    ep_output_text(out, "</span> <span>\u25B2 slower</span></p>\n");
}

void ep_report_diff_html_change_key(const struct ep_report_diff_html_page *page)
{
    struct ep_output *out = page->out;
    write_swatches(out);
    ep_output_text(out, "<p class=\"key\">A colour tells by how much the self time of a run has "
                        "changed, in parts of the wider graph: from ");
    for (int i = 0; i < LEVELS; i++) {
        ep_output_text(out, i == 0 ? "" : i < LEVELS - 1 ? ", " : " and ");
        ep_output_decimal(out, percents[i], percents[i] < 1);
    }
    ep_output_text(out, " % on. Hatched is what one side alone has.");
    if (ep_diff_has_verdicts(page->diff))
        ep_output_text(out, " What is not found to have changed has no colour.");
    ep_output_text(out, "</p>\n");
}
