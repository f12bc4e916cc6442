#include "input_files.h"

#include "base/compiler.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void fail(const char *path, const char *why)
{
    fprintf(stderr, "%s: %s\n", path, why);
    exit(1);
}

static void read_file(struct input *input, const char *path)
{
    FILE *stream = fopen(path, "rb");
    struct stat about;
    if (!stream || fstat(fileno(stream), &about) != 0)
        fail(path, strerror(errno));
    input->size = (size_t)about.st_size;
    input->data = malloc(input->size + 1);
    if (!input->data || fread(input->data, 1, input->size, stream) != input->size)
        fail(path, "cannot be read");
    fclose(stream);
}

static int is_no_dot_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

EP_ANALYZER_KEPT_BEGIN
size_t input_files_read(const char *directory, struct input **inputs)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_no_dot_file, alphasort);
    if (count < 0)
        fail(directory, strerror(errno));
    if (count == 0)
        fail(directory, "no files");
    *inputs = calloc((size_t)count, sizeof **inputs);
    if (!*inputs)
        fail(directory, strerror(ENOMEM));
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        read_file(&(*inputs)[i], path);
        (*inputs)[i].name = strdup(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return (size_t)count;
}
EP_ANALYZER_KEPT_END

void input_files_free(struct input *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(inputs[i].name);
        free(inputs[i].data);
    }
    free(inputs);
}
