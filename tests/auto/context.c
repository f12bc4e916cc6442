/* context.c - functions that run on their own stacks */
#include "subjects.h"

#include <ucontext.h>

SUBJECTS_BEGIN

enum { STACK_BYTES = 128 * 1024 };

static ucontext_t home, even, odd;
static int rounds_left;

void coroutine_work(void)
{
    STAY();
}

NOINLINE void coroutine_yields(ucontext_t *from, ucontext_t *to)
{
    coroutine_work();
    swapcontext(from, to);
    coroutine_work();
}

void coroutine_even(void)
{
    while (rounds_left-- > 0)
        coroutine_yields(&even, &odd);
}

void coroutine_odd(void)
{
    for (;;)
        coroutine_yields(&odd, &even);
}

static void make(ucontext_t *context, char *stack, void (*function)(void))
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = STACK_BYTES;
    context->uc_link = &home;
    makecontext(context, function, 0);
}

/* Two coroutines that call each other, on stacks one above the other. */
void coroutines_in_turn(int rounds)
{
    static char stack[2][STACK_BYTES] __attribute__((aligned(16)));
    rounds_left = rounds;
    make(&even, stack[rounds % 2], coroutine_even);
    make(&odd, stack[1 - rounds % 2], coroutine_odd);
    swapcontext(&home, &even);
}

SUBJECTS_END
