/*
 * functions.c - functions whose names are looked up. The line with the declaration of each function
 * ends with a comment with its name, so that the tests find the line.
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
/* Another file may call it, so there is a copy that is not inlined. */
int (*volatile kept_helper)(int) = helper;

/* It is always called with the same factor, so gcc makes a copy for this factor, or removes the
 * parameter. */
static NOINLINE int scaled(const int *x, int factor) /* scaled */
{
    int sum = sink;
    for (int i = 0; i < sum; i++)
        sum += x[i] * factor + sum % factor;
    return sum;
}

/* A part that is rarely run is placed in another section. */
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

/* A function in the middle of the others that is not in the debug information. */
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
