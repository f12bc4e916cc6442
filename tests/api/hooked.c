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
