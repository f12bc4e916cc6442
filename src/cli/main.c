/*
 * eprof - runs programs and reports what they recorded
 *
 * Of the library it has the floors 0, 2, 4 and 5 and nothing that records (docs/floors.md).
 */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"
#include "diff_command.h"
#include "eprof.h"
#include "merge_command.h"
#include "report_command.h"
#include "run_command.h"
#include "status.h"
#ifdef EPROF_SYMBOLS
#include "symbolize_command.h"
#endif
#include "top_command.h"
#include "usage.h"

const char *argp_program_version = "eprof " EPROF_VERSION_STRING;

static struct command {
    const char *name;
    char full_name[sizeof "eprof symbolize"]; /* for its help; argv[0] is not const */
    int (*run)(int argc, char **argv);
} commands[] = {
    {"run", "eprof run", ep_run_command},
    {"report", "eprof report", ep_report_command},
    {"merge", "eprof merge", ep_merge_command},
    {"diff", "eprof diff", ep_diff_command},
    {"top", "eprof top", ep_top_command},
#ifdef EPROF_SYMBOLS
    {"symbolize", "eprof symbolize", ep_symbolize_command}, /* not for people */
#endif
};

/* Those for people, for a message. */
#define COMMAND_NAMES "run, report, merge, diff, top"

enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* What the command line says: a command, and what is behind its name. */
struct call {
    struct command *command;
    char **argv;
    int argc;
};

static void find_command(struct call *call, const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            call->command = &commands[i];
    if (call->command)
        return;
    ep_complain(name, "no such command; known are " COMMAND_NAMES);
    exit(EP_STATUS_USAGE);
}

static error_t read_option(int key, char *argument, struct argp_state *state)
{
    struct call *call = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        find_command(call, argument);
        call->argv = &state->argv[state->next - 1];
        call->argc = state->argc - state->next + 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        ep_complain(NULL,
                    "no command; known are " COMMAND_NAMES ", and eprof --help tells of them");
        exit(EP_STATUS_USAGE);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .parser = read_option,
    .args_doc = "COMMAND [ARGUMENT...]",
    .doc = "What a region of code costs, told from inside the running program.\v"
           "Commands:\n"
           "  run PROGRAM     runs it, keeps its profile in a file, shows it\n"
           "  report FILE...  shows the profiles of files, several added up\n"
           "  merge FILE...   adds the profiles of files up to one file\n"
           "  diff A B        compares two profiles, or several of each side\n"
           "  top FILE|PID    shows what a program records while it runs\n"
           "\n"
           "`eprof COMMAND --help' tells of its options, eprof(1) of everything.",
};

/* What was written without a look, a help text say, may not have arrived. */
static void close_stdout(void)
{
    if (ferror(stdout) || fflush(stdout) == 0)
        return;
    ep_complain("stdout", "%s", strerror(errno));
    _exit(EP_STATUS_FAILED);
}

int main(int argc, char **argv)
{
    struct call call = {.command = NULL};
    setlocale(LC_CTYPE, "");
    atexit(close_stdout);
    argp_err_exit_status = EP_STATUS_USAGE;
    ep_usage_parse(&parser, argc, argv, ARGP_IN_ORDER, &call);
    call.argv[0] = call.command->full_name;
    return call.command->run(call.argc, call.argv);
}
