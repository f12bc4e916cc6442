#include "report_stack.h"

#include <errno.h>
#include <stdlib.h>

void ep_report_stack_free(struct ep_report_stack *stack)
{
    free(stack->rows);
    *stack = (struct ep_report_stack){.rows = NULL};
}

/* Each time twice as much, so that a deep stack is not copied at every step. */
static bool make_room(struct ep_report_stack *stack, size_t depth)
{
    if (depth < stack->room)
        return true;
    size_t room = 2 * (depth + 8);
    size_t *larger = realloc(stack->rows, room * sizeof *larger);
    if (!larger) {
        errno = ENOMEM;
        return false;
    }
    stack->rows = larger;
    stack->room = room;
    return true;
}

bool ep_report_stack_enter(struct ep_report_stack *stack, const struct eprof_snapshot *snapshot,
                           size_t row)
{
    size_t depth = snapshot->places[row - snapshot->scope_first].depth;
    if (!make_room(stack, depth))
        return false;
    stack->rows[depth] = row;
    stack->count = depth + 1;
    return true;
}
