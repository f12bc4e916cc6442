/*
 * report_tree_choice.h - what of a call tree a person gets to see
 *
 * A tree may have a million rows, and a screen has fifty. The rows with the most time are
 * chosen, or those with the most of what the rows are sorted by, each below its parent; what is
 * left out is summed up where it would have stood.
 */
#ifndef EP_REPORT_TREE_CHOICE_H
#define EP_REPORT_TREE_CHOICE_H

#include "snapshot_part.h"

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

struct ep_tree_choice {
    uint64_t whole_ns; /* of all roots, those too that a view has left out */
    size_t count;
    struct ep_tree_line *lines;
};

/*
 * Chooses at most `most` rows of the tree `part`, and what stands for the others; all of them
 * where so many were asked for. 0, or -1 and ENOMEM.
 */
int ep_report_tree_choice_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part, size_t most);
void ep_report_tree_choice_free(struct ep_tree_choice *choice);

#endif /* EP_REPORT_TREE_CHOICE_H */
