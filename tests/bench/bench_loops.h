/*
 * bench_loops.h - the measured loops, with the functions that begin and end a measurement; those
 * that begin return 0, or -1 and errno
 */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

/* ---- bench_instance.c: loops over instances, and the pair of raw reads to compare them with
 * ---- */

/* The body of a loop is the code that a program would have around an empty region. */

/* Reads the counter twice, and adds up the difference. */
void bench_raw_pairs(uint64_t pairs);

/* The instance of all loops except those over many instances. */
extern int bench_id;

void bench_instance_pairs(uint64_t pairs);  /* the inline calls of the header */
void bench_pointer_pairs(uint64_t pairs);   /* the exported functions, as from other languages */
void bench_span_pairs(uint64_t pairs);      /* now, now, record */
void bench_recursive_pairs(uint64_t pairs); /* start, start, stop, stop: two pairs */
void bench_rotating_pairs(uint64_t pairs);  /* each pair uses the next instance, in turn */

/* Makes that instance, with the counter of the processor as the clock. 0, or -1 and errno. */
int bench_instance_begin(void);

/* Makes `count` instances for bench_rotating_pairs(). 0, or -1 and errno. */
int bench_rotation_begin(unsigned count);

/* Releases all of them. */
void bench_instance_end(void);

/* ---- bench_disabled.c: the loop of bench_instance_pairs() without its calls ---- */

/* The cost of a call that does nothing is the time of its loop minus the time of an empty loop. */

/* Two barriers for the compiler, without instructions, replace the two calls. */
void bench_empty_pairs(uint64_t pairs);
/* Two calls of a function that returns at once replace them. */
void bench_empty_call_pairs(uint64_t pairs);
/* The same, through pointers as in bench_pointer_pairs(). */
void bench_empty_pointer_pairs(uint64_t pairs);

/* bench_instance_begin(), then recording is switched off. */
int bench_disabled_begin(void);
void bench_disabled_end(void);

/* ---- bench_clocks.c: clocks of the system, raw and as sources of the library ---- */

/* Two calls; adds up the difference in the unit of the clock. */
void bench_raw_clock_gettime_pairs(uint64_t pairs);
void bench_raw_gettimeofday_pairs(uint64_t pairs);

/* bench_instance_begin(), then the source of that name is used. */
int bench_clock_gettime_begin(void);
int bench_gettimeofday_begin(void);

/* ---- bench_reference.c: the instructions of start and stop on memory of one thread only ---- */

/* These loops use neither the library nor memory that two threads share. A cost on two threads that
 * only the library has is the cost of sharing. A cost that these loops have too comes from the
 * machine: its two processors may be threads of one core, or may be used by other guests. */

void bench_reference_pairs(uint64_t pairs);

/* ---- bench_work.c: a pair around a region with work, in a caller with work ---- */

/* In a loop of empty regions a probe is alone between two clock reads, and each wait in it is
 * visible. In a program it runs in parallel with the instructions of the program. Here the work is
 * one long chain of multiplications, 20 in the region and 20 after it, about 20 ns each: they wait
 * for each other and leave execution units free for other instructions. */

void bench_raw_work_pairs(uint64_t pairs);      /* between two raw reads */
void bench_instance_work_pairs(uint64_t pairs); /* between eprof_start and eprof_stop */
void bench_scope_work_pairs(uint64_t pairs);    /* in an EPROF_SCOPE */

/* ---- bench_scope.c: loops over scopes, and loops of the same shape with raw reads ---- */

/* If a loop calls functions, the raw loop calls the same functions, with two reads in place of the
 * scope. */

void bench_scope_pairs(uint64_t pairs);          /* one site */
void bench_scope_nested_pairs(uint64_t pairs);   /* eight inside each other, in one function */
void bench_scope_siblings_pairs(uint64_t pairs); /* eight in turn, in one function */
void bench_scope_enter_pairs(uint64_t pairs);    /* eprof_enter, eprof_leave */

/* Eight functions, each of which calls the next one. */
void bench_scope_functions_pairs(uint64_t pairs);
void bench_raw_functions_pairs(uint64_t pairs);

/* A recursive function: Fibonacci's numbers, by their definition. */
void bench_scope_recursive_pairs(uint64_t pairs);
void bench_raw_recursive_pairs(uint64_t pairs);

/* Removes all figures, and uses the counter of the processor. 0, or -1 and errno. */
int bench_scope_begin(void);
int bench_scope_sampled_begin(void); /* under the default budget */
void bench_scope_end(void);

/* bench_scope_begin(), then recording is switched off. */
int bench_scope_disabled_begin(void);
void bench_scope_disabled_end(void);

/* ---- bench_scope_paths.c: scopes at many places in the call tree, visited at random ---- */

/* There are two shapes: a function that calls one of many others, and a tree with several levels,
 * in which each node has ten children. The random choice of the next place is in the raw loop
 * too. */

/* One of `count` sites at the same place in the tree. */
int bench_flat_begin(unsigned count);
void bench_scope_flat_pairs(uint64_t pairs);
void bench_raw_flat_pairs(uint64_t pairs);

/* A path from the root to a leaf, with a pair on each level: there are 10^levels leaves. */
int bench_tree_begin(unsigned levels);
void bench_scope_tree_pairs(uint64_t pairs);
void bench_raw_tree_pairs(uint64_t pairs);

/* Both functions first visit each place twice: the first visit makes the node, the second one its
 * histogram. They return 0, or -1 and errno; with ENOMEM also if a limit would make the places
 * share a node. bench_scope_end() ends both. */

/* 10 + 100 + ... */
unsigned bench_tree_nodes(unsigned levels);

/* ---- bench_hook.c: loops over a function that is compiled with hooks ---- */

/* They are compared with the same function with calls of two hooks that do nothing. These are in a
 * separate shared library if libeprof is one, as in a program that is built with the flag but not
 * linked with libeprof. */

void bench_hook_pairs(uint64_t pairs);
void bench_hook_work_pairs(uint64_t pairs); /* with work in the function, and in its caller */

void bench_empty_hook_pairs(uint64_t pairs);
void bench_empty_hook_work_pairs(uint64_t pairs);
/* The empty hooks with two reads of the counter between them. */
void bench_raw_hook_pairs(uint64_t pairs);

/* Uses the counter of the processor, and times each call. 0, or -1 and errno. */
int bench_hook_begin(void);
/* The same, but one call in 64 is timed. */
int bench_hook_sampled_begin(void);
void bench_hook_end(void);

/* Recording is switched off. */
int bench_hook_disabled_begin(void);
void bench_hook_disabled_end(void);

/* ---- bench_hooked.c, built with the flag ---- */

void bench_hooked(void);
unsigned bench_hooked_work(unsigned value);

/* ---- bench_empty_hooks.c ---- */

void bench_empty_enter(void *function, void *call_site);
void bench_empty_exit(void *function, void *call_site);

/* ---- bench_report.c: the time of a report on a large call tree ---- */

/* The tree has five levels, and each node has ten children: 111,110 nodes, and as many rows. Each
 * figure is the median of fifteen times. */

/* In ms; false and errno if it could not be measured. */
bool bench_report_snapshot(double *ms); /* eprof_snapshot_take() and eprof_snapshot_free() */
bool bench_report_tree(double *ms);     /* eprof_report(), to /dev/null */
bool bench_report_csv(double *ms);

/* ---- bench_truth.c ---- the cost of the first call, and the errors of the library's own
 * figures */

/* It contains the first call of the library in this process, so it must be called before any other
 * function. */
void bench_truth_begin(void);

/* Each measures one figure; false and errno if it could not be measured. */

/* The time of eprof_now() as the first call of the process, in us. */
bool bench_first_stamp(double *us);
/* The difference between eprof_ns() and CLOCK_MONOTONIC over the first second of the process, in
 * ppm: with the rate that was known at the start, and with the one after it. */
bool bench_told_rate(double *ppm);
bool bench_measured_rate(double *ppm);
/* The mean of a million empty regions in a snapshot, in ns. */
bool bench_empty_region(double *ns);

#endif /* BENCH_LOOPS_H */
