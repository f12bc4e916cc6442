/*
 * entries_library.c - the shared library of the program with entries
 */
#include "entries_program.h"

#include <dlfcn.h>
#include <stdio.h>

ENTERED int library_function(int n)
{
    return n * n;
}

/* Opens a library, calls its function, and closes it. */
ENTERED int library_opens(const char *name)
{
    void *handle = dlopen(name, RTLD_NOW);
    if (!handle) {
        printf("%s\n", dlerror());
        return -1;
    }
    int (*function)(int) = __extension__(int (*)(int)) dlsym(handle, "plugin_function");
    int result = function(3);
    dlclose(handle);
    return result;
}
