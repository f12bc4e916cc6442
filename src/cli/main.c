/* main.c - the command `eprof`: runs programs and reports what they recorded */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/usage.h"
#include "eprof.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

const char *argp_program_version = "eprof " EPROF_VERSION_STRING;

#ifndef EPROF_SERVE
static int ep_serve_command(int argc, char **argv)
{
    (void)argc, (void)argv;
    ep_complain("serve", "this eprof was built without it; build it with -DEPROF_SERVE=ON");
    return EP_STATUS_FAILED;
}
#endif

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
    {"serve", "eprof serve", ep_serve_command},
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

/* Reports a failed write that no caller has checked, such as that of a help text. */
static void close_stdout(void)
{
    if (ferror(stdout) || fflush(stdout) == 0)
        return;
    _exit(ep_complain_of_error("stdout", errno));
}

/* Sets a fixed threshold for mmap. By default glibc raises it when a large array is freed, and then
 * keeps the freed arrays (mallopt(3), M_MMAP_THRESHOLD): a tenth of the memory of a comparison of
 * large profiles. */
static void return_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}

int main(int argc, char **argv)
{
    return_freed_memory();
    setlocale(LC_CTYPE, "");
    atexit(close_stdout);
    argp_err_exit_status = EP_STATUS_USAGE;
    struct ep_arguments call = ep_usage_parse(&line, argc, argv, NULL);
    struct command *command = find_command(call.at[0]);
    call.at[0] = command->full_name;
    return command->run(call.count, call.at);
}
