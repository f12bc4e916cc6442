/*
 * wide.h - unsigned 128-bit arithmetic, for compilers with and without __int128
 *
 * Squares of ticks, and ticks times ns, need more than 64 bits: ten years of a
 * 4 GHz counter are 2^60 ticks.
 */
#ifndef EP_WIDE_H
#define EP_WIDE_H

#include "compiler.h"

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
/* a / b, rounded down, at most UINT64_MAX; b is not 0 */
uint64_t ep_wide_divide(struct ep_wide a, uint64_t b);
/* a * times / over, rounded down, modulo 2^128; `over` is not 0 */
struct ep_wide ep_wide_scale(struct ep_wide a, uint64_t times, uint64_t over);
/* The square root of a / b, to within 2^-50 of it; libc alone has none. */
double ep_wide_root_of(struct ep_wide a, uint64_t b);

/* The square on the hot path: one instruction where the processor has it. */
EP_INLINE struct ep_wide ep_wide_square(uint64_t a)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 square = (unsigned __int128)a * a;
    return (struct ep_wide){(uint64_t)square, (uint64_t)(square >> 64)};
#else
    return ep_wide_multiply(a, a);
#endif
}

#endif /* EP_WIDE_H */
