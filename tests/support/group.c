/*
 * group.c - the main program for several files of tests: the argument names the file to run
 */
#include "test_file.h"

#include <stdio.h>
#include <string.h>

#include "random.h"

const char *test_argument;

static struct test_file *files;

void test_file_add(struct test_file *file)
{
    file->next = files;
    files = file;
}

int main(int argc, char **argv)
{
    for (const struct test_file *file = files; argc > 1 && file; file = file->next)
        if (strcmp(argv[1], file->name) == 0) {
            test_argument = argv[2];
            random_begin();
            return file->run();
        }
    fprintf(stderr, "%s TEST [ARGUMENT], one of:\n", argv[0]);
    for (const struct test_file *file = files; file; file = file->next)
        fprintf(stderr, "    %s\n", file->name);
    return 2;
}
