/*
 * sampled.h - an image made by hand, of calls under a budget, of which only a part is timed
 *
 * The function `brief` is called in `outer`. A reading takes 2 ticks inside and 1 around, a call
 * that is only counted costs half a tick, and each call takes 10.
 */
#ifndef SAMPLED_H
#define SAMPLED_H

#include "support/fake_image.h"

enum { INSIDE = 2, AROUND = 1, CALL = 10, OWN = 1000, WEIGHT = 64, UNTIMED = WEIGHT - 1 };

struct parts {
    struct ep_thread_cell *thread;
    struct ep_site_cell *outer_site, *brief_site;
    struct ep_node_cell *root, *outer, *brief;
};

struct parts make_parts(void);

/* Makes calls that are all timed. Returns the time that they take in the function around them. */
uint64_t call_timed(struct ep_node_cell *node, int calls);

/* The time that calls which are only counted take in the function around them. */
uint64_t untimed_ticks(int calls);

/* Makes sampled calls, each with the calls that it represents. Returns the same time as
 * call_timed(). */
uint64_t call_sampled(struct ep_node_cell *node, int samples);

/* One call of the function around, which takes `ticks` for its children in addition to its own
 * time. */
void end_around(struct ep_node_cell *node, const struct ep_node_cell *child, uint64_t ticks);

#endif /* SAMPLED_H */
