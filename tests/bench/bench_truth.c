#include "bench_loops.h"

#include <eprof.h>
#include <errno.h>

#include "bench_counter.h"

#define NS_PER_SECOND UINT64_C(1000000000)

/* The number of attempts to read two clocks at one moment; the attempt with the shortest duration
 * counts. */
enum { TRIES = 20, EMPTY_PAIRS = 1000000 };

struct moment {
    uint64_t ticks, monotonic_ns;
};

static double first_stamp_us;
static double told_ns_per_tick;
static struct moment first, second_later;

static struct moment moment_now(void)
{
    struct moment best = {0, 0};
    uint64_t narrowest_ticks = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before_ticks = eprof_now();
        uint64_t monotonic_ns = bench_monotonic_ns();
        uint64_t bracket_ticks = eprof_now() - before_ticks;
        if (bracket_ticks < narrowest_ticks) {
            narrowest_ticks = bracket_ticks;
            best = (struct moment){before_ticks + bracket_ticks / 2, monotonic_ns};
        }
    }
    return best;
}

void bench_truth_begin(void)
{
    bench_monotonic_ns(); /* the first call is slow, and its time is not that of the library */
    uint64_t begin_ns = bench_monotonic_ns();
    eprof_now();
    first_stamp_us = (double)(bench_monotonic_ns() - begin_ns) / 1000;
    first = moment_now();
    /* a number of ticks for which the rounding of eprof_ns() is less than a ppm of a ppm */
    uint64_t many_ticks = UINT64_C(1) << 44;
    told_ns_per_tick = (double)eprof_ns(many_ticks) / (double)many_ticks;
}

bool bench_first_stamp(double *us)
{
    *us = first_stamp_us;
    return true;
}

static void wait_for_second(void)
{
    while (second_later.ticks == 0) {
        struct moment now = moment_now();
        if (now.monotonic_ns - first.monotonic_ns >= NS_PER_SECOND)
            second_later = now;
    }
}

static double error_ppm(double ns)
{
    double true_ns = (double)(second_later.monotonic_ns - first.monotonic_ns);
    return (ns - true_ns) / true_ns * 1e6;
}

bool bench_told_rate(double *ppm)
{
    wait_for_second();
    *ppm = error_ppm(told_ns_per_tick * (double)(second_later.ticks - first.ticks));
    return true;
}

bool bench_measured_rate(double *ppm)
{
    wait_for_second();
    *ppm = error_ppm((double)eprof_ns(second_later.ticks - first.ticks));
    return true;
}

/* Finds the row of bench_id. */
static bool find_row(const eprof_snapshot *snapshot, struct eprof_row *row)
{
    row->size = sizeof *row;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++)
        if (eprof_snapshot_row(snapshot, i, row) == 0 && row->id == bench_id)
            return true;
    errno = ENOENT;
    return false;
}

bool bench_empty_region(double *ns)
{
    struct eprof_row row;
    if (bench_instance_begin() != 0)
        return false;
    bench_instance_pairs(EMPTY_PAIRS);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    bool found = snapshot && find_row(snapshot, &row) && row.timed != 0;
    if (found)
        *ns = (double)row.total_ns / (double)row.timed;
    eprof_snapshot_free(snapshot);
    bench_instance_end();
    return found;
}
