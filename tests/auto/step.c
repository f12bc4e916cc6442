/* step.c - functions that are interrupted after each instruction, and those of the handler */
#include "subjects.h"

#include <stdlib.h>

SUBJECTS_BEGIN

/* Results depend on registers of both kinds, and on the stack. */
NOINLINE double step_leaf(long a, double x, long b, double y, long c, long d, long e, long f,
                          long g)
{
    STAY();
    return (double)(a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g) + x * 8 + y * 9;
}

double step_calls(long n)
{
    double sum = step_leaf(n, 0.5, n + 1, 1.5, n + 2, n + 3, n + 4, n + 5, n + 6);
    return sum + step_leaf(n + 1, sum, n, 2.5, n, n, n, n, n);
}

long step_recursion(long depth)
{
    long rest = depth ? step_recursion(depth - 1) : 0;
    STAY();
    return depth + rest;
}

unsigned step_compared;

int step_compare(const void *one, const void *other)
{
    long x = *(const long *)one, y = *(const long *)other;
    step_compared++;
    return (x > y) - (x < y);
}

/* One function of the library is between, and then several. */
long step_callbacks(long n)
{
    long numbers[3] = {n, n + 1, n + 2};
    const long *found =
        (const long *)bsearch(&numbers[1], numbers, 3, sizeof *numbers, step_compare);
    numbers[0] = n + 3;
    qsort(numbers, 3, sizeof *numbers, step_compare);
    return (found - numbers) * 100 + numbers[2] - numbers[0];
}

/* Calls `last` at its end, so that a test can begin there. */
NOINLINE void step_ends(void (*last)(void))
{
    leaf();
    last();
    STAY();
}

NOINLINE void step_handler_leaf(void)
{
    STAY();
}

void step_handler(void)
{
    step_handler_leaf();
    STAY();
}

SUBJECTS_END
