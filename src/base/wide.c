#include "base/wide.h"

#include <string.h>

static uint32_t upper_half(uint64_t a)
{
    return (uint32_t)(a >> 32);
}

static uint32_t lower_half(uint64_t a)
{
    return (uint32_t)a;
}

struct ep_wide ep_wide_multiply(uint64_t a, uint64_t b)
{
    uint64_t low = (uint64_t)lower_half(a) * lower_half(b);
    uint64_t high = (uint64_t)upper_half(a) * upper_half(b);
    uint64_t cross = (uint64_t)upper_half(a) * lower_half(b);
    /* (2^32 - 1)^2 + 2 (2^32 - 1) is 2^64 - 1: this sum does not overflow. */
    uint64_t middle = (uint64_t)lower_half(a) * upper_half(b) + lower_half(cross) + upper_half(low);

    return (struct ep_wide){
        .low = middle << 32 | lower_half(low),
        .high = high + upper_half(cross) + upper_half(middle),
    };
}

struct ep_wide ep_wide_multiply_by(struct ep_wide a, uint64_t b)
{
    struct ep_wide product = ep_wide_multiply(a.low, b);
    product.high += a.high * b;
    return product;
}

struct ep_wide ep_wide_add(struct ep_wide a, struct ep_wide b)
{
    uint64_t low = a.low + b.low;
    return (struct ep_wide){low, a.high + b.high + (low < a.low)};
}

struct ep_wide ep_wide_subtract(struct ep_wide a, struct ep_wide b)
{
    return (struct ep_wide){a.low - b.low, a.high - b.high - (a.low < b.low)};
}

/*
 * One digit, to the base 2^32, of a long division: *rest * 2^32 + next by b. *rest is less than b,
 * and b is at least 2^63, so a guess from the upper half of b is at most 2 too large.
 */
static uint32_t next_digit(uint64_t *rest, uint32_t next, uint64_t b)
{
    uint64_t digit = *rest / upper_half(b);
    uint64_t remainder = *rest % upper_half(b);

    /* Correct for a digit of 2^32 or 2^32 + 1 too: the remainder is then below b's lower half. */
    while (digit * lower_half(b) > (remainder << 32 | next)) {
        digit--;
        remainder += upper_half(b);
        if (upper_half(remainder))
            break; /* the right side is larger now, and overflows */
    }
    /* Both terms may overflow; their difference is less than b. */
    *rest = (*rest << 32 | next) - digit * b;
    return (uint32_t)digit;
}

/* Knuth, The Art of Computer Programming, volume 2, 4.3.1, algorithm D. */
uint64_t ep_wide_divide(struct ep_wide a, uint64_t b)
{
    if (a.high >= b)
        return UINT64_MAX;
    if (a.high == 0)
        return a.low / b; /* most durations are that short */

    unsigned shift = (unsigned)__builtin_clzll(b);
    if (shift) {
        a.high = a.high << shift | a.low >> (64 - shift);
        a.low <<= shift;
        b <<= shift;
    }
    uint64_t rest = a.high;
    uint64_t upper = next_digit(&rest, upper_half(a.low), b);
    return upper << 32 | next_digit(&rest, lower_half(a.low), b);
}

/* A long division to the base 2^64. A result that does not fit becomes a value near the maximum. */
struct ep_wide ep_wide_scale(struct ep_wide a, uint64_t times, uint64_t over)
{
    struct ep_wide upper = ep_wide_multiply(a.high, times);
    struct ep_wide lower = ep_wide_multiply(a.low, times);
    upper = ep_wide_add(upper, (struct ep_wide){lower.high, 0});
    uint64_t high = ep_wide_divide(upper, over);
    uint64_t rest = upper.low - high * over;
    return (struct ep_wide){ep_wide_divide((struct ep_wide){lower.low, rest}, over), high};
}

/*
 * A guess within 6.1 %: halving the bits of a double halves its exponent, and about halves the
 * logarithm of its fraction (Blinn, Floating-point tricks, IEEE CG&A 17(4), 1997). The steps of
 * Newton's iteration leave errors of 2e-3, 2e-6, 2e-12 and none.
 */
double ep_wide_root_of(struct ep_wide a, uint64_t b)
{
    double value = ((double)a.high * 18446744073709551616.0 + (double)a.low) / (double)b;
    uint64_t bits;
    double root;
    if (!(a.high | a.low))
        return 0;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(1023) << 51);
    memcpy(&root, &bits, sizeof root);
    for (int round = 0; round < 4; round++)
        root = (root + value / root) / 2;
    return root;
}

uint64_t ep_wide_scale_ns(struct ep_scale scale, uint64_t ticks)
{
    return ep_wide_divide(ep_wide_multiply(ticks, scale.ns), scale.ticks);
}
