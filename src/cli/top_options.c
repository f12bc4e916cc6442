#include "top_options.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "status.h"
#include "usage.h"

enum {
    KEY_INTERVAL = 256,
    KEY_SORT,
    KEY_FILTER,
    KEY_PATHS,
    KEY_TOP,
    KEY_COUNT,
    KEY_RAW,
    KEY_DEBUG_DIRECTORY,
    KEY_COLOR
};

/* A profile is read in some ms; a day is long enough. */
#define LEAST_SECONDS 0.01
#define MOST_SECONDS 86400.0

static const struct argp_option options[] = {
    {"interval", KEY_INTERVAL, "SECONDS", 0, "between two refreshes, 1 or 0.1, say", 0},
    {"sort", KEY_SORT, "KEY", 0, "by self/s, total/s, calls/s, now, mean, p99, self ...", 0},
    {"filter", KEY_FILTER, "PATTERN", 0, "only names with this in them, or like *_init", 0},
    {"paths", KEY_PATHS, NULL, 0, "a line for each path, not for each function", 0},
    {"top", KEY_TOP, "N", 0, "only the N first lines", 0},
    {"count", KEY_COUNT, "N", 0, "end after N frames", 0},
    {"raw", KEY_RAW, NULL, 0, "the cost of the probes is not taken off", 0},
    {"debug-directory", KEY_DEBUG_DIRECTORY, "DIR", 0, "names of functions are here too", 0},
    {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 0},
    {0},
};

static enum ep_top_column read_column(const char *text)
{
    enum ep_top_column column = ep_top_column_find(text);
    if (column != EP_TOP_COLUMNS)
        return column;
    ep_complain(text, "no such key; known are " EP_TOP_COLUMN_NAMES);
    exit(EP_STATUS_USAGE);
}

static void read_filter(struct ep_top_view *view, const char *text)
{
    ep_usage_text("--filter", text);
    if (strlen(text) < sizeof view->filter) {
        strcpy(view->filter, text);
        return;
    }
    ep_complain("--filter", "its argument is longer than %zu bytes", sizeof view->filter - 1);
    exit(EP_STATUS_USAGE);
}

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct ep_top_options *top = state->input;
    switch (key) {
    case KEY_INTERVAL:
        top->interval_ns =
            (uint64_t)(ep_usage_decimal("--interval", argument, LEAST_SECONDS, MOST_SECONDS) * 1e9);
        return 0;
    case KEY_SORT:
        top->view.sort = read_column(argument);
        return 0;
    case KEY_FILTER:
        read_filter(&top->view, argument);
        return 0;
    case KEY_PATHS:
        top->view.by_path = true;
        return 0;
    case KEY_TOP:
        top->lines = ep_usage_number("--top", argument);
        return 0;
    case KEY_COUNT:
        top->frames = ep_usage_number("--count", argument);
        return 0;
    case KEY_RAW:
        top->is_raw = true;
        return 0;
    case KEY_DEBUG_DIRECTORY:
        top->debug_directory = ep_usage_text("--debug-directory", argument);
        return 0;
    case KEY_COLOR:
        ep_usage_colour(argument);
        return 0;
    case ARGP_KEY_ARG:
        if (top->target)
            argp_error(state, "one FILE or PID, not two");
        top->target = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        ep_complain(NULL, "top: no FILE or PID; name a program that runs, or its profile");
        exit(EP_STATUS_USAGE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .args_doc = "FILE|PID",
    .doc = "Shows what a program that runs records: the busiest functions of the moment first, and "
           "what they came to in all. The program is neither stopped nor asked.",
};

struct ep_top_options ep_top_options_read(int argc, char **argv)
{
    struct ep_top_options top = {.interval_ns = UINT64_C(1000000000),
                                 .view = {.sort = EP_TOP_SELF_RATE}};
    ep_usage_parse(&parser, argc, argv, 0, &top);
    return top;
}
