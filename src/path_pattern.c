#include "path_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loader.h"

static char *directory; /* at first use */

void ep_path_pattern_begin(void)
{
    directory = getcwd(NULL, 0);
}

char *ep_path_pattern_absolute(const char *path)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || !directory)
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

char *ep_path_pattern_expand(const char *pattern, pid_t owner)
{
    bool needs_id = getpid() != owner;
    char *expanded;
    size_t bytes;
    FILE *text = open_memstream(&expanded, &bytes);
    if (!text)
        return NULL;
    for (const char *c = pattern; *c; c++) {
        if (c[0] == '%' && c[1] == 'p') {
            fprintf(text, "%ld", (long)getpid());
            needs_id = false;
            c++;
        } else {
            c += c[0] == '%' && c[1] == '%';
            fputc(*c, text);
        }
    }
    if (needs_id)
        fprintf(text, ".%ld", (long)getpid());
    if (fclose(text) == 0)
        return expanded;
    free(expanded);
    return NULL;
}
