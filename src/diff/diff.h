/*
 * diff/diff.h - two sides, each of one or more profiles, compared region by region
 *
 * A region is identified by kind and path: equal labels are summed, and the line of a scope is
 * ignored, since a change of the program moves it. The figures of a region in one run are the
 * medians over all files of its side.
 */
#ifndef EP_DIFF_DIFF_H
#define EP_DIFF_DIFF_H

#include "diff/rank_test.h"
#include "snapshot/snapshot.h"

struct ep_image;
union ep_cell;

enum ep_diff_side { EP_DIFF_BEFORE, EP_DIFF_AFTER, EP_DIFF_SIDES };

struct ep_diff_options {
    bool is_raw;               /* not corrected for the probe's cost */
    const struct ep_field *by; /* the figure that is judged: total, self, mean or p99 */
    double error;              /* the probability that any interval misses its ratio: 0.05, say */
    const char *filter;        /* regions whose name matches this pattern (fnmatch); NULL: all */
};

enum ep_diff_verdict {
    EP_DIFF_UNKNOWN, /* too few files, or the region is on one side only; with too few files, an
                        estimate has no evidence if the change is within its error */
    EP_DIFF_NO_EVIDENCE,
    EP_DIFF_FASTER,
    EP_DIFF_SLOWER
};

enum ep_diff_figure {
    EP_DIFF_TOTAL,
    EP_DIFF_SELF,
    EP_DIFF_MEAN,
    EP_DIFF_P99,
    EP_DIFF_CPU, /* this and the next are not judged, and may be EPROF_UNKNOWN */
    EP_DIFF_WAIT,
    EP_DIFF_CALLS,
    EP_DIFF_FIGURES,
    EP_DIFF_TIMES = EP_DIFF_CALLS
};

/* The figures of one run, each the median over all files of the side; 0 if the side does not have
 * the region. */
struct ep_diff_figures {
    double calls;
    union {
        struct {
            uint64_t total_ns, self_ns;
            uint64_t mean_ns, p99_ns; /* of the files that have calls */
            uint64_t cpu_ns,
                wait_ns; /* unknown if a file does not know it, or there is no region */
        };
        uint64_t times_ns[EP_DIFF_TIMES];
    };
    bool is_signed;    /* of a value: in two's complement */
    bool is_estimate;  /* total and self: it was sampled */
    bool is_corrected; /* the cost of its probes is known and was subtracted */
    bool lacks_p99;    /* too few calls of a run were timed for one, and it is not judged */
};

struct ep_diff_row {
    size_t at[EP_DIFF_SIDES]; /* its row in the snapshot of that side; SIZE_MAX: none */
    struct ep_diff_figures figures[EP_DIFF_SIDES];
    int64_t change_ns;     /* of the judged figure: with one file each, after less before; with
                              several, derived from the ratio, so that both have the same sign */
    struct ep_ratio ratio; /* of the judged figure, after / before; 0 / 0 is 1 */
    enum ep_diff_verdict verdict;
    bool is_of_errors; /* the interval is that of estimates, without the spread of several runs */
    bool is_self_rest[EP_DIFF_SIDES]; /* estimates of what is inside were subtracted from self */
};

/* A value, the mean of which is judged. */
struct ep_diff_value {
    const struct eprof_row *at[EP_DIFF_SIDES]; /* its rows in the sums of both sides; NULL: none */
    struct ep_ratio ratio; /* after / before; of values below 0: after - before */
    bool is_difference;
    bool is_of_errors;  /* the interval is that of one run each, without the spread of several */
    bool is_of_budgets; /* the excess of a frame whose budgets differ: it is not judged */
    enum ep_diff_verdict verdict; /* EP_DIFF_SLOWER: more, EP_DIFF_FASTER: less */
    double change;                /* of the mean, after less before, as the ratio has it */
};

struct ep_diff {
    struct eprof_snapshot *sides[EP_DIFF_SIDES]; /* the sum of all files of each */
    size_t files[EP_DIFF_SIDES];
    struct ep_diff_row *rows; /* faster and slower ones first; then by the size of the change */
    size_t row_count;
    uint32_t *row_of[EP_DIFF_SIDES]; /* by row of the side's snapshot, up to its diagnostic_first;
                                        UINT32_MAX: not requested */
    struct ep_diff_value *values;    /* `more` and `less` first; then by the size of the change in
                                        relation to the mean before, as units differ */
    size_t value_count;
    size_t values_judged; /* those that both sides have; they share the error among themselves */
    double value_share;   /* of the error, for each of them */
    struct ep_diff_options options;
    size_t judged; /* rows that both sides have */
    double share;  /* of the error, for each of them */
    size_t needed; /* files that each side must have for a verdict */
};

void ep_diff_free(struct ep_diff *diff);

/* Whether there are enough files on both sides for verdicts. */
bool ep_diff_has_verdicts(const struct ep_diff *diff);
/* Whether processor time was recorded on both sides. */
bool ep_diff_has_cpu(const struct ep_diff *diff);
/* Whether the side has the region. */
static inline bool ep_diff_is_on(const struct ep_diff_row *row, enum ep_diff_side side)
{
    return row->at[side] != SIZE_MAX;
}
static inline bool ep_diff_is_on_both(const struct ep_diff_row *row)
{
    return ep_diff_is_on(row, EP_DIFF_BEFORE) && ep_diff_is_on(row, EP_DIFF_AFTER);
}
/* The side that has the region; if both have it, EP_DIFF_AFTER. */
enum ep_diff_side ep_diff_side_of(const struct ep_diff_row *row);
/* Kind, name and location, on that side. */
const struct eprof_row *ep_diff_row_of(const struct ep_diff *diff, const struct ep_diff_row *row);
/* Its path, as csv has it, to be freed: all paths of a deep tree would fill the memory. NULL and
 * ENOMEM. */
char *ep_diff_path(const struct ep_diff *diff, const struct ep_diff_row *row);
/* The time that is judged. */
enum ep_diff_figure ep_diff_judged(const struct ep_diff *diff);
uint64_t ep_diff_judged_ns(const struct ep_diff *diff, const struct ep_diff_row *row,
                           enum ep_diff_side side);
/* "faster", "slower", "no evidence", "new", "gone", or "" without a verdict. */
const char *ep_diff_verdict_word(const struct ep_diff_row *row);
/* "more", "less", "no evidence", "new", "gone", or "" without a verdict. */
const char *ep_diff_value_word(const struct ep_diff_value *value);
/* The region that is slower by more than `percent`, with its whole interval above it. If there are
 * several, the one whose interval begins highest, since the cause is slower by a larger factor than
 * its callers. NULL: none. */
const struct ep_diff_row *ep_diff_find_slower(const struct ep_diff *diff, double percent);

/*
 * Making a comparison, image by image (make.c). Functions that return an int return 0, or -1 and
 * ENOMEM; pointers are NULL and ENOMEM.
 */

struct ep_diff_making;

struct ep_diff_making *ep_diff_make_begin(struct ep_diff_options options);
/* First each image is inspected, by its header cells; */
void ep_diff_make_inspect(struct ep_diff_making *making, enum ep_diff_side side,
                          const union ep_cell *header);
/* then each is added: a checked copy. */
int ep_diff_make_add(struct ep_diff_making *making, enum ep_diff_side side,
                     const struct ep_image *image);
/* Finishes the image that was added last, after the caller has destroyed it. Otherwise this happens
 * when the next one is added, which takes the memory of two images. */
int ep_diff_make_complete(struct ep_diff_making *making);
/* Each side has at least one image. Frees `making`, also on failure. */
struct ep_diff *ep_diff_make_end(struct ep_diff_making *making);
void ep_diff_make_abandon(struct ep_diff_making *making);

#endif /* EP_DIFF_DIFF_H */
