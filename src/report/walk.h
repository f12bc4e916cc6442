/*
 * walk.h - the state of writers that walk over the rows of a snapshot
 *
 * Rows are walked in their order, and no row of a tree is left out.
 */
#ifndef EP_REPORT_WALK_H
#define EP_REPORT_WALK_H

#include "base/output.h"
#include "snapshot/snapshot.h"

/* The number of trees: with threads one for each thread, else at most one. */
size_t ep_report_walk_trees(const struct eprof_snapshot *snapshot);

/*
 * The path of the current row. All paths of a deep tree together would fill the memory: those of a
 * chain of n scopes are n * n / 2 names long. Since each path differs from the one before only at
 * its end, one text is changed from row to row. Begins as all zero.
 */
struct ep_report_path {
    const char *path; /* of `row`, valid until the next call */
    size_t row, end; /* for ep_report_walk_path_next(): the first row, and the row after the last */
    bool is_begun;
    char *text;
    size_t bytes, room;
    size_t *ends; /* of the name at each depth */
    size_t depths;
};

void ep_report_walk_path_free(struct ep_report_path *path);
/* The path of `row`, valid until the next call. NULL and ENOMEM. */
const char *ep_report_walk_path_of(struct ep_report_path *path,
                                   const struct eprof_snapshot *snapshot, size_t row);
/* Moves to the next row, at first to `row`. Skips the rows that a view has only because of rows
 * below them, since the paths of those contain them. At the end, or after an error, which is
 * recorded in `out`, frees everything and returns false. */
bool ep_report_walk_path_next(struct ep_report_path *path, struct ep_output *out,
                              const struct eprof_snapshot *snapshot);
/* Whether a view has the row only because of rows below it. */
bool ep_report_walk_path_is_around(const struct eprof_snapshot *snapshot, size_t row);

/* The rows from the root to the current one, for formats that name a row by its stack. It takes
 * the memory of the deepest stack, not of all. Begins as {.rows = NULL}. */
struct ep_report_stack {
    size_t *rows; /* by depth */
    size_t count, room;
};

void ep_report_walk_stack_free(struct ep_report_stack *stack);
/* Moves to `row`, a scope, which becomes the last of the stack. False and ENOMEM. */
bool ep_report_walk_stack_enter(struct ep_report_stack *stack,
                                const struct eprof_snapshot *snapshot, size_t row);

/* The sites of the rows, numbered from 0, for formats that name a function once and refer to it by
 * number. Threads share them. */
struct ep_report_frames {
    uint32_t *numbers; /* by site */
    size_t *rows;      /* by number: the first row of that site */
    uint32_t count;
};

/* 0, or -1 and ENOMEM; to be freed in any case. */
int ep_report_walk_frames_find(struct ep_report_frames *frames,
                               const struct eprof_snapshot *snapshot);
void ep_report_walk_frames_free(struct ep_report_frames *frames);
/* The number of the site of a scope's row. */
uint32_t ep_report_walk_frames_number(const struct ep_report_frames *frames,
                                      const struct eprof_snapshot *snapshot, size_t row);

#endif /* EP_REPORT_WALK_H */
