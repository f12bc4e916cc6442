#include "report_diff_summary.h"

#include "report_diff_figure.h"
#include "report_diff_time.h"

struct ep_report_diff_counts ep_report_diff_count(const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = {0};
    for (size_t i = 0; i < diff->row_count; i++) {
        const struct ep_diff_row *row = &diff->rows[i];
        counts.added += !ep_report_diff_is_on(row, EP_DIFF_BEFORE);
        counts.gone += !ep_report_diff_is_on(row, EP_DIFF_AFTER);
        counts.slower += row->verdict == EP_DIFF_SLOWER;
        counts.faster += row->verdict == EP_DIFF_FASTER;
        counts.no_evidence += row->verdict == EP_DIFF_NO_EVIDENCE;
    }
    counts.unknown = diff->row_count - counts.added - counts.gone - counts.slower - counts.faster -
                     counts.no_evidence;
    return counts;
}

size_t ep_report_diff_with_verdict(const struct ep_report_diff_counts *counts)
{
    return counts->slower + counts->faster + counts->no_evidence;
}

static struct ep_report_figure confidence_of(const struct ep_diff *diff)
{
    return ep_report_diff_figure_confidence(1 - diff->options.error);
}

void ep_report_diff_summary_title(struct ep_output *out, const struct ep_diff *diff)
{
    size_t before = diff->files[EP_DIFF_BEFORE], after = diff->files[EP_DIFF_AFTER];
    ep_output_print(out, "%s, %zu file%s before, %zu after",
                    ep_report_diff_time_judged(diff)->title, before, before == 1 ? "" : "s", after);
    if (ep_diff_has_verdicts(diff))
        ep_output_print(out, ", confidence %s", confidence_of(diff).text);
}

/* Each with what it counts; the first says "region". */
struct part {
    size_t count;
    const char *what;
};

void ep_report_diff_summary_found(struct ep_output *out, const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_count(diff);
    const struct part parts[] = {
        {counts.slower, "slower"},
        {counts.faster, "faster"},
        {counts.no_evidence, "without evidence"},
        {counts.unknown, ep_diff_has_verdicts(diff) ? "in too few files" : "on both sides"},
        {counts.added, "new"},
        {counts.gone, "gone"}};
    bool is_first = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!parts[i].count)
            continue;
        if (is_first)
            ep_output_print(out, "%zu region%s %s", parts[i].count, parts[i].count == 1 ? "" : "s",
                            parts[i].what);
        else
            ep_output_print(out, ", %zu %s", parts[i].count, parts[i].what);
        is_first = false;
    }
    if (is_first)
        ep_output_text(out, "no regions");
}

static void say_needed(struct ep_output *out, const struct ep_diff *diff)
{
    ep_output_print(out,
                    "verdicts on %zu region%s take %zu files of each side: "
                    "--before ... --after ...",
                    diff->judged, diff->judged == 1 ? "" : "s", diff->needed);
}

/* Of so many regions there are some. */
static void say_together(struct ep_output *out, const struct ep_diff *diff, size_t intervals)
{
    struct ep_report_figure confidence = confidence_of(diff);
    if (intervals == 1)
        ep_output_print(out, "the interval holds with a probability of %s", confidence.text);
    else
        ep_output_print(out,
                        "the intervals of all %zu regions hold together with a probability of %s",
                        intervals, confidence.text);
}

void ep_report_diff_summary_trust(struct ep_output *out, const struct ep_diff *diff)
{
    struct ep_report_diff_counts counts = ep_report_diff_count(diff);
    size_t intervals = ep_report_diff_with_verdict(&counts);
    if (diff->judged == 0)
        ep_output_text(out, "no region is on both sides");
    else if (!ep_diff_has_verdicts(diff))
        say_needed(out, diff);
    else if (intervals == 0)
        ep_output_text(out, "no region is in enough files of both sides");
    else
        say_together(out, diff, intervals);
}
