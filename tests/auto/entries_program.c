/*
 * entries_program.c - a program whose functions are entered a known number of times (C and C++)
 *
 * Its arguments are libraries that it opens twice, one after the other. A name without a slash is
 * searched for along the RUNPATH of the shared library, which opens it.
 */
#include <stdarg.h>
#include <stdio.h>

#include "entries_program.h"

static volatile int made_by_constructor; /* so it is not made by the compiler */

__attribute__((constructor)) static ENTERED void program_construct(void)
{
    made_by_constructor = 7;
}

static ENTERED int program_leaf(int n)
{
    __asm__ volatile("" : "+r"(n));
    return n + 1;
}

static ENTERED int program_recursive(int n)
{
    int rest = n ? program_recursive(n - 1) : 0;
    __asm__ volatile("" : "+r"(rest)); /* no loop */
    return n + rest;
}

static ENTERED int program_variadic(int count, ...)
{
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count--)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

static ENTERED double program_floating(double x, long double y)
{
    return x / (double)y;
}

/* The linker may drop it with --gc-sections. */
ENTERED int program_never(int n);
ENTERED int program_never(int n)
{
    return n * 3;
}

static int (*volatile pointer)(int) = program_leaf;

int main(int argc, char **argv)
{
    int sum = made_by_constructor;
    for (int i = 0; i < 1000; i++)
        sum += i % 2 ? pointer(i) : program_leaf(i);
    printf("%d\n", sum);
    printf("%d %d\n", program_recursive(9), program_variadic(3, 10, 20, 30));
    printf("%.3f\n", program_floating(1.0, 3.0L));
#ifdef WITH_TEMPLATE
    printf("%d %d\n", first_use(5), second_use(6));
#endif
#ifdef WITH_LIBRARY
    printf("%d\n", library_function(4));
    for (int i = 1; i < argc; i++)
        printf("%d %d\n", library_opens(argv[i]), library_opens(argv[i]));
#else
    (void)argv;
#endif
    return argc < 1;
}
