/* main.c - the command `eprof`: runs programs and reports what they recorded */
#include <string.h>

#include "cli/child.h"
#include "cli/commands.h"
#include "cli/usage.h"

/* A program of its own. */
static int serve(int argc, char **argv)
{
    (void)argc;
#ifdef EPROF_SERVE
    ep_child_become("eprof-serve", argv);
#else
    (void)argv;
    ep_complain("serve", "this eprof was built without it; build it with -DEPROF_SERVE=ON");
#endif
    return EP_STATUS_FAILED;
}

static struct command {
    const char *name;
    char full_name[sizeof "eprof symbolize"]; /* argv[0] for its help; not const */
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "eprof run", ep_run_command},
    {"report", "eprof report", ep_report_command},
    {"merge", "eprof merge", ep_merge_command},
    {"diff", "eprof diff", ep_diff_command},
    {"top", "eprof top", ep_top_command},
    {"serve", "eprof serve", serve},
#ifdef EPROF_SYMBOLS
    {"symbolize", "eprof symbolize", ep_symbolize_command}, /* not for users */
#endif
};

/* The commands for users, as messages list them. */
#define COMMAND_NAMES "run, report, merge, diff, top, serve"

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    ep_usage_fail_unknown(name, "command", COMMAND_NAMES);
}

static const struct ep_command_line line = {
    .options = (const struct ep_option[]){{0}},
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = "What a region of code costs, measured inside the running program.\v"
           "Commands:\n"
           "  run PROGRAM     runs it, keeps its profile in a file, shows it\n"
           "  report FILE...  shows the profiles of files, several added up\n"
           "  merge FILE...   adds the profiles of files up to one file\n"
           "  diff A B        compares two profiles, or several of each side\n"
           "  top FILE|PID    shows what a program records while it runs\n"
           "  serve DIR       serves profiles over HTTP, for browsers and Prometheus\n"
           "\n"
           "`eprof COMMAND --help' lists its options, eprof(1) describes everything.",
    .missing = "no command; known are " COMMAND_NAMES ", and eprof --help describes them",
    .is_in_order = true,
};

int main(int argc, char **argv)
{
    ep_usage_begin();
    struct ep_arguments call = ep_usage_parse(&line, argc, argv, NULL);
    struct command *command = find_command(call.at[0]);
    call.at[0] = command->full_name;
    return command->run(call.count, call.at);
}
