#include "cli/top/top.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/output.h"
#include "report/head.h"

struct frame {
    const struct ep_top_sight *sight;
    const struct ep_top_lines *lines;
    const struct ep_top_view *view;
    const struct ep_top_notes *notes;
    const struct ep_top_terminal *terminal;
};

/* ---- a line of text in the columns that there are ---- */

static bool fits(const char *text, const struct ep_report_sheet_style *style)
{
    return !style->columns || ep_escape_name_width(text) <= style->columns;
}

/* Writes it as a name, without its middle if there is no room. */
static void write_fitting(struct ep_output *out, const char *text,
                          const struct ep_report_sheet_style *style)
{
    if (fits(text, style))
        ep_escape_name(out, text);
    else
        ep_escape_name_cut(out, text, style->columns, ep_report_sheet_gap(style));
}

/* How much is left out of a line to fit a narrow terminal. */
enum brevity { WHOLE, BRIEF, BRIEFEST };

typedef void line_writer(struct ep_output *out, const struct frame *frame, enum brevity brevity);

/* The line as a text, to be freed; NULL: no memory. */
static char *line_of(line_writer *write, const struct frame *frame, enum brevity brevity)
{
    struct ep_text_output text;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    text.out.is_ascii = !frame->terminal->style.is_utf8;
    write(&text.out, frame, brevity);
    return ep_output_text_close(&text);
}

/* Writes the longest form of the line that fits. If the briefest is too long, its middle is cut. */
static void write_line(struct ep_output *out, line_writer *write, const struct frame *frame)
{
    enum brevity brevity = WHOLE;
    char *line = line_of(write, frame, brevity);
    while (line && brevity < BRIEFEST && !fits(line, &frame->terminal->style)) {
        free(line);
        line = line_of(write, frame, ++brevity);
    }
    if (line)
        write_fitting(out, line, &frame->terminal->style);
    else
        ep_output_fail(out, ENOMEM);
    ep_output_text(out, "\n");
    free(line);
}

/* ---- the program ---- */

/* "12.3 s"; from a minute on "0:12:34". */
static struct ep_report_figure time_of(uint64_t ns)
{
    const uint64_t second_ns = 1000000000, minute = 60, hour = 3600;
    uint64_t seconds = ns / second_ns;
    struct ep_report_figure figure;
    if (seconds < minute)
        return ep_report_format_duration(ns);
    snprintf(figure.text, sizeof figure.text, "%" PRIu64 ":%02u:%02u", seconds / hour,
             (unsigned)(seconds % hour / minute), (unsigned)(seconds % minute));
    return figure;
}

/* Writes the text after the command. The state of the program is never left out, and the time of
 * the recording only in the briefest form. */
static void write_rest(struct ep_output *out, const struct frame *frame, enum brevity brevity)
{
    static const char *const states[] = {[EP_LIFE_RUNNING] = "running",
                                         [EP_LIFE_ENDED] = "ended",
                                         [EP_LIFE_KILLED] = "killed",
                                         [EP_LIFE_SAVED] = "a saved profile"};
    const struct ep_top_sight *sight = frame->sight;
    if (brevity == WHOLE && sight->snapshot->process_id)
        ep_output_print(out, ", process %" PRIu64, sight->snapshot->process_id);
    else if (brevity == WHOLE)
        ep_output_text(out, ", several programs");
    if (brevity < BRIEFEST && frame->notes->runs > 1)
        ep_output_print(out, ", run %" PRIu64, frame->notes->runs);
    ep_output_print(out, ", %s", states[sight->state]);
    if (brevity < BRIEFEST && sight->age_ns)
        ep_output_print(out, ", recorded for %s%s", sight->is_age_estimated ? "about " : "",
                        time_of(sight->age_ns).text);
}

/* The command is cut before any other part of the line is left out. */
static void write_origin(struct ep_output *out, const struct frame *frame, enum brevity brevity)
{
    static const char before[] = "eprof top: ";
    enum { COMMAND_LEAST = 8 }; /* columns */
    const char *command = frame->sight->snapshot->command;
    struct ep_report_sheet_style left = frame->terminal->style;
    char *rest = line_of(write_rest, frame, brevity);
    if (!rest) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    size_t around = strlen(before) + strlen(rest);
    if (left.columns)
        left.columns =
            left.columns > around + COMMAND_LEAST ? left.columns - around : COMMAND_LEAST;
    ep_output_text(out, before);
    write_fitting(out, *command ? command : frame->notes->name, &left);
    ep_output_text(out, rest);
    free(rest);
}

/* ---- the run ---- */

enum { RUN_ROWS = 16 }; /* fewer rows are left to the list */

static bool has_run(const struct eprof_snapshot *snapshot, size_t rows)
{
    return ep_report_head_is_known(snapshot) && (!rows || rows >= RUN_ROWS);
}

static void write_run(struct ep_output *out, const struct frame *frame, enum brevity brevity)
{
    const struct eprof_snapshot *snapshot = frame->sight->snapshot;
    /* while the program runs, the first line has a better wall time */
    unsigned parts = (snapshot->run.is_old ? 0 : EP_REPORT_HEAD_WALL) |
                     (brevity == WHOLE ? EP_REPORT_HEAD_SHARE : 0);
    ep_report_head_write_line(out, snapshot, parts);
    if (brevity == WHOLE && snapshot->run.is_old)
        ep_output_print(out, ", %s", ep_report_head_moment(snapshot));
}

/* ---- what is listed ---- */

static void write_count(struct ep_output *out, size_t count, const char *noun, const char **between)
{
    if (count > 0) {
        ep_output_text(out, *between);
        ep_output_count(out, count, noun);
        *between = ", ";
    }
}

static void write_counts(struct ep_output *out, const struct ep_top_lines *lines, bool by_path)
{
    const char *between = "";
    write_count(out, by_path ? 0 : lines->functions, "function", &between);
    write_count(out, by_path ? 0 : lines->scopes, "scope", &between);
    write_count(out, by_path ? lines->functions + lines->scopes : 0, "path", &between);
    write_count(out, lines->instances, "instance", &between);
    write_count(out, lines->values, "value", &between);
    if (lines->count == 0)
        ep_output_text(out, "nothing");
}

static void write_content(struct ep_output *out, const struct frame *frame, enum brevity brevity)
{
    const struct ep_top_view *view = frame->view;
    const struct ep_top_sight *sight = frame->sight;
    if (view->is_paused)
        ep_output_text(out, "PAUSED: ");
    if (brevity < BRIEFEST)
        write_counts(out, frame->lines, view->by_path);
    if (*view->filter) {
        ep_output_print(out, "%slike ", brevity < BRIEFEST ? " " : "");
        ep_escape_name(out, view->filter);
    }
    if (brevity == WHOLE) /* else the mark of the column in the list is enough */
        ep_output_print(out, ", by %s", ep_top_lines_column_name(view->sort));
    if (brevity < BRIEFEST || *view->filter)
        ep_output_text(out, "; ");
    if (!sight->elapsed_ns)
        ep_output_text(out, "since when is not known, and so no rates");
    else if (sight->is_of_all)
        ep_output_text(out, "rates are of all that time");
    else
        ep_output_print(out, "rates are of the last %s", time_of(sight->elapsed_ns).text);
}

/* ---- diagnostics ---- */

/* The next row of diagnostics from `i` on; row_count: none. Skips not_closed, since the first line
 * already says how the program ended. */
static size_t next_diagnostic(const struct eprof_snapshot *snapshot, size_t i)
{
    while (i < snapshot->row_count && strcmp(snapshot->rows[i].name, "not_closed") == 0)
        i++;
    return i;
}

static bool has_diagnostics(const struct eprof_snapshot *snapshot)
{
    return next_diagnostic(snapshot, snapshot->diagnostic_first) < snapshot->row_count;
}

static void write_diagnostics(struct ep_output *out, const struct frame *frame,
                              enum brevity brevity)
{
    const struct eprof_snapshot *snapshot = frame->sight->snapshot;
    const char *between = "diagnostics: ";
    for (size_t i = snapshot->diagnostic_first;
         (i = next_diagnostic(snapshot, i)) < snapshot->row_count; i++) {
        ep_output_print(out, "%s%" PRIu64 " ", between, snapshot->rows[i].calls);
        ep_escape_name(out, snapshot->rows[i].name);
        between = ", ";
    }
    if (brevity == WHOLE)
        ep_output_text(out, "; see eprof report");
}

static void write_why(struct ep_output *out, const struct frame *frame, enum brevity brevity)
{
    ep_output_print(out,
                    "cannot be read now%s: ", brevity == WHOLE ? ", the figures are older" : "");
    ep_escape_name(out, frame->notes->why);
}

/* ---- the parts of a frame ---- */

size_t ep_top_frame_head_lines(const struct ep_top_sight *sight, const struct ep_top_notes *notes,
                               size_t rows)
{
    enum { ALWAYS = 2 };
    return ALWAYS + has_run(sight->snapshot, rows) + has_diagnostics(sight->snapshot) +
           (notes->why != NULL);
}

static void write_head(struct ep_output *out, const struct frame *frame)
{
    write_line(out, write_origin, frame);
    if (has_run(frame->sight->snapshot, frame->terminal->rows))
        write_line(out, write_run, frame);
    write_line(out, write_content, frame);
    if (has_diagnostics(frame->sight->snapshot))
        write_line(out, write_diagnostics, frame);
    if (frame->notes->why)
        write_line(out, write_why, frame);
}

static void write_list(struct ep_output *out, const struct frame *frame)
{
    ep_top_lines_list(out, frame->sight, frame->lines, frame->view, &frame->terminal->style,
                      !frame->terminal->rows);
}

/* Writes the filter that is being typed, or the keys and the range of lines that is shown. */
static void write_bottom(struct ep_output *out, const struct frame *frame)
{
    static const char keys[] = "q quit  p pause  / filter  < > sort  b by path  arrows scroll";
    const struct ep_top_view *view = frame->view;
    char text[EP_TOP_FILTER_BYTES + 128];
    size_t last = view->first + view->room, count = frame->lines->count;
    if (view->is_typing)
        snprintf(text, sizeof text, "filter: %s_   Enter keeps it, Esc the one before",
                 view->filter);
    else if (count > view->room)
        snprintf(text, sizeof text, "%s   %zu-%zu of %zu", keys, view->first + 1,
                 last < count ? last : count, count);
    else
        snprintf(text, sizeof text, "%s", keys);
    write_fitting(out, text, &frame->terminal->style);
}

/* ---- a frame with everything ---- */

enum {
    PLAIN_LINES = 20, /* of the list where there is no terminal */
    AROUND_LINES = 4  /* an empty one, the titles, the rule, the keys */
};

static size_t room_of(const struct ep_top_terminal *terminal, size_t head_lines)
{
    size_t around = head_lines + AROUND_LINES, room = PLAIN_LINES;
    if (terminal->rows)
        room = terminal->rows > around + 1 ? terminal->rows - around : 1;
    else if (terminal->most)
        room = terminal->most;
    return terminal->most && terminal->most < room ? terminal->most : room;
}

static size_t shown_of(const struct frame *frame)
{
    size_t left = frame->lines->count - frame->view->first;
    return left < frame->view->room ? left : frame->view->room;
}

static void write_whole(struct ep_output *out, const struct frame *frame, size_t head_lines)
{
    size_t rows = frame->terminal->rows, used = head_lines + shown_of(frame) + AROUND_LINES;
    write_head(out, frame);
    ep_output_text(out, "\n");
    write_list(out, frame);
    if (!rows)
        return;
    ep_output_repeat(out, '\n', rows > used ? rows - used : 0); /* the keys are at the bottom */
    write_bottom(out, frame);
}

/* ---- on a terminal of few rows ---- */

/* Minimum terminal rows at which the titles, the keys and the head's first line are shown. */
enum { TITLES_ROWS = 2, KEYS_ROWS = 3, ORIGIN_ROWS = 5 };

static size_t low_room(size_t rows)
{
    return rows - (rows >= TITLES_ROWS) - (rows >= KEYS_ROWS) - (rows >= ORIGIN_ROWS);
}

/* Writes lines of a part of the frame, from `first` on. A newline comes before each line but the
 * very first, and none after it: after the last row the terminal would scroll. */
static void write_lines(struct ep_output *out, const struct frame *frame,
                        void (*write)(struct ep_output *out, const struct frame *frame),
                        size_t first, size_t count, bool *is_begun)
{
    struct ep_text_output part;
    char *text = NULL;
    if (ep_output_text_open(&part) == 0) {
        part.out.is_ascii = out->is_ascii;
        write(&part.out, frame);
        text = ep_output_text_close(&part);
    }
    if (!text)
        ep_output_fail(out, ENOMEM);
    const char *at = text;
    for (size_t line = 0; at && *at && line < first + count; line++) {
        size_t bytes = strcspn(at, "\n");
        if (line >= first) {
            ep_output_text(out, *is_begun ? "\n" : "");
            ep_output_bytes(out, at, bytes);
            *is_begun = true;
        }
        at += bytes + (at[bytes] == '\n');
    }
    free(text);
}

/* If rows get fewer, the other parts of the frame are left out before the last line of the list. */
static void write_low(struct ep_output *out, const struct frame *frame)
{
    size_t rows = frame->terminal->rows;
    bool is_begun = false;
    if (rows >= ORIGIN_ROWS)
        write_lines(out, frame, write_head, 0, 1, &is_begun);
    if (rows >= TITLES_ROWS)
        write_lines(out, frame, write_list, 0, 1, &is_begun);
    write_lines(out, frame, write_list, 2, frame->view->room, &is_begun); /* without the rule */
    if (rows < KEYS_ROWS)
        return;
    ep_output_repeat(out, '\n', 1 + frame->view->room - shown_of(frame));
    write_bottom(out, frame);
}

void ep_top_frame_write(struct ep_output *out, const struct ep_top_sight *sight,
                        struct ep_top_view *view, const struct ep_top_notes *notes,
                        const struct ep_top_terminal *terminal)
{
    struct ep_top_lines lines;
    out->is_ascii = !terminal->style.is_utf8;
    if (ep_top_lines_make(&lines, sight, view) != 0) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    const struct frame frame = {sight, &lines, view, notes, terminal};
    size_t head_lines = ep_top_frame_head_lines(sight, notes, terminal->rows);
    bool is_low = terminal->rows && terminal->rows <= head_lines + AROUND_LINES;
    view->room = is_low ? low_room(terminal->rows) : room_of(terminal, head_lines);
    ep_top_lines_view_fit(view, lines.count);
    if (is_low)
        write_low(out, &frame);
    else
        write_whole(out, &frame, head_lines);
    ep_top_lines_free(&lines);
}
