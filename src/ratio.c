#include "ratio.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "sample.h"

/* Both samples, sorted: their quotients grow with `after` and fall with `before`. */
struct samples {
    const double *before, *after;
    size_t before_count, after_count;
};

static double quotient(double after, double before)
{
    if (before > 0)
        return after / before;
    return after > 0 ? (double)INFINITY : 1;
}

/* How many quotients are at most `limit`: one walk along the border of those that are. */
static size_t count_to(const struct samples *of, double limit)
{
    size_t count = 0, within = 0;
    for (size_t i = 0; i < of->before_count; i++) {
        while (within < of->after_count && quotient(of->after[within], of->before[i]) <= limit)
            within++;
        count += within;
    }
    return count;
}

static double number_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/*
 * The quotient of this rank, from 1 on, without a list of them all: numbers that are not below 0
 * are in the order of their bits, so halving finds it, to the last one, in at most 64 walks.
 */
static double find_quotient(const struct samples *of, size_t rank)
{
    uint64_t low = 0, high = bits_of((double)INFINITY);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (count_to(of, number_of(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return number_of(low);
}

struct ep_ratio ep_ratio_of(double *before, size_t before_count, double *after, size_t after_count,
                            size_t cut)
{
    const struct samples of = {before, after, before_count, after_count};
    size_t quotients = before_count * after_count;
    ep_sample_sort(before, before_count);
    ep_sample_sort(after, after_count);
    struct ep_ratio ratio = {.low = 0, .high = (double)INFINITY};
    double lower = find_quotient(&of, (quotients + 1) / 2);
    ratio.estimate = (lower + find_quotient(&of, quotients / 2 + 1)) / 2;
    if (cut == 0)
        return ratio;
    ratio.has_interval = true;
    ratio.low = find_quotient(&of, cut);
    ratio.high = find_quotient(&of, quotients + 1 - cut);
    return ratio;
}
