#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/output.h"
#include "report/format.h"
#include "report/head.h"
#include "report/html/html.h"
#include "serve/serve.h"
#include "snapshot/sort.h"

enum {
    PROCESSES_MOST = 100, /* of one page */
    REGIONS_MOST = 3      /* of a process */
};

static const char *const lives[] = {[EP_LIFE_RUNNING] = "running",
                                    [EP_LIFE_ENDED] = "ended",
                                    [EP_LIFE_KILLED] = "killed",
                                    [EP_LIFE_SAVED] = "saved"};

/* ---- the hottest regions of a process ---- */

static void write_titles(struct ep_output *out)
{
    static const char *const titles[] = {"self%", "region", "self", "total", "calls"};
    ep_output_text(out, "<table class=\"tops\" aria-label=\"Hottest regions\"><thead><tr>");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        ep_output_print(out, "<th scope=\"col\">%s</th>", titles[i]);
    ep_output_text(out, "</tr></thead><tbody>\n");
}

/* Instances overlap, so they have no share in a whole: 0. */
static void write_region(const struct ep_page *page, const struct eprof_row *row,
                         struct ep_site_mark mark, uint64_t whole_ns)
{
    struct ep_output *out = page->out;
    ep_output_print(out, "<tr class=\"h%u\"><td class=\"share\">",
                    ep_report_format_heat(row->self_ns, whole_ns));
    if (whole_ns)
        ep_report_html_cells_bar(page, row->self_ns, row->self_ns, whole_ns, 0);
    ep_output_text(out, "</td><th scope=\"row\">");
    ep_report_html_cells_name(out, row, mark.is_ambiguous);
    ep_output_text(out, "</th><td>");
    if (whole_ns)
        ep_report_html_cells_time_data(page, row, &mark, offsetof(struct eprof_row, self_ns));
    ep_output_text(out, "</td><td>");
    ep_report_html_cells_time_data(page, row, &mark, offsetof(struct eprof_row, total_ns));
    ep_output_text(out, "</td><td>");
    ep_report_html_cells_calls(out, row);
    ep_output_text(out, "</td></tr>\n");
}

static void write_tops(const struct ep_page *page)
{
    const struct eprof_snapshot *snapshot = page->snapshot;
    uint64_t whole_ns = 0;
    for (size_t i = 0; i < snapshot->top_count; i++)
        whole_ns = ep_saturating_add(whole_ns, snapshot->tops[i].self_ns);
    for (size_t i = 0; i < snapshot->top_count && i < REGIONS_MOST; i++)
        write_region(page, &snapshot->tops[i], snapshot->top_marks[i], whole_ns ? whole_ns : 1);
}

/* Those with the most time. */
static void write_instances(const struct ep_page *page)
{
    const struct eprof_snapshot *snapshot = page->snapshot;
    size_t count = snapshot->scope_first;
    bool *is_shown = malloc(count + 1);
    if (!is_shown) {
        ep_output_fail(page->out, ENOMEM);
        return;
    }
    memset(is_shown, true, count);
    if (ep_sort_keep_first(snapshot->rows, count, ep_columns_find("total"), REGIONS_MOST,
                           is_shown) != 0)
        ep_output_fail(page->out, ENOMEM);
    for (size_t i = 0; i < count; i++)
        if (is_shown[i])
            write_region(page, &snapshot->rows[i], ep_rows_instance_mark(snapshot), 0);
    free(is_shown);
}

static void write_regions(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const struct ep_page page = {.out = out, .snapshot = snapshot};
    if (!snapshot->top_count && !snapshot->scope_first) {
        ep_output_text(out, "<p class=\"rest\">Nothing was recorded.</p>\n");
        return;
    }
    write_titles(out);
    if (snapshot->top_count)
        write_tops(&page);
    else
        write_instances(&page);
    ep_output_text(out, "</tbody></table>\n");
}

/* ---- a process ---- */

/* As a segment of a path: all but unreserved characters is encoded (RFC 3986, 2.3). */
static void write_segment(struct ep_output *out, const char *text)
{
    static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-._~";
    for (; *text; text++)
        ep_output_print(out, strchr(unreserved, *text) ? "%c" : "%%%02X", (unsigned char)*text);
}

/* The first image of a process has its id in its address, all others have their name. */
static void write_address(struct ep_output *out, const struct ep_serve_images *images,
                          const struct ep_serve_image *image, const char *page)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRIu64, image->process_id);
    bool is_first = image->process_id && ep_serve_images_of(images, id) == image;
    ep_output_text(out, "p/");
    write_segment(out, is_first ? id : image->name);
    ep_output_print(out, "/%s", page);
}

static void write_links(struct ep_output *out, const struct ep_serve_images *images,
                        const struct ep_serve_image *image)
{
    static const struct {
        const char *page, *name;
    } links[] = {{"", "Report"},
                 {"report.tree", "tree"},
                 {"report.csv", "csv"},
                 {"report.json", "json"},
                 {"report.speedscope", "speedscope"},
#ifdef EPROF_PPROF
                 {"report.pprof", "pprof"},
#endif
                 {"report.openmetrics", "openmetrics"}};
    ep_output_text(out, "<nav aria-label=\"Reports\">");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        ep_output_text(out, i ? " <a href=\"" : "<a href=\"");
        write_address(out, images, image, links[i].page);
        ep_output_print(out, "\">%s</a>", links[i].name);
    }
    ep_output_text(out, "</nav>\n");
}

static void write_life(struct ep_output *out, const struct ep_serve_image *image,
                       const struct ep_serve_sight *sight)
{
    const struct eprof_snapshot *snapshot = sight->snapshot;
    struct ep_report_moment moment = ep_report_format_utc(snapshot->realtime_ns);
    ep_output_print(out, " <small>%s", lives[sight->life]);
    if (sight->age_ns)
        ep_output_print(out, ", recorded %s", ep_report_format_duration(sight->age_ns).text);
    if (snapshot->process_id)
        ep_output_print(out, ", process %" PRIu64, snapshot->process_id);
    if (snapshot->process_count > 1)
        ep_output_print(out, ", %" PRIu64 " %s", snapshot->process_count,
                        ep_report_head_processes(snapshot));
    if (*moment.text)
        ep_output_print(out, ", started %.10s %.8s UTC", moment.text,
                        moment.text + sizeof "2026-11-22");
    ep_output_text(out, ", ");
    ep_report_html_cells_bare_text(out, image->name);
    ep_output_text(out, "</small>");
}

static void write_sight(struct ep_output *out, const struct ep_serve_images *images,
                        const struct ep_serve_image *image, const struct ep_serve_sight *sight)
{
    ep_output_text(out, "<h2><a href=\"");
    write_address(out, images, image, "");
    ep_output_text(out, "\"><bdi>");
    ep_report_html_page_program(out, sight->snapshot);
    ep_output_text(out, "</bdi></a>");
    write_life(out, image, sight);
    ep_output_text(out, "</h2>\n");
    write_links(out, images, image);
    write_regions(out, sight->snapshot);
}

static void write_fault(struct ep_output *out, const struct ep_serve_image *image, const char *why)
{
    ep_output_text(out, "<h2>");
    ep_report_html_cells_text(out, image->name);
    ep_output_text(out, "</h2>\n<p class=\"rest\">");
    ep_escape_html(out, why);
    ep_output_text(out, "</p>\n");
}

static void write_process(struct ep_output *out, struct ep_serve_task *task,
                          const struct ep_serve_images *images, const struct ep_serve_image *image)
{
    struct ep_serve_sight sight;
    char why[EP_SERVE_WHY_BYTES];
    ep_output_text(out, "<section>\n");
    if (image->fault) {
        write_fault(out, image, image->fault);
    } else if (ep_serve_images_take(task, image, (struct ep_snapshot_options){.threads = false},
                                    &sight, why) != 200) {
        write_fault(out, image, why);
    } else {
        write_sight(out, images, image, &sight);
        ep_snapshot_free(sight.snapshot);
    }
    ep_output_text(out, "</section>\n");
}

/* ---- the page ---- */

static void write_counts(struct ep_output *out, const struct ep_serve_images *images)
{
    size_t counts[sizeof lives / sizeof lives[0]] = {0}, faults = 0;
    for (size_t i = 0; i < images->count; i++)
        if (images->at[i].fault)
            faults++;
        else
            counts[images->at[i].life]++;
    ep_output_text(out, "<dl>\n");
    for (size_t i = 0; i < sizeof lives / sizeof lives[0]; i++)
        if (counts[i] || i == EP_LIFE_RUNNING)
            ep_report_html_page_fact_count(out, lives[i], counts[i]);
    if (faults)
        ep_report_html_page_fact_count(out, "cannot be read", faults);
    ep_output_text(out, "</dl>\n");
}

static void write_rest(struct ep_output *out, size_t end, size_t count)
{
    if (end >= count)
        return;
    ep_output_print(out, "<p><a href=\"?first=%zu\">… %zu more</a></p>\n", end, count - end);
}

static void write_page(struct ep_output *out, struct ep_serve_task *task,
                       const struct ep_serve_images *images)
{
    size_t first = ep_report_format_least(task->route->first, images->count);
    size_t end = ep_report_format_least(first + PROCESSES_MOST, images->count);
    ep_report_html_page_head_begin(out);
    ep_output_text(out, "Processes – eprof");
    ep_report_html_page_head_end(out);
    ep_output_text(out, "<body>\n<header>\n<h1>Processes</h1>\n");
    write_counts(out, images);
    ep_output_text(out, "<nav aria-label=\"All processes\"><a href=\"metrics\">metrics</a></nav>\n"
                        "</header>\n<main>\n");
    for (size_t i = first; i < end && !out->error; i++)
        write_process(out, task, images, &images->at[i]);
    if (images->count == 0)
        ep_output_text(out, "<p>There is no profile. A program writes one with "
                            "<code>EPROF=image=FOLDER/%p.eprof</code>.</p>\n");
    write_rest(out, end, images->count);
    ep_output_text(out, "</main>\n</body>\n</html>\n");
}

int ep_serve_list(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    struct ep_output out;
    ep_output_open(&out, task->answer);
    write_page(&out, task, images);
    task->result->type = EP_SERVE_HTML;
    if (ep_output_close(&out) == 0)
        return 200;
    snprintf(why, EP_SERVE_WHY_BYTES, "the list cannot be written: %s", strerror(errno));
    return 500;
}
