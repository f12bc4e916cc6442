/*
 * diff_command.h - `eprof diff`
 */
#ifndef EP_CLI_DIFF_COMMAND_H
#define EP_CLI_DIFF_COMMAND_H

/* Returns an enum ep_status. */
int ep_diff_command(int argc, char **argv);

#endif /* EP_CLI_DIFF_COMMAND_H */
