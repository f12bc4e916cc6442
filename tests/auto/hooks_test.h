/*
 * hooks_test.h - what the tests of the hooks have in common
 *
 * They are built without hooks, once; what they test is in subjects.h. Each group has its own file.
 */
#ifndef HOOKS_TEST_H
#define HOOKS_TEST_H

#include "function_text.h"

#include "figures.h"
#include "subjects.h"

int test_plain(void);
int test_jump(void);
int test_thread(void);
int test_signals(void);
int test_mixed(void);
int test_control(void);
int test_context(void);
int test_throttle(void);
int test_split(void);
int test_throw(void);

/* Before each test. */
int hooks_begin(void **state);

/* After each: nothing is open, and nothing was lost. */
int hooks_end(void **state);

/* Runs `body` on a thread of its own, to its end. */
void run_thread(void *(*body)(void *), void *argument);

#endif /* HOOKS_TEST_H */
