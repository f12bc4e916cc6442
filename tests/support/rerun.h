/*
 * rerun.h - runs this test program again, as a program that is profiled
 *
 * The first use and the exit occur once in a process, and each test needs its own environment. The
 * arguments are the steps that the program performs:
 *
 *     rerun(&run, "csv=figures.csv", (const char *[]){"use", "chdir=/", "record", NULL});
 */
#ifndef RERUN_H
#define RERUN_H

#include "figures.h"
#include "hand_clock.h"
#include "own_program.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* One pair of 10 ns, of the instance "a". */
int rerun_record(const char *unused);

/* Returns when the thread has ended. */
int rerun_on_smallest_stack(void *(*act)(void *unused));

/* The arguments of the program are its steps, as NAME or NAME=ARGUMENT. */
int rerun_main(char *const *steps);

/* ---------------------------------------------------------------- its run -- */

struct rerun {
    pid_t process_id;
    int status; /* exit status; negative: the signal that ended it */
    char out[16384], err[16384];
};

/* items: EPROF of the program; NULL: it is not set. */
void rerun(struct rerun *run, const char *items, const char *const *steps);

/* Runs these steps and asserts that all of them succeeded. */
#define RERUN(run, items, ...)                                                                     \
    do {                                                                                           \
        rerun(run, items, (const char *const[]){__VA_ARGS__, NULL});                               \
        if ((run)->status != 0)                                                                    \
            fail_msg("status %d: %s%s", (run)->status, (run)->out, (run)->err);                    \
    } while (0)

#endif /* RERUN_H */
