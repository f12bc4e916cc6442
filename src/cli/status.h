/*
 * status.h - what the command ends with
 */
#ifndef EP_CLI_STATUS_H
#define EP_CLI_STATUS_H

enum ep_status {
    EP_STATUS_DONE = 0,
    EP_STATUS_FAILED = 1,
    EP_STATUS_USAGE = 2,
    EP_STATUS_FOUND = 3, /* what --fail-above looked for is there */
    /* As a shell has them (POSIX.1-2017, XCU 2.8.2), of a program that could not be run. */
    EP_STATUS_NOT_EXECUTABLE = 126,
    EP_STATUS_NOT_FOUND = 127,
    EP_STATUS_SIGNAL = 128 /* and the signal's number above it */
};

#endif /* EP_CLI_STATUS_H */
