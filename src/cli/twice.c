#include "twice.h"

#include <stdlib.h>
#include <sys/stat.h>

struct named {
    dev_t device;
    ino_t inode;
    const char *path;
};

static int by_file(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

static size_t look(struct named *files, char *const *paths, size_t count)
{
    size_t found = 0;
    struct stat file;
    for (size_t i = 0; i < count; i++)
        if (stat(paths[i], &file) == 0)
            files[found++] = (struct named){file.st_dev, file.st_ino, paths[i]};
    return found;
}

const char *ep_twice_find(char *const *paths, size_t count)
{
    const char *twice = NULL;
    struct named *files = calloc(count + 1, sizeof *files);
    size_t found = files ? look(files, paths, count) : 0;
    if (found)
        qsort(files, found, sizeof *files, by_file);
    for (size_t i = 1; i < found && !twice; i++)
        if (by_file(&files[i - 1], &files[i]) == 0)
            twice = files[i].path;
    free(files);
    return twice;
}
