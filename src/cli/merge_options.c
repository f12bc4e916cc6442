#include "merge_options.h"

#include <argp.h>
#include <stdlib.h>

#include "complain.h"
#include "status.h"
#include "usage.h"

enum { KEY_DEBUG_DIRECTORY = 256 };

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "the profile file to be", 0},
    {"debug-directory", KEY_DEBUG_DIRECTORY, "DIR", 0, "names of functions are here too", 0},
    {0},
};

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct ep_merge_options *merge = state->input;
    switch (key) {
    case 'o':
        merge->output = ep_usage_text("--output", argument);
        return 0;
    case KEY_DEBUG_DIRECTORY:
        merge->debug_directory = ep_usage_text("--debug-directory", argument);
        return 0;
    case ARGP_KEY_ARGS:
        merge->files = &state->argv[state->next];
        merge->file_count = (size_t)(state->argc - state->next);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ep_complain(NULL, "merge: no FILE; name those that are to be added up");
        exit(EP_STATUS_USAGE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .args_doc = "FILE...",
    .doc = "Adds the profiles of the FILEs up: threads by their names, scopes by their paths, "
           "instances by their labels. The sum is a profile file like any other.",
};

struct ep_merge_options ep_merge_options_read(int argc, char **argv)
{
    struct ep_merge_options merge = {.output = NULL};
    ep_usage_parse(&parser, argc, argv, 0, &merge);
    if (merge.output)
        return merge;
    ep_complain(NULL, "merge: -o OUT is missing, the file that the sum is written to");
    exit(EP_STATUS_USAGE);
}
