/*
 * base/wide.h - unsigned 128-bit arithmetic, for compilers with and without __int128
 *
 * Squares of ticks, and ticks times ns, need more than 64 bits: ten years of a 4 GHz counter are
 * 2^60 ticks.
 */
#ifndef EP_BASE_WIDE_H
#define EP_BASE_WIDE_H

#include "base/compiler.h"

struct ep_wide {
    uint64_t low, high;
};

/* a * b */
struct ep_wide ep_wide_multiply(uint64_t a, uint64_t b);
/* a * b, modulo 2^128 */
struct ep_wide ep_wide_multiply_by(struct ep_wide a, uint64_t b);
/* a + b, a - b, modulo 2^128 */
struct ep_wide ep_wide_add(struct ep_wide a, struct ep_wide b);
struct ep_wide ep_wide_subtract(struct ep_wide a, struct ep_wide b);
/* Whether a is less than b. */
EP_INLINE bool ep_wide_is_less(struct ep_wide a, struct ep_wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}
/* At most UINT64_MAX. */
EP_INLINE uint64_t ep_wide_saturated(struct ep_wide a)
{
    return a.high ? UINT64_MAX : a.low;
}
/* a + b, at most UINT64_MAX, so that an overflow is visible. */
EP_INLINE uint64_t ep_saturating_add(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}
/* a / b, rounded down, at most UINT64_MAX; b is not 0 */
uint64_t ep_wide_divide(struct ep_wide a, uint64_t b);
/* a * times / over, rounded down, modulo 2^128; `over` is not 0 */
struct ep_wide ep_wide_scale(struct ep_wide a, uint64_t times, uint64_t over);
/* The square root of a / b, with a relative error of at most 2^-50; sqrt() would need libm. */
double ep_wide_root_of(struct ep_wide a, uint64_t b);

EP_INLINE double ep_wide_to_double(struct ep_wide a)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    return (double)a.high * beyond + (double)a.low;
}

/* On the hot path: one instruction if the processor has it. */
EP_INLINE struct ep_wide ep_wide_square(uint64_t a)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 square = (unsigned __int128)a * a;
    return (struct ep_wide){(uint64_t)square, (uint64_t)(square >> 64)};
#else
    return ep_wide_multiply(a, a);
#endif
}

/* `ns` take as long as `ticks`, which is never 0. A fraction, so that a total of ten years is
 * converted as exactly as a single call. */
struct ep_scale {
    uint64_t ns;
    uint64_t ticks;
};

/* `ticks` in ns, rounded down, at most UINT64_MAX. */
uint64_t ep_wide_scale_ns(struct ep_scale scale, uint64_t ticks);

#endif /* EP_BASE_WIDE_H */
