/*
 * report_tree_choice.h - what of a call tree a person gets to see
 *
 * A tree may have a million rows, and a screen has fifty. The rows with the most time are
 * chosen, from the roots on down, so that a row stands below its parent; what is left out is
 * summed up where it would have stood.
 */
#ifndef EP_REPORT_TREE_CHOICE_H
#define EP_REPORT_TREE_CHOICE_H

#include "snapshot.h"

enum ep_tree_line_kind {
    EP_TREE_ROW,
    EP_TREE_REST, /* the siblings that follow, with all that is in them */
    EP_TREE_CHAIN /* links of a chain: each the only child of the one before, without time */
};

struct ep_tree_line {
    enum ep_tree_line_kind kind;
    bool is_last;      /* of the lines below one parent */
    uint32_t depth;    /* as drawn; 0: below nothing */
    size_t row;        /* the row; of the others the first that they stand for */
    size_t left_out;   /* how many rows they stand for */
    uint64_t part_ns;  /* total of it, or of them */
    uint64_t whole_ns; /* of what it is a part: the parent's total */
};

enum {
    EP_TREE_MOST_ROWS = 100,
    /* each row has at most one line of links before it, and one for what it leaves out */
    EP_TREE_MOST_LINES = 3 * EP_TREE_MOST_ROWS + 1
};

struct ep_tree_choice {
    uint64_t whole_ns; /* of all roots */
    size_t count;
    struct ep_tree_line lines[EP_TREE_MOST_LINES];
};

/* Chooses at most `most` of the rows from `first` to `end`, whole trees both, and whatever
 * stands for the others. */
void ep_report_tree_choice_make(struct ep_tree_choice *choice,
                                const struct eprof_snapshot *snapshot, size_t first, size_t end,
                                size_t most);

#endif /* EP_REPORT_TREE_CHOICE_H */
