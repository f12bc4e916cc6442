#include "report.h"

#include <errno.h>
#include <inttypes.h>

#include "escape_folded.h"
#include "report_path.h"
#include "report_stack.h"

/* "main;parse;read 1200". By threads, the thread is the frame around all. */
static void write_line(struct ep_output *out, const struct eprof_snapshot *snapshot,
                       const struct ep_report_stack *stack)
{
    const struct eprof_row *last = &snapshot->rows[stack->rows[stack->count - 1]];
    if (snapshot->options.threads) {
        ep_escape_folded(out, last->thread);
        ep_output_text(out, ";");
    }
    for (size_t depth = 0; depth < stack->count; depth++) {
        ep_output_text(out, depth > 0 ? ";" : "");
        ep_escape_folded(out, snapshot->rows[stack->rows[depth]].name);
    }
    ep_output_print(out, " %" PRIu64 "\n", last->self_ns);
}

void ep_report_folded(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_stack stack = {.rows = NULL};
    for (size_t row = snapshot->scope_first; row < snapshot->trouble_first && !out->error; row++) {
        if (!ep_report_stack_enter(&stack, snapshot, row))
            ep_output_fail(out, errno);
        else if (snapshot->rows[row].self_ns > 0 && !ep_report_path_is_around(snapshot, row))
            write_line(out, snapshot, &stack);
    }
    ep_report_stack_free(&stack);
}
