#include "top_head.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape_name.h"
#include "text_output.h"
#include "top_fit.h"

struct head {
    const struct ep_top_sight *sight;
    const struct ep_top_lines *lines;
    const struct ep_top_view *view;
    const struct ep_top_notes *notes;
    const struct ep_report_sheet_style *style;
};

/* How much of a line is left out, the more the narrower the terminal is. */
enum brevity { WHOLE, BRIEF, BRIEFEST };

/* ---- a line ---- */

typedef void line_writer(struct ep_output *out, const struct head *head, enum brevity brevity);

/* To be freed; NULL: no memory. */
static char *line_of(line_writer *write, const struct head *head, enum brevity brevity)
{
    struct ep_text_output text;
    if (ep_text_output_open(&text) != 0)
        return NULL;
    text.out.is_ascii = !head->style->is_utf8;
    write(&text.out, head, brevity);
    return ep_text_output_close(&text);
}

/* As much of it as there is room for; if the briefest is too long still, its middle goes. */
static void write_line(struct ep_output *out, line_writer *write, const struct head *head)
{
    enum brevity brevity = WHOLE;
    char *line = line_of(write, head, brevity);
    while (line && brevity < BRIEFEST && !ep_top_fit(line, head->style)) {
        free(line);
        line = line_of(write, head, ++brevity);
    }
    if (line)
        ep_top_fit_write(out, line, head->style);
    else
        ep_output_fail(out, ENOMEM);
    ep_output_text(out, "\n");
    free(line);
}

/* ---- what it is of ---- */

static const char *const states[] = {[EP_TOP_RUNNING] = "running",
                                     [EP_TOP_ENDED] = "ended",
                                     [EP_TOP_KILLED] = "killed",
                                     [EP_TOP_SAVED] = "a saved profile"};

/* "12.3 s", and of more than a minute "0:12:34". */
static struct ep_report_figure time_of(uint64_t ns)
{
    const uint64_t second_ns = 1000000000, minute = 60, hour = 3600;
    uint64_t seconds = ns / second_ns;
    struct ep_report_figure figure;
    if (seconds < minute)
        return ep_report_figure_duration(ns);
    snprintf(figure.text, sizeof figure.text, "%" PRIu64 ":%02u:%02u", seconds / hour,
             (unsigned)(seconds % hour / minute), (unsigned)(seconds % minute));
    return figure;
}

struct rest {
    char text[192];
};

/* What becomes of the program is said in any case; last before that, for how long. */
static struct rest rest_of(const struct head *head, enum brevity brevity)
{
    const struct ep_top_sight *sight = head->sight;
    struct rest rest = {""};
    size_t room = sizeof rest.text, at = 0;
    if (brevity == WHOLE && sight->snapshot->process_id)
        at = (size_t)snprintf(rest.text, room, ", process %" PRIu64, sight->snapshot->process_id);
    else if (brevity == WHOLE)
        at = (size_t)snprintf(rest.text, room, ", several programs");
    if (brevity < BRIEFEST && head->notes->runs > 1)
        at += (size_t)snprintf(rest.text + at, room - at, ", run %" PRIu64, head->notes->runs);
    at += (size_t)snprintf(rest.text + at, room - at, ", %s", states[sight->state]);
    if (brevity < BRIEFEST && sight->age_ns)
        snprintf(rest.text + at, room - at, ", recorded for %s%s",
                 sight->is_age_estimated ? "about " : "", time_of(sight->age_ns).text);
    return rest;
}

/* The command is cut before anything is left out. */
static void write_origin(struct ep_output *out, const struct head *head, enum brevity brevity)
{
    enum { COMMAND_LEAST = 8 }; /* columns */
    struct rest rest = rest_of(head, brevity);
    const char *command =
        *head->sight->snapshot->command ? head->sight->snapshot->command : head->notes->name;
    size_t around = strlen("eprof top: ") + strlen(rest.text);
    struct ep_report_sheet_style left = *head->style;
    if (left.columns)
        left.columns =
            left.columns > around + COMMAND_LEAST ? left.columns - around : COMMAND_LEAST;
    ep_output_text(out, "eprof top: ");
    ep_top_fit_write(out, command, &left);
    ep_output_text(out, rest.text);
}

/* ---- what is listed ---- */

static void write_count(struct ep_output *out, size_t count, const char *noun, const char **between)
{
    if (count > 0) {
        ep_output_print(out, "%s%zu %s%s", *between, count, noun, count == 1 ? "" : "s");
        *between = ", ";
    }
}

static void write_counts(struct ep_output *out, const struct ep_top_lines *lines,
                         const struct ep_top_view *view)
{
    const char *between = "";
    write_count(out, view->by_path ? 0 : lines->functions, "function", &between);
    write_count(out, view->by_path ? 0 : lines->scopes, "scope", &between);
    write_count(out, view->by_path ? lines->functions + lines->scopes : 0, "path", &between);
    write_count(out, lines->instances, "instance", &between);
    if (lines->count == 0)
        ep_output_text(out, "nothing");
}

static void write_time(struct ep_output *out, const struct ep_top_sight *sight)
{
    if (!sight->elapsed_ns)
        ep_output_text(out, "since when is not known, and so no rates");
    else if (sight->is_of_all)
        ep_output_text(out, "rates are of all that time");
    else
        ep_output_print(out, "rates are of the last %s", time_of(sight->elapsed_ns).text);
}

static void write_filter(struct ep_output *out, const struct ep_top_view *view, const char *before)
{
    if (!*view->filter)
        return;
    ep_output_print(out, "%slike ", before);
    ep_escape_name(out, view->filter);
}

/* The column that lines are sorted by is marked in the list, too. */
static void write_list(struct ep_output *out, const struct head *head, enum brevity brevity)
{
    const struct ep_top_view *view = head->view;
    if (view->is_paused)
        ep_output_text(out, "PAUSED: ");
    if (brevity < BRIEFEST)
        write_counts(out, head->lines, view);
    write_filter(out, view, brevity < BRIEFEST ? " " : "");
    if (brevity == WHOLE)
        ep_output_print(out, ", by %s", ep_top_column_name(view->sort));
    if (brevity < BRIEFEST || *view->filter)
        ep_output_text(out, "; ");
    write_time(out, head->sight);
}

/* ---- trouble ---- */

/* Whether the program came to its end is said already. */
static bool is_trouble(const struct eprof_row *row)
{
    return strcmp(row->name, "not_closed") != 0;
}

static bool has_trouble(const struct eprof_snapshot *snapshot)
{
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        if (is_trouble(&snapshot->rows[i]))
            return true;
    return false;
}

static void write_trouble(struct ep_output *out, const struct head *head, enum brevity brevity)
{
    const struct eprof_snapshot *snapshot = head->sight->snapshot;
    const char *between = "trouble: ";
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        if (is_trouble(&snapshot->rows[i])) {
            ep_output_print(out, "%s%" PRIu64 " ", between, snapshot->rows[i].calls);
            ep_escape_name(out, snapshot->rows[i].name);
            between = ", ";
        }
    if (brevity == WHOLE)
        ep_output_text(out, "; see eprof report");
}

static void write_why(struct ep_output *out, const struct head *head, enum brevity brevity)
{
    ep_output_text(out, "cannot be read now");
    if (brevity == WHOLE)
        ep_output_text(out, ", the figures are older");
    ep_output_text(out, ": ");
    ep_escape_name(out, head->notes->why);
}

/* ---- all of it ---- */

size_t ep_top_head_lines(const struct ep_top_sight *sight, const struct ep_top_notes *notes)
{
    enum { ALWAYS = 2 };
    return ALWAYS + has_trouble(sight->snapshot) + (notes->why != NULL);
}

void ep_top_head_write(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view,
                       const struct ep_top_notes *notes, const struct ep_report_sheet_style *style)
{
    const struct head head = {sight, lines, view, notes, style};
    write_line(out, write_origin, &head);
    write_line(out, write_list, &head);
    if (has_trouble(sight->snapshot))
        write_line(out, write_trouble, &head);
    if (notes->why)
        write_line(out, write_why, &head);
}
