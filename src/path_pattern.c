#include "path_pattern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"

static char directory[PATH_MAX]; /* at first use */
static bool is_known;

void ep_path_pattern_begin(void)
{
    /* without malloc(): the first use may be in a signal handler that has interrupted it */
    is_known = getcwd(directory, sizeof directory) != NULL;
}

char *ep_path_pattern_absolute(const char *path)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || !is_known)
        return strdup(path);
    size_t bytes = strlen(directory) + strlen(path) + 2;
    char *whole = malloc(bytes);
    if (whole)
        snprintf(whole, bytes, "%s/%s", directory, path);
    return whole;
}

pid_t ep_path_pattern_owner(bool is_of_environment)
{
    return is_of_environment ? ep_loader_id() : getpid();
}

/* The end of what was there and `text`; NULL: there was no room for it. */
static char *append(char *end, const char *limit, const char *text)
{
    size_t bytes = strlen(text);
    if (!end || bytes >= (size_t)(limit - end))
        return NULL;
    memcpy(end, text, bytes + 1);
    return end + bytes;
}

int ep_path_pattern_expand(const char *pattern, pid_t owner, char path[PATH_MAX])
{
    bool needs_id = getpid() != owner;
    char id[24], *end = path;
    const char *limit = path + PATH_MAX;
    snprintf(id, sizeof id, ".%ld", (long)getpid());
    for (const char *c = pattern; *c && end; c++) {
        if (c[0] == '%' && c[1] == 'p') {
            end = append(end, limit, id + 1);
            needs_id = false;
            c++;
        } else {
            c += c[0] == '%' && c[1] == '%';
            end = append(end, limit, (char[]){*c, '\0'});
        }
    }
    if (needs_id)
        end = append(end, limit, id);
    if (end)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}
