#include "diff/diff.h"

#include <errno.h>
#include <stdlib.h>

#include "diff/match.h"
#include "diff/values.h"
#include "image/image.h"
#include "merge/merge.h"

/*
 * A profile with many regions takes much memory, so only one thing exists at a time: the tables of
 * a file, then its image with merged paths, then its snapshot. The sum of a side becomes a snapshot
 * as soon as all its files are added. If a side has one file, this is also the sum of the side, and
 * its samples are taken from the sum at the end.
 */
struct ep_diff_making {
    struct ep_diff_options options;
    struct ep_merge *sums[EP_DIFF_SIDES]; /* NULL: it was taken */
    size_t inspected[EP_DIFF_SIDES], files[EP_DIFF_SIDES];
    struct ep_merge *one; /* the file that was added last; NULL: it is finished */
    enum ep_diff_side one_side;
    struct eprof_snapshot *sides[EP_DIFF_SIDES]; /* NULL: not all files are added */
    struct ep_diff_samples samples;
};

static struct ep_merge *begin_sum(const struct ep_diff_options *options)
{
    struct ep_merge *sum = ep_merge_begin(options->is_raw);
    if (sum) {
        ep_merge_ignore_locations(sum);
        ep_merge_ignore_processes(sum);
    }
    return sum;
}

struct ep_diff_making *ep_diff_make_begin(struct ep_diff_options options)
{
    struct ep_diff_making *making = calloc(1, sizeof *making);
    if (!making)
        return NULL;
    making->options = options;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++)
        if (!(making->sums[side] = begin_sum(&options))) {
            ep_diff_make_abandon(making);
            errno = ENOMEM;
            return NULL;
        }
    return making;
}

void ep_diff_make_inspect(struct ep_diff_making *making, enum ep_diff_side side,
                          const union ep_cell *header)
{
    ep_merge_inspect(making->sums[side], header);
    making->inspected[side]++;
}

/* Ends the sum. */
static struct eprof_snapshot *snapshot_of(struct ep_merge **sum,
                                          const struct ep_diff_options *options)
{
    struct ep_image image;
    struct ep_merge *taken = *sum;
    *sum = NULL;
    if (ep_merge_take(taken, &image) != 0)
        return NULL;
    struct eprof_snapshot *snapshot = ep_snapshot_take_stored(
        &image, (struct ep_snapshot_options){.raw = options->is_raw, .no_tops = true});
    int error = errno;
    ep_image_destroy(&image);
    errno = error;
    return snapshot;
}

int ep_diff_make_complete(struct ep_diff_making *making)
{
    enum ep_diff_side side = making->one_side;
    if (!making->one)
        return 0;
    struct eprof_snapshot *snapshot = snapshot_of(&making->one, &making->options);
    if (!snapshot)
        return -1;
    if (!making->sums[side]) {
        making->sides[side] = snapshot;
        return 0;
    }
    int result = ep_diff_match_samples_add(&making->samples, side, snapshot, &making->options);
    ep_snapshot_free(snapshot);
    if (result == 0 && making->files[side] == making->inspected[side]) {
        making->sides[side] = snapshot_of(&making->sums[side], &making->options);
        result = making->sides[side] ? 0 : -1;
    }
    return result;
}

/* Begins the merge of one file, with the same options as the sums. If a side has only one file, the
 * sum of the side is that merge. */
static int begin_one(struct ep_diff_making *making, enum ep_diff_side side,
                     const struct ep_image *image)
{
    making->one_side = side;
    if (making->inspected[side] == 1) {
        making->one = making->sums[side];
        making->sums[side] = NULL;
        return 0;
    }
    making->one = begin_sum(&making->options);
    if (!making->one)
        return -1;
    ep_merge_inspect(making->one, image->cells);
    return ep_merge_add(making->sums[side], image);
}

int ep_diff_make_add(struct ep_diff_making *making, enum ep_diff_side side,
                     const struct ep_image *image)
{
    if (ep_diff_make_complete(making) != 0 || begin_one(making, side, image) != 0)
        return -1;
    making->files[side]++;
    return ep_merge_add(making->one, image);
}

static int finish(struct ep_diff *diff, struct ep_diff_making *making)
{
    diff->options = making->options;
    if (ep_diff_make_complete(making) != 0)
        return -1;
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        diff->files[side] = making->files[side];
        diff->sides[side] = making->sides[side];
        making->sides[side] = NULL;
        if (making->inspected[side] == 1 &&
            ep_diff_match_samples_add(&making->samples, side, diff->sides[side],
                                      &making->options) != 0)
            return -1;
    }
    if (ep_diff_match(diff, &making->samples) != 0)
        return -1;
    return ep_diff_values_match(diff, &making->samples) == 0 ? ep_diff_judge(diff, &making->samples)
                                                             : -1;
}

struct ep_diff *ep_diff_make_end(struct ep_diff_making *making)
{
    struct ep_diff *diff = calloc(1, sizeof *diff);
    int result = diff ? finish(diff, making) : -1;
    ep_diff_make_abandon(making);
    if (result == 0)
        return diff;
    ep_diff_free(diff);
    errno = ENOMEM;
    return NULL;
}

void ep_diff_make_abandon(struct ep_diff_making *making)
{
    for (enum ep_diff_side side = 0; side < EP_DIFF_SIDES; side++) {
        ep_merge_end(making->sums[side]);
        ep_snapshot_free(making->sides[side]);
    }
    ep_merge_end(making->one);
    ep_diff_match_samples_free(&making->samples);
    free(making);
}
