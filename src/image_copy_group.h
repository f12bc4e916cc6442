/*
 * image_copy_group.h - the cells of a node or a pair, read while their owner writes them
 */
#ifndef EP_IMAGE_COPY_GROUP_H
#define EP_IMAGE_COPY_GROUP_H

#include "image_copy.h"

/* Nodes and pairs are read alike. */
enum { EP_GROUP_CELLS = sizeof(struct ep_node_cell) / EP_CELL_BYTES };

struct ep_settling {
    struct ep_image *copy;
    const struct ep_image_origin *origin;
    bool *is_linked; /* of each cell, whether a list goes through it: what is found anew must not
                        change what is being walked */
};

EP_INLINE union ep_cell *ep_settling_cell(const struct ep_settling *settling, ep_ref ref)
{
    return ep_image_cell(settling->copy, ref);
}

/* 0, or -1 and errno. */
EP_INLINE int ep_settling_read(const struct ep_settling *settling, ep_ref first, uint32_t count,
                               union ep_cell *cells)
{
    return settling->origin->read(settling->origin->context, first, count, cells);
}

/* Reads the figures again, and then the counts of their histogram. Links stay. 0, or -1 and
 * errno. */
int ep_image_copy_group_node(const struct ep_settling *settling, ep_ref ref);
int ep_image_copy_group_pair(const struct ep_settling *settling, ep_ref ref);

#endif /* EP_IMAGE_COPY_GROUP_H */
