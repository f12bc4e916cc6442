/*
 * One line for each row that has self time: its stack from the root, the frames joined by ';', and
 * after the last blank the self time. It is the format of B. Gregg's flamegraph.pl and of many
 * viewers since. A reader adds up the lines below a frame to get its inclusive time. So a row
 * without self time has no line, and the self times of all lines make up the whole: a total would
 * count the time of a row once for each row around it.
 */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>

#include "base/escape.h"
#include "report/walk.h"

/* "main;parse;read 1200". With threads, the thread is the outermost frame. */
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
    for (size_t row = snapshot->scope_first; row < snapshot->diagnostic_first && !out->error;
         row++) {
        if (!ep_report_walk_stack_enter(&stack, snapshot, row))
            ep_output_fail(out, errno);
        else if (snapshot->rows[row].self_ns > 0 && !ep_report_walk_path_is_around(snapshot, row))
            write_line(out, snapshot, &stack);
    }
    ep_report_walk_stack_free(&stack);
}
