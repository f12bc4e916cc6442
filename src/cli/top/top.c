#include "cli/top/top.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/terminal.h"
#include "cli/child.h"
#include "cli/commands.h"
#include "cli/deliver.h"
#include "cli/usage.h"

/* ---- the command line of `eprof top` ---- */

/* Reading a profile takes some ms; a day is long enough. */
#define LEAST_SECONDS 0.01
#define MOST_SECONDS 86400.0

static void read_interval(void *to, const char *name, char *text)
{
    *(uint64_t *)to = (uint64_t)(ep_usage_decimal(name, text, LEAST_SECONDS, MOST_SECONDS) * 1e9);
}

static void read_column(void *to, const char *name, char *text)
{
    enum ep_top_column column = ep_top_lines_column_find(text);
    (void)name;
    if (column == EP_TOP_COLUMNS)
        ep_usage_fail_unknown(text, "key", EP_TOP_COLUMN_NAMES);
    *(enum ep_top_column *)to = column;
}

static void read_filter(void *to, const char *name, char *text)
{
    const char *filter;
    ep_usage_text(&filter, name, text);
    if (strlen(text) >= EP_TOP_FILTER_BYTES)
        ep_usage_fail(NULL, "--%s: its argument is longer than %d bytes", name,
                      EP_TOP_FILTER_BYTES - 1);
    strcpy(to, filter);
}

static void take_target(void *to, char *argument, struct argp_state *state)
{
    struct ep_top_options *top = to;
    if (top->target)
        argp_error(state, "one FILE or PID, not two");
    top->target = argument;
}

#define AT(field) offsetof(struct ep_top_options, field)

static const struct ep_option known_options[] = {
    {"interval", 0, "SECONDS", "between two refreshes, such as 1 or 0.1", AT(interval_ns),
     read_interval},
    {"sort", 0, "KEY", "by self/s, total/s, calls/s, now, mean, p99, self ...", AT(view.sort),
     read_column},
    {"filter", 0, "PATTERN", "only names that contain this, or match *_init", AT(view.filter),
     read_filter},
    {"paths", 0, NULL, "a line for each path, not for each function", AT(view.by_path),
     ep_usage_flag},
    {"top", 0, "N", "only the first N lines", AT(lines), ep_usage_number},
    {"count", 0, "N", "end after N frames", AT(frames), ep_usage_number},
    {EP_OPTION_RAW(AT(is_raw))},
    {EP_OPTION_DEBUG_DIRECTORY(AT(debug_directory))},
    {EP_OPTION_COLOR},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "FILE|PID",
    .doc = "Shows the busiest functions of a running program and their totals. The program is not "
           "stopped or contacted.",
    .missing = "top: no FILE or PID; name a program that runs, or its profile",
    .take = take_target,
};

struct ep_top_options ep_top_options_read(int argc, char **argv)
{
    struct ep_top_options top = {.interval_ns = UINT64_C(1000000000),
                                 .view = {.sort = EP_TOP_SELF_RATE}};
    ep_usage_parse(&line, argc, argv, &top);
    return top;
}

/* ---- the command ---- */

struct top {
    const struct ep_top_options *options;
    struct ep_top_watch watch;
    struct ep_top_view view;
    size_t frames; /* shown so far */
};

static bool is_last_frame(struct top *top)
{
    return ++top->frames == top->options->frames;
}

/* ---- without a terminal: one frame after the other ---- */

static int write_plain(struct top *top)
{
    struct ep_output out;
    ep_output_open(&out, stdout);
    struct ep_top_terminal terminal = {.style = ep_report_sheet_style_of(&out, false),
                                       .most = top->options->lines};
    if (top->frames > 0)
        ep_output_text(&out, "\n");
    ep_top_frame_write(&out, &top->watch.sight, &top->view, &top->watch.notes, &terminal);
    return ep_output_close(&out);
}

static void sleep_until(uint64_t until_ns)
{
    const uint64_t second_ns = 1000000000;
    struct timespec until = {.tv_sec = (time_t)(until_ns / second_ns),
                             .tv_nsec = (long)(until_ns % second_ns)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        continue;
}

static int show_frames(struct top *top)
{
    ep_deliver_signals_survive_size_limit();
    for (;;) {
        if (write_plain(top) != 0)
            return ep_complain_of_error("stdout", errno);
        if (is_last_frame(top) || top->watch.sight.state != EP_LIFE_RUNNING)
            return EP_STATUS_DONE;
        sleep_until(top->watch.due_ns);
        if (ep_top_watch_look(&top->watch) != 0) {
            ep_complain(top->options->target, "%s", top->watch.notes.why);
            return EP_STATUS_FAILED;
        }
    }
}

/* ---- on a terminal ---- */

static int draw(struct top *top)
{
    struct ep_text_output text;
    struct winsize size = ep_top_screen_size();
    struct ep_top_terminal terminal = {.style = {.is_utf8 = ep_terminal_is_utf8(),
                                                 .is_colour = ep_terminal_has_colour(stdout),
                                                 .columns = size.ws_col},
                                       .rows = size.ws_row,
                                       .most = top->options->lines};
    if (ep_output_text_open(&text) != 0)
        return -1;
    ep_top_frame_write(&text.out, &top->watch.sight, &top->view, &top->watch.notes, &terminal);
    char *frame = ep_output_text_close(&text);
    int result = frame ? ep_top_screen_show(frame, size.ws_row) : -1;
    free(frame);
    return result;
}

/* Waits for the next event. Returns whether the command continues. */
static bool wait_and_take(struct top *top, struct ep_top_screen *screen, struct ep_top_input *input)
{
    uint64_t until_ns = top->view.is_paused ? UINT64_MAX : top->watch.due_ns;
    enum ep_top_event event = ep_top_screen_wait(screen, until_ns, input);
    if (event == EP_TOP_EVENT_KEYS)
        return ep_top_keys_take(&top->view, input->bytes, input->count) != EP_TOP_WISH_QUIT;
    if (event == EP_TOP_EVENT_TIME && is_last_frame(top))
        return false;
    if (event == EP_TOP_EVENT_TIME)
        ep_top_watch_look(&top->watch);
    return event != EP_TOP_EVENT_SIGNAL;
}

static int show_screen(struct top *top)
{
    struct ep_top_screen screen;
    struct ep_top_input input = {.count = 0};
    int drawn;
    if (ep_top_screen_open(&screen) != 0)
        return ep_complain_of_error("the terminal", errno);
    do
        drawn = draw(top);
    while (drawn == 0 && wait_and_take(top, &screen, &input));
    int error = errno;
    ep_top_screen_close(&screen);
    if (input.signal)
        ep_child_end_alike(input.signal);
    errno = error;
    return drawn == 0 ? EP_STATUS_DONE : ep_complain_of_error("stdout", errno);
}

/* Whether there are keys, and a terminal whose cursor can be moved. */
static bool has_screen(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind &&
           strcmp(kind, "dumb") != 0;
}

int ep_top_command(int argc, char **argv)
{
    struct ep_top_options options = ep_top_options_read(argc, argv);
    struct top top = {.options = &options, .view = options.view};
    if (ep_top_watch_open(&top.watch, &options) != 0)
        return EP_STATUS_FAILED;
    int status = has_screen() ? show_screen(&top) : show_frames(&top);
    ep_top_watch_close(&top.watch);
    return status;
}
