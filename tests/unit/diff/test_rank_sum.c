/* The distribution of the rank sum of two samples, compared with all possible orders and with
 * printed tables. */
#include <stdint.h>

#include "diff/rank_test.h"
#include "support/test.h"

/* Counts, for each value of the statistic, the orders of `first` + `second` values that give it.
 * The bits of `order` mark the values of the second sample. */
static size_t count_orders(size_t first, size_t second, size_t *of)
{
    size_t orders = 0;
    for (uint32_t order = 0; order < UINT32_C(1) << (first + second); order++) {
        size_t smaller = 0, pairs = 0;
        if ((size_t)__builtin_popcount(order) != second)
            continue;
        for (size_t i = 0; i < first + second; i++) {
            smaller += order >> i & 1;
            pairs += order >> i & 1 ? 0 : smaller;
        }
        of[pairs]++;
        orders++;
    }
    return orders;
}

/* The largest number of quotients that may be cut off at each end. */
static size_t counted_cut(size_t first, size_t second, double error)
{
    size_t of[100] = {0}, orders = count_orders(first, second, of), tail = 0, cut = 0;
    for (; cut <= first * second / 2; cut++) {
        tail += of[cut];
        if ((double)tail / (double)orders > error / 2)
            break;
    }
    return cut;
}

TEST(cut_is_that_of_all_orders_counted)
{
    static const double errors[] = {0.5, 0.21, 0.11, 0.051, 0.021, 0.011, 0.0011, 0.00011};
    for (size_t first = 1; first <= 8; first++)
        for (size_t second = 1; second <= 8; second++)
            for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
                size_t cut = ep_rank_test_sum_cut(first, second, errors[i], NULL);
                size_t counted = counted_cut(first, second, errors[i]);
                if (cut != counted)
                    fail_msg("%zu and %zu values, error %g: %zu, counted %zu", first, second,
                             errors[i], cut, counted);
            }
}

/* The critical values of printed tables (Hollander, Wolfe and Chicken, table A.6, and all others):
 * the largest U that rejects at a two-sided level. The cut is one more. */
TEST(cut_is_that_of_the_tables)
{
    static const struct {
        size_t first, second;
        double error;
        size_t critical;
    } table[] = {{5, 5, 0.05, 2},    {8, 12, 0.05, 22},   {10, 10, 0.05, 23}, {10, 10, 0.01, 16},
                 {15, 20, 0.05, 90}, {20, 20, 0.05, 127}, {20, 20, 0.01, 105}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(
            ep_rank_test_sum_cut(table[i].first, table[i].second, table[i].error, NULL),
            table[i].critical + 1);
}

TEST(too_few_values_have_no_cut)
{
    assert_int_equal(ep_rank_test_sum_cut(1, 1, 0.05, NULL), 0);
    assert_int_equal(ep_rank_test_sum_cut(3, 3, 0.05, NULL), 0); /* 2 of 20 orders */
    assert_int_equal(ep_rank_test_sum_cut(4, 4, 0.05, NULL), 1); /* 2 of 70 */
    assert_int_equal(ep_rank_test_sum_cut(0, 5, 0.05, NULL), 0);
    assert_int_equal(ep_rank_test_sum_cut(1, 1000, 1e-9, NULL), 0);
}

TEST(needed_is_the_least_that_has_a_cut)
{
    assert_int_equal(ep_rank_test_sum_needed(0.05), 4);
    double error = 0.9;
    for (int step = 0; step < 78; step++, error *= 0.7) { /* to 1e-12 */
        size_t needed = ep_rank_test_sum_needed(error);
        if (ep_rank_test_sum_cut(needed, needed, error, NULL) == 0 ||
            ep_rank_test_sum_cut(needed - 1, needed - 1, error, NULL) != 0)
            fail_msg("error %g: %zu values", error, needed);
    }
}

/* If one sample is small, a normal distribution is a bad approximation: these values are computed
 * with integers of any size (the number of orders with this statistic or a smaller one). */
TEST(few_values_against_many_have_the_cut_of_all_orders)
{
    assert_int_equal(ep_rank_test_sum_cut(3, 1000, 1e-6, NULL), 12);
    assert_int_equal(ep_rank_test_sum_cut(1000, 3, 1e-6, NULL), 12);
    assert_int_equal(ep_rank_test_sum_cut(1, 1000, 0.0025, NULL), 1);
    assert_int_equal(ep_rank_test_sum_cut(2, 1000, 5e-6, NULL), 1);
    assert_int_equal(ep_rank_test_sum_cut(10, 9000, 1e-6, NULL), 9531);
    assert_in_range(ep_rank_test_sum_cut(3, 40000, 1e-6, NULL), 565, 574);
    assert_in_range(ep_rank_test_sum_cut(20, 6000, 0.05, NULL), 44815, 44838);
}

TEST(memo_repeats_only_the_last_result)
{
    static const double errors[] = {0.05, 0.001};
    struct ep_rank_sum_memo memo = {0};
    for (int i = 0; i < 400; i++) {
        size_t first = 6 + (size_t)(i / 8 % 3), second = 6 + (size_t)(i / 24 % 3);
        double error = errors[i / 72 % 2];
        assert_int_equal(ep_rank_test_sum_cut(first, second, error, &memo),
                         ep_rank_test_sum_cut(first, second, error, NULL));
    }
    memo.cut = 7; /* this was the last of the small samples */
    assert_int_equal(ep_rank_test_sum_cut(memo.few, memo.many, memo.error, &memo), 7);
}

/* For large samples: the normal distribution, whose 0.975 quantile is 1.959964 and whose 0.9999995
 * quantile is 4.891638 (in any table of it). */
TEST(cut_of_large_samples_is_that_of_a_normal_statistic)
{
    /* n^2 / 2 - z * sqrt(n^2 * (2 n + 1) / 12) */
    size_t cut = ep_rank_test_sum_cut(1000, 1000, 0.05, NULL),
           rare = ep_rank_test_sum_cut(1000, 1000, 1e-6, NULL);
    size_t exact = ep_rank_test_sum_cut(300, 300, 0.05, NULL);
    assert_in_range(cut, 474690 - 50, 474690 + 50);
    assert_in_range(rare, 436833, 436833 + 400);
    assert_in_range(exact, 40839 - 5, 40839 + 5);
}
