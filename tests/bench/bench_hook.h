/*
 * bench_hook.h - loops over a function that the compiler has given hooks
 *
 * Beside it stands the same function with calls of two hooks that do nothing, in a library of
 * their own if libeprof is one, as a program would have them that is built with the flag and linked
 * with nothing of ours.
 */
#ifndef BENCH_HOOK_H
#define BENCH_HOOK_H

#include <stdint.h>

void bench_hook_pairs(uint64_t pairs);
void bench_hook_work_pairs(uint64_t pairs); /* work in the function, and in its caller */

void bench_empty_hook_pairs(uint64_t pairs);
void bench_empty_hook_work_pairs(uint64_t pairs);
/* With two reads of the counter between the empty hooks. */
void bench_raw_hook_pairs(uint64_t pairs);

/* Under the processor's counter, and each call timed. 0, or -1 and errno. */
int bench_hook_begin(void);
/* Throttled, as is what is called as often as these. */
int bench_hook_throttled_begin(void);
void bench_hook_end(void);

/* Off. */
int bench_hook_disabled_begin(void);
void bench_hook_disabled_end(void);

/* ---- bench_hooked.c, built with the flag ---- */

void bench_hooked(void);
unsigned bench_hooked_work(unsigned value);

/* ---- bench_empty_hooks.c ---- */

void bench_empty_enter(void *function, void *call_site);
void bench_empty_exit(void *function, void *call_site);

#endif /* BENCH_HOOK_H */
