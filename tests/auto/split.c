/* split.c - functions that gcc splits at -O2 and above: the beginning is inlined into the caller,
 * and the rest, which contains the exit hook, becomes a separate function that the caller calls */
#include "subjects.h"

#include <eprof.h>
#include <stdlib.h>

SUBJECTS_BEGIN

/* Too many instructions to be inlined, so that they become the rest: gcc counts each line as an
 * instruction. */
#define NOPS "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"
#define MORE_NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS
#define MUCH() __asm__ volatile(MORE_NOPS MORE_NOPS MORE_NOPS MORE_NOPS ::: "memory")

/* gcc puts the part that is run less often into the rest. */
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

struct split_sum {
    long total;
    int is_done;
};

static jmp_buf back;

void split_leaf(void)
{
    STAY();
}

/* ---- one after the other ---- */

void split_compute(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return;
    MUCH();
    sum->is_done = 1;
}

/* A result follows the exit, so that the exit hook is called and not jumped to. */
long split_value(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return 0;
    MUCH();
    split_leaf();
    return sum->total % 2;
}

NOINLINE void split_caller(struct split_sum *sum)
{
    split_compute(sum);
    split_leaf();
    sum->is_done = 0;
    sum->total += split_value(sum);
    split_leaf();
    sum->total += split_value(sum);
}

void splits(int rounds)
{
    struct split_sum sum = {1, 0};
    for (int i = 0; i < rounds; i++) {
        sum.is_done = i % 4 == 3;
        split_caller(&sum);
    }
}

/* ---- recursive ---- */

void split_deep(struct split_sum *sum, int depth);

NOINLINE void split_through(struct split_sum *sum, int depth)
{
    split_deep(sum, depth);
    split_leaf();
}

/* The function calls itself directly and through another function, at each level. */
void split_deep(struct split_sum *sum, int depth)
{
    if (LIKELY(!depth))
        return;
    MUCH();
    split_deep(sum, depth - 1);
    split_through(sum, depth - 1);
    STAY();
}

NOINLINE void split_recursion(int depth)
{
    struct split_sum sum = {1, 0};
    split_deep(&sum, depth);
    split_leaf();
}

void splits_recursion(int depth)
{
    split_recursion(depth);
    split_leaf();
}

/* ---- with other code inside ---- */

void split_scope(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return;
    MUCH();
    EPROF_SCOPE("inner");
    split_leaf();
}

NOINLINE void split_around_scope(struct split_sum *sum)
{
    EPROF_SCOPE("outer");
    split_scope(sum);
    split_leaf();
    split_scope(sum);
}

void splits_scopes(int rounds)
{
    struct split_sum sum = {1, 0};
    for (int i = 0; i < rounds; i++)
        split_around_scope(&sum);
}

NOINLINE void split_jump_deep(int depth)
{
    if (!depth)
        longjmp(back, 1);
    split_jump_deep(depth - 1);
    STAY();
}

NOINLINE void split_catch(void)
{
    if (setjmp(back) == 0)
        split_jump_deep(2);
}

/* The functions that the jump leaves are on the stack below the rest. */
void split_jump(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return;
    MUCH();
    split_catch();
    MUCH();
}

NOINLINE void split_around_jump(struct split_sum *sum)
{
    split_jump(sum);
    split_leaf();
    split_jump(sum);
}

void splits_jumps(int rounds)
{
    struct split_sum sum = {1, 0};
    for (int i = 0; i < rounds; i++)
        split_around_jump(&sum);
}

void split_large(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return;
    volatile char room[100000];
    room[0] = room[sizeof room - 1] = 1;
    MUCH();
    split_leaf();
    sum->total += room[0];
}

NOINLINE void split_around_large(struct split_sum *sum)
{
    split_large(sum);
    split_leaf();
}

/* The calling frame is large too. */
void splits_large(int rounds)
{
    struct split_sum sum = {1, 0};
    volatile char room[100000];
    for (int i = 0; i < rounds; i++) {
        room[i] = 1;
        sum.total += room[0];
        split_around_large(&sum);
        split_large(&sum);
        split_leaf();
    }
}

/* ---- in signal handlers ---- */

static struct split_sum handled = {1, 0};

void split_on_signal(int signal)
{
    split_compute(&handled);
    handled.is_done = 0;
    split_leaf();
    (void)signal;
}

NOINLINE void split_raise(int signal)
{
    struct split_sum sum = {1, 0};
    split_compute(&sum);
    raise(signal);
    split_leaf();
}

void splits_signals(int signal, int rounds)
{
    for (int i = 0; i < rounds; i++)
        split_raise(signal);
}

/* ---- brief and frequent ---- */

void split_brief(struct split_sum *sum)
{
    if (LIKELY(sum->is_done))
        return;
    MUCH();
}

NOINLINE void split_around_brief(struct split_sum *sum)
{
    split_brief(sum);
    split_leaf();
    split_brief(sum);
}

void splits_often(int times)
{
    struct split_sum sum = {1, 0};
    for (int i = 0; i < times; i++) {
        sum.is_done = i % 2;
        split_around_brief(&sum);
    }
}

SUBJECTS_END
