/*
 * each_alone.h - runs each test in a process of its own, which has not used the
 * library before
 */
#ifndef EACH_ALONE_H
#define EACH_ALONE_H

#include "test.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Has the same arguments and result as tests_run(). */
static inline int tests_run_each_alone(const char *group, CMFixtureFunction set_up,
                                       CMFixtureFunction tear_down)
{
    int failed = 0;
    test_set_up = set_up;
    test_tear_down = tear_down;
    for (size_t i = 0; i < test_count; i++) {
        int status;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            exit(_cmocka_run_group_tests(group, &test_list[i], 1, NULL, NULL));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("FAILED: %s\n", test_list[i].name);
            failed++;
        }
    }
    return failed;
}

#endif /* EACH_ALONE_H */
