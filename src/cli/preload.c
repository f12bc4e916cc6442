#include "preload.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complain.h"

#define LIBRARY "libeprof-auto.so.0"

/* From the folder of the command: as they were installed, as most are, and as they were built. */
static const char *const folders[] = {EPROF_LIBRARY_FOLDER, "../lib", "../auto"};

/* Where this command is: a path without its last name. Static; NULL and errno. */
static const char *folder_of_command(void)
{
    static char path[PATH_MAX];
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - 1);
    if (bytes < 0)
        return NULL;
    path[bytes] = '\0';
    *strrchr(path, '/') = '\0'; /* it is absolute */
    return path;
}

static char *library_in(const char *command, const char *folder)
{
    char *path;
    if (asprintf(&path, "%s/%s/" LIBRARY, command, folder) < 0)
        return NULL;
    char *absolute = realpath(path, NULL);
    free(path);
    return absolute;
}

/* The caller's; NULL: it was not found, of which a line tells. */
static char *find_library(void)
{
    const char *command = folder_of_command();
    if (!command) {
        ep_complain("/proc/self/exe", "%s", strerror(errno));
        return NULL;
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *library = library_in(command, folders[i]);
        if (library || errno == ENOMEM)
            return library ? library : (ep_complain_of_memory(), NULL);
    }
    ep_complain(LIBRARY,
                "not found from %s; install it with eprof, or link the program with "
                "-leprof-auto, and run it without --auto",
                command);
    return NULL;
}

char *ep_preload_with(const char *before)
{
    char *library = find_library(), *list = NULL;
    bool is_more = before && *before;
    if (library && strpbrk(library, ": "))
        /* ld.so(8): either parts the list, and nothing escapes it */
        ep_complain(library,
                    "LD_PRELOAD takes no path with a blank or a colon; install it elsewhere");
    else if (library &&
             asprintf(&list, "%s%s%s", library, is_more ? ":" : "", is_more ? before : "") < 0) {
        ep_complain_of_memory();
        list = NULL;
    }
    free(library);
    return list;
}
