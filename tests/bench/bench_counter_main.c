/*
 * bench_counter_main.c - how much of a probe the counter of this processor hides
 *
 *     eprof_bench_counter
 *
 * It shows whether bookkeeping between the two reads is free on this processor, and so the best
 * possible result of eprof_bench. It measures no probe of the library. As for eprof_bench, the
 * machine should have no other load.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench_loops.h"
#include "bench_machine.h"
#include "bench_processor.h"
#include "bench_threads.h"

enum { ROUNDS = 61, CPUIDS = 500 };

/* The difference between a pair of reads with this loop between them and a pair without it. */
static double extra_ns(bench_loop *loop)
{
    return bench_compare((struct bench_loops){loop, bench_raw_pairs, bench_raw_pairs}, ROUNDS).ns;
}

static void print_serials(double multiplication_ns)
{
    printf("\nBetween two reads: a chain of multiplications that waits for neither, one that\n"
           "begins with what the first read gave, and instructions that do nothing. In ns,\n"
           "what the pair takes longer, and what of the chain's own time it does not.\n\n"
           "%6s %8s %8s %8s %9s %8s %13s\n",
           "count", "alone", "chain", "hidden", "of stamp", "hidden", "instructions");
    for (const struct bench_serial *one = bench_serials; one->count; one++) {
        double alone_ns = one->count * multiplication_ns;
        double beside_ns = extra_ns(one->beside);
        double of_stamp_ns = extra_ns(one->of_stamp);
        printf("%6u %8.2f %8.2f %8.2f %9.2f %8.2f %13.2f\n", one->count, alone_ns, beside_ns,
               alone_ns - beside_ns, of_stamp_ns, alone_ns - of_stamp_ns,
               extra_ns(one->instructions));
    }
}

static void print_gaps(double multiplication_ns)
{
    double ns[BENCH_GAPS];
    bench_gaps_ns(ns);
    printf("\nFour reads, and between the first and the second a chain of %d that waits for\n"
           "neither, %.1f ns alone. From read to read, in ns:\n\n",
           BENCH_GAP_MULTIPLICATIONS, BENCH_GAP_MULTIPLICATIONS * multiplication_ns);
    for (int i = 0; i < BENCH_GAPS; i++)
        printf("%d to %d %8.2f\n", i + 1, i + 2, ns[i]);
}

static void print_ratio(const char *what, bench_loop *loop)
{
    struct bench_loops loops = {loop, bench_raw_pairs, NULL};
    struct bench_result result = bench_compare(loops, ROUNDS);
    printf("%-48s %8.2f %8.2f %7.3f\n", what, result.ns, result.raw_ns, result.ratio);
}

static void print_ratios(void)
{
    printf("\n%-48s %8s %8s %7s\n", "a pair", "ns", "raw", "ratio");
    print_ratio("two calls that store what was read", bench_floor_stamps);
    print_ratio("+ calls, total, min, max", bench_floor_totals);
    print_ratio("+ is the cell current, is the time possible", bench_floor_checks);
    print_ratio("+ a histogram of one level, a sum of squares", bench_floor_histogram);
    print_ratio("+ the cell is looked up in the thread's table", bench_floor_table);
    print_ratio("+ a depth", bench_floor_depth);
    print_ratio("+ a histogram of two levels", bench_floor_octaves);
#if BENCH_READS_EXIST
    print_ratio("no calls, reads that wait: lfence, rdtsc", bench_fenced_pairs);
    print_ratio("no calls, reads that wait: rdtscp", bench_rdtscp_pairs);
    printf("\na CPUID %.2f us\n", bench_slice_ns(bench_cpuid, CPUIDS) / 1000);
#endif
}

/* The ratio is 1 on two cores; on two threads of one core it is up to 2. */
static void print_cores(void)
{
    struct bench_loops loops = {bench_multiplications, bench_multiplications, NULL};
    struct bench_result alone = bench_compare(loops, ROUNDS), both;
    if (bench_compare_on_two(loops, ROUNDS, &both) == 0)
        printf("\ntwo processors at once, each as fast as it can multiply: %.2f of the time of one "
               "alone\n",
               both.ns / alone.ns);
}

int main(void)
{
    bench_machine_print(stdout, "");
    printf("rounds     %d slices of each\n", ROUNDS);
    double multiplication_ns = bench_multiplication_ns();
    print_serials(multiplication_ns);
    print_gaps(multiplication_ns);
    print_ratios();
    print_cores();
    return EXIT_SUCCESS;
}
