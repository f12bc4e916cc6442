/*
 * jump.h - functions that are left by longjmp(), and what comes after them
 */
#ifndef JUMP_H
#define JUMP_H

#include "calls.h"
#include "tree_text.h"

#include <setjmp.h>

/* Each function has a frame of its own, and is not inlined. */
#define NOINLINE __attribute__((noinline, unused))

static jmp_buf back;

/* Keeps a call from being the last action of a function, and so from becoming a jump. */
static void stay(void)
{
    __asm__ volatile("" ::: "memory");
}

static NOINLINE void later(void)
{
    EPROF_FUNC;
    pass(1000);
    stay();
}

static NOINLINE void jump_over_1(void)
{
    EPROF_FUNC;
    pass(1);
    longjmp(back, 1);
}

static int end(void **state)
{
    (void)state;
    later(); /* nothing of one test is open in the next */
    return 0;
}

#endif /* JUMP_H */
