/*
 * top_command.h - `eprof top`: a view of a program that runs
 */
#ifndef EP_CLI_TOP_COMMAND_H
#define EP_CLI_TOP_COMMAND_H

/* The exit status. */
int ep_top_command(int argc, char **argv);

#endif /* EP_CLI_TOP_COMMAND_H */
