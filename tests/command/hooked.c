/*
 * hooked.c - is compiled with -finstrument-functions, and linked with nothing of ours: main calls
 * `work` three times, which calls `step` four times
 */
static volatile int steps; /* what is done with it cannot be left out */

__attribute__((noinline)) static void step(void)
{
    steps = steps + 1;
}

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 4; i++)
        step();
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        work();
    return steps == 12 ? 0 : 1;
}
