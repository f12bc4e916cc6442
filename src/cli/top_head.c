#include "top_head.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "escape_name.h"

enum { COMMAND_LEAST = 8 }; /* columns, however narrow the terminal is */

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

static struct rest rest_of(const struct ep_top_sight *sight, const struct ep_top_notes *notes)
{
    struct rest rest = {", several programs"};
    size_t room = sizeof rest.text, at = strlen(rest.text);
    if (sight->snapshot->process_id)
        at = (size_t)snprintf(rest.text, room, ", process %" PRIu64, sight->snapshot->process_id);
    if (notes->runs > 1)
        at += (size_t)snprintf(rest.text + at, room - at, ", run %" PRIu64, notes->runs);
    at += (size_t)snprintf(rest.text + at, room - at, ", %s", states[sight->state]);
    if (sight->age_ns)
        snprintf(rest.text + at, room - at, ", recorded for %s%s",
                 sight->is_age_estimated ? "about " : "", time_of(sight->age_ns).text);
    return rest;
}

/* A command that makes it longer than the terminal is wide is cut. */
static void write_origin(struct ep_output *out, const struct ep_top_sight *sight,
                         const struct ep_top_notes *notes,
                         const struct ep_report_sheet_style *style)
{
    struct rest rest = rest_of(sight, notes);
    const char *command = *sight->snapshot->command ? sight->snapshot->command : notes->name;
    size_t around = strlen("eprof top: ") + strlen(rest.text);
    size_t room = style->columns > around + COMMAND_LEAST ? style->columns - around : COMMAND_LEAST;
    ep_output_text(out, "eprof top: ");
    if (!style->columns || ep_escape_name_width(command) <= room)
        ep_escape_name(out, command);
    else
        ep_escape_name_cut(out, command, room, ep_report_sheet_gap(style));
    ep_output_print(out, "%s\n", rest.text);
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
        ep_output_text(out, "; since when is not known, and so no rates");
    else if (sight->is_of_all)
        ep_output_text(out, "; rates are of all that time");
    else
        ep_output_print(out, "; rates are of the last %s", time_of(sight->elapsed_ns).text);
}

static void write_list(struct ep_output *out, const struct ep_top_sight *sight,
                       const struct ep_top_lines *lines, const struct ep_top_view *view)
{
    if (view->is_paused)
        ep_output_text(out, "PAUSED: ");
    write_counts(out, lines, view);
    if (*view->filter) {
        ep_output_text(out, " like ");
        ep_escape_name(out, view->filter);
    }
    ep_output_print(out, ", by %s", ep_top_column_name(view->sort));
    write_time(out, sight);
    ep_output_text(out, "\n");
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

static void write_trouble(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    const char *between = "trouble: ";
    for (size_t i = snapshot->trouble_first; i < snapshot->row_count; i++)
        if (is_trouble(&snapshot->rows[i])) {
            ep_output_print(out, "%s%" PRIu64 " ", between, snapshot->rows[i].calls);
            ep_escape_name(out, snapshot->rows[i].name);
            between = ", ";
        }
    ep_output_text(out, "; see eprof report\n");
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
    write_origin(out, sight, notes, style);
    write_list(out, sight, lines, view);
    if (has_trouble(sight->snapshot))
        write_trouble(out, sight->snapshot);
    if (notes->why) {
        ep_output_text(out, "cannot be read now, the figures are older: ");
        ep_escape_name(out, notes->why);
        ep_output_text(out, "\n");
    }
}
