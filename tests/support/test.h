/*
 * test.h - the definition of a cmocka test also adds it to the list of tests
 *
 *     TEST(call_counts_once)
 *     {
 *         ...
 *     }
 *
 *     int main(void)
 *     {
 *         return tests_run("calls", hand_clock_begin, NULL);
 *     }
 *
 * The tests of a file run in their order in the file. If a program has several files (group.c), the
 * build defines TEST_FILE as the name of each, and the files have no main(). The functions given to
 * TEST_EACH() run before and after each TEST() of a file, and those given to TEST_ALL() run before
 * the first test and after the last one. TEST_RUN() replaces all of this.
 */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

enum { MOST_TESTS = 64 };

static struct CMUnitTest test_list[MOST_TESTS]; /* the tests of this file */
static size_t test_count;

/* The arguments of tests_run(). */
static CMFixtureFunction test_set_up, test_tear_down;

static inline int test_begin(void **state)
{
    return test_set_up ? test_set_up(state) : 0;
}

static inline int test_end(void **state)
{
    return test_tear_down ? test_tear_down(state) : 0;
}

static inline void test_add(struct CMUnitTest test)
{
    if (test_count == MOST_TESTS)
        abort();
    test_list[test_count++] = test;
}

#define TEST_LISTED(list, name, set_up, tear_down)                                                 \
    __attribute__((constructor(1000 + __LINE__))) static void list(void)                           \
    {                                                                                              \
        test_add((struct CMUnitTest){#name, name, set_up, tear_down, NULL});                       \
    }

/* A test with its own set-up and tear-down; each of them may be NULL. */
#define TEST_BETWEEN(name, set_up, tear_down)                                                      \
    static void name(void **state);                                                                \
    TEST_LISTED(list_##name, name, set_up, tear_down)                                              \
    static void name(__attribute__((unused)) void **state)

/* Runs the same test once more, with another set-up and tear-down. */
#define TEST_AGAIN(name, set_up, tear_down)                                                        \
    TEST_LISTED(list_##name##_again, name, set_up, tear_down)

/* A test with the set-up and tear-down that are given to tests_run(). */
#define TEST(name) TEST_BETWEEN(name, test_begin, test_end)

/* Runs the tests of this file and returns the number that failed. `set_up` and `tear_down`, each of
 * which may be NULL, run before and after each TEST(). */
static inline int tests_run(const char *group, CMFixtureFunction set_up,
                            CMFixtureFunction tear_down)
{
    test_set_up = set_up;
    test_tear_down = tear_down;
    return _cmocka_run_group_tests(group, test_list, test_count, NULL, NULL);
}

#ifdef TEST_FILE
#include "kept.h"
#include "test_file.h"

static CMFixtureFunction test_all_set_up, test_all_tear_down;

#define TEST_EACH(set_up, tear_down)                                                               \
    __attribute__((constructor)) static void test_note_each(void)                                  \
    {                                                                                              \
        test_set_up = set_up;                                                                      \
        test_tear_down = tear_down;                                                                \
    }

#define TEST_ALL(set_up, tear_down)                                                                \
    __attribute__((constructor)) static void test_note_all(void)                                   \
    {                                                                                              \
        test_all_set_up = set_up;                                                                  \
        test_all_tear_down = tear_down;                                                            \
    }

static int (*test_run)(void);

/* It replaces a single run of all tests of the file. It returns the number of tests that failed. */
#define TEST_RUN()                                                                                 \
    static int test_run_own(void);                                                                 \
    __attribute__((constructor)) static void test_note_run(void)                                   \
    {                                                                                              \
        test_run = test_run_own;                                                                   \
    }                                                                                              \
    static int test_run_own(void)

static const struct CMUnitTest *test_now;

static int test_now_begin(void **state)
{
    test_now = *state;
    *state = NULL;
    return test_now->setup_func ? test_now->setup_func(state) : 0;
}

static int test_now_end(void **state)
{
    test_release();
    return test_now->teardown_func ? test_now->teardown_func(state) : 0;
}

static int test_run_file(void)
{
    if (test_run)
        return test_run();
    struct CMUnitTest tests[MOST_TESTS];
    for (size_t i = 0; i < test_count; i++)
        tests[i] = (struct CMUnitTest){test_list[i].name, test_list[i].test_func, test_now_begin,
                                       test_now_end, &test_list[i]};
    return _cmocka_run_group_tests(TEST_FILE, tests, test_count, test_all_set_up,
                                   test_all_tear_down);
}

__attribute__((constructor)) static void test_list_file(void)
{
    static struct test_file file = {.name = TEST_FILE, .run = test_run_file};
    test_file_add(&file);
}
#endif

#endif /* TEST_H */
