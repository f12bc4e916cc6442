#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "report/advice.h"
#include "report/head.h"
#include "report/html/html.h"
#include "report/report.h"
#include "report/walk.h"
#include "snapshot/part.h"

/* ---- parts that the page of a comparison has as well ---- */

void ep_report_html_page_fact_begin(struct ep_output *out, const char *name)
{
    ep_output_print(out, "<div><dt>%s</dt><dd>", name);
}

void ep_report_html_page_fact_end(struct ep_output *out)
{
    ep_output_text(out, "</dd></div>\n");
}

void ep_report_html_page_fact(struct ep_output *out, const char *name, const char *value)
{
    ep_report_html_page_fact_begin(out, name);
    ep_escape_html(out, value);
    ep_report_html_page_fact_end(out);
}

void ep_report_html_page_fact_count(struct ep_output *out, const char *name, uint64_t count)
{
    ep_report_html_page_fact_begin(out, name);
    ep_output_print(out, "%" PRIu64, count);
    ep_report_html_page_fact_end(out);
}

/* Names the living program too, unlike other reports: a reader may have many pages open. */
void ep_report_html_page_program(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!snapshot->command)
        ep_escape_html(out, program_invocation_short_name);
    else
        ep_escape_html(out, *snapshot->command ? snapshot->command : "several programs");
}

void ep_report_html_page_notes(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_text_output notes;
    char *lines = NULL, *rest;
    if (ep_output_text_open(&notes) == 0) {
        ep_report_notes_write(&notes.out, snapshot);
        lines = ep_output_text_close(&notes);
    }
    if (!lines) {
        ep_output_fail(out, errno);
        return;
    }
    ep_output_text(out, "<ul class=\"notes\">\n");
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        ep_output_text(out, "<li>");
        ep_escape_html(out, line);
        ep_output_text(out, "</li>\n");
    }
    ep_output_text(out, "</ul>\n");
    free(lines);
}

void ep_report_html_page_head_begin(struct ep_output *out)
{
    ep_output_print(out,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                    "&#39;none&#39;; style-src &#39;sha256-%s&#39;\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
                    ep_report_html_page_css_sha256);
}

void ep_report_html_page_head_end(struct ep_output *out)
{
    ep_output_text(out, "</title>\n<style>");
    for (const char *const *part = ep_report_html_page_css; *part; part++)
        ep_output_text(out, *part);
    ep_output_text(out, "</style>\n</head>\n");
}

/* ---- the trees: radio buttons choose the one that is shown, since the page has no script ---- */

enum {
    ROWS_MOST = 10000, /* of all trees: Chromium opens so many in less than a second */
    ROWS_A_BOX = 2,    /* a line has many boxes: the graph has half as many as the tree has rows */
    ROWS_LEAST = 200,  /* of one tree, however many share ROWS_MOST */
    THREADS_MOST = 100 /* trees shown; the others are counted */
};

struct sheet {
    struct ep_page page;
    size_t number;    /* of all sheets of the page, from 0 */
    size_t most_rows; /* of its tree */
    bool has_instances;
};

static void write_choice(const struct sheet *sheet, const struct ep_part *part)
{
    const struct eprof_snapshot *snapshot = sheet->page.snapshot;
    struct ep_output *out = sheet->page.out;
    struct ep_whole whole = ep_rows_part_whole(snapshot, part);
    ep_output_print(out,
                    "<input type=\"radio\" name=\"thread\" id=\"thread-%zu\"%s>"
                    "<label for=\"thread-%zu\">",
                    sheet->number, sheet->number ? "" : " checked", sheet->number);
    if (snapshot->options.threads)
        ep_report_html_cells_text(out, whole.thread);
    else
        ep_output_text(out, "all threads");
    ep_output_print(out, " <small>%s</small></label>\n",
                    ep_report_format_time(whole.total_ns, snapshot->options.ticks, false).text);
}

/* Links that skip the rows and boxes, since the keyboard stops at each of them. */
static void write_links(const struct sheet *sheet)
{
    struct ep_output *out = sheet->page.out;
    ep_output_print(out,
                    "<nav aria-label=\"Sections\"><a href=\"#tree-%zu\">Call tree</a> "
                    "<a href=\"#tops-%zu\">Top functions</a>",
                    sheet->number, sheet->number);
    if (sheet->has_instances)
        ep_output_text(out, " <a href=\"#instances\">Instances</a>");
    if (sheet->page.snapshot->value_count)
        ep_output_text(out, " <a href=\"#values\">Values</a>");
    ep_output_text(out, "</nav>\n");
}

static void write_sections(const struct sheet *sheet, const struct ep_part *part,
                           const struct ep_tree_choice *choice)
{
    const struct ep_page *page = &sheet->page;
    write_links(sheet);
    if (ep_rows_part_whole(page->snapshot, part).self_ns > 0)
        ep_output_text(page->out, "<h2>Flame graph</h2>\n");
    ep_report_html_flame(page, part, choice->is_shown, sheet->most_rows / ROWS_A_BOX);
    ep_output_print(page->out, "<h2 id=\"tree-%zu\">Call tree</h2>\n", sheet->number);
    ep_report_html_tree(page, choice);
    ep_output_print(page->out, "<h2 id=\"tops-%zu\">Top functions by self time</h2>\n",
                    sheet->number);
    ep_report_html_tree_list_tops(page, part);
}

static void write_sheet(const struct sheet *sheet, const struct ep_part *part)
{
    struct ep_tree_choice choice;
    struct ep_output *out = sheet->page.out;
    bool is_chosen =
        ep_report_tree_choice_longest(&choice, sheet->page.snapshot, part, sheet->most_rows) == 0;
    write_choice(sheet, part);
    ep_output_text(out, "<section class=\"thread\">\n");
    if (is_chosen)
        write_sections(sheet, part, &choice);
    else
        ep_output_fail(out, ENOMEM);
    ep_output_text(out, "</section>\n");
    ep_report_tree_choice_free(&choice);
}

/* Writes the trees of a snapshot; `number` of another come before them. */
static void write_sheets(struct ep_output *out, const struct eprof_snapshot *snapshot, char prefix,
                         size_t number)
{
    size_t parts = ep_report_walk_trees(snapshot);
    struct ep_part part = {.end = snapshot->scope_first};
    struct sheet sheet = {.page = {.out = out, .snapshot = snapshot, .prefix = prefix},
                          .number = number,
                          .has_instances = snapshot->scope_first > 0,
                          .most_rows = parts ? ROWS_MOST / parts : 0};
    if (sheet.most_rows < ROWS_LEAST)
        sheet.most_rows = ROWS_LEAST;
    for (; part.number < THREADS_MOST && !out->error && ep_rows_part_next(snapshot, &part);
         sheet.number++)
        write_sheet(&sheet, &part);
    ep_report_html_cells_rest(out, parts > THREADS_MOST ? parts - THREADS_MOST : 0, " threads");
}

static void write_threads(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (snapshot->scope_first == snapshot->diagnostic_first)
        return;
    ep_output_text(out, "<div class=\"threads\" role=\"group\" aria-label=\"Threads\">\n");
    write_sheets(out, snapshot, 'r', 0);
    if (snapshot->by_threads)
        write_sheets(out, snapshot->by_threads, 't', 1);
    ep_output_text(out, "</div>\n");
}

/* ---- the page of a profile ---- */

static void write_tree_facts(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    if (!ep_rows_part_next(snapshot, &part))
        return;
    struct ep_whole whole = ep_rows_part_whole(snapshot, &part);
    if (!snapshot->options.threads)
        ep_report_html_page_fact(
            out, "time in scopes",
            ep_report_format_time(whole.total_ns, snapshot->options.ticks, false).text);
    if (snapshot->process_count <= 1) /* in a sum, the threads of a row count as one */
        ep_report_html_page_fact_count(
            out, "threads",
            ep_report_walk_trees(snapshot->by_threads ? snapshot->by_threads : snapshot));
    if (whole.functions)
        ep_report_html_page_fact_count(out, "functions", whole.functions);
    if (whole.sites > whole.functions)
        ep_report_html_page_fact_count(out, "scopes", whole.sites - whole.functions);
    ep_report_html_page_fact_count(out, "call paths", whole.positions);
}

static void write_origin(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_moment moment = ep_report_format_utc(snapshot->realtime_ns);
    if (snapshot->process_id)
        ep_report_html_page_fact_count(out, "process", snapshot->process_id);
    if (snapshot->process_count)
        ep_report_html_page_fact_count(out, ep_report_head_processes(snapshot),
                                       snapshot->process_count);
    if (*moment.text) {
        ep_report_html_page_fact_begin(out, "started");
        ep_output_print(out, "<time datetime=\"%s\">%.10s %.8s UTC</time>", moment.text,
                        moment.text, moment.text + sizeof "2026-11-22");
        ep_report_html_page_fact_end(out);
    }
}

static void write_run(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct ep_run *run = &snapshot->run;
    const struct {
        const char *name;
        uint64_t ns;
    } times[] = {{"wall time", run->wall_ns}, {"processor time", run->cpu_ns}};
    struct ep_report_figure cover = ep_report_head_cover(snapshot);
    struct ep_report_text overhead = ep_report_head_overhead(snapshot);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (times[i].ns == EPROF_UNKNOWN)
            continue;
        ep_report_html_page_fact_begin(out, times[i].name);
        ep_output_text(out, ep_report_format_duration(times[i].ns).text);
        if (snapshot->process_count > 1)
            ep_output_print(out, " <small>of all %s together</small>",
                            ep_report_head_processes(snapshot));
        if (*ep_report_head_moment(snapshot))
            ep_output_print(out, " <small>%s</small>", ep_report_head_moment(snapshot));
        ep_report_html_page_fact_end(out);
    }
    if (*cover.text)
        ep_report_html_page_fact(out, "wall time in scopes", cover.text);
    if (*overhead.text)
        ep_report_html_page_fact(out, "overhead of profiling", overhead.text);
}

static void write_advice(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_text_output advice;
    char *lines = NULL;
    if (ep_output_text_open(&advice) == 0) {
        ep_report_advice_write(&advice.out, snapshot);
        lines = ep_output_text_close(&advice);
    }
    if (!lines) {
        ep_output_fail(out, errno);
        return;
    }
    bool is_empty = !*lines;
    ep_output_text(out, is_empty ? "" : "<pre>");
    for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        ep_escape_html(out, line);
        ep_output_text(out, "\n");
    }
    ep_output_text(out, is_empty ? "" : "</pre>\n");
    free(lines);
}

static void write_source(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_report_html_page_fact_begin(out, "source");
    ep_escape_html(out, snapshot->source);
    if (snapshot->options.ticks && snapshot->ticks_per_us > 0) {
        ep_output_text(out, ", ");
        ep_report_format_rate(out, snapshot->ticks_per_us);
    }
    ep_report_html_page_fact_end(out);
}

static void write_headline(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_output_text(out, "<header>\n<h1>");
    ep_report_html_page_program(out, snapshot);
    ep_output_text(out, "</h1>\n<dl>\n");
    write_tree_facts(out, snapshot);
    if (snapshot->scope_first)
        ep_report_html_page_fact_count(out, "instances", snapshot->scope_first);
    write_run(out, snapshot);
    write_source(out, snapshot);
    write_origin(out, snapshot);
    if (snapshot->options.raw)
        ep_report_html_page_fact(out, "probes", "not subtracted");
    ep_output_text(out, "</dl>\n");
    write_advice(out, snapshot);
    ep_output_text(out, "</header>\n");
}

void ep_report_html_page(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    ep_report_html_page_head_begin(out);
    ep_report_html_page_program(out, snapshot);
    ep_output_text(out, " \u2013 profile");
    ep_report_html_page_head_end(out);
    ep_output_text(out, "<body>\n");
    write_headline(out, snapshot);
    ep_output_text(out, "<main>\n");
    write_threads(out, snapshot);
    ep_report_html_tree_list_instances(
        &(struct ep_page){.out = out, .snapshot = snapshot, .prefix = 'i'});
    ep_report_html_tree_list_values(&(struct ep_page){.out = out, .snapshot = snapshot});
    if (snapshot->diagnostic_first == 0 && snapshot->value_count == 0)
        ep_output_text(out, "<p>Nothing was recorded.</p>\n");
    ep_output_text(out, "</main>\n<footer>\n");
    ep_report_html_page_notes(out, snapshot);
    ep_output_text(out, "<p>To search and to zoom at will, write the report "
                        "<code>speedscope</code> and open it in the viewer of that name.</p>\n"
                        "</footer>\n</body>\n</html>\n");
}
