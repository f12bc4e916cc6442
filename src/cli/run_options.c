#include "run_options.h"

#include <argp.h>
#include <stdlib.h>

#include "complain.h"
#include "status.h"
#include "usage.h"

enum { KEY_REPEAT = 256, KEY_SOURCE, KEY_AUTO };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "where the profile goes, PROGRAM.eprof where nothing is said; in FILE %n is the number of the "
     "run, %p the process id, %% a percent sign",
     0},
    {"repeat", KEY_REPEAT, "N", 0,
     "run it N times, each into a file of its own, and add them up; the first run that fails is "
     "the last",
     0},
    {"quiet", 'q', NULL, 0, "no tree in the end, and no line but of what went wrong", 0},
    {"auto", KEY_AUTO, NULL, 0,
     "PROGRAM was compiled with -finstrument-functions, and need not be linked with libeprof", 0},
    {"source", KEY_SOURCE, "NAME", 0,
     "the time source: auto, rdtsc, rdtsc_ordered, clock_gettime, gettimeofday, thread_cputime, or "
     "one that PROGRAM adds",
     0},
    {0},
};

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct ep_run_options *run = state->input;
    switch (key) {
    case 'o':
        run->file = ep_usage_text("--output", argument);
        return 0;
    case 'q':
        run->is_quiet = true;
        return 0;
    case KEY_AUTO:
        run->is_auto = true;
        return 0;
    case KEY_REPEAT:
        run->repeat = ep_usage_number("--repeat", argument);
        return 0;
    case KEY_SOURCE:
        run->source = ep_usage_text("--source", argument);
        return 0;
    case ARGP_KEY_ARG: /* what is behind it is the program's own */
        run->program = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        ep_complain(NULL, "run: no PROGRAM; say what is to be run");
        exit(EP_STATUS_USAGE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = options,
    .parser = read_option,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc = "Runs PROGRAM, which is linked with libeprof, keeps its profile in a file, also when it "
           "is killed, and shows its call tree on stderr when it has ended. The status is the "
           "program's.",
};

struct ep_run_options ep_run_options_read(int argc, char **argv)
{
    struct ep_run_options run = {.repeat = 1};
    ep_usage_parse(&parser, argc, argv, ARGP_IN_ORDER, &run);
    return run;
}
