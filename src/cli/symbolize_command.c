#include "symbolize_command.h"

#include <argp.h>
#include <signal.h>
#include <stdlib.h>

#include "complain.h"
#include "shelter.h"
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

struct work {
    const struct ep_symbolize_request *request;
    const char *debug_directory;
    struct ep_shelter shelter;
};

static void answer(void *arg, FILE *out)
{
    const struct work *work = arg;
    ep_symbolize_answer(work->request, work->debug_directory, out);
}

/* Each module by itself: one that cannot be read must not cost the names of the others. */
static void answer_in_shelter(struct work *work)
{
    static const char *const status[] = {
        [EP_SHELTER_LONG] = "takes too long to be read",
        [EP_SHELTER_CRASHED] = "cannot be read: it, or its debug information, is damaged",
        [EP_SHELTER_NONE] = "cannot be read: there is no memory, or no process can be made"};
    enum ep_shelter_end end = ep_shelter_do(&work->shelter, answer, work, stdout);
    if (end != EP_SHELTER_DONE)
        ep_symbolize_answer_without(work->request, status[end], stdout);
}

int ep_symbolize_command(int argc, char **argv)
{
    struct ep_symbolize_request request;
    struct work work = {.request = &request};
    ep_usage_parse(&parser, argc, argv, 0, &work.debug_directory);
    signal(SIGCHLD, SIG_DFL);    /* who ignores it may have started this */
    unsetenv("DEBUGINFOD_URLS"); /* what a program's files say must not go over the network */
    ep_shelter_open(&work.shelter);
    ep_symbolize_request_open(&request, stdin);
    int more;
    while ((more = ep_symbolize_request_next(&request)) > 0)
        answer_in_shelter(&work);
    ep_symbolize_request_close(&request);
    if (more == 0)
        ep_symbolize_answer_end(stdout);
    else
        ep_complain(NULL, "symbolize: this is no request that this version knows");
    return more == 0 ? EP_STATUS_DONE : EP_STATUS_FAILED;
}
