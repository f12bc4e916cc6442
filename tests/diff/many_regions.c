/*
 * many_regions.c - a profile with many regions, and the memory of a command
 *
 *     many_regions record COUNT        records COUNT scopes, each with a name of its own, twice
 *     many_regions record COUNT NAMES  the same, but NAMES scopes inside each outer scope
 *     many_regions peak COMMAND...     runs it, and prints its largest memory in bytes on stderr
 *
 * Huge pages are switched off for the command: otherwise its memory would depend on the machine.
 */
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void enter(long number)
{
    char name[32];
    snprintf(name, sizeof name, "region%ld", number);
    eprof_enter(name);
}

static void record(long count, long names)
{
    for (long i = 0; i < count; i++) {
        enter(i / names);
        if (names > 1)
            enter(names + i % names);
        if (names > 1)
            eprof_leave();
        eprof_leave();
    }
}

static int peak(char **command)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
        execv(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    fprintf(stderr, "%lld\n", (long long)usage.ru_maxrss * 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "peak") == 0)
        return peak(&argv[2]);
    if (argc < 3 || strcmp(argv[1], "record") != 0)
        return 2;
    for (int calls = 0; calls < 2; calls++)
        record(atol(argv[2]), argc > 3 ? atol(argv[3]) : 1);
    return 0;
}
