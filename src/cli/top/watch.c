#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/platform.h"
#include "cli/complain.h"
#include "cli/top/top.h"
#include "image/read.h"

/* ---- one sight ---- */

/* Sets *why if it fails. */
static int take_sight(struct ep_top_sight *sight, struct ep_top_watch *watch, const char **why)
{
    struct ep_image image;
    struct ep_image_file_state file;
    struct ep_image_moment moment = ep_image_read_moment_take();
    if (ep_image_read(watch->target.path, &image, &file, why) != 0)
        return -1;
    if (file.is_being_written)
        ep_image_read_moment_put(&image, &moment);
    *sight = (struct ep_top_sight){
        .state = ep_image_read_life(&image, file.is_being_written),
        .monotonic_ns = moment.monotonic_ns,
        .age_ns = ep_image_read_moment_age_ns(&image, file.is_being_written ? &moment : NULL),
        .reset_generation = ep_image_control(&image)->reset_generation};
    if (ep_load_look_up_name(&watch->look_up, &image) == 0)
        sight->snapshot =
            ep_snapshot_take_stored(&image, (struct ep_snapshot_options){.raw = watch->is_raw});
    ep_image_destroy(&image);
    *why = strerror(ENOMEM);
    return sight->snapshot ? 0 : -1;
}

static void free_sight(struct ep_top_sight *sight)
{
    ep_snapshot_free(sight->snapshot);
    ep_series_growth_free(&sight->growths);
}

/* ---- two sights ---- */

bool ep_top_watch_sight_is_of_same(const struct ep_top_sight *a, const struct ep_top_sight *b)
{
    return a->snapshot && b->snapshot && a->snapshot->process_id == b->snapshot->process_id &&
           a->snapshot->realtime_ns == b->snapshot->realtime_ns;
}

/* Whether figures grow from one sight to the other. If the program has ended they do not: it ended
 * at an unknown moment between the two, so the last sight shows the growth since the start. */
static bool goes_on(const struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    return sight->state == EP_LIFE_RUNNING && before->state == EP_LIFE_RUNNING &&
           ep_top_watch_sight_is_of_same(sight, before) &&
           sight->reset_generation == before->reset_generation &&
           sight->monotonic_ns > before->monotonic_ns;
}

/* The time at which a program was killed is not recorded: it lies between two sights. If they are
 * far apart, such as after a pause, it is not known. */
static void estimate_age(struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    enum { LARGEST_PART = 4 }; /* its half is the largest error: an eighth */
    uint64_t gap_ns = sight->monotonic_ns - before->monotonic_ns;
    if (sight->age_ns || !before->age_ns || !ep_top_watch_sight_is_of_same(sight, before) ||
        sight->reset_generation != before->reset_generation ||
        gap_ns > (before->age_ns + gap_ns) / LARGEST_PART)
        return;
    sight->age_ns = before->age_ns + gap_ns / 2;
    sight->is_age_estimated = true;
}

int ep_top_watch_sight_compare(struct ep_top_sight *sight, const struct ep_top_sight *before)
{
    bool since_before = goes_on(sight, before);
    estimate_age(sight, before);
    sight->is_of_all = !since_before;
    sight->elapsed_ns = since_before ? sight->monotonic_ns - before->monotonic_ns : sight->age_ns;
    return ep_series_growth_find(&sight->growths, since_before ? before->snapshot : NULL,
                                 sight->snapshot);
}

/* ---- a file that is read again and again ---- */

static int take(struct ep_top_watch *watch)
{
    struct ep_top_sight sight;
    const char *why;
    bool is_taken = take_sight(&sight, watch, &why) == 0;
    if (is_taken && ep_top_watch_sight_compare(&sight, &watch->sight) == 0) {
        watch->notes.runs += !ep_top_watch_sight_is_of_same(&sight, &watch->sight);
        watch->notes.why = NULL;
        free_sight(&watch->sight);
        watch->sight = sight;
        return 0;
    }
    if (is_taken) {
        free_sight(&sight);
        why = strerror(ENOMEM);
    }
    snprintf(watch->why, sizeof watch->why, "%s", why);
    watch->notes.why = watch->why;
    return -1;
}

/* The file of a program that has ended does not change; but it may be replaced. */
static bool stands_still(const struct ep_top_watch *watch, const struct stat *file)
{
    const struct stat *seen = &watch->seen;
    return watch->sight.snapshot && watch->sight.state != EP_LIFE_RUNNING && !watch->notes.why &&
           seen->st_dev == file->st_dev && seen->st_ino == file->st_ino &&
           seen->st_ctim.tv_sec == file->st_ctim.tv_sec &&
           seen->st_ctim.tv_nsec == file->st_ctim.tv_nsec;
}

/* However large the profile is, at least half of the time is left to other programs. */
int ep_top_watch_look(struct ep_top_watch *watch)
{
    struct stat file = {.st_size = 0};
    uint64_t begin_ns = ep_platform_monotonic_ns();
    bool is_there = stat(watch->target.path, &file) == 0;
    int result = is_there && stands_still(watch, &file) ? 0 : take(watch);
    uint64_t took_ns = ep_platform_monotonic_ns() - begin_ns;
    watch->due_ns =
        begin_ns + (watch->interval_ns > 2 * took_ns ? watch->interval_ns : 2 * took_ns);
    if (result == 0)
        watch->seen = file;
    return result;
}

int ep_top_watch_open(struct ep_top_watch *watch, const struct ep_top_options *options)
{
    *watch = (struct ep_top_watch){.look_up = {.debug_directory = options->debug_directory},
                                   .notes = {.name = options->target},
                                   .is_raw = options->is_raw,
                                   .interval_ns = options->interval_ns};
    if (ep_top_target_open(&watch->target, options->target) != 0)
        return -1;
    if (ep_top_watch_look(watch) == 0) {
        watch->look_up.is_quiet = true; /* from now on the terminal shows frames */
        return 0;
    }
    ep_complain(options->target, "%s", watch->why);
    ep_top_watch_close(watch);
    return -1;
}

void ep_top_watch_close(struct ep_top_watch *watch)
{
    free_sight(&watch->sight);
    ep_load_look_up_free(&watch->look_up);
    ep_top_target_close(&watch->target);
}
