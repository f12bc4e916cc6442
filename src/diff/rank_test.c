#include "diff/rank_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"

static int lowest_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, lowest_first);
}

double ep_rank_test_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    sort(values, count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* ---- the distribution of the rank sum ---- */

/* The statistic U of Mann and Whitney ("On a Test of Whether one of Two Random Variables is
 * Stochastically Larger than the Other", Ann. Math. Statist. 18, 1947) counts the pairs of
 * one value of each sample in which the second value is smaller. The two samples are assumed to be
 * of one distribution, of any kind, and their values to be independent. The distribution of U for
 * large samples is nearly normal, so their cut is scaled from the cut of these sizes: for 1,000
 * each, an error of 10^-6 becomes 1.1 * 10^-6, and 0.05 stays 0.05. */
enum { EXACT_MOST = 300, EXACT_PAIRS_MOST = EXACT_MOST * EXACT_MOST };

/*
 * The probabilities of U = 0, 1, 2 ... `most`. The generating function of the number of orders is
 * the product of (1 - q^(second + i)) / (1 - q^i) for i from 1 to `first` (E. F. Harding, "An
 * Efficient, Minimal-Storage Procedure for Calculating the Mann-Whitney U, Generalized U and
 * Similar Distributions", Applied Statistics 33, 1984). A coefficient depends on lower ones only,
 * so the tail is as exact as its own digits.
 */
static void find_probabilities(double *of, size_t most, size_t first, size_t second)
{
    of[0] = 1;
    for (size_t i = 1; i <= first; i++) {
        for (size_t u = most; u >= second + i; u--)
            of[u] -= of[u - (second + i)];
        for (size_t u = i; u <= most; u++)
            of[u] += of[u - i];
        double share = (double)i / (double)(second + i); /* so that they add up to 1 */
        for (size_t u = 0; u <= most; u++)
            of[u] *= share;
    }
}

/* A tail of exactly the error is within it, despite rounding in the last digits. */
static size_t find_cut(const double *of, size_t most, double error)
{
    double tail = of[0], room = error / 2 * (1 + 1e-9);
    size_t cut = 0;
    while (tail <= room && cut < most)
        tail += of[++cut];
    return cut;
}

static size_t count_cut(size_t first, size_t second, double error)
{
    size_t most = first * second / 2;
    double *of = calloc(most + 1, sizeof *of);
    if (!of)
        return 0;
    find_probabilities(of, most, first, second);
    size_t cut = find_cut(of, most, error);
    free(of);
    return cut;
}

static size_t cut_exactly(size_t few, size_t many, double error, struct ep_rank_sum_memo *memo)
{
    bool is_known = memo && memo->few == few && memo->many == many &&
                    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the same bits */
                    memcmp(&memo->error, &error, sizeof error) == 0;
    size_t cut = is_known ? memo->cut : count_cut(few, many, error);
    if (memo)
        *memo = (struct ep_rank_sum_memo){few, many, error, cut};
    return cut;
}

static double mean_of(size_t first, size_t second)
{
    return (double)first * (double)second / 2;
}

static double deviation_of(size_t first, size_t second)
{
    struct ep_wide squares =
        ep_wide_multiply_by(ep_wide_multiply(first, second), (uint64_t)first + second + 1);
    return ep_wide_root_of(squares, 12);
}

/* With few values in one sample and many in the other, U is not normal, but keeps its shape as the
 * larger sample grows: only its deviation grows. The cut is rounded down, which makes the interval
 * wider. */
static size_t scale_cut(size_t few, size_t many, double error, struct ep_rank_sum_memo *memo)
{
    size_t least = few < EXACT_MOST ? few : EXACT_MOST, most = EXACT_PAIRS_MOST / least;
    size_t cut = cut_exactly(least, most, error, memo);
    double away = (mean_of(least, most) - (double)cut) / deviation_of(least, most);
    double scaled = mean_of(few, many) - away * deviation_of(few, many) - 1;
    return cut == 0 || scaled < 1 ? 0 : (size_t)scaled;
}

size_t ep_rank_test_sum_cut(size_t first, size_t second, double error,
                            struct ep_rank_sum_memo *memo)
{
    size_t few = first < second ? first : second, many = first < second ? second : first;
    if (few == 0)
        return 0;
    if (few <= EXACT_MOST && many <= EXACT_PAIRS_MOST / few)
        return cut_exactly(few, many, error, memo);
    return scale_cut(few, many, error, memo);
}

/* The probability of the most extreme order is 1 / the number of orders. */
size_t ep_rank_test_sum_needed(double error)
{
    double probability = 1;
    size_t needed = 0;
    while (2 * probability > error * (1 + 1e-9)) {
        needed++;
        probability *= (double)needed / (double)(4 * needed - 2);
    }
    return needed;
}

/* ---- the ratio, or the difference ---- */

/* Both samples, sorted: their quotients, or differences, grow with `after` and fall with `before`.
 */
struct samples {
    const double *before, *after;
    size_t before_count, after_count;
    double (*compare)(double after, double before);
};

static double quotient(double after, double before)
{
    if (before > 0)
        return after / before;
    return after > 0 ? (double)INFINITY : 1;
}

static double difference(double after, double before)
{
    return after - before;
}

/* How many quotients are at most `limit`: one walk along the border between them and the others. */
static size_t count_to(const struct samples *of, double limit)
{
    size_t count = 0, within = 0;
    for (size_t i = 0; i < of->before_count; i++) {
        while (within < of->after_count && of->compare(of->after[within], of->before[i]) <= limit)
            within++;
        count += within;
    }
    return count;
}

/* Numbers by 64 bits of the same order: a negative number has its bits inverted, any other one the
 * highest bit set. */
#define SIGN (UINT64_C(1) << 63)

static double number_of(uint64_t order)
{
    double number;
    uint64_t bits = order & SIGN ? order ^ SIGN : ~order;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static uint64_t order_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits & SIGN ? ~bits : bits ^ SIGN;
}

/* The quotient of this rank, from 1 on, without a list of all quotients: bisection finds it exactly
 * in at most 64 walks. */
static double find_quotient(const struct samples *of, size_t rank)
{
    uint64_t low = order_of(of->compare == difference ? -(double)INFINITY : 0);
    uint64_t high = order_of((double)INFINITY);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (count_to(of, number_of(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return number_of(low);
}

static void estimate(struct ep_ratio *ratio, const struct samples *of, size_t cut)
{
    size_t quotients = of->before_count * of->after_count;
    double lower = find_quotient(of, (quotients + 1) / 2);
    ratio->estimate = (lower + find_quotient(of, quotients / 2 + 1)) / 2;
    if (cut == 0)
        return;
    ratio->has_interval = true;
    ratio->low = find_quotient(of, cut);
    ratio->high = find_quotient(of, quotients + 1 - cut);
}

struct ep_ratio ep_rank_test_ratio(double *before, size_t before_count, double *after,
                                   size_t after_count, size_t cut)
{
    const struct samples of = {before, after, before_count, after_count, quotient};
    struct ep_ratio ratio = {.low = 0, .high = (double)INFINITY};
    sort(before, before_count);
    sort(after, after_count);
    estimate(&ratio, &of, cut);
    return ratio;
}

struct ep_ratio ep_rank_test_difference(double *before, size_t before_count, double *after,
                                        size_t after_count, size_t cut)
{
    const struct samples of = {before, after, before_count, after_count, difference};
    struct ep_ratio ratio = {.low = -(double)INFINITY, .high = (double)INFINITY};
    sort(before, before_count);
    sort(after, after_count);
    estimate(&ratio, &of, cut);
    return ratio;
}

/* ---- the ratio of two estimates ---- */

/* libc without libm has neither. 0 < value <= 1. */
static double logarithm(double value)
{
    const double of_2 = 0.69314718055994531;
    double sum = 0;
    while (value < 0.75) {
        sum -= of_2;
        value *= 2;
    }
    double part = (value - 1) / (value + 1), square = part * part;
    return sum + 2 * part * (1 + square / 3 + square * square / 5 + square * square * square / 7);
}

/* Up to 2^13, with an error of 2^-25 at most. */
static double root(double value)
{
    return ep_wide_root_of((struct ep_wide){(uint64_t)(value * 0x1p50), 0}, 1) / 0x1p25;
}

/* Off by 0.00045 at most (M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions", 1964,
 * 26.2.23). */
double ep_rank_test_deviations(double error)
{
    double t = root(-2 * logarithm(error / 2));
    return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

struct ep_ratio ep_rank_test_error_ratio(double estimate, double before_variance,
                                         double after_variance, double error)
{
    double most = ep_rank_test_deviations(error);
    double before = most * most * before_variance, after = most * most * after_variance;
    struct ep_ratio ratio = {.estimate = estimate, .high = (double)INFINITY, .has_interval = true};
    if (before >= 1 || after >= 1) /* a time may be 0 */
        return ratio;
    double away = root(before + after - before * after);
    ratio.low = estimate * (1 - away) / (1 - before);
    ratio.high = estimate * (1 + away) / (1 - before);
    return ratio;
}
