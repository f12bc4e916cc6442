/*
 * estimates.h - estimates under a fixed budget, and their intervals. The clock is moved by hand, so
 * that the true times are known.
 */
#ifndef ESTIMATES_H
#define ESTIMATES_H

#include "calls.h"
#include "rows.h"

#include <stdlib.h>

/* The number of runs for each kind of work: an argument of the test. */
static unsigned long runs = 100;

static inline int begin(void **state)
{
    if (test_argument)
        runs = strtoul(test_argument, NULL, 10);
    return hand_clock_begin(state);
}

static inline int end(void **state)
{
    (void)state;
    return eprof_setup("budget=off");
}

static inline void use(const char *budget)
{
    if (eprof_setup(budget) != 0)
        fail_msg("%s is refused", budget);
}

static inline struct eprof_row row_of(const char *name)
{
    struct eprof_row row;
    if (take_rows(eprof_snapshot_take, NULL, name, "*", &row) != 1)
        fail_msg("not one row of %s", name);
    return row;
}

static inline void leaf(uint64_t ticks)
{
    EPROF_SCOPE("leaf");
    pass(ticks);
}

static inline bool contains(const struct eprof_row *row, uint64_t truth)
{
    uint64_t off = row->total_ns > truth ? row->total_ns - truth : truth - row->total_ns;
    return off <= row->total_error_ns;
}

/* 92 of 100 in 1,000 runs; with fewer runs chance decides more. */
static inline void check_intervals(const char *what, const char *budget, unsigned long good)
{
    unsigned long least = runs >= 1000 ? runs * 92 / 100 : runs * 80 / 100;
    print_message("%s, %s: %lu of %lu intervals contain the truth\n", what, budget, good, runs);
    if (good < least)
        fail_msg("%s, %s: %lu of %lu intervals contain the truth", what, budget, good, runs);
}

#endif /* ESTIMATES_H */
