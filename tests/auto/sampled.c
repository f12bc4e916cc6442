/* sampled.c - brief functions that are called often, for tests under a budget */
#include "subjects.h"

#include <eprof.h>

SUBJECTS_BEGIN

void brief(void)
{
    STAY();
}

void brief_often(int times)
{
    for (int i = 0; i < times; i++)
        brief();
}

void *brief_on_thread(void *times)
{
    brief_often(*(int *)times);
    return NULL;
}

/* ---- with other calls inside ---- */

void brief_inside(void)
{
    STAY();
}

NOINLINE void brief_around(void)
{
    brief_inside();
    EPROF_SCOPE("in brief");
    brief_inside();
}

void brief_around_often(int times)
{
    for (int i = 0; i < times; i++)
        brief_around();
}

/* ---- recursive ---- */

long brief_fib(long n)
{
    return n < 2 ? n : brief_fib(n - 1) + brief_fib(n - 2);
}

/* ---- left by a jump ---- */

static jmp_buf back;

NOINLINE void brief_jump(int is_left)
{
    if (is_left)
        longjmp(back, 1);
    STAY();
}

/* First it returns; afterwards each call is left by a jump. */
void brief_jump_often(int returns, int jumps)
{
    for (int i = 0; i < returns; i++)
        brief_jump(0);
    for (volatile int i = 0; i < jumps; i++) {
        if (setjmp(back) == 0)
            brief_jump(1);
        brief_inside();
    }
}

/* ---- called by code without hooks, from three functions and from various depths of the stack ---- */

NOINLINE void via_back(void)
{
    STAY();
}

NOINLINE void via_once(void (*outside)(void (*call)(void), int depth), int depth)
{
    outside(via_back, depth);
    STAY();
}

NOINLINE void via_twice(void (*outside)(void (*call)(void), int depth), int depth)
{
    outside(via_back, depth);
    outside(via_back, 0);
    STAY();
}

/* Of the memory on the stack nothing is written. */
NOINLINE void via_around(void (*outside)(void (*call)(void), int depth), unsigned long bytes)
{
    for (int depth = 0; depth < 3; depth++) {
        via_once(outside, depth);
        via_twice(outside, depth);
    }
    void *unused = __builtin_alloca(bytes);
    __asm__ volatile("" : : "r"(unused) : "memory");
    outside(via_back, bytes % 3);
    STAY();
}

void via_often(void (*outside)(void (*call)(void), int depth), int times)
{
    for (int i = 0; i < times; i++)
        via_around(outside, i % 61 * 8UL);
}

SUBJECTS_END
