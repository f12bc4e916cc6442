/*
 * functions.c - functions whose names are looked up. The line on which each is declared ends with
 * a comment that names it: so the tests know where it is.
 */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

volatile int sink;

static NOINLINE int hidden(int x) /* hidden */
{
    return x * 3;
}

static inline int helper(int x) /* helper */
{
    return x * 5 + sink;
}
/* Somebody else may call it, so there is a copy that was not inlined. */
int (*volatile kept_helper)(int) = helper;

/* Always called with the same factor: gcc makes a copy for it, or cuts the parameter off. */
static NOINLINE int scaled(const int *x, int factor) /* scaled */
{
    int sum = sink;
    for (int i = 0; i < sum; i++)
        sum += x[i] * factor + sum % factor;
    return sum;
}

/* What hardly ever runs is put elsewhere. */
NOINLINE int checked(int x) /* checked */
{
    if (__builtin_expect(x == 12345, 0)) {
        sink = x;
        abort();
    }
    return x * 7 + sink;
}

NOINLINE int shared_body(int x) /* shared_body */
{
    return x + sink;
}
int another_shared_body(int x) __attribute__((alias("shared_body")));
int a_body(int x) __attribute__((weak, alias("shared_body")));
int _shared(int x) __attribute__((alias("shared_body")));

int renamed(int x) __asm__("name_of_the_linker");
NOINLINE int renamed(int x) /* renamed */
{
    return x - sink;
}

/* In the midst of the others, and the debug information has no word on it. */
__asm__(".globl by_hand\n"
        ".type by_hand, %function\n"
        "by_hand: nop\n"
        ".size by_hand, 1\n"
        ".type without_size, %function\n"
        "without_size: nop\n"
        "nop\n");

int never_called(int x)
{
    return x ^ sink;
}

int entry(int x) /* entry */
{
    const int numbers[4] = {x, x, x, x};
    return hidden(x) + helper(x) + scaled(numbers, 3) + scaled(numbers + 1, 3) + checked(x) +
           renamed(x) + another_shared_body(x);
}

#ifndef LIBRARY
int main(int argc, char **argv) /* main */
{
    (void)argv;
    return entry(argc) == 0;
}
#endif
