/*
 * kept.h - memory that is released automatically when a test ends
 *
 * It is also released when a test fails, which ends by a jump.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stddef.h>
#include <stdio.h>

/* Keeps `memory`, and calls release() with it at the end of the test. If `memory` is NULL, the test
 * fails. */
void *test_keep(void *memory, void (*release)(void *memory));

/* Memory for `count` elements, set to zero. */
void *test_room(size_t count, size_t bytes);

/* The text that is written to a stream. It is complete after test_text_end() has closed the
 * stream. */
struct test_text {
    char *text;
    size_t bytes;
    FILE *stream;
};

FILE *test_text_begin(struct test_text *text);
char *test_text_end(struct test_text *text);

/* It is called after each test of a file. A test that keeps much in a loop, or a program without
 * TEST_FILE, calls it itself. */
void test_release(void);

#endif /* KEPT_H */
