/*
 * pprof_frames.h - the frames of a sample for pprof: from the innermost scope to the root
 *
 * The format has no tree: each sample has its whole stack, and all those of a chain of n scopes are
 * n * n / 2 frames. So there is a limit, and what is beyond it is left out in the middle: the
 * innermost frames say whose time it is and who called, the outermost where in the program that
 * was.
 */
#ifndef EP_CLI_PPROF_FRAMES_H
#define EP_CLI_PPROF_FRAMES_H

#include "pprof_functions.h"
#include "report_stack.h"

/* Twice what Go's own profiler (1.23) and perf (sysctl kernel.perf_event_max_stack) record. Of a
 * chain of 100,000 scopes pprof takes 1.2 GB of memory for so many. */
enum { EP_PPROF_FRAMES = 256, EP_PPROF_OUTER_FRAMES = 64 };

bool ep_pprof_frames_are_cut(const struct ep_report_stack *stack);

/* Lists those of the scope that the stack ends with; how many there are. */
size_t ep_pprof_frames_list(struct ep_pprof_functions *functions,
                            const struct eprof_snapshot *snapshot,
                            const struct ep_report_stack *stack, uint64_t frames[EP_PPROF_FRAMES]);

#endif /* EP_CLI_PPROF_FRAMES_H */
