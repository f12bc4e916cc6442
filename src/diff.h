/*
 * diff.h - two sides, of one profile or more each, region by region
 *
 * A region is known by its kind and its path: equal labels are added up, and where a scope stands
 * in its file tells nothing, since a change of the program moves it. What a region has in one run
 * is what it has in the file in the middle, of all files of its side.
 */
#ifndef EP_DIFF_H
#define EP_DIFF_H

#include "image.h"
#include "ratio.h"
#include "snapshot.h"

enum ep_diff_side { EP_DIFF_BEFORE, EP_DIFF_AFTER, EP_DIFF_SIDES };

struct ep_diff_options {
    bool is_raw;               /* not corrected for the probe's cost */
    const struct ep_field *by; /* the figure that is judged: total, self, mean or p99 */
    double error;              /* the probability that any interval misses its ratio: 0.05, say */
    const char *filter;        /* regions whose name matches this pattern (fnmatch); NULL: all */
};

enum ep_diff_verdict {
    EP_DIFF_UNKNOWN, /* too few files, or the region is on one side only */
    EP_DIFF_NO_EVIDENCE,
    EP_DIFF_FASTER,
    EP_DIFF_SLOWER
};

/* In one run, each the median of all files of the side; of a side that does not have the region all
 * is 0. */
struct ep_diff_figures {
    double calls;
    uint64_t total_ns, self_ns;
    uint64_t mean_ns, p99_ns; /* of the files that have calls */
    bool is_estimate;         /* total and self: it was throttled */
};

struct ep_diff_row {
    size_t at[EP_DIFF_SIDES]; /* its row in the snapshot of that side; SIZE_MAX: it has none */
    struct ep_diff_figures figures[EP_DIFF_SIDES];
    int64_t change_ns;     /* of what is judged: of one file each after less before; of several what
                              the ratio makes of before, so that both have one sign */
    struct ep_ratio ratio; /* of the same, after / before; 0 / 0 is 1 */
    enum ep_diff_verdict verdict;
};

struct ep_diff {
    struct eprof_snapshot *sides[EP_DIFF_SIDES]; /* all files of each, added up */
    size_t files[EP_DIFF_SIDES];
    struct ep_diff_row *rows; /* those with a verdict of faster or slower first; then by what
                                 changed most */
    size_t row_count;
    uint32_t *row_of[EP_DIFF_SIDES]; /* by row of the side's snapshot, up to its trouble_first;
                                        UINT32_MAX: it was not asked for */
    struct ep_diff_options options;
    size_t judged; /* rows that both sides have: the error is shared out among them, */
    double share;  /* evenly */
    size_t needed; /* files that each side must have for a verdict of so many */
};

void ep_diff_free(struct ep_diff *diff);

/* Whether there are enough files on both sides for verdicts. */
bool ep_diff_has_verdicts(const struct ep_diff *diff);
/* The side that has the region; of both that of after. */
enum ep_diff_side ep_diff_side_of(const struct ep_diff_row *row);
/* Kind, name, and where it stands, on that side. */
const struct eprof_row *ep_diff_row_of(const struct ep_diff *diff, const struct ep_diff_row *row);
/* Its path, as csv has it, to be freed: those of all rows of a deep tree would fill the memory.
 * NULL and ENOMEM. */
char *ep_diff_path(const struct ep_diff *diff, const struct ep_diff_row *row);
/* The figure that is judged. */
uint64_t ep_diff_judged_ns(const struct ep_diff *diff, const struct ep_diff_row *row,
                           enum ep_diff_side side);
/* "faster", "slower", "no evidence", "new", "gone", or "" where there is none. */
const char *ep_diff_verdict_word(const struct ep_diff_row *row);
/* The region that is slower by more than `percent`, its whole interval above it; of several that
 * whose interval begins highest, which is rather the cause than what it is called in. NULL: there
 * is none. */
const struct ep_diff_row *ep_diff_find_slower(const struct ep_diff *diff, double percent);

#endif /* EP_DIFF_H */
