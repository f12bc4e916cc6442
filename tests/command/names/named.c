/*
 * named.c - a program that is recorded by the compiler's hooks: main calls `work`, which is
 * exported, and `work` calls `step`, which is not exported, three times. Then main follows its
 * arguments:
 *
 *     kill         ends by SIGKILL
 *     exit         ends by exit(), with main open
 *     jump         leaves a function by longjmp(), which is seen at the next one
 *     report       writes a report on stdout
 *     plugin PATH  loads it, calls its `visit`, and unloads it
 *     remove PATH  removes a file
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprof.h"

static volatile int steps; /* volatile, so that the compiler keeps the increments */

int work(void);

__attribute__((noinline)) static void step(void)
{
    steps = steps + 1;
}

__attribute__((noinline)) int work(void)
{
    for (int i = 0; i < 3; i++)
        step();
    return steps;
}

static int call_plugin(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW);
    int (*visit)(void);
    if (!plugin)
        return 1;
    *(void **)&visit = dlsym(plugin, "visit");
    int result = visit ? visit() : 1;
    return dlclose(plugin) | result;
}

static jmp_buf way_back;

__attribute__((noinline)) static void leap(void)
{
    steps = steps + 1;
    longjmp(way_back, 1);
}

static void jump(void)
{
    if (setjmp(way_back) == 0)
        leap();
    step();
}

int main(int argc, char **argv)
{
    int result = work() != 3;
    for (int i = 1; i < argc && result == 0; i++) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "kill") == 0)
            raise(SIGKILL);
        else if (strcmp(argv[i], "exit") == 0)
            exit(0);
        else if (strcmp(argv[i], "jump") == 0)
            jump();
        else if (strcmp(argv[i], "report") == 0)
            result = eprof_report(stdout, "csv");
        else if (strcmp(argv[i], "plugin") == 0)
            result = call_plugin(value);
        else if (strcmp(argv[i], "remove") == 0)
            result = unlink(value);
    }
    return result != 0;
}
