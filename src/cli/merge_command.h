/*
 * merge_command.h - `eprof merge`: several profile files become one
 */
#ifndef EP_CLI_MERGE_COMMAND_H
#define EP_CLI_MERGE_COMMAND_H

/* The exit status. */
int ep_merge_command(int argc, char **argv);

#endif /* EP_CLI_MERGE_COMMAND_H */
