/*
 * run_command.h - `eprof run`: a program runs, and its profile outlives it
 */
#ifndef EP_CLI_RUN_COMMAND_H
#define EP_CLI_RUN_COMMAND_H

/* The status that the command ends with; does not return where the program was killed by a
 * signal. */
int ep_run_command(int argc, char **argv);

#endif /* EP_CLI_RUN_COMMAND_H */
