/* plain.c - functions that return, with each kind of frame */
#include "subjects.h"

#include <alloca.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

SUBJECTS_BEGIN

/* ---- calls ---- */

void leaf(void)
{
}

void calls_leaf_thrice(void)
{
    leaf();
    leaf();
    leaf();
}

void calls_through(void (*function)(void), int times)
{
    for (int i = 0; i < times; i++)
        function();
}

/* At the end, the call of the exit hook, or this call and that of the hook, may be jumps. */
void ends_in_call(int depth)
{
    if (depth)
        ends_in_call(depth - 1);
    else
        leaf();
}

/* ---- recursion ---- */

/* Levels of the recursion are inlined into each other at -O2 and above. */
long fib(long n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int is_odd(unsigned n)
{
    return n ? is_even(n - 1) : 0;
}

int is_even(unsigned n)
{
    return n ? is_odd(n - 1) : 1;
}

/* ---- inlined ---- */

INLINED void inlined_innermost(void)
{
    STAY();
}

INLINED void inlined_inner(void)
{
    inlined_innermost();
    inlined_innermost();
}

INLINED void inlined_outer(void)
{
    inlined_inner();
    leaf();
    inlined_inner();
}

void nest_inlined(void)
{
    inlined_outer();
    inlined_innermost();
}

INLINED int inlined_round(int i)
{
    if (i % 3 == 0)
        return 0;
    leaf();
    return i;
}

void loops_in_inlined(int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += inlined_round(i);
    if (sum < 0)
        leaf();
}

/* ---- arguments and results ---- */

struct big make_big(long seed)
{
    struct big big;
    for (int i = 0; i < BIG_WORDS; i++)
        big.word[i] = seed + i;
    return big;
}

NOINLINE long sum_big(struct big by_value, struct big again)
{
    long sum = 0;
    for (int i = 0; i < BIG_WORDS; i++)
        sum += by_value.word[i] - again.word[BIG_WORDS - 1 - i];
    return sum;
}

long passes_big(void)
{
    leaf();
    long sum = sum_big(make_big(3), make_big(2));
    leaf();
    return sum;
}

NOINLINE long sum_variadic(int count, ...)
{
    long sum = 0;
    va_list list;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, long);
    va_end(list);
    leaf();
    return sum;
}

long passes_variadic(void)
{
    return sum_variadic(0) + sum_variadic(3, 1L, 2L, 3L) +
           sum_variadic(9, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
}

NOINLINE long double returns_long_double(long double number)
{
    leaf();
    return number * 2;
}

NOINLINE float returns_float(float number)
{
    leaf();
    return number / 2;
}

/* ---- frames of unknown size, or that are moved ---- */

int has_alloca(size_t bytes)
{
    char *room = (char *)alloca(bytes);
    memset(room, 1, bytes);
    leaf();
    STAY();
    return room[bytes - 1];
}

int has_vla(int count)
{
    int sum = 0;
    for (int i = 1; i <= count; i++) {
        char room[i * 16];
        memset(room, i, sizeof room);
        leaf();
        STAY();
        sum += room[i];
    }
    return sum;
}

int is_realigned(int depth)
{
    char room[64] __attribute__((aligned(64)));
    memset(room, depth, sizeof room);
    leaf();
    STAY();
    return depth ? is_realigned(depth - 1) + room[1] : room[0];
}

/* ---- called by a library ---- */

unsigned compared;

int compare(const void *one, const void *other)
{
    int x = *(const int *)one, y = *(const int *)other;
    compared++;
    return (x > y) - (x < y);
}

void sorts(int *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare);
}

SUBJECTS_END
