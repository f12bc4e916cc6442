/* jump.c - functions that are left by longjmp() */
#include "subjects.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#include <eprof.h>

SUBJECTS_BEGIN

static sigjmp_buf back, further_back;

void jump_after(void)
{
    STAY();
}

NOINLINE void jump_deep(int depth)
{
    if (!depth)
        siglongjmp(back, 1);
    jump_deep(depth - 1);
    STAY();
}

void jump_to_caller(void)
{
    if (sigsetjmp(back, 0) == 0)
        jump_deep(3);
    jump_after();
}

void jump_many_times(int times)
{
    for (volatile int i = 0; i < times; i++)
        if (sigsetjmp(back, 0) == 0)
            jump_deep(i % 4);
}

/* The stack pointer of the outer call, at its exit hook, is where the inner call's frame ended.
 * With a result it calls the hook, and does not jump to it. */
NOINLINE int jump_in_recursion(int depth)
{
    volatile int result = depth;
    if (result == 1)
        siglongjmp(back, 1);
    if (sigsetjmp(back, 0) == 0)
        jump_in_recursion(result + 1);
    return result;
}

NOINLINE void jump_below(void)
{
    STAY();
}

/* A call in it has a lower frame than one that has returned. */
static __attribute__((noinline, no_instrument_function, patchable_function_entry(0))) void
call_from_below(void)
{
    char room[512];
    __asm__ volatile("" : "=m"(room));
    jump_below();
    __asm__ volatile("" : "+m"(room));
}

void jump_out_of_recursion(int times)
{
    for (volatile int i = 0; i < times; i++) {
        jump_in_recursion(0);
        call_from_below();
    }
}

/* ---- over frames whose size is not known ---- */

NOINLINE void jump_alloca(size_t bytes)
{
    char *room = (char *)alloca(bytes);
    memset(room, 1, bytes);
    jump_deep(1);
    STAY();
}

void jump_over_alloca(size_t bytes)
{
    if (sigsetjmp(back, 0) == 0)
        jump_alloca(bytes);
    jump_after();
}

NOINLINE void jump_vla(int count)
{
    char room[count * 16];
    memset(room, 1, sizeof room);
    jump_deep(1);
    STAY();
}

void jump_over_vla(int count)
{
    if (sigsetjmp(back, 0) == 0)
        jump_vla(count);
    jump_after();
}

/* ---- out of functions that have no own frame ---- */

INLINED void jump_inlined(void)
{
    jump_after();
    siglongjmp(back, 1);
}

NOINLINE void jump_around_inlined(void)
{
    jump_inlined();
    STAY();
}

void jump_out_of_inlined(void)
{
    if (sigsetjmp(back, 0) == 0)
        jump_around_inlined();
    jump_after();
}

/* ---- out of functions that others call ---- */

int jump_compare(const void *one, const void *other)
{
    (void)one, (void)other;
    siglongjmp(back, 1);
}

NOINLINE void jump_sort(void)
{
    int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    qsort(numbers, 8, sizeof *numbers, jump_compare);
    STAY();
}

void jump_out_of_library(void)
{
    if (sigsetjmp(back, 0) == 0)
        jump_sort();
    jump_after();
}

void jump_handle(int signal)
{
    (void)signal;
    jump_deep(1);
}

NOINLINE void jump_raise(void)
{
    raise(SIGUSR1);
    STAY();
}

/* Restores the signal mask, so that the signal can arrive again. flags: SA_ONSTACK, or 0. */
void jump_out_of_handler(int flags)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = jump_handle;
    action.sa_flags = flags;
    sigaction(SIGUSR1, &action, &before);
    for (volatile int i = 0; i < 3; i++) {
        if (sigsetjmp(back, 1) == 0)
            jump_raise();
        jump_after();
    }
    sigaction(SIGUSR1, &before, NULL);
}

/* ---- to more than one place ---- */

NOINLINE void jump_first_step(void)
{
    if (sigsetjmp(back, 0) == 0)
        jump_deep(2);
    jump_after();
    siglongjmp(further_back, 1);
}

void jump_in_two_steps(void)
{
    if (sigsetjmp(further_back, 0) == 0)
        jump_first_step();
    jump_after();
}

void jump_out_of_all(jmp_buf to)
{
    jump_after();
    longjmp(to, 1);
}

/* ---- the next function calls its hook from far below ---- */

NOINLINE void jump_large(void)
{
    char room[4096];
    memset(room, 1, sizeof room);
    jump_after();
    STAY();
}

void jump_to_large(void)
{
    if (sigsetjmp(back, 0) == 0)
        jump_deep(0);
    jump_large();
}

/* ---- the next function has a lower frame, since its arguments are above it ---- */

NOINLINE long jump_big(struct big by_value)
{
    STAY();
    return by_value.word[BIG_WORDS - 1];
}

void jump_past_big(void)
{
    struct big big;
    memset(&big, 1, sizeof big);
    if (sigsetjmp(back, 0) == 0)
        jump_deep(0);
    jump_big(big);
    jump_after();
}

/* ---- among scopes ---- */

NOINLINE void jump_scope(void)
{
    EPROF_SCOPE("left");
    jump_deep(1);
    STAY();
}

void jump_over_scopes(void)
{
    EPROF_SCOPE("around");
    if (sigsetjmp(back, 0) == 0)
        jump_scope();
    EPROF_BLOCK("behind") jump_after();
}

SUBJECTS_END
