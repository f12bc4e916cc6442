/*
 * tree_text.h - the call tree of a snapshot as text, a line for each row of a scope or a function
 *
 *     a 2/1 30 10      path, calls/timed, total and self in ns
 *     a;b 0/0 20 20 open 1
 *
 * followed by open and errors if they are not zero. The lines are sorted by their bytes, so that a
 * test states a whole tree at once, and a failure shows all of it next to the expected one.
 *
 * With TREE_TEXT=counts in the environment, the lines have outermost calls in place of timed ones,
 * and no times: so tests of call paths also run where a budget leaves most calls untimed. What such
 * a test expects is reduced in the same way, and its open calls are among the calls, as the budget
 * requires.
 */
#ifndef TREE_TEXT_H
#define TREE_TEXT_H

#include "figures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The line of a row; the caller frees it. */
char *tree_line(const struct eprof_row *row);

/* Joins the lines, in their order, into one text, and frees them. The text is valid until the next
 * call. */
const char *tree_join(char **lines, size_t count);

bool tree_has(const struct eprof_row *row);

/* The scopes and functions of the thread of this name; "*": the sum over all threads. The text is
 * valid until the next call. */
const char *tree_text_of(eprof_snapshot *(*take)(void), const char *thread);

const char *tree_text(void);

/* assert_tree("a 2/1 30 10\n" "a;b 1/1 20 20\n"), or "" */
#define assert_tree(text) assert_tree_text(tree_text(), text)
/* The same for the text of a child, or of one thread. */
#define assert_tree_text(text, expected) assert_string_equal(text, tree_expected(expected))

/* As expected by the test, or without times. The text is valid until the next call. */
const char *tree_expected(const char *text);

#endif /* TREE_TEXT_H */
