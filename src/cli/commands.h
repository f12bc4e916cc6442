/*
 * cli/commands.h - the commands of `eprof`
 *
 * Each takes the command line from its own name on, and returns the exit status (cli/usage.h).
 */
#ifndef EP_CLI_COMMANDS_H
#define EP_CLI_COMMANDS_H

/* Runs a program, and keeps its profile. Does not return if the program was killed by a signal. */
int ep_run_command(int argc, char **argv);
/* Writes a report of profile files. */
int ep_report_command(int argc, char **argv);
/* Adds profile files up to one. */
int ep_merge_command(int argc, char **argv);
/* Compares profile files. */
int ep_diff_command(int argc, char **argv);
/* Shows a program while it runs. */
int ep_top_command(int argc, char **argv);
/* Serves profiles over HTTP: the command of the program eprof-serve (src/serve). */
int ep_serve_command(int argc, char **argv);

/*
 * Answers a request for names of functions on stdin (cli/symbols/symbols.h) on stdout. It is not
 * documented for users: programs and the other commands start it as a process of its own, since
 * the files that it reads are not trusted and may end the process that reads them.
 */
int ep_symbolize_command(int argc, char **argv);
/* By which a program of this package starts itself for that, so that its argv[0] shows it. */
#define EP_COMMAND_ITSELF "/proc/self/exe"

#endif /* EP_CLI_COMMANDS_H */
