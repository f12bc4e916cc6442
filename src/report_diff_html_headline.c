#include "report_diff_html_headline.h"

#include <string.h>

#include "escape_html.h"
#include "report_diff_figure.h"
#include "report_diff_summary.h"
#include "report_diff_time.h"
#include "report_html_fact.h"
#include "report_html_headline.h"

void ep_report_diff_html_headline_side(const struct ep_report_diff_html_page *page,
                                       enum ep_diff_side side)
{
    size_t files = page->diff->files[side];
    if (page->options->names[side])
        ep_escape_html(page->out, page->options->names[side]);
    else
        ep_output_print(page->out, "%zu file%s", files, files == 1 ? "" : "s");
}

void ep_report_diff_html_headline_run(const struct ep_report_diff_html_page *page,
                                      enum ep_diff_side side)
{
    size_t files = page->diff->files[side];
    uint64_t run_ns = page->graphs[side].flame.whole_ns / files;
    ep_output_print(page->out, "%s%s", ep_report_figure_duration(run_ns).text,
                    files > 1 ? " on average" : "");
}

void ep_report_diff_html_headline_sides(const struct ep_report_diff_html_page *page)
{
    ep_report_diff_html_headline_side(page, EP_DIFF_BEFORE);
    ep_output_text(page->out, " \u2192 ");
    ep_report_diff_html_headline_side(page, EP_DIFF_AFTER);
}

/* What a run of it took, and how many there were. */
static void write_side(const struct ep_report_diff_html_page *page, enum ep_diff_side side)
{
    size_t files = page->diff->files[side];
    bool has_scopes = page->graphs[side].flame.whole_ns > 0;
    ep_report_html_fact_begin(page->out, ep_report_diff_sides[side]);
    if (has_scopes)
        ep_report_diff_html_headline_run(page, side);
    ep_output_print(page->out, "%s<small>%zu file%s</small>", has_scopes ? " " : "", files,
                    files == 1 ? "" : "s");
    ep_report_html_fact_end(page->out);
}

/* Nothing, where each side has several. */
static void write_program(struct ep_output *out, const struct ep_diff *diff)
{
    const char *before = diff->sides[EP_DIFF_BEFORE]->command;
    const char *after = diff->sides[EP_DIFF_AFTER]->command;
    if (!*before && !*after)
        return;
    ep_report_html_fact_begin(out, "program");
    if (strcmp(before, after) != 0) {
        ep_report_html_headline_program(out, diff->sides[EP_DIFF_BEFORE]);
        ep_output_text(out, " \u2192 ");
    }
    ep_report_html_headline_program(out, diff->sides[EP_DIFF_AFTER]);
    ep_report_html_fact_end(out);
}

static void write_facts(const struct ep_report_diff_html_page *page)
{
    const struct ep_diff *diff = page->diff;
    struct ep_output *out = page->out;
    ep_report_html_fact(out, "compared", ep_report_diff_time_judged(diff)->title);
    write_side(page, EP_DIFF_BEFORE);
    write_side(page, EP_DIFF_AFTER);
    ep_report_html_fact_count(out, "regions", diff->row_count);
    if (ep_diff_has_verdicts(diff))
        ep_report_html_fact(out, "confidence",
                            ep_report_diff_figure_confidence(1 - diff->options.error).text);
    write_program(out, diff);
    if (diff->options.filter)
        ep_report_html_fact(out, "filter", diff->options.filter);
    if (diff->options.is_raw)
        ep_report_html_fact(out, "probes", "not taken off");
}

void ep_report_diff_html_headline(const struct ep_report_diff_html_page *page)
{
    ep_output_text(page->out, "<header>\n<h1>");
    ep_report_diff_html_headline_sides(page);
    ep_output_text(page->out, "</h1>\n<dl>\n");
    write_facts(page);
    ep_output_text(page->out, "</dl>\n<p class=\"found\">");
    ep_report_diff_summary_found(page->out, page->diff);
    ep_output_text(page->out, "</p>\n<p>");
    ep_report_diff_summary_trust(page->out, page->diff);
    ep_output_text(page->out, "</p>\n</header>\n");
}
