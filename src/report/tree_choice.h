/*
 * tree_choice.h - chooses the rows of a call tree that are shown
 *
 * A tree may have a million rows, and a screen has fifty lines. The rows with the most time are
 * chosen, or those with the largest figure that rows are sorted by, each below its parent. The rows
 * left out are added up in a line at their position.
 */
#ifndef EP_REPORT_TREE_CHOICE_H
#define EP_REPORT_TREE_CHOICE_H

#include "snapshot/part.h"

enum { EP_TREE_MOST_ROWS = 100 };

enum ep_tree_line_kind {
    EP_TREE_ROW,
    EP_TREE_REST, /* consecutive siblings that are left out, with all rows below them */
    EP_TREE_CHAIN /* rows left out, each the only child of the one before and without self time */
};

struct ep_tree_line {
    enum ep_tree_line_kind kind;
    bool is_last;       /* of all lines below its parent */
    uint32_t depth;     /* as drawn; 0: a root */
    size_t row;         /* the row, or the first of those left out */
    size_t last;        /* of a row: itself, or the last of a chain of only children that share its
                           line, which has the figures of the last */
    size_t left_out;    /* how many rows are left out here */
    uint64_t part_ns;   /* total of the row, or of the rows left out */
    uint64_t parent_ns; /* total of the parent; of a root, of all roots */
};

struct ep_tree_choice {
    uint64_t whole_ns; /* of all roots, including those that a view left out */
    size_t count;
    struct ep_tree_line *lines;
    bool *is_shown; /* by row of the tree, from 0 */
};

/* For a terminal: at most `most` rows of the tree `part`, or all if a view asked for a number of
 * rows. Unless a view chose or sorted the rows, a row that says nothing else than its only child
 * shares a line with it. 0, or -1 and ENOMEM. */
int ep_report_tree_choice_make(struct ep_tree_choice *choice, const struct eprof_snapshot *snapshot,
                               const struct ep_part *part, size_t most);
/* For a page, whose rows can be closed: at most `most` rows, those with the most time, each below
 * its parent. Chains are not cut. 0, or -1 and ENOMEM. */
int ep_report_tree_choice_longest(struct ep_tree_choice *choice,
                                  const struct eprof_snapshot *snapshot, const struct ep_part *part,
                                  size_t most);
void ep_report_tree_choice_free(struct ep_tree_choice *choice);

#endif /* EP_REPORT_TREE_CHOICE_H */
