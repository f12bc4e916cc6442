/*
 * test_file.h - files of tests that are one program: each lists itself there (group.c)
 */
#ifndef TEST_FILE_H
#define TEST_FILE_H

struct test_file {
    const char *name;
    int (*run)(void);
    struct test_file *next;
};

void test_file_add(struct test_file *file);

/* What stands behind the file's name on the command line; NULL where nothing does. */
extern const char *test_argument;

#endif /* TEST_FILE_H */
