/*
 * bench_loops.h - what is measured, and how it is begun and ended; begins return 0, or -1 and errno
 */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

/* ---- bench_instance.c: loops over instances, and the pair of raw reads beside them ---- */

/* A loop's body is what a program would write around an empty region. */

/* The counter read twice, and the difference added up. */
void bench_raw_pairs(uint64_t pairs);

/* The instance of all loops but the ones over many. */
extern int bench_id;

void bench_instance_pairs(uint64_t pairs);  /* the inline calls of the header */
void bench_pointer_pairs(uint64_t pairs);   /* the exported functions, as another language calls */
void bench_span_pairs(uint64_t pairs);      /* now, now, record */
void bench_recursive_pairs(uint64_t pairs); /* start, start, stop, stop: two pairs */
void bench_rotating_pairs(uint64_t pairs);  /* each pair the next instance's, in turn */

/* Makes the one instance, under the processor's counter. 0, or -1 and errno. */
int bench_instance_begin(void);

/* Makes `count` instances for bench_rotating_pairs(). 0, or -1 and errno. */
int bench_rotation_begin(unsigned count);

/* Gives all of them back. */
void bench_instance_end(void);

/* ---- bench_disabled.c: the loop of bench_instance_pairs() without its calls ---- */

/* What a call costs that does nothing is what is left of the loop's time when
 * the loop itself is taken off. */

/* In place of the two calls two barriers for the compiler, which are no instruction. */
void bench_empty_pairs(uint64_t pairs);
/* In place of the two calls two of a function that returns at once. */
void bench_empty_call_pairs(uint64_t pairs);
/* The same, through pointers as in bench_pointer_pairs(). */
void bench_empty_pointer_pairs(uint64_t pairs);

/* bench_instance_begin(), then off. */
int bench_disabled_begin(void);
void bench_disabled_end(void);

/* ---- bench_clocks.c: the system's clocks, raw and as the library's source ---- */

/* Two calls, and the difference in the clock's own unit added up. */
void bench_raw_clock_gettime_pairs(uint64_t pairs);
void bench_raw_gettimeofday_pairs(uint64_t pairs);

/* bench_instance_begin(), then the source of that name. */
int bench_clock_gettime_begin(void);
int bench_gettimeofday_begin(void);

/* ---- bench_reference.c: the instructions of start and stop on memory of the thread's own ---- */

/* No library, and nothing that two threads share. What the library costs on two
 * threads and this does not is sharing; what this costs too is the machine's,
 * whose two processors may be one core's threads, or yield to other guests. */

void bench_reference_pairs(uint64_t pairs);

/* ---- bench_work.c: a pair around a region that works, in a caller that works ---- */

/* In a loop of empty regions a probe stands alone between two clock reads, and
 * all that it waits for is seen. In a program it runs beside the program's own
 * instructions. The work here is one long chain of multiplications, 20 in the
 * region and 20 behind it, some 20 ns each: they wait for each other and leave
 * room for whatever else there is. */

void bench_raw_work_pairs(uint64_t pairs);      /* between two raw reads */
void bench_instance_work_pairs(uint64_t pairs); /* between eprof_start and eprof_stop */
void bench_scope_work_pairs(uint64_t pairs);    /* in an EPROF_SCOPE */

/* ---- bench_scope.c: loops over scopes, and raw reads in the same shapes beside them ---- */

/* Where a loop calls functions, the raw one calls the same ones, with two reads in place of
 * the scope. */

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

/* ---- bench_scope_paths.c: scopes at many places in the call tree, visited at random ---- */

/* Two shapes: a function that calls one of so many, and a tree in which each of some levels
 * has ten. What draws the next one stands in the raw loop too. */

/* One of so many sites at the same place. */
int bench_flat_begin(unsigned count);
void bench_scope_flat_pairs(uint64_t pairs);
void bench_raw_flat_pairs(uint64_t pairs);

/* A path from the root to a leaf, each a pair a level: 10^levels leaves. */
int bench_tree_begin(unsigned levels);
void bench_scope_tree_pairs(uint64_t pairs);
void bench_raw_tree_pairs(uint64_t pairs);

/* Both begin by visiting each place twice: a first visit makes the node, a second one its
 * histogram. 0; -1 and errno, ENOMEM too where a limit would have them share a node. Both end
 * with bench_scope_end(). */

/* 10 + 100 + ... */
unsigned bench_tree_nodes(unsigned levels);

/* ---- bench_hook.c: loops over a function that the compiler has given hooks ---- */

/* Beside it stands the same function with calls of two hooks that do nothing, in a library of
 * their own if libeprof is one, as a program would have them that is built with the flag and linked
 * with nothing of ours. */

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

/* ---- bench_report.c: how long a report of a large call tree takes ---- */

/* The tree has five levels, of ten each: 111,110 nodes, and as many rows. Of each figure the
 * median of fifteen times counts. */

/* In ms; false and errno: it could not be had. */
bool bench_report_snapshot(double *ms); /* eprof_snapshot_take() and eprof_snapshot_free() */
bool bench_report_tree(double *ms);     /* eprof_report(), to /dev/null */
bool bench_report_csv(double *ms);

/* ---- bench_truth.c ----
 * what the first call costs, and how far the library's own figures can be trusted */

/* The process's first call of the library is in here: to be called before any other. */
void bench_truth_begin(void);

/* One figure each; false and errno: it could not be had. */

/* eprof_now(), the process's first call, in us. */
bool bench_first_stamp(double *us);
/* By how many ppm eprof_ns() is off CLOCK_MONOTONIC over the process's first
 * second: by the rate that was known at the start, and by the one after it. */
bool bench_told_rate(double *ppm);
bool bench_measured_rate(double *ppm);
/* What a million empty regions read in a snapshot, in ns each. */
bool bench_empty_region(double *ns);

#endif /* BENCH_LOOPS_H */
