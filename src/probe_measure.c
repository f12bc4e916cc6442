#include "probe_measure.h"

#include <stdlib.h>

#include "cell.h"

/*
 * The median round counts, so that an interrupt, a change of frequency or the cold first rounds do
 * not. 21 rounds of 32 pairs at some 130 ns each, and of their work alone, are 160 us.
 */
enum { ROUNDS = 21, READS = 200 };

/* ---- work ---- */

/* At 3 cycles a multiplication, some 100 ns. */
enum { STEPS = 96 };

__attribute__((noinline)) uint64_t ep_probe_work(uint64_t number)
{
    /* Knuth, TAOCP volume 2, 3.3.4, table 1, line 26: the highest bits are the most random */
    const uint64_t multiplier = UINT64_C(6364136223846793005);
    unsigned steps = STEPS + (unsigned)(number >> 60);
    for (unsigned i = 0; i < steps; i++) {
        number *= multiplier;
        __asm__ volatile("" : "+r"(number)); /* no power of the multiplier in its place */
    }
    return number;
}

uint64_t ep_probe_only_work(uint64_t number)
{
    for (int i = 0; i < EP_PROBE_PAIRS; i++)
        number = ep_probe_work(number);
    return number;
}

uint64_t ep_probe_nothing(uint64_t number)
{
    return number;
}

/* ---- rounds ---- */

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Of a round, a pair, in thousandths of a tick. Nothing is negative but by chance, or by a clock
 * that goes back; nor does a pair take more than the most, but by a clock that jumps all the time:
 * then it is not known. */
static uint64_t median(int64_t *ticks)
{
    const int64_t most_ticks = (int64_t)(EP_PROBE_MOST_MILLITICKS / 1000);
    qsort(ticks, ROUNDS, sizeof *ticks, compare);
    int64_t middle = ticks[ROUNDS / 2];
    return middle > 0 && middle <= most_ticks ? (uint64_t)middle * 1000 / EP_PROBE_PAIRS : 0;
}

/* By any source: what is measured has ended when it is read. */
static void wait_if_possible(void)
{
    if (ep_counter_can_wait())
        ep_counter_wait();
}

static uint64_t ticks_of(const struct ep_source *source, ep_probe_round *round, uint64_t *number)
{
    wait_if_possible();
    uint64_t begin = ep_source_now(source);
    *number = round(*number);
    __asm__ volatile("" : "+r"(*number));
    wait_if_possible();
    return ep_source_difference(source, begin, ep_source_now(source));
}

struct ep_probe_measure ep_probe_measure(const struct ep_source *source, ep_probe_round *with,
                                         ep_probe_round *without, const uint64_t *counter)
{
    int64_t inside[ROUNDS], around[ROUNDS];
    uint64_t number = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t same_number = number, before = *counter;
        uint64_t read_ticks = ticks_of(source, ep_probe_nothing, &same_number);
        uint64_t without_ticks = ticks_of(source, without, &same_number);
        uint64_t with_ticks = ticks_of(source, with, &number);
        around[round] = (int64_t)(with_ticks - without_ticks);
        inside[round] = (int64_t)(*counter - before - (without_ticks - read_ticks));
    }
    return (struct ep_probe_measure){.around_milliticks = median(around),
                                     .inside_milliticks = median(inside)};
}

/* ---- steps ---- */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The steps themselves are no measure: they are what a read takes. */
uint64_t ep_probe_resolution(const struct ep_source *source)
{
    uint64_t divisor = 0, before = ep_source_now(source);
    for (int i = 0; i < READS; i++) {
        uint64_t now = ep_source_now(source);
        uint64_t step = ep_source_difference(source, before, now);
        if (step <= source->mask >> 1)
            divisor = greatest_common_divisor(step, divisor);
        before = now;
    }
    return divisor;
}
