#include "base/wide.h"
#include "support/random.h"
#include "support/test.h"

enum { ROUNDS = 100000 };

static const uint64_t edges[] = {
    0,
    1,
    2,
    3,
    UINT32_MAX - 1,
    UINT32_MAX,
    UINT64_C(1) << 32,
    (UINT64_C(1) << 32) + 1,
    INT64_MAX,
    UINT64_C(1) << 63,
    (UINT64_C(1) << 63) + 1,
    UINT64_MAX - 1,
    UINT64_MAX,
};
enum { EDGES = sizeof edges / sizeof edges[0] };

/* The first numbers are edge cases, in all pairs; the others are random. */
enum { PAIRS = EDGES * EDGES + ROUNDS };
static void pick_pair(int i, uint64_t *a, uint64_t *b)
{
    *a = i < EDGES * EDGES ? edges[i / EDGES] : random_magnitude();
    *b = i < EDGES * EDGES ? edges[i % EDGES] : random_magnitude();
}

#define assert_wide_equal(a, b)                                                                    \
    do {                                                                                           \
        struct ep_wide left = (a), right = (b);                                                    \
        assert_int_equal(left.high, right.high);                                                   \
        assert_int_equal(left.low, right.low);                                                     \
    } while (0)

static int compare(struct ep_wide a, struct ep_wide b)
{
    if (a.high != b.high)
        return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

static struct ep_wide from_64(uint64_t a)
{
    return (struct ep_wide){a, 0};
}

/* The slow method: a, shifted by each bit of b, is added up. */
static struct ep_wide multiply_by_adding(uint64_t a, uint64_t b)
{
    struct ep_wide sum = {0, 0}, shifted = from_64(a);
    for (; b; b >>= 1) {
        if (b & 1)
            sum = ep_wide_add(sum, shifted);
        shifted = ep_wide_add(shifted, shifted);
    }
    return sum;
}

TEST(multiply_is_repeated_addition)
{
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b;
        pick_pair(i, &a, &b);
        assert_wide_equal(ep_wide_multiply(a, b), multiply_by_adding(a, b));
    }
}

TEST(multiply_of_largest_is_known)
{
    /* (2^64 - 1)^2 = 2^128 - 2^65 + 1 */
    assert_wide_equal(ep_wide_multiply(UINT64_MAX, UINT64_MAX),
                      ((struct ep_wide){1, UINT64_MAX - 1}));
    assert_wide_equal(ep_wide_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32),
                      ((struct ep_wide){0, 1}));
}

TEST(square_is_product_with_itself)
{
    for (int i = 0; i < EDGES; i++)
        assert_wide_equal(ep_wide_square(edges[i]), ep_wide_multiply(edges[i], edges[i]));
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = random_magnitude();
        assert_wide_equal(ep_wide_square(a), ep_wide_multiply(a, a));
    }
}

TEST(multiply_by_distributes_over_halves)
{
    for (int i = 0; i < PAIRS; i++) {
        uint64_t low, high, b = random_magnitude();
        pick_pair(i, &low, &high);
        struct ep_wide expected = ep_wide_multiply(low, b);
        expected.high += high * b;
        assert_wide_equal(ep_wide_multiply_by((struct ep_wide){low, high}, b), expected);
    }
}

TEST(add_carries_into_high)
{
    assert_wide_equal(ep_wide_add(from_64(UINT64_MAX), from_64(1)), ((struct ep_wide){0, 1}));
    assert_wide_equal(ep_wide_add((struct ep_wide){UINT64_MAX, UINT64_MAX}, from_64(1)),
                      from_64(0));
    assert_wide_equal(ep_wide_add((struct ep_wide){1, 2}, (struct ep_wide){3, 4}),
                      ((struct ep_wide){4, 6}));
}

TEST(subtract_borrows_from_high)
{
    assert_wide_equal(ep_wide_subtract((struct ep_wide){0, 1}, from_64(1)), from_64(UINT64_MAX));
    assert_wide_equal(ep_wide_subtract(from_64(0), from_64(1)),
                      ((struct ep_wide){UINT64_MAX, UINT64_MAX}));
    assert_wide_equal(ep_wide_subtract((struct ep_wide){4, 6}, (struct ep_wide){3, 4}),
                      ((struct ep_wide){1, 2}));
}

TEST(subtract_undoes_add)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct ep_wide a = {random_magnitude(), random_magnitude()};
        struct ep_wide b = {random_magnitude(), random_magnitude()};
        assert_wide_equal(ep_wide_subtract(ep_wide_add(a, b), b), a);
    }
}

/* quotient * b <= a < (quotient + 1) * b */
static void check_quotient(struct ep_wide a, uint64_t b)
{
    uint64_t quotient = ep_wide_divide(a, b);
    if (a.high >= b) {
        assert_int_equal(quotient, UINT64_MAX);
        return;
    }
    struct ep_wide product = ep_wide_multiply(quotient, b);
    struct ep_wide remainder = ep_wide_subtract(a, product);
    if (compare(product, a) > 0 || remainder.high || remainder.low >= b)
        fail_msg("(%#llx, %#llx) / %#llx gave %#llx", (unsigned long long)a.high,
                 (unsigned long long)a.low, (unsigned long long)b, (unsigned long long)quotient);
}

TEST(divide_leaves_less_than_the_divisor)
{
    for (int high = 0; high < EDGES; high++)
        for (int low = 0; low < EDGES; low++)
            for (int b = 1; b < EDGES; b++)
                check_quotient((struct ep_wide){edges[low], edges[high]}, edges[b]);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t b = random_magnitude() | 1;
        check_quotient((struct ep_wide){random_magnitude(), random_magnitude()}, b);
        check_quotient((struct ep_wide){random_next(), random_next() % b}, b);
    }
}

/* These are cases in which the guess of a digit is 1 or 2 too large: the lower half of b is large,
 * and a is just below q * b. */
TEST(divide_corrects_its_guesses)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t b = random_next() | UINT64_C(1) << 63 | UINT32_MAX;
        uint64_t quotient = random_next() | (i % 2 ? UINT32_MAX : 0);
        struct ep_wide product = ep_wide_multiply(quotient, b);
        assert_int_equal(ep_wide_divide(product, b), quotient);
        assert_int_equal(ep_wide_divide(ep_wide_subtract(product, from_64(1)), b), quotient - 1);
    }
}

TEST(divide_saturates)
{
    assert_int_equal(ep_wide_divide((struct ep_wide){0, 1}, 1), UINT64_MAX);
    assert_int_equal(ep_wide_divide((struct ep_wide){UINT64_MAX, UINT64_MAX}, UINT64_MAX),
                     UINT64_MAX);
    /* The largest quotient that is not saturated, and the smallest one that is. */
    assert_int_equal(ep_wide_divide((struct ep_wide){UINT64_MAX - 2, 4}, 5), UINT64_MAX);
    assert_int_equal(ep_wide_divide((struct ep_wide){UINT64_MAX - 5, 4}, 5), UINT64_MAX - 1);
    assert_int_equal(ep_wide_divide((struct ep_wide){0, 5}, 5), UINT64_MAX);
}

/* Squares that a double holds exactly, and their neighbours, whose roots are 1 / (2 root) away. */
TEST(root_of_a_square_is_exact)
{
    assert_true(ep_wide_root_of(from_64(0), 7) == 0);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = random_magnitude() >> 38 | 1;
        double root = ep_wide_root_of(ep_wide_square(a), 1);
        double above = ep_wide_root_of(ep_wide_add(ep_wide_square(a), from_64(1)), 1);
        if (root != (double)a || above <= root || above >= root + 0.5)
            fail_msg("the roots of %llu^2 and of 1 more: %.17g, %.17g", (unsigned long long)a, root,
                     above);
    }
}

/* The square of the root is within 2^-50 of the number. */
TEST(root_is_right_for_any_size)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct ep_wide a = {random_magnitude() | 1, i % 2 ? random_magnitude() : 0};
        uint64_t b = random_magnitude() | 1;
        double value = ((double)a.high * 18446744073709551616.0 + (double)a.low) / (double)b;
        double root = ep_wide_root_of(a, b), ratio = root / value * root;
        if (ratio < 1 - 0x1p-50 || ratio > 1 + 0x1p-50)
            fail_msg("the root of (%#llx, %#llx) / %llu gave %.17g", (unsigned long long)a.high,
                     (unsigned long long)a.low, (unsigned long long)b, root);
    }
    assert_true(ep_wide_root_of((struct ep_wide){UINT64_MAX, UINT64_MAX}, 1) == 0x1p64);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 uint128;

static struct ep_wide from_128(uint128 a)
{
    return (struct ep_wide){(uint64_t)a, (uint64_t)(a >> 64)};
}

static uint128 to_128(struct ep_wide a)
{
    return (uint128)a.high << 64 | a.low;
}

TEST(multiply_agrees_with_the_compiler)
{
    for (int i = 0; i < PAIRS; i++) {
        uint64_t a, b, c = random_magnitude();
        pick_pair(i, &a, &b);
        struct ep_wide wide = {a, b};
        assert_wide_equal(ep_wide_multiply(a, b), from_128((uint128)a * b));
        assert_wide_equal(ep_wide_multiply_by(wide, c), from_128(to_128(wide) * c));
    }
}

TEST(add_and_subtract_agree_with_the_compiler)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct ep_wide a = {random_magnitude(), random_magnitude()};
        struct ep_wide b = {random_magnitude(), random_magnitude()};
        assert_wide_equal(ep_wide_add(a, b), from_128(to_128(a) + to_128(b)));
        assert_wide_equal(ep_wide_subtract(a, b), from_128(to_128(a) - to_128(b)));
    }
}

TEST(divide_agrees_with_the_compiler)
{
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t b = random_magnitude() | 1;
        struct ep_wide a = {random_next(), random_magnitude() % b};
        assert_int_equal(ep_wide_divide(a, b), (uint64_t)(to_128(a) / b));
    }
}
#endif

TEST(sums_that_64_bits_cannot_hold_stay_at_the_highest)
{
    assert_int_equal(ep_saturating_add(3, 4), 7);
    assert_int_equal(ep_saturating_add(UINT64_MAX - 1, 1), UINT64_MAX);
    assert_int_equal(ep_saturating_add(UINT64_MAX, UINT64_MAX), UINT64_MAX);
    assert_int_equal(ep_saturating_add(UINT64_MAX, 0), UINT64_MAX);
    assert_int_equal(ep_wide_saturated((struct ep_wide){5, 0}), 5);
    assert_int_equal(ep_wide_saturated((struct ep_wide){5, 1}), UINT64_MAX);
}

TEST(upper_half_decides_which_is_less)
{
    assert_true(ep_wide_is_less((struct ep_wide){9, 1}, (struct ep_wide){0, 2}));
    assert_false(ep_wide_is_less((struct ep_wide){0, 2}, (struct ep_wide){9, 1}));
    assert_true(ep_wide_is_less((struct ep_wide){1, 2}, (struct ep_wide){2, 2}));
    assert_false(ep_wide_is_less((struct ep_wide){2, 2}, (struct ep_wide){2, 2}));
}
