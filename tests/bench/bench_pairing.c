#include "bench_pairing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bench_counter.h"

/* The pairs of a first, short slice that shows the time of a pair: about 50 us. */
enum { TRIES = 5, TRIAL_PAIRS = 2000 };

double bench_slice_ns(bench_loop *loop, uint64_t pairs)
{
    uint64_t begin_ns = bench_monotonic_ns();
    loop(pairs);
    return (double)(bench_monotonic_ns() - begin_ns) / (double)pairs;
}

uint64_t bench_slice_pairs(bench_loop *loop)
{
    double fastest_ns = BENCH_SLICE_NS;
    for (int i = 0; i < TRIES; i++) {
        double ns = bench_slice_ns(loop, TRIAL_PAIRS);
        if (ns < fastest_ns)
            fastest_ns = ns;
    }
    return fastest_ns > 0 ? (uint64_t)(BENCH_SLICE_NS / fastest_ns) + 1 : BENCH_SLICE_NS;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

struct bench_result bench_summarise(double *ours_ns, double *raw_ns, double *ratios,
                                    unsigned rounds)
{
    return (struct bench_result){
        .ns = bench_median(ours_ns, rounds),
        .raw_ns = bench_median(raw_ns, rounds),
        .ratio = bench_median(ratios, rounds),
        .lower_quartile = ratios[rounds / 4],
        .upper_quartile = ratios[rounds - 1 - rounds / 4],
    };
}

/* ---- is the core used by another hardware thread? ---- */

/* Independent additions fill the execution units of a core, and multiplications that wait for each
 * other use none of them fully. The quotient of their times does not depend on the frequency; it
 * grows while another hardware thread of the core executes. Both loops take some microseconds. */

enum { WITNESS_TURNS = 300, MULTIPLICATIONS = 10, ADDITIONS_EACH = 20 };

BENCH_LOOP static void add(uint64_t turns)
{
    uintptr_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    for (uint64_t i = 0; i < turns; i++) {
        _Pragma("GCC unroll 20") for (int j = 0; j < ADDITIONS_EACH; j++)
        {
            a += 1, b += 1, c += 1, d += 1, e += 1, f += 1;
            __asm__ volatile("" : "+r"(a));
            __asm__ volatile("" : "+r"(b));
            __asm__ volatile("" : "+r"(c));
            __asm__ volatile("" : "+r"(d));
            __asm__ volatile("" : "+r"(e));
            __asm__ volatile("" : "+r"(f));
        }
    }
}

BENCH_LOOP static void multiply(uint64_t turns)
{
    uintptr_t a = 1;
    for (uint64_t i = 0; i < turns; i++) {
        _Pragma("GCC unroll 10") for (int j = 0; j < MULTIPLICATIONS; j++)
        {
            a *= 69069;
            __asm__ volatile("" : "+r"(a));
        }
    }
}

static double core_use(void)
{
    return bench_slice_ns(add, WITNESS_TURNS) / bench_slice_ns(multiply, WITNESS_TURNS);
}

/* ---- rounds ---- */

struct round {
    double ours_ns, raw_ns;
    double core_use; /* the higher one of before and after */
};

static int compare_core_use(const void *a, const void *b)
{
    return compare(&((const struct round *)a)->core_use, &((const struct round *)b)->core_use);
}

struct bench_result bench_compare(struct bench_loops loops, unsigned rounds)
{
    static struct round round[BENCH_ROUNDS_MAX * BENCH_CANDIDATES];
    static double ours_ns[BENCH_ROUNDS_MAX], raw_ns[BENCH_ROUNDS_MAX], ratios[BENCH_ROUNDS_MAX];
    uint64_t ours_pairs = bench_slice_pairs(loops.ours);
    uint64_t raw_pairs = bench_slice_pairs(loops.raw);
    uint64_t off_pairs = loops.taken_off ? bench_slice_pairs(loops.taken_off) : 0;
    double before = core_use();
    for (unsigned i = 0; i < rounds * BENCH_CANDIDATES; i++) {
        bool raw_first = i % 2;
        if (raw_first)
            round[i].raw_ns = bench_slice_ns(loops.raw, raw_pairs);
        round[i].ours_ns = bench_slice_ns(loops.ours, ours_pairs);
        if (loops.taken_off)
            round[i].ours_ns -= bench_slice_ns(loops.taken_off, off_pairs);
        if (!raw_first)
            round[i].raw_ns = bench_slice_ns(loops.raw, raw_pairs);
        double after = core_use();
        round[i].core_use = before > after ? before : after;
        before = after;
    }
    qsort(round, (size_t)rounds * BENCH_CANDIDATES, sizeof *round, compare_core_use);
    for (unsigned i = 0; i < rounds; i++) {
        ours_ns[i] = round[i].ours_ns;
        raw_ns[i] = round[i].raw_ns;
        ratios[i] = round[i].ours_ns / round[i].raw_ns;
    }
    struct bench_result result = bench_summarise(ours_ns, raw_ns, ratios, rounds);
    result.core_use = round[rounds / 2].core_use;
    return result;
}
