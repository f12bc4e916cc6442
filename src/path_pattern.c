#include "path_pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t process_id; /* of the process that first used the library */
static char *directory;  /* at first use */

void ep_path_pattern_begin(void)
{
    process_id = getpid();
    directory = getcwd(NULL, 0);
}

bool ep_path_pattern_is_child(void)
{
    return getpid() != process_id;
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

char *ep_path_pattern_expand(const char *pattern)
{
    bool needs_id = ep_path_pattern_is_child();
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
