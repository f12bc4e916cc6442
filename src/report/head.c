#include "report/head.h"

#include <stdlib.h>

#include "report/advice.h"
#include "snapshot/part.h"

/* ---- the run ---- */

const char *ep_report_head_moment(const struct eprof_snapshot *snapshot)
{
    bool is_known = snapshot->run.wall_ns != EPROF_UNKNOWN || snapshot->run.cpu_ns != EPROF_UNKNOWN;
    if (!snapshot->run.is_old || !is_known)
        return "";
    return snapshot->run.is_partly_old ? "partly as of the last update of a profile"
                                       : "as of the last update of the profile";
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

/* More than all in a profile that was not closed: most of it came after the last update. */
static bool has_share(const struct ep_run *run)
{
    return run->overhead_ns != EPROF_UNKNOWN && run->cpu_ns != EPROF_UNKNOWN && run->cpu_ns != 0 &&
           !run->is_stale && !(run->is_old && is_beyond(run));
}

struct ep_report_figure ep_report_head_overhead_share(const struct eprof_snapshot *snapshot)
{
    const struct ep_run *run = &snapshot->run;
    if (!has_share(run))
        return (struct ep_report_figure){""};
    if (is_beyond(run))
        return (struct ep_report_figure){">100 %"};
    return percent(run->overhead_ns, run->cpu_ns);
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

const char *ep_report_head_processes(const struct eprof_snapshot *snapshot)
{
    return snapshot->has_ranks ? "ranks" : "processes";
}

/* Returns the separator before the next figure. */
static const char *write_run(struct ep_output *out, const struct eprof_snapshot *snapshot,
                             bool has_wall)
{
    const struct ep_run *run = &snapshot->run;
    struct ep_report_figure cover = ep_report_head_cover(snapshot);
    const char *between = "";
    if (run->wall_ns != EPROF_UNKNOWN && has_wall) {
        ep_output_print(out, "wall time %s", ep_report_format_duration(run->wall_ns).text);
        if (snapshot->process_count > 1)
            ep_output_print(out, " of all %s together", ep_report_head_processes(snapshot));
        if (*cover.text)
            ep_output_print(out, " (%s in scopes)", cover.text);
        between = ", ";
    }
    if (run->cpu_ns != EPROF_UNKNOWN) {
        ep_output_print(out, "%sprocessor time %s", between,
                        ep_report_format_duration(run->cpu_ns).text);
        between = ", ";
    }
    /* in a sum, the threads of a row count as one */
    if (*between && run->threads > 0 && snapshot->process_count <= 1) {
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
    ep_report_advice_write(out, snapshot);
}
