/*
 * report_diff_summary.h - a comparison in words, for those formats that people read
 *
 * The sentences are ASCII without characters that html would have to escape, and without an end of
 * the line.
 */
#ifndef EP_REPORT_DIFF_SUMMARY_H
#define EP_REPORT_DIFF_SUMMARY_H

#include "diff.h"
#include "output.h"

/* How many regions there are of each kind. */
struct ep_report_diff_counts {
    size_t slower, faster, no_evidence;
    size_t unknown; /* on both sides, without a verdict */
    size_t added, gone;
};

struct ep_report_diff_counts ep_report_diff_count(const struct ep_diff *diff);
/* How many have an interval. */
size_t ep_report_diff_with_verdict(const struct ep_report_diff_counts *counts);

/* What is compared: "total time of a run, 10 files before, 12 after, confidence 95 %". */
void ep_report_diff_summary_title(struct ep_output *out, const struct ep_diff *diff);
/* What was found: "1 region slower, 2 faster, 9 without evidence, 1 new, 2 gone". */
void ep_report_diff_summary_found(struct ep_output *out, const struct ep_diff *diff);
/* How far it is known: with which probability all intervals hold, or how many files there must be
 * for that. */
void ep_report_diff_summary_trust(struct ep_output *out, const struct ep_diff *diff);

#endif /* EP_REPORT_DIFF_SUMMARY_H */
