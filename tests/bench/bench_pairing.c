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

struct bench_result bench_compare(struct bench_loops loops, unsigned rounds)
{
    static double ours_ns[BENCH_ROUNDS_MAX], raw_ns[BENCH_ROUNDS_MAX], ratios[BENCH_ROUNDS_MAX];
    uint64_t ours_pairs = bench_slice_pairs(loops.ours);
    uint64_t raw_pairs = bench_slice_pairs(loops.raw);
    uint64_t off_pairs = loops.taken_off ? bench_slice_pairs(loops.taken_off) : 0;
    for (unsigned i = 0; i < rounds; i++) {
        bool raw_first = i % 2;
        if (raw_first)
            raw_ns[i] = bench_slice_ns(loops.raw, raw_pairs);
        ours_ns[i] = bench_slice_ns(loops.ours, ours_pairs);
        if (loops.taken_off)
            ours_ns[i] -= bench_slice_ns(loops.taken_off, off_pairs);
        if (!raw_first)
            raw_ns[i] = bench_slice_ns(loops.raw, raw_pairs);
        ratios[i] = ours_ns[i] / raw_ns[i];
    }
    return bench_summarise(ours_ns, raw_ns, ratios, rounds);
}
