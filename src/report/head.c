#include "report/head.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "snapshot/part.h"

/* ---- the run ---- */

const char *ep_report_head_moment(const struct eprof_snapshot *snapshot)
{
    bool is_known = snapshot->run.wall_ns != EPROF_UNKNOWN || snapshot->run.cpu_ns != EPROF_UNKNOWN;
    return snapshot->run.is_old && is_known ? "as of the last update of the profile" : "";
}

/* A share that may be more than the whole. */
static struct ep_report_figure percent(uint64_t part_ns, uint64_t whole_ns)
{
    const double most = 1e9; /* damaged files have any times */
    double tenths = (double)part_ns / (double)whole_ns * 1000 + 0.5;
    uint64_t rounded = (uint64_t)(tenths < most ? tenths : most);
    struct ep_report_figure figure = rounded < 100
                                         ? ep_report_format_decimal(rounded, 1)
                                         : ep_report_format_decimal((rounded + 5) / 10, 0);
    return ep_report_format_around("", figure, " %");
}

uint64_t ep_report_head_measured(const struct eprof_snapshot *snapshot)
{
    struct ep_part part = {.end = snapshot->scope_first};
    uint64_t total_ns = 0;
    while (ep_rows_part_next(snapshot, &part))
        total_ns = ep_saturating_add(total_ns, ep_rows_part_whole(snapshot, &part).total_ns);
    return total_ns;
}

static uint64_t measured_ns(const struct eprof_snapshot *snapshot)
{
    uint64_t measured = ep_report_head_measured(snapshot);
    return snapshot->options.ticks ? ep_wide_scale_ns(snapshot->conversion.cpu_scale, measured)
                                   : measured;
}

struct ep_report_figure ep_report_head_cover(const struct eprof_snapshot *snapshot)
{
    uint64_t wall_ns = snapshot->run.wall_ns;
    bool has_scopes = snapshot->scope_first < snapshot->diagnostic_first;
    if (!has_scopes || !snapshot->run.is_wall || snapshot->run.is_stale || snapshot->is_focused ||
        wall_ns == EPROF_UNKNOWN || wall_ns == 0)
        return (struct ep_report_figure){""};
    uint64_t measured = measured_ns(snapshot);
    /* open scopes have run on since the wall time was updated */
    if (snapshot->run.is_old && measured / (snapshot->run.threads + 1) > wall_ns)
        return (struct ep_report_figure){""};
    return percent(measured, wall_ns);
}

/* A cost of more than all processor time was measured at another speed: an estimate. */
static bool is_beyond(const struct ep_run *run)
{
    return run->overhead_ns >= run->cpu_ns;
}

struct ep_report_figure ep_report_head_overhead_share(const struct eprof_snapshot *snapshot)
{
    const struct ep_run *run = &snapshot->run;
    if (run->overhead_ns == EPROF_UNKNOWN || run->cpu_ns == EPROF_UNKNOWN || run->cpu_ns == 0 ||
        run->is_stale)
        return (struct ep_report_figure){""};
    return is_beyond(run) ? (struct ep_report_figure){">100 %"}
                          : percent(run->overhead_ns, run->cpu_ns);
}

struct ep_report_text ep_report_head_overhead(const struct eprof_snapshot *snapshot)
{
    const struct ep_run *run = &snapshot->run;
    struct ep_report_figure share = ep_report_head_overhead_share(snapshot);
    struct ep_report_text text = {""};
    if (run->overhead_ns == EPROF_UNKNOWN)
        return text;
    struct ep_report_figure overhead = ep_report_format_duration(run->overhead_ns);
    if (!*share.text)
        snprintf(text.text, sizeof text.text, "%s", overhead.text);
    else if (is_beyond(run))
        snprintf(text.text, sizeof text.text, "%s, more than the processor time (an estimate)",
                 overhead.text);
    else
        snprintf(text.text, sizeof text.text, "%s, %s of the processor time", overhead.text,
                 share.text);
    return text;
}

bool ep_report_head_is_known(const struct eprof_snapshot *snapshot)
{
    const struct ep_run *run = &snapshot->run;
    return run->wall_ns != EPROF_UNKNOWN || run->cpu_ns != EPROF_UNKNOWN ||
           run->overhead_ns != EPROF_UNKNOWN;
}

/* Returns what comes before a further figure. */
static const char *write_run(struct ep_output *out, const struct eprof_snapshot *snapshot,
                             bool has_wall)
{
    const struct ep_run *run = &snapshot->run;
    struct ep_report_figure cover = ep_report_head_cover(snapshot);
    const char *between = "";
    if (run->wall_ns != EPROF_UNKNOWN && has_wall) {
        ep_output_print(out, "wall time %s", ep_report_format_duration(run->wall_ns).text);
        if (*cover.text)
            ep_output_print(out, " (%s in scopes)", cover.text);
        between = ", ";
    }
    if (run->cpu_ns != EPROF_UNKNOWN) {
        ep_output_print(out, "%sprocessor time %s", between,
                        ep_report_format_duration(run->cpu_ns).text);
        between = ", ";
    }
    if (*between && run->threads > 0) {
        ep_output_text(out, between);
        ep_output_count(out, run->threads, "thread");
    }
    return between;
}

void ep_report_head_write_line(struct ep_output *out, const struct eprof_snapshot *snapshot,
                               unsigned parts)
{
    uint64_t overhead_ns = snapshot->run.overhead_ns;
    const char *between = write_run(out, snapshot, parts & EP_REPORT_HEAD_WALL);
    if (overhead_ns == EPROF_UNKNOWN)
        return;
    if (parts & EP_REPORT_HEAD_SHARE)
        ep_output_print(out, "%soverhead of profiling %s", between,
                        ep_report_head_overhead(snapshot).text);
    else
        ep_output_print(out, "%soverhead %s", between, ep_report_format_duration(overhead_ns).text);
}

void ep_report_head_write(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    struct ep_report_text overhead = ep_report_head_overhead(snapshot);
    const char *moment = ep_report_head_moment(snapshot);
    ep_output_text(out, *write_run(out, snapshot, true) ? "\n" : "");
    if (*moment)
        ep_output_print(out, "these times are %s\n", moment);
    if (*overhead.text)
        ep_output_print(out, "overhead of profiling %s\n", overhead.text);
    ep_report_head_write_advice(out, snapshot);
}

/* ---- advice ---- */

enum { NAMED = 10, LEAST_PERCENT = 1 };

static bool is_heavy(const struct ep_run *run)
{
    uint64_t time_ns = run->cpu_ns != EPROF_UNKNOWN ? run->cpu_ns : run->wall_ns;
    return !run->is_stale && run->overhead_ns != EPROF_UNKNOWN && time_ns != EPROF_UNKNOWN &&
           run->overhead_ns / 10 > time_ns / 100;
}

/* The sites that cost most, at most NAMED of one kind. */
struct costliest {
    size_t at[NAMED]; /* of the tops, the costliest first */
    size_t count;
};

static bool is_function(const struct eprof_row *row)
{
    return strcmp(row->kind, "function") == 0;
}

/* Functions without a name, and names that a shell or a pattern would read otherwise, cannot be
 * pasted. */
static bool can_be_pasted(const struct eprof_row *row)
{
    return !is_function(row) || !strpbrk(row->name, "*?['+");
}

/* A site may have a top for each thread. */
static bool is_listed(const struct costliest *found, const struct eprof_snapshot *snapshot,
                      size_t top)
{
    for (size_t i = 0; i < found->count; i++)
        if (snapshot->top_marks[found->at[i]].site == snapshot->top_marks[top].site)
            return true;
    return false;
}

static void insert(struct costliest *found, const struct eprof_snapshot *snapshot, size_t top)
{
    uint64_t overhead_ns = snapshot->top_marks[top].overhead_ns;
    size_t at = found->count < NAMED ? found->count++ : NAMED - 1;
    for (; at > 0 && snapshot->top_marks[found->at[at - 1]].overhead_ns < overhead_ns; at--)
        found->at[at] = found->at[at - 1];
    found->at[at] = top;
}

static struct costliest find_costliest(const struct eprof_snapshot *snapshot, bool of_functions)
{
    struct costliest found = {.count = 0};
    uint64_t all_ns = 0;
    for (size_t top = 0; top < snapshot->top_count; top++)
        all_ns = ep_saturating_add(all_ns, snapshot->top_marks[top].overhead_ns);
    for (size_t top = 0; top < snapshot->top_count; top++) {
        const struct eprof_row *row = &snapshot->tops[top];
        uint64_t overhead_ns = snapshot->top_marks[top].overhead_ns;
        bool is_less = found.count == NAMED &&
                       overhead_ns <= snapshot->top_marks[found.at[NAMED - 1]].overhead_ns;
        if (is_function(row) == of_functions && can_be_pasted(row) && !is_less &&
            overhead_ns > all_ns / 100 * LEAST_PERCENT && !is_listed(&found, snapshot, top))
            insert(&found, snapshot, top);
    }
    return found;
}

/* In EPROF and in the compiler's list `\` escapes a comma. */
static void write_escaped(struct ep_output *out, const char *name)
{
    char *escaped = malloc(2 * strlen(name) + 1), *at = escaped;
    if (!escaped) {
        ep_output_fail(out, ENOMEM);
        return;
    }
    for (const char *c = name; *c; c++) {
        if (*c == ',' || *c == '\\')
            *at++ = '\\';
        *at++ = *c;
    }
    *at = '\0';
    ep_escape_name(out, escaped);
    free(escaped);
}

static void write_names(struct ep_output *out, const struct eprof_snapshot *snapshot,
                        const struct costliest *found, const char *between, bool has_parameters)
{
    for (size_t i = 0; i < found->count; i++) {
        const char *name = snapshot->tops[found->at[i]].name;
        ep_output_text(out, i ? between : "");
        if (!is_function(&snapshot->tops[found->at[i]])) {
            ep_escape_name(out, name);
            continue;
        }
        char *copy = strndup(
            name, has_parameters ? strlen(name)
                                 : ep_rows_bytes_without_parameters(&snapshot->tops[found->at[i]]));
        if (copy)
            write_escaped(out, copy);
        else
            ep_output_fail(out, ENOMEM);
        free(copy);
    }
}

void ep_report_head_write_advice(struct ep_output *out, const struct eprof_snapshot *snapshot)
{
    if (!is_heavy(&snapshot->run))
        return;
    struct costliest functions = find_costliest(snapshot, true);
    struct costliest scopes = find_costliest(snapshot, false);
    if (functions.count) {
        ep_output_text(out, "to leave out the functions that cost most by their number of calls, "
                            "run with\n  EPROF='auto=!");
        write_names(out, snapshot, &functions, ",auto=!", true);
        ep_output_text(out, "'\nor, if they have hooks (gcc), compile with\n"
                            "  '-finstrument-functions-exclude-function-list=");
        write_names(out, snapshot, &functions, ",", false);
        ep_output_text(out, "'\n");
    }
    if (scopes.count) {
        ep_output_text(out, "the scopes that cost most by their number of calls:\n  ");
        write_names(out, snapshot, &scopes, ", ", true);
        ep_output_text(out, "\n");
    }
}
