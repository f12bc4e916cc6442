#include "top_sight.h"

#include <errno.h>
#include <string.h>

#include "image_moment.h"
#include "image_read.h"

/* ---- taken ---- */

static enum ep_top_state state_of(const struct ep_image *image, bool is_being_written)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    if (is_being_written)
        return EP_TOP_RUNNING;
    if (!identity->process_id || identity->state == EP_STATE_SAVED)
        return EP_TOP_SAVED;
    return identity->not_closed ? EP_TOP_KILLED : EP_TOP_ENDED;
}

static void describe(struct ep_top_sight *sight, struct ep_image *image,
                     const struct ep_image_moment *moment)
{
    bool is_running = sight->state == EP_TOP_RUNNING;
    if (is_running)
        ep_image_moment_put(image, moment);
    sight->monotonic_ns = moment->monotonic_ns;
    sight->age_ns = ep_image_moment_age_ns(image, is_running ? moment : NULL);
    sight->reset_generation = ep_image_control(image)->reset_generation;
}

int ep_top_sight_take(struct ep_top_sight *sight, const char *path, struct ep_look_up *look_up,
                      bool is_raw, const char **why)
{
    struct ep_image image;
    struct ep_image_file_state file;
    struct ep_image_moment moment = ep_image_moment_take();
    *sight = (struct ep_top_sight){.snapshot = NULL};
    if (ep_image_read(path, &image, &file, why) != 0)
        return -1;
    sight->state = state_of(&image, file.is_being_written);
    describe(sight, &image, &moment);
    if (ep_look_up_name(look_up, &image) == 0)
        sight->snapshot =
            ep_snapshot_take_stored(&image, (struct ep_snapshot_options){.raw = is_raw});
    ep_image_destroy(&image);
    *why = strerror(ENOMEM);
    return sight->snapshot ? 0 : -1;
}

/* ---- compared ---- */

bool ep_top_sight_is_of_same(const struct ep_top_sight *a, const struct ep_top_sight *b)
{
    return a->snapshot && b->snapshot && a->snapshot->process_id == b->snapshot->process_id &&
           a->snapshot->realtime_ns == b->snapshot->realtime_ns;
}

/* When a program ended, its last figures are of the whole, since the end came at some moment
 * between two refreshes. */
static bool goes_on(const struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    return sight->state == EP_TOP_RUNNING && before->state == EP_TOP_RUNNING &&
           ep_top_sight_is_of_same(sight, before) &&
           sight->reset_generation == before->reset_generation &&
           sight->monotonic_ns > before->monotonic_ns;
}

/* Of a killed program nobody wrote down when that was: between now and the sight before. Where that
 * is long ago (the view was paused, say), it is not known. */
static void estimate_age(struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    enum { LARGEST_PART = 4 }; /* so that it is known to an eighth */
    uint64_t gap_ns = sight->monotonic_ns - before->monotonic_ns;
    if (sight->age_ns || !before->age_ns || !ep_top_sight_is_of_same(sight, before) ||
        sight->reset_generation != before->reset_generation ||
        gap_ns > (before->age_ns + gap_ns) / LARGEST_PART)
        return;
    sight->age_ns = before->age_ns + gap_ns / 2;
    sight->is_age_estimated = true;
}

int ep_top_sight_compare(struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    bool since_before = goes_on(sight, before);
    estimate_age(sight, before);
    sight->is_of_all = !since_before;
    sight->elapsed_ns = since_before ? sight->monotonic_ns - before->monotonic_ns : sight->age_ns;
    return ep_growth_find(&sight->growths, since_before ? before->snapshot : NULL, sight->snapshot);
}

void ep_top_sight_free(struct ep_top_sight *sight)
{
    ep_snapshot_free(sight->snapshot);
    ep_growth_free(&sight->growths);
    *sight = (struct ep_top_sight){.snapshot = NULL};
}
