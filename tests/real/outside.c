/*
 * outside.c - counts the calls of a program that libeprof-auto does not count inline
 *
 * This library is preloaded. A hook calls it, in place of libeprof, for each call that the inline
 * part of the hook leaves to libeprof (include/eprof/hooks.h), and it calls libeprof. At exit it
 * writes the number of enters and the number of leaves to the file that the environment variable
 * OUTSIDE names.
 *
 * libeprof gets the frame of the function as an argument, so it does not matter that this library
 * adds a frame.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void hook(void *function, void *call_site, void *frame, void *token);

hook eprof_function_enter, eprof_function_leave;

static hook *next_enter, *next_leave;
static uint64_t enters, leaves;

void eprof_function_enter(void *function, void *call_site, void *frame, void *token)
{
    __atomic_fetch_add(&enters, 1, __ATOMIC_RELAXED);
    next_enter(function, call_site, frame, token);
}

void eprof_function_leave(void *function, void *call_site, void *frame, void *token)
{
    __atomic_fetch_add(&leaves, 1, __ATOMIC_RELAXED);
    next_leave(function, call_site, frame, token);
}

__attribute__((constructor)) static void find_next(void)
{
    *(void **)&next_enter = dlsym(RTLD_NEXT, "eprof_function_enter");
    *(void **)&next_leave = dlsym(RTLD_NEXT, "eprof_function_leave");
}

__attribute__((destructor)) static void write_numbers(void)
{
    const char *path = getenv("OUTSIDE");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "%" PRIu64 " %" PRIu64 "\n", enters, leaves);
    if (fclose(out) != 0)
        abort();
}
