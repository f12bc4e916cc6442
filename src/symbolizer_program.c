#include "symbolizer_program.h"

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
    ep_store_release(&set_path, copy); /* the one before stays: somebody may look at it */
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

/* The file that an address of this library lies in, as the kernel has it: absolute, whatever folder
 * the program is in by now. The dynamic loader is not asked, since it has a lock of its own. To be
 * freed; NULL: not known. */
static char *file_of_library(void)
{
    uintptr_t address = (uintptr_t)ep_symbolizer_program_find;
    char *line = NULL, *path = NULL;
    size_t room = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !path && getline(&line, &room, maps) > 0) {
        unsigned long begin, end;
        const char *slash = strchr(line, '/');
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && address >= begin && address < end)
            path = strndup(slash ? slash : "", slash ? strcspn(slash, "\n") : 0);
    }
    if (maps)
        fclose(maps);
    free(line);
    return path;
}

/* lib/libeprof.so, lib/x86_64-linux-gnu/libeprof.so, and where both are built. */
static char *find_beside_library(void)
{
    static const char *const below[] = {"", "/bin", "/../bin", "/../../bin", "/cli"};
    char *file = file_of_library(), *path = NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    for (size_t i = 0; slash && !path && i < sizeof below / sizeof below[0]; i++)
        path = find_in(file, (size_t)(slash - file), below[i]);
    free(file);
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
    const char *set = ep_load_acquire(&set_path); /* pairs with the release in _set() */
    if (set)
        return strdup(set);
    char *path = find_beside_library();
    return path ? path : find_on_path();
}
