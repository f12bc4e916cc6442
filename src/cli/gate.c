#include "cli/gate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/complain.h"
#include "report_diff/format.h"

/* ---- a file that is named twice ---- */

/* Compares each file with all before it, since a side has some hundred files at most. */
const char *ep_gate_twice_find(char *const *paths, size_t count)
{
    const char *twice = NULL;
    struct stat *files = calloc(count + 1, sizeof *files);
    for (size_t i = 0; files && i < count && !twice; i++) {
        if (stat(paths[i], &files[i]) != 0)
            continue;
        for (size_t j = 0; j < i; j++)
            if (files[j].st_dev == files[i].st_dev && files[j].st_ino == files[i].st_ino)
                twice = paths[i];
    }
    free(files);
    return twice;
}

/* ---- the exit status ---- */

static int say_found(const struct ep_diff_command_options *options, const struct ep_diff *diff,
                     const struct ep_diff_row *row)
{
    char *path = ep_diff_path(diff, row);
    if (!path)
        return ep_complain_of_memory();
    struct ep_report_figure interval = ep_report_diff_format_figure_interval(row);
    ep_complain(path, "slower, %s (%s); no more than +%g %% was allowed",
                ep_report_diff_format_figure_change(row).text, interval.text,
                options->fail_above_percent);
    free(path);
    return EP_STATUS_FOUND;
}

static int decide(const struct ep_diff_command_options *options, const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_format_count(diff);
    if (ep_report_diff_format_with_verdict(&counts) == 0) {
        /* else the gate would pass after a rename of everything */
        ep_complain(NULL, "diff: no region is in enough files of both sides, so that there is "
                          "nothing to judge");
        return EP_STATUS_USAGE;
    }
    const struct ep_diff_row *slower = ep_diff_find_slower(diff, options->fail_above_percent);
    /* a gate that passes because regions were renamed must say so */
    if (counts.added + counts.gone + counts.unknown > 0)
        ep_complain(NULL, "diff: not judged: %zu new regions, %zu gone, %zu in too few files",
                    counts.added, counts.gone, counts.unknown);
    return slower ? say_found(options, diff, slower) : EP_STATUS_DONE;
}

int ep_gate_decide(const struct ep_diff_command_options *options, const struct ep_diff *diff)
{
    const char *before = diff->sides[EP_DIFF_BEFORE]->source;
    const char *after = diff->sides[EP_DIFF_AFTER]->source;
    bool is_several = options->counts[EP_DIFF_BEFORE] > 1 || options->counts[EP_DIFF_AFTER] > 1;
    if (!options->is_gate && !is_several)
        return EP_STATUS_DONE;
    /* "several" does not say which file was measured by which clock */
    if (strcmp(before, after) != 0 || strcmp(before, "several") == 0) {
        ep_complain(NULL, "diff: measured by %s before and by %s after, which do not compare",
                    before, after);
        return EP_STATUS_USAGE;
    }
    if (diff->judged > 0 && !ep_diff_has_verdicts(diff)) {
        ep_complain(NULL,
                    "diff: too few files for a verdict on %zu %s: %zu before, %zu after; %zu of "
                    "each side are needed",
                    diff->judged, diff->judged == 1 ? "region" : "regions",
                    diff->files[EP_DIFF_BEFORE], diff->files[EP_DIFF_AFTER], diff->needed);
        return EP_STATUS_USAGE;
    }
    return options->is_gate ? decide(options, diff) : EP_STATUS_DONE;
}
