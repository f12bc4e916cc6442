/*
 * each_alone.h - runs each test in a process of its own, which has not used the
 * library before
 */
#ifndef EACH_ALONE_H
#define EACH_ALONE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns how many failed. */
static inline int run_each_alone(const char *group, const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        int status;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0)
            exit(_cmocka_run_group_tests(group, &tests[i], 1, NULL, NULL));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("FAILED: %s\n", tests[i].name);
            failed++;
        }
    }
    return failed;
}

#endif /* EACH_ALONE_H */
