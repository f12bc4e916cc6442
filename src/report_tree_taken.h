/*
 * report_tree_taken.h - the rows of a call tree that a person gets to see, before they are lines
 */
#ifndef EP_REPORT_TREE_TAKEN_H
#define EP_REPORT_TREE_TAKEN_H

#include "snapshot_part.h"

enum { EP_TREE_MOST_ROWS = 100 };

struct ep_tree_taken_row {
    size_t row;
    size_t links_left_out; /* of a chain, between its lowest ancestor that is taken and itself */
};

/* In their order; parents too, but for links. */
struct ep_tree_taken {
    struct ep_tree_taken_row rows[EP_TREE_MOST_ROWS];
    size_t count;
};

#endif /* EP_REPORT_TREE_TAKEN_H */
