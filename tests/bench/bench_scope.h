/*
 * bench_scope.h - loops over scopes, and raw reads in the same shapes beside them
 *
 * Where a loop calls functions, the raw one calls the same ones, with two reads in place of
 * the scope.
 */
#ifndef BENCH_SCOPE_H
#define BENCH_SCOPE_H

#include <stdint.h>

void bench_scope_pairs(uint64_t pairs);          /* one site */
void bench_scope_nested_pairs(uint64_t pairs);   /* eight inside each other, in one function */
void bench_scope_siblings_pairs(uint64_t pairs); /* eight in turn, in one function */
void bench_scope_enter_pairs(uint64_t pairs);    /* eprof_enter, eprof_leave */

/* Eight functions, each of which calls the next. */
void bench_scope_functions_pairs(uint64_t pairs);
void bench_raw_functions_pairs(uint64_t pairs);

/* A function that calls itself: Fibonacci's numbers, by their definition. */
void bench_scope_recursive_pairs(uint64_t pairs);
void bench_raw_recursive_pairs(uint64_t pairs);

/* No figures, under the processor's counter. 0, or -1 and errno. */
int bench_scope_begin(void);
void bench_scope_end(void);

/* bench_scope_begin(), then off. */
int bench_scope_disabled_begin(void);
void bench_scope_disabled_end(void);

#endif /* BENCH_SCOPE_H */
