#include "top_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "complain.h"
#include "status.h"
#include "terminal.h"
#include "text_output.h"
#include "top_frame.h"
#include "top_keys.h"
#include "top_screen.h"
#include "top_watch.h"

struct top {
    const struct ep_top_options *options;
    struct ep_top_watch watch;
    struct ep_top_view view;
    uint64_t frames; /* so many were shown */
};

static bool is_last_frame(struct top *top)
{
    return ++top->frames == top->options->frames;
}

static int complain_of_stdout(void)
{
    ep_complain("stdout", "%s", strerror(errno));
    return EP_STATUS_FAILED;
}

/* ---- one after the other ---- */

static int write_plain(struct top *top)
{
    struct ep_output out;
    ep_output_open(&out, stdout);
    struct ep_top_place place = {.style = ep_report_sheet_style_of(&out, false),
                                 .most = top->options->lines};
    if (top->frames > 0)
        ep_output_text(&out, "\n");
    ep_top_frame_write(&out, &top->watch.sight, &top->view, &top->watch.notes, &place);
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
    for (;;) {
        if (write_plain(top) != 0)
            return complain_of_stdout();
        if (is_last_frame(top) || top->watch.sight.state != EP_TOP_RUNNING)
            return EP_STATUS_DONE;
        sleep_until(top->watch.due_ns);
        ep_top_watch_look(&top->watch);
        if (top->watch.notes.why) {
            ep_complain(top->options->target, "%s", top->watch.notes.why);
            return EP_STATUS_FAILED;
        }
    }
}

/* ---- on a terminal ---- */

static int draw(struct top *top)
{
    struct ep_text_output text;
    struct ep_top_size size = ep_top_screen_size();
    struct ep_top_place place = {.style = {.is_utf8 = ep_terminal_is_utf8(),
                                           .is_colour = ep_terminal_has_colour(stdout),
                                           .columns = size.columns},
                                 .rows = size.rows,
                                 .most = top->options->lines};
    if (ep_text_output_open(&text) != 0)
        return -1;
    ep_top_frame_write(&text.out, &top->watch.sight, &top->view, &top->watch.notes, &place);
    char *frame = ep_text_output_close(&text);
    int result = frame ? ep_top_screen_show(frame, size.rows) : -1;
    free(frame);
    return result;
}

/* Whether it goes on. */
static bool take(struct top *top, enum ep_top_event event, const struct ep_top_input *input)
{
    switch (event) {
    case EP_TOP_EVENT_TIME:
        if (is_last_frame(top))
            return false;
        ep_top_watch_look(&top->watch);
        return true;
    case EP_TOP_EVENT_KEYS:
        return ep_top_keys_take(&top->view, input->bytes, input->count) != EP_TOP_WISH_QUIT;
    case EP_TOP_EVENT_DRAW:
        return true;
    default:
        return false;
    }
}

static enum ep_top_event wait_for(const struct top *top, struct ep_top_screen *screen,
                                  struct ep_top_input *input)
{
    return ep_top_screen_wait(screen, top->view.is_paused ? UINT64_MAX : top->watch.due_ns, input);
}

static int show_screen(struct top *top)
{
    struct ep_top_screen screen;
    struct ep_top_input input = {.count = 0};
    int drawn;
    if (ep_top_screen_open(&screen) != 0) {
        ep_complain("the terminal", "%s", strerror(errno));
        return EP_STATUS_FAILED;
    }
    do
        drawn = draw(top);
    while (drawn == 0 && take(top, wait_for(top, &screen, &input), &input));
    int error = errno;
    ep_top_screen_close(&screen);
    if (input.signal)
        ep_child_end_alike(input.signal);
    errno = error;
    return drawn == 0 ? EP_STATUS_DONE : complain_of_stdout();
}

/* Keys and a screen, and a terminal that can be written all over. */
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
