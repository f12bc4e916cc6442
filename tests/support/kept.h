/*
 * kept.h - what is given back when a test ends, and not by the test itself
 *
 * Also by one that fails, which is left by a jump.
 */
#ifndef KEPT_H
#define KEPT_H

#include <stddef.h>
#include <stdio.h>

/* `memory`, which release() is called with; NULL fails. */
void *test_keep(void *memory, void (*release)(void *memory));

/* So many zeroed elements. */
void *test_room(size_t count, size_t bytes);

/* What is written to a stream, once that is closed by test_text_end(). */
struct test_text {
    char *text;
    size_t bytes;
    FILE *stream;
};

FILE *test_text_begin(struct test_text *text);
char *test_text_end(struct test_text *text);

/* Called behind each test of a file. Whoever makes much in a loop, or has no such file, calls it.
 */
void test_release(void);

#endif /* KEPT_H */
