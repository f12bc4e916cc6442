#include "api/path_pattern.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/stderr_line.h"

static char directory[PATH_MAX]; /* at first use */
static bool is_known;

void ep_path_pattern_begin(void)
{
    /* without malloc(): the first use may be in a signal handler that has interrupted it */
    is_known = getcwd(directory, sizeof directory) != NULL;
}

char *ep_path_pattern_absolute(const char *path, bool is_pattern)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || !is_known)
        return strdup(path);
    char *whole = malloc(2 * strlen(directory) + strlen(path) + 2), *end = whole;
    if (!whole)
        return NULL;
    for (const char *c = directory; *c; c++) {
        *end++ = *c;
        if (*c == '%' && is_pattern)
            *end++ = '%';
    }
    *end = '/';
    strcpy(end + 1, path);
    return whole;
}

pid_t ep_path_pattern_owner(bool is_of_environment)
{
    return is_of_environment ? ep_stderr_line_loader_id() : getpid();
}

int ep_path_pattern_expand(const char *pattern, pid_t owner, uint64_t of_rank, char path[PATH_MAX])
{
    bool needs_id = getpid() != owner;
    char id[24];
    size_t bytes = 0;
    snprintf(id, sizeof id, "%ld", (long)getpid());
    path[0] = '\0';
    for (const char *c = pattern; *c && bytes < PATH_MAX; c++) {
        bool is_id = c[0] == '%' && c[1] == 'p';
        if (is_id || (c[0] == '%' && c[1] == '%'))
            c++;
        bytes += (size_t)(is_id ? snprintf(path + bytes, PATH_MAX - bytes, "%s", id)
                                : snprintf(path + bytes, PATH_MAX - bytes, "%c", *c));
        needs_id = needs_id && !is_id;
    }
    if (needs_id && bytes < PATH_MAX)
        bytes += (size_t)snprintf(path + bytes, PATH_MAX - bytes, ".%s", id);
    if (of_rank && bytes < PATH_MAX)
        bytes += (size_t)snprintf(path + bytes, PATH_MAX - bytes, ".%" PRIu64, of_rank - 1);
    if (bytes < PATH_MAX)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}
