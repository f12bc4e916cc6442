#include "symbolizer_program.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler.h"

static char *set_path;

int ep_symbolizer_program_set(const char *path)
{
    char *copy = strdup(path);
    if (!copy) {
        errno = ENOMEM;
        return -1;
    }
    free(set_path);
    set_path = copy;
    return 0;
}

/* A program `eprof` in a folder, of which `bytes` bytes are the name. */
static char *find_in(const char *folder, size_t bytes, const char *below)
{
    char *path;
    struct stat status;
    if (asprintf(&path, "%.*s%s/eprof", (int)bytes, folder, below) < 0)
        return NULL;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* lib/libeprof.so, lib/x86_64-linux-gnu/libeprof.so, and where both are built. */
static char *find_beside_library(void)
{
    static const char *const below[] = {"", "/bin", "/../bin", "/../../bin", "/cli"};
    Dl_info library;
    if (!dladdr(__extension__(void *) ep_symbolizer_program_find, &library) || !library.dli_fname)
        return NULL;
    const char *slash = strrchr(library.dli_fname, '/');
    char *path = NULL;
    for (size_t i = 0; slash && !path && i < sizeof below / sizeof below[0]; i++)
        path = find_in(library.dli_fname, (size_t)(slash - library.dli_fname), below[i]);
    return path;
}

/* Only absolute folders: of a relative one nobody knows what stands in it by now. */
static char *find_on_path(void)
{
    const char *folders = secure_getenv("PATH");
    char *path = NULL;
    while (folders && *folders && !path) {
        size_t bytes = strcspn(folders, ":");
        if (*folders == '/')
            path = find_in(folders, bytes, "");
        folders += bytes + (folders[bytes] == ':');
    }
    return path;
}

char *ep_symbolizer_program_find(void)
{
    if (set_path)
        return strdup(set_path);
    char *path = find_beside_library();
    return path ? path : find_on_path();
}
