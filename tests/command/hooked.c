/*
 * hooked.c - a program that is compiled with hooks or with room for patched entries, but not linked
 * with libeprof: main calls `work` three times, which calls `step` four times
 */
static volatile int steps; /* volatile, so that the compiler keeps the increments */

__attribute__((noinline)) static void step(void)
{
    steps = steps + 1;
}

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 4; i++)
        step();
    __asm__ volatile(""); /* no sibling call */
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        work();
    return steps == 12 ? 0 : 1;
}
