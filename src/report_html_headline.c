#include "report_html_headline.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_html.h"
#include "report_html_fact.h"
#include "report_html_figure.h"
#include "report_origin.h"
#include "report_rate.h"
#include "snapshot_part.h"

/* The living program does not tell its own command line in the other reports either, but whoever
 * opens a page has many. */
void ep_report_html_headline_program(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command)
        ep_escape_html(out, program_invocation_short_name);
    else
        ep_escape_html(out, *snapshot->command ? snapshot->command : "several programs");
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
        ep_report_html_fact(out, "time in scopes",
                            ep_report_html_duration(snapshot, whole.total_ns, false).text);
    ep_report_html_fact_count(out, "threads", count_threads(snapshot));
    if (whole.functions)
        ep_report_html_fact_count(out, "functions", whole.functions);
    if (whole.sites > whole.functions)
        ep_report_html_fact_count(out, "scopes", whole.sites - whole.functions);
    ep_report_html_fact_count(out, "places in the tree", whole.places);
}

static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment moment = ep_report_moment_utc(snapshot->realtime_ns);
    if (snapshot->process_id) {
        ep_report_html_fact_begin(out, "process");
        ep_output_print(out, "%" PRIu64, snapshot->process_id);
        ep_report_html_fact_end(out);
    }
    if (*moment.text) {
        ep_report_html_fact_begin(out, "started");
        ep_output_print(out, "<time datetime=\"%s\">%.10s %.8s UTC</time>", moment.text,
                        moment.text, moment.text + sizeof "2026-11-22");
        ep_report_html_fact_end(out);
    }
}

static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_report_html_fact_begin(out, "source");
    ep_escape_html(out, snapshot->source);
    if (snapshot->options.ticks && snapshot->ticks_per_us > 0) {
        ep_output_text(out, ", ");
        ep_report_rate_write(out, snapshot->ticks_per_us);
    }
    ep_report_html_fact_end(out);
}

void ep_report_html_headline(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "<header>\n<h1>");
    ep_report_html_headline_program(out, snapshot);
    ep_output_text(out, "</h1>\n<dl>\n");
    write_tree_facts(out, snapshot);
    if (snapshot->scope_first)
        ep_report_html_fact_count(out, "instances", snapshot->scope_first);
    write_source(out, snapshot);
    write_origin(out, snapshot);
    if (snapshot->options.raw)
        ep_report_html_fact(out, "probes", "not taken off");
    ep_output_text(out, "</dl>\n</header>\n");
}
