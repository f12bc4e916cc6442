/*
 * noisy_program.c - RUNS REGION PERCENT: runs the program of regions.h RUNS times for each side,
 * with REGION slower by PERCENT on the side after, and writes a profile file of each run: before-1,
 * before-2 ... after-1, after-2 ...
 *
 * Its clock is moved by hand, by times such as a machine with some other load produces: most times
 * of a region are within a few percent of each other, a few are a multiple of that, a disturbance
 * of a run affects all its regions, and the machine becomes slower during the runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hand_clock.h"
#include "random.h"
#include "regions.h"

enum { PART_NS = 1000, OUTLIERS = 50 /* one in this number */ };

/* The standard deviations of the logarithms of the noise: for a call, for a region in a run, for a
 * run. */
static const double call_noise = 0.05, region_noise = 0.02, run_noise = 0.01;
static const double outlier = 3, most_drift = 0.05;

static double slowness[REGIONS]; /* in this run */

static double uniform(void)
{
    return (double)(random_next() >> 11) * 0x1p-53;
}

/* Box and Muller, "A Note on the Generation of Random Normal Deviates", Ann. Math. Stat. 29, 1958.
 */
static double log_normal(double deviation)
{
    double radius = sqrt(-2 * log(1 - uniform()));
    return exp(deviation * radius * cos(2 * acos(-1) * uniform()));
}

static void spend(int region)
{
    hand_ticks +=
        (uint64_t)(regions[region].own * PART_NS * slowness[region] * log_normal(call_noise));
}

static void begin_run(double drift, int changed, double times)
{
    double of_run = (1 + drift) * log_normal(run_noise);
    for (int region = 0; region < REGIONS; region++) {
        slowness[region] = of_run * log_normal(region_noise);
        slowness[region] *= random_next() % OUTLIERS == 0 ? outlier : 1;
        slowness[region] *= region == changed ? times : 1;
    }
}

/* The order is one before, two after, two before and so on, so that a disturbance affects both
 * sides equally. */
static int record(int runs, int changed, double times)
{
    static const char *const sides[] = {"before", "after"};
    double drift = most_drift * uniform();
    for (int run = 0; run < 2 * runs; run++) {
        int side = (run + 1) / 2 % 2;
        char path[24];
        eprof_reset();
        begin_run(drift * run / (2 * runs), changed, side ? times : 1);
        region_call(0, spend);
        snprintf(path, sizeof path, "%s-%d", sides[side], run / 2 + 1);
        if (eprof_save(path) != 0) {
            perror(path);
            return 1;
        }
    }
    return 0;
}

int main(int count, char **words)
{
    int changed = count == 4 ? region_named(words[2]) : REGIONS;
    if (changed == REGIONS) {
        fprintf(stderr, "usage: %s RUNS REGION PERCENT\n", words[0]);
        return 2;
    }
    random_begin();
    hand_clock_use();
    return record(atoi(words[1]), changed, 1 + atof(words[3]) / 100);
}
