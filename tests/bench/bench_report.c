#include "bench_loops.h"

#include <eprof.h>
#include <stdio.h>

#include "bench_counter.h"
#include "bench_pairing.h"

enum { TIMES = 15, LEVELS = 5, NS_PER_MS = 1000000 };

/* NULL: only the snapshot. */
static bool report_once(FILE *out, const char *format)
{
    if (format)
        return eprof_report(out, format) == 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    bool taken = snapshot != NULL;
    eprof_snapshot_free(snapshot);
    return taken;
}

static bool measure(const char *format, double *ms)
{
    double ns[TIMES];
    bool done = bench_tree_begin(LEVELS) == 0;
    FILE *out = fopen("/dev/null", "w");
    for (int i = 0; i < TIMES && done && out; i++) {
        uint64_t begin_ns = bench_monotonic_ns();
        done = report_once(out, format);
        ns[i] = (double)(bench_monotonic_ns() - begin_ns);
    }
    bench_scope_end();
    if (!out || fclose(out) != 0 || !done)
        return false;
    *ms = bench_median(ns, TIMES) / NS_PER_MS;
    return true;
}

bool bench_report_snapshot(double *ms)
{
    return measure(NULL, ms);
}

bool bench_report_tree(double *ms)
{
    return measure("tree", ms);
}

bool bench_report_csv(double *ms)
{
    return measure("csv", ms);
}
