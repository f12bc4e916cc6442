/*
 * child.h - the program that is run: started, waited for, its signals
 */
#ifndef EP_CLI_CHILD_H
#define EP_CLI_CHILD_H

#include <stdbool.h>

struct ep_child_end {
    int error;           /* it could not be executed: why; else 0, and */
    int status;          /* what it returned, */
    int signal;          /* or what killed it; else 0 */
    bool is_told_to_end; /* a signal came that asks for it, whatever the program made of it */
};

struct ep_child_environment {
    const char *items;   /* EPROF */
    const char *preload; /* LD_PRELOAD; NULL: it stays as it is */
};

/*
 * Runs argv in an environment with these until it ends. What the terminal's keys send (SIGINT,
 * SIGQUIT) is meanwhile the program's alone, which gets it from the terminal itself; SIGTERM
 * and SIGHUP are passed on. 0, or -1 and errno where no process could be made.
 */
int ep_child_run(char *const *argv, const struct ep_child_environment *environment,
                 struct ep_child_end *end);

/* Ends this process by the same signal, so that a shell sees what it would have seen. */
_Noreturn void ep_child_end_alike(int signal);

#endif /* EP_CLI_CHILD_H */
