/*
 * symbolize_command.h - `eprof symbolize`: tells programs what their functions are called
 *
 * It is not for people, and not among the commands that are told of. Programs start it, and
 * the other commands do, since files that others have made are not to be trusted: what one of
 * them does to this process is seen by the want of an end in the answer.
 */
#ifndef EP_CLI_SYMBOLIZE_COMMAND_H
#define EP_CLI_SYMBOLIZE_COMMAND_H

/* From stdin to stdout (symbolize_request.h, symbolize_answer.h). An ep_status. */
int ep_symbolize_command(int argc, char **argv);

#endif /* EP_CLI_SYMBOLIZE_COMMAND_H */
