/*
 * function_throttle.h - functions that are called very often and very briefly: only some of their
 * calls are timed
 *
 * Where reading the clock twice takes a tenth of a function's time and more, one in 64 of its
 * further calls is timed, at random, and stands for 64 in its figures; all are counted. At random,
 * since a fixed stride meets what is periodic in the program (docs/performance.md). The sum of
 * what is taken so is right on the average for every place in the tree (Horvitz and Thompson: A
 * Generalization of Sampling Without Replacement from a Finite Universe, JASA 47, 1952), but for
 * outliers, which count once, and end it where they come again and again.
 */
#ifndef EP_FUNCTION_THROTTLE_H
#define EP_FUNCTION_THROTTLE_H

#include "stack.h"

enum {
    EP_THROTTLE_CALLS =
        100000,              /* of a function at one place in the tree, before it is considered */
    EP_THROTTLE_LOOKS = 4096 /* it is looked at each time so many more have been counted */
};

/* What a call of a throttled function is: EP_FRAME_SAMPLE or EP_FRAME_UNTIMED; inside another of
 * its site, what that is. */
uint32_t ep_throttle_choose(struct ep_thread *thread, uint32_t number);

/* Leaves the innermost entry, which is not timed. false: there is something unusual about it. */
bool ep_throttle_leave_untimed(struct ep_thread *thread);

/* A sample has left that was as long as this: where the function has become another, all its calls
 * are timed again. */
void ep_throttle_sampled(uintptr_t function, bool is_outlier);

/* Whether a function that has left is one to be throttled, and if so, does it. */
void ep_throttle_consider(struct ep_thread *thread, uintptr_t function,
                          const struct ep_node_cell *node);

#endif /* EP_FUNCTION_THROTTLE_H */
