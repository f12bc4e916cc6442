#include "gate.h"

#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "report_diff_figure.h"
#include "report_diff_summary.h"

static enum ep_status say_too_few(const struct ep_diff *diff)
{
    ep_complain(NULL,
                "diff: too few files for a verdict on %zu %s: %zu before, %zu after; %zu of each "
                "side are needed",
                diff->judged, diff->judged == 1 ? "region" : "regions", diff->files[EP_DIFF_BEFORE],
                diff->files[EP_DIFF_AFTER], diff->needed);
    return EP_STATUS_USAGE;
}

/* It would be a gate that stands open since all was renamed. */
static enum ep_status say_nothing_judged(void)
{
    ep_complain(NULL, "diff: no region is in enough files of both sides, so that there is nothing "
                      "to judge");
    return EP_STATUS_USAGE;
}

static enum ep_status say_other_clock(const struct ep_diff *diff)
{
    ep_complain(NULL, "diff: measured by %s before and by %s after, which do not compare",
                diff->sides[EP_DIFF_BEFORE]->source, diff->sides[EP_DIFF_AFTER]->source);
    return EP_STATUS_USAGE;
}

static enum ep_status say_found(const struct ep_diff_command_options *options,
                                const struct ep_diff *diff, const struct ep_diff_row *row)
{
    char *path = ep_diff_path(diff, row);
    if (!path) {
        ep_complain_of_memory();
        return EP_STATUS_FAILED;
    }
    struct ep_report_figure interval = ep_report_diff_figure_interval(row);
    ep_complain(path, "slower, %s (%s); no more than +%g %% was allowed",
                ep_report_diff_figure_change(row).text, interval.text, options->fail_above_percent);
    free(path);
    return EP_STATUS_FOUND;
}

/* Of a gate that lets pass what was renamed somebody should know. */
static void tell_unjudged(const struct ep_report_diff_counts *counts)
{
    if (counts->added + counts->gone + counts->unknown > 0)
        ep_complain(NULL, "diff: not judged: %zu new regions, %zu gone, %zu in too few files",
                    counts->added, counts->gone, counts->unknown);
}

static enum ep_status decide(const struct ep_diff_command_options *options,
                             const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_count(diff);
    if (ep_report_diff_with_verdict(&counts) == 0)
        return say_nothing_judged();
    const struct ep_diff_row *slower = ep_diff_find_slower(diff, options->fail_above_percent);
    tell_unjudged(&counts);
    return slower ? say_found(options, diff, slower) : EP_STATUS_DONE;
}

/* With several clocks on a side as well: it is not known which file was measured by which. */
static bool is_of_one_clock(const struct ep_diff *diff)
{
    return strcmp(diff->sides[EP_DIFF_BEFORE]->source, diff->sides[EP_DIFF_AFTER]->source) == 0 &&
           strcmp(diff->sides[EP_DIFF_BEFORE]->source, "several") != 0;
}

enum ep_status ep_gate_decide(const struct ep_diff_command_options *options,
                              const struct ep_diff *diff)
{
    bool is_several = options->counts[EP_DIFF_BEFORE] > 1 || options->counts[EP_DIFF_AFTER] > 1;
    if (!options->is_gate && !is_several)
        return EP_STATUS_DONE;
    if (!is_of_one_clock(diff))
        return say_other_clock(diff);
    if (diff->judged > 0 && !ep_diff_has_verdicts(diff))
        return say_too_few(diff);
    return options->is_gate ? decide(options, diff) : EP_STATUS_DONE;
}
