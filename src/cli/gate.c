#include "gate.h"

#include <errno.h>
#include <stdlib.h>

#include "complain.h"

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
    ep_complain(NULL, "diff: no region is on both sides, so that there is nothing to judge");
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
    ep_complain(path, "slower by %.1f %%, and by at least %.1f %%; no more than %g %% was allowed",
                (row->ratio.estimate - 1) * 100, (row->ratio.low - 1) * 100,
                options->fail_above_percent);
    free(path);
    return EP_STATUS_FOUND;
}

enum ep_status ep_gate_decide(const struct ep_diff_command_options *options,
                              const struct ep_diff *diff)
{
    bool is_several = options->counts[EP_DIFF_BEFORE] > 1 || options->counts[EP_DIFF_AFTER] > 1;
    if (!options->is_gate && !is_several)
        return EP_STATUS_DONE;
    if (diff->judged == 0)
        return options->is_gate ? say_nothing_judged() : EP_STATUS_DONE;
    if (!ep_diff_has_verdicts(diff))
        return say_too_few(diff);
    const struct ep_diff_row *slower =
        options->is_gate ? ep_diff_find_slower(diff, options->fail_above_percent) : NULL;
    return slower ? say_found(options, diff, slower) : EP_STATUS_DONE;
}
