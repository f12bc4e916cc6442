#include "trial_files.h"

#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *trial_files_path(const struct trial_places *places, const char *name)
{
    static char paths[4][256];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", places->folder, name);
    return path;
}

struct trial_text trial_files_read(const char *path)
{
    struct trial_text text = {.bytes = NULL};
    FILE *file = fopen(path, "re");
    text.is_there = file != NULL;
    for (size_t got = 1; file && got > 0; text.count += got) {
        char *larger = realloc(text.bytes, text.count + 65536);
        if (!larger)
            err(1, "memory");
        text.bytes = larger;
        got = fread(text.bytes + text.count, 1, 65535, file);
    }
    if (file)
        fclose(file);
    if (text.bytes)
        text.bytes[text.count] = '\0';
    return text;
}

void trial_files_write(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "we");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        err(1, "%s", path);
}

void trial_files_copy(const char *from, const char *to)
{
    struct trial_text text = trial_files_read(from);
    trial_files_write(to, text.bytes, text.count);
    free(text.bytes);
}

void trial_files_each(const char *folder, void (*act)(const char *, const char *, void *),
                      void *context)
{
    DIR *files = opendir(folder);
    if (!files)
        err(1, "%s", folder);
    for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type != DT_DIR)
            act(path, entry->d_name, context);
    }
    closedir(files);
}

static void remove_file(const char *path, const char *name, void *unused)
{
    (void)name;
    (void)unused;
    unlink(path);
}

void trial_files_remove_each(const char *folder)
{
    trial_files_each(folder, remove_file, NULL);
}
