#include "pprof_frames.h"

bool ep_pprof_frames_are_cut(const struct ep_report_stack *stack)
{
    return stack->count > EP_PPROF_FRAMES;
}

static uint64_t frame_of(struct ep_pprof_functions *functions,
                         const struct eprof_snapshot *snapshot, size_t row)
{
    const struct ep_tree_place *place = &snapshot->places[row - snapshot->scope_first];
    return ep_pprof_functions_of_scope(functions, place->site, &snapshot->rows[row]);
}

size_t ep_pprof_frames_list(struct ep_pprof_functions *functions,
                            const struct eprof_snapshot *snapshot,
                            const struct ep_report_stack *stack, uint64_t frames[EP_PPROF_FRAMES])
{
    bool is_cut = ep_pprof_frames_are_cut(stack);
    size_t inner = is_cut ? EP_PPROF_FRAMES - EP_PPROF_OUTER_FRAMES - 1 : stack->count;
    size_t outer = is_cut ? EP_PPROF_OUTER_FRAMES : 0;
    size_t count = 0;
    for (size_t i = 1; i <= inner; i++)
        frames[count++] = frame_of(functions, snapshot, stack->rows[stack->count - i]);
    if (is_cut)
        frames[count++] = ep_pprof_functions_of_gap(functions);
    for (size_t i = outer; i > 0; i--)
        frames[count++] = frame_of(functions, snapshot, stack->rows[i - 1]);
    return count;
}
