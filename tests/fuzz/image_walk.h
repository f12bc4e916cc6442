/*
 * image_walk.h - finds the cells that an image uses, with the kind of each
 *
 * The image may already be damaged: references that lead nowhere are skipped.
 */
#ifndef IMAGE_WALK_H
#define IMAGE_WALK_H

#include <stddef.h>

#include "fuzz_target.h"
#include "image_layout.h"

enum { WALK_CELLS = FUZZ_LARGEST_BYTES / EP_CELL_BYTES };

struct walk_object {
    ep_ref ref;
    enum layout_kind kind;
};

struct walk {
    const union ep_cell *cells;
    uint32_t cell_count;
    struct walk_object at[WALK_CELLS];
    uint32_t count;
    uint32_t count_of[LAYOUT_KINDS];
    bool is_taken[WALK_CELLS]; /* an object begins in this cell */
};

void walk_image(struct walk *walk, const union ep_cell *cells, uint32_t cell_count);

/* The n-th object of a kind; there are walk->count_of[kind] of them. */
struct walk_object walk_nth(const struct walk *walk, enum layout_kind kind, uint32_t n);

#endif /* IMAGE_WALK_H */
