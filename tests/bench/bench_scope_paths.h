/*
 * bench_scope_paths.h - scopes at many places in the call tree, visited at random
 *
 * Two shapes: a function that calls one of so many, and a tree in which each of some levels
 * has ten. What draws the next one stands in the raw loop too.
 */
#ifndef BENCH_SCOPE_PATHS_H
#define BENCH_SCOPE_PATHS_H

#include <stdint.h>

/* One of so many sites at the same place. */
int bench_flat_begin(unsigned count);
void bench_scope_flat_pairs(uint64_t pairs);
void bench_raw_flat_pairs(uint64_t pairs);

/* A path from the root to a leaf, each a pair a level: 10^levels leaves. */
int bench_tree_begin(unsigned levels);
void bench_scope_tree_pairs(uint64_t pairs);
void bench_raw_tree_pairs(uint64_t pairs);

/* Both begin by visiting each place twice: a first visit makes the node, a second one its
 * histogram. 0; -1 and errno, ENOMEM too where a limit would have them share a node. Both end
 * with bench_scope_end(). */

/* 10 + 100 + ... */
unsigned bench_tree_nodes(unsigned levels);

#endif /* BENCH_SCOPE_PATHS_H */
