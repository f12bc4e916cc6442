#include "bench_loops.h"

__attribute__((noinline)) void bench_empty_enter(void *function, void *call_site)
{
    __asm__ volatile("" : : "r"(function), "r"(call_site));
}

__attribute__((noinline)) void bench_empty_exit(void *function, void *call_site)
{
    __asm__ volatile("" : : "r"(function), "r"(call_site));
}
