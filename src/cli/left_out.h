/*
 * left_out.h - where the functions of a program or library lie that patterns do not choose
 */
#ifndef EP_CLI_LEFT_OUT_H
#define EP_CLI_LEFT_OUT_H

#include "function_patterns.h"
#include "symbols.h"

struct ep_stretch {
    uint64_t begin, end; /* `end` is the first address behind it */
};

/* By address; they do not overlap. */
struct ep_left_out {
    struct ep_stretch *stretches;
    size_t count, room;
};

/* 0, or -1 and ENOMEM. Where patterns name what is chosen, all the rest is left out, whether it
 * has a name or not. */
int ep_left_out_find(struct ep_left_out *left_out, struct ep_symbols *symbols,
                     const struct ep_function_patterns *patterns);
void ep_left_out_free(struct ep_left_out *left_out);

#endif /* EP_CLI_LEFT_OUT_H */
