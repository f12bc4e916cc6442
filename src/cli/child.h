/*
 * cli/child.h - starts the program of `eprof run`, waits for it, and handles signals meanwhile
 */
#ifndef EP_CLI_CHILD_H
#define EP_CLI_CHILD_H

#include <stdbool.h>

/*
 * The value of LD_PRELOAD for a program that is not linked with libeprof-auto: the absolute path of
 * that library, as installed or built with this command, followed by the former value `before`
 * (NULL: none). To be freed. NULL, with a line on stderr, if the library is not found or cannot be
 * named in LD_PRELOAD, or there is no memory.
 */
char *ep_child_preload_with(const char *before);

/* Executes a program that is installed with this one, but not for users. Returns only if it cannot,
 * after a line on stderr. */
void ep_child_become(const char *program, char **argv);

struct ep_child_end {
    int error;            /* errno if the program could not be executed; else 0 */
    int status;           /* the exit status; 0 if a signal killed the program */
    int signal;           /* the signal that killed the program; 0: none */
    bool is_asked_to_end; /* a signal to end arrived, even if the program ignored it */
};

struct ep_child_environment {
    const char *items;   /* EPROF */
    const char *preload; /* LD_PRELOAD; NULL: unchanged */
};

/*
 * Runs argv with these variables until it ends. Meanwhile SIGINT and SIGQUIT do not end this
 * process, since the terminal sends them to the program as well; SIGTERM and SIGHUP are passed on.
 * Returns 0, or -1 and errno if no process could be created.
 */
int ep_child_run(char *const *argv, const struct ep_child_environment *environment,
                 struct ep_child_end *end);

/* Ends this process by the signal that ended the program, so that a shell sees how the program
 * ended. */
_Noreturn void ep_child_end_alike(int signal);

#endif /* EP_CLI_CHILD_H */
