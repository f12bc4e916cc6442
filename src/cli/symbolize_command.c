#include "symbolize_command.h"

#include <argp.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "complain.h"
#include "status.h"
#include "symbolize_answer.h"
#include "symbolize_request.h"
#include "usage.h"

enum { KEY_DEBUG_DIRECTORY = 256 };

static const struct argp_option options[] = {
    {"debug-directory", KEY_DEBUG_DIRECTORY, "DIR", 0, "look here for what was stripped", 0},
    {0},
};

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    const char **debug_directory = state->input;
    if (key != KEY_DEBUG_DIRECTORY)
        return ARGP_ERR_UNKNOWN;
    *debug_directory = ep_usage_text("--debug-directory", argument);
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .doc = "Tells programs what their functions are called; not for people.",
};

int ep_symbolize_command(int argc, char **argv)
{
    const char *debug_directory = NULL;
    struct ep_symbolize_request request;
    argp_parse(&parser, argc, argv, 0, NULL, &debug_directory);
    unsetenv("DEBUGINFOD_URLS"); /* what a program's files say must not go over the network */
    ep_symbolize_request_open(&request, stdin);
    int more;
    while ((more = ep_symbolize_request_next(&request)) > 0)
        ep_symbolize_answer(&request, debug_directory, stdout);
    ep_symbolize_request_close(&request);
    if (more == 0)
        ep_symbolize_answer_end(stdout);
    else
        ep_complain(NULL, "symbolize: this is no request that this version knows");
    return more == 0 ? EP_STATUS_DONE : EP_STATUS_FAILED;
}
