/*
 * require.h - asserts a condition for each input; otherwise the program ends, and the fuzzer
 * records the input
 */
#ifndef REQUIRE_H
#define REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "it does not hold that %s\n", what);
    abort();
}

#endif /* REQUIRE_H */
