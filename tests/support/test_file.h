/*
 * test_file.h - files of tests that are linked into one program: each adds itself to the list
 * (group.c)
 */
#ifndef TEST_FILE_H
#define TEST_FILE_H

struct test_file {
    const char *name;
    int (*run)(void);
    struct test_file *next;
};

void test_file_add(struct test_file *file);

/* The argument after the name of the file on the command line; NULL if there is none. */
extern const char *test_argument;

#endif /* TEST_FILE_H */
