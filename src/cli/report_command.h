/*
 * report_command.h - `eprof report`: what profile files hold, for people and for programs
 */
#ifndef EP_CLI_REPORT_COMMAND_H
#define EP_CLI_REPORT_COMMAND_H

/* The status that the command ends with. */
int ep_report_command(int argc, char **argv);

#endif /* EP_CLI_REPORT_COMMAND_H */
