/*
 * driven.c - records on command; the commands are lines on its standard input
 *
 *     calls N    the scope `serve`, which is open until the end, has N calls of `work` in it, each
 *                with one of `step`; and the instance `tick` has N
 *     reset      eprof_reset()
 *     fork       a child waits for the end of its parent and records nothing; its number is on the
 * line
 *
 * The program answers each command by a line when it is done. At the end of the input it returns 0.
 */
#include <eprof.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void work(void)
{
    EPROF_FUNC;
    EPROF_SCOPE("step");
}

static void call(int tick, int times)
{
    for (int i = 0; i < times; i++) {
        eprof_start(tick);
        work();
        eprof_stop(tick);
    }
}

static int fork_child(void)
{
    int child = _Fork(); /* the library is not notified, so that the child shares the mapped file */
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        pause();
}

int main(void)
{
    char line[64];
    int tick = eprof_alloc("tick"), child = 0;
    EPROF_SCOPE("serve");
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "calls ", strlen("calls ")) == 0)
            call(tick, atoi(line + strlen("calls ")));
        else if (strcmp(line, "reset\n") == 0)
            eprof_reset();
        else if (strcmp(line, "fork\n") == 0)
            child = fork_child();
        printf("done %d\n", child);
        fflush(stdout);
    }
    return 0;
}
