/*
 * hooks_test.h - declarations that all tests of the hooks share
 *
 * The tests are built once, without hooks; the tested functions are in subjects.h. Each group of
 * tests has its own file.
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
int test_step(void);
int test_mixed(void);
int test_control(void);
int test_context(void);
int test_sampled(void);
int test_split(void);
int test_throw(void);

/* Runs before each test. */
int hooks_begin(void **state);

/* Runs after each test, and asserts that no function is open and no call was lost. */
int hooks_end(void **state);

/* Runs `body` on a new thread, to its end. */
void run_thread(void *(*body)(void *), void *argument);

#endif /* HOOKS_TEST_H */
