#include "report_html_head.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_html.h"
#include "report_html_figure.h"
#include "report_html_style.h"
#include "report_origin.h"
#include "report_rate.h"
#include "snapshot_part.h"

/* The living program does not tell its own command line in the other reports either, but whoever
 * opens a page has many. */
static void write_program(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command)
        ep_escape_html(out, program_invocation_short_name);
    else
        ep_escape_html(out, *snapshot->command ? snapshot->command : "several programs");
}

void ep_report_html_head(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out,
                   "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                   "&#39;none&#39;; style-src &#39;sha256-" EP_REPORT_HTML_STYLE_SHA256 "&#39;\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n"
                   "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    write_program(out, snapshot);
    ep_output_text(out, " \u2013 profile</title>\n<style>");
    ep_report_html_style_write(out);
    ep_output_text(out, "</style>\n</head>\n");
}

/* ---- the headline ---- */

static void write_fact(struct ep_output *out, const char *name, const char *value)
{
    ep_output_print(out, "<div><dt>%s</dt><dd>", name);
    ep_escape_html(out, value);
    ep_output_text(out, "</dd></div>\n");
}

static void write_count(struct ep_output *out, const char *name, size_t count)
{
    ep_output_print(out, "<div><dt>%s</dt><dd>%zu</dd></div>\n", name, count);
}

static size_t count_threads(const struct eprof_snapshot *snapshot)
{
    const struct eprof_snapshot *threads = snapshot->by_threads;
    struct ep_part part = {.end = threads ? threads->scope_first : snapshot->scope_first};
    while (ep_part_next(threads ? threads : snapshot, &part))
        continue;
    return part.number;
}

static void write_tree_facts(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    if (!ep_part_next(snapshot, &part))
        return;
    struct ep_whole whole = ep_part_whole(snapshot, &part);
    if (!snapshot->options.threads)
        write_fact(out, "time in scopes",
                   ep_report_html_duration(snapshot, whole.total_ns, false).text);
    write_count(out, "threads", count_threads(snapshot));
    if (whole.functions)
        write_count(out, "functions", whole.functions);
    if (whole.sites > whole.functions)
        write_count(out, "scopes", whole.sites - whole.functions);
    write_count(out, "places in the tree", whole.places);
}

static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment moment = ep_report_moment_utc(snapshot->realtime_ns);
    if (snapshot->process_id)
        ep_output_print(out, "<div><dt>process</dt><dd>%" PRIu64 "</dd></div>\n",
                        snapshot->process_id);
    if (*moment.text)
        ep_output_print(out,
                        "<div><dt>started</dt><dd><time datetime=\"%s\">%.10s %.8s UTC</time></dd>"
                        "</div>\n",
                        moment.text, moment.text, moment.text + sizeof "2026-11-22");
}

static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "<div><dt>source</dt><dd>");
    ep_escape_html(out, snapshot->source);
    if (snapshot->options.ticks && snapshot->ticks_per_us > 0) {
        ep_output_text(out, ", ");
        ep_report_rate_write(out, snapshot->ticks_per_us);
    }
    ep_output_text(out, "</dd></div>\n");
}

void ep_report_html_headline(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "<header>\n<h1>");
    write_program(out, snapshot);
    ep_output_text(out, "</h1>\n<dl>\n");
    write_tree_facts(out, snapshot);
    if (snapshot->scope_first)
        write_count(out, "instances", snapshot->scope_first);
    write_source(out, snapshot);
    write_origin(out, snapshot);
    if (snapshot->options.raw)
        write_fact(out, "probes", "not taken off");
    ep_output_text(out, "</dl>\n</header>\n");
}
