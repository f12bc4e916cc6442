/*
 * report_stack.h - the rows from the root to the present one, while a tree is walked
 *
 * For formats that name a row by its whole stack. It takes memory for the deepest stack, not for
 * all of them.
 */
#ifndef EP_REPORT_STACK_H
#define EP_REPORT_STACK_H

#include "snapshot.h"

/* Begins as {.rows = NULL}. */
struct ep_report_stack {
    size_t *rows; /* by depth */
    size_t count, room;
};

void ep_report_stack_free(struct ep_report_stack *stack);

/* Goes on to `row`, a scope: the stack ends with it. Rows are walked in their order, none of a
 * tree left out. False, with ENOMEM. */
bool ep_report_stack_enter(struct ep_report_stack *stack, const struct eprof_snapshot *snapshot,
                           size_t row);

#endif /* EP_REPORT_STACK_H */
