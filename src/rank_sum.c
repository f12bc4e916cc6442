#include "rank_sum.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wide.h"

/* Of larger samples the statistic is spread nearly like a normal one (Mann and Whitney), and the
 * cut of these tells theirs: of 1,000 each an error of 10^-6 is 1.1 * 10^-6, and of 0.05 it is
 * 0.05. */
enum { EXACT_MOST = 300, EXACT_PAIRS_MOST = EXACT_MOST * EXACT_MOST };

/*
 * The probability of each value of U, as far as `most`: that of 0, 1, 2 ... The generating function
 * of their number is the product of (1 - q^(second + i)) / (1 - q^i) for i from 1 to `first`
 * (E. F. Harding, "An Efficient, Minimal-Storage Procedure for Calculating the Mann-Whitney U,
 * Generalized U and Similar Distributions", Applied Statistics 33, 1984). What is low in it comes
 * from what is lower alone, so that the tail is as exact as its own digits.
 */
static void find_probabilities(double *of, size_t most, size_t first, size_t second)
{
    of[0] = 1;
    for (size_t i = 1; i <= first; i++) {
        for (size_t u = most; u >= second + i; u--)
            of[u] -= of[u - (second + i)];
        for (size_t u = i; u <= most; u++)
            of[u] += of[u - i];
        double share = (double)i / (double)(second + i); /* so that they are parts of 1 */
        for (size_t u = 0; u <= most; u++)
            of[u] *= share;
    }
}

/* What is just as probable as the error is within it, whatever the last digits of the sum. */
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

/* Of few against many the statistic is not spread like that, but the same is so of more of the
 * many: what grows with them is its deviation. Rounded down, to the safe side. */
static size_t scale_cut(size_t few, size_t many, double error, struct ep_rank_sum_memo *memo)
{
    size_t least = few < EXACT_MOST ? few : EXACT_MOST, most = EXACT_PAIRS_MOST / least;
    size_t cut = cut_exactly(least, most, error, memo);
    double away = (mean_of(least, most) - (double)cut) / deviation_of(least, most);
    double scaled = mean_of(few, many) - away * deviation_of(few, many) - 1;
    return cut == 0 || scaled < 1 ? 0 : (size_t)scaled;
}

size_t ep_rank_sum_cut(size_t first, size_t second, double error, struct ep_rank_sum_memo *memo)
{
    size_t few = first < second ? first : second, many = first < second ? second : first;
    if (few == 0)
        return 0;
    if (few <= EXACT_MOST && many <= EXACT_PAIRS_MOST / few)
        return cut_exactly(few, many, error, memo);
    return scale_cut(few, many, error, memo);
}

/* The most uneven of all orders has a probability of one in the number of orders. */
size_t ep_rank_sum_needed(double error)
{
    double probability = 1;
    size_t needed = 0;
    while (2 * probability > error * (1 + 1e-9)) {
        needed++;
        probability *= (double)needed / (double)(4 * needed - 2);
    }
    return needed;
}
