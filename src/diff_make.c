#include "diff_make.h"

#include <errno.h>
#include <stdlib.h>

#include "diff_judge.h"
#include "diff_match.h"
#include "diff_samples.h"
#include "merge.h"

struct ep_diff_making {
    struct ep_diff_options options;
    struct ep_merge *sums[EP_DIFF_SIDES];
    size_t files[EP_DIFF_SIDES];
    struct ep_diff_samples samples;
};

/* ---- reading ---- */

static struct ep_merge *begin_sum(const struct ep_diff_options *options)
{
    struct ep_merge *sum = ep_merge_begin(options->is_raw);
    if (sum)
        ep_merge_ignore_places(sum);
    return sum;
}

struct ep_diff_making *ep_diff_make_begin(struct ep_diff_options options)
{
    struct ep_diff_making *making = calloc(1, sizeof *making);
    if (!making)
        return NULL;
    making->options = options;
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        if (!(making->sums[side] = begin_sum(&options))) {
            ep_diff_make_abandon(making);
            errno = ENOMEM;
            return NULL;
        }
    return making;
}

void ep_diff_make_weigh(struct ep_diff_making *making, enum ep_diff_side side,
                        const union ep_cell *header)
{
    ep_merge_weigh(making->sums[side], header);
}

static struct eprof_snapshot *snapshot_of(struct ep_merge *sum,
                                          const struct ep_diff_options *options)
{
    const struct ep_image *image = ep_merge_image(sum);
    return image ? ep_snapshot_take_stored(image,
                                           (struct ep_snapshot_options){.raw = options->is_raw})
                 : NULL;
}

/* One file alone, by paths as the sums have them. */
static struct eprof_snapshot *snapshot_of_one(const struct ep_diff_options *options,
                                              const struct ep_image *image)
{
    struct eprof_snapshot *snapshot = NULL;
    struct ep_merge *one = begin_sum(options);
    if (!one)
        return NULL;
    ep_merge_weigh(one, image->cells);
    if (ep_merge_add(one, image) == 0)
        snapshot = snapshot_of(one, options);
    ep_merge_end(one);
    return snapshot;
}

int ep_diff_make_add(struct ep_diff_making *making, enum ep_diff_side side,
                     const struct ep_image *image)
{
    struct eprof_snapshot *snapshot = snapshot_of_one(&making->options, image);
    int result = snapshot ? ep_merge_add(making->sums[side], image) : -1;
    if (result == 0)
        result = ep_diff_samples_add(&making->samples, side, snapshot, &making->options);
    ep_snapshot_free(snapshot);
    making->files[side]++;
    return result;
}

/* ---- the whole ---- */

static int finish(struct ep_diff *diff, struct ep_diff_making *making)
{
    diff->options = making->options;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        diff->files[side] = making->files[side];
        diff->sides[side] = snapshot_of(making->sums[side], &making->options);
        if (!diff->sides[side])
            return -1;
    }
    if (ep_diff_match(diff, &making->samples) != 0)
        return -1;
    return ep_diff_judge(diff, &making->samples);
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
    for (int side = 0; side < EP_DIFF_SIDES; side++)
        ep_merge_end(making->sums[side]);
    ep_diff_samples_free(&making->samples);
    free(making);
}
