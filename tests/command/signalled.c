/*
 * signalled.c - a library that is preloaded into the command: it raises the signal
 * EPROF_TEST_SIGNAL when a file exists, but is not complete
 *
 * A report is flushed, and a profile synced, before it is renamed.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void send_signal(void)
{
    const char *number = getenv("EPROF_TEST_SIGNAL");
    if (number)
        raise(atoi(number));
}

int fflush(FILE *stream)
{
    int (*next)(FILE *);
    *(void **)&next = dlsym(RTLD_NEXT, "fflush"); /* a conversion as in dlopen(3) */
    int result = next(stream);
    if (stream && fileno(stream) > STDERR_FILENO)
        send_signal();
    return result;
}

int fsync(int file)
{
    int (*next)(int);
    *(void **)&next = dlsym(RTLD_NEXT, "fsync");
    send_signal();
    return next(file);
}
