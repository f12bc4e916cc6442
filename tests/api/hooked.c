#include "hooked.h"

#include <unistd.h>

__attribute__((noinline)) static void step(void)
{
    __asm__ volatile("");
}

void hooked_work(int times)
{
    for (int i = 0; i < times; i++)
        step();
}

pid_t hooked_vfork(int times, void (*last)(void))
{
    pid_t child = vfork();
    if (child == 0) {
        hooked_work(times);
        last();
    }
    return child;
}

/* With a result the exit hook is called; step() may jump to it. */
__attribute__((noinline)) static int step_with_result(int number)
{
    __asm__ volatile("" : "+r"(number));
    return number;
}

static inline __attribute__((always_inline)) int inlined(int number)
{
    __asm__ volatile("" : "+r"(number));
    return number;
}

int hooked_nested(int number)
{
    step();
    return step_with_result(inlined(number));
}

int hooked_recursion(int depth)
{
    int below = depth ? hooked_recursion(depth - 1) : 0;
    __asm__ volatile("" : "+r"(below));
    return below + 1;
}
