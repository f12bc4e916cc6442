#include "scratch.h"

int scratch_enter(void **state)
{
    char *directory = strdup(P_tmpdir "/eprof-test-XXXXXX");
    *state = directory;
    return directory && mkdtemp(directory) ? chdir(directory) : -1;
}

static bool scratch_is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int scratch_leave(void **state)
{
    DIR *here = chdir(*state) == 0 ? opendir(".") : NULL;
    for (struct dirent *entry; here && (entry = readdir(here)) != NULL;)
        if (!scratch_is_dot(entry->d_name))
            remove(entry->d_name);
    if (here)
        closedir(here);
    int result = chdir("/") == 0 ? rmdir(*state) : -1;
    free(*state);
    return result;
}

size_t scratch_files(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        count += !scratch_is_dot(entry->d_name);
    closedir(here);
    return count;
}

const char *scratch_read(const char *path)
{
    static char text[1 << 17];
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("there is no file %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

void scratch_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_not_equal(fputs(text, file), EOF);
    assert_int_equal(fclose(file), 0);
}
