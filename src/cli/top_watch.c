#include "top_watch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "complain.h"
#include "platform.h"

static int fail(struct ep_top_watch *watch, const char *why)
{
    snprintf(watch->why, sizeof watch->why, "%s", why);
    watch->notes.why = watch->why;
    return -1;
}

static int take(struct ep_top_watch *watch)
{
    struct ep_top_sight sight;
    const char *why;
    if (ep_top_sight_take(&sight, watch->target.path, &watch->look_up, watch->is_raw, &why) != 0)
        return fail(watch, why);
    if (ep_top_sight_compare(&sight, &watch->sight) != 0) {
        ep_top_sight_free(&sight);
        return fail(watch, strerror(ENOMEM));
    }
    watch->notes.runs += !ep_top_sight_is_of_same(&sight, &watch->sight);
    watch->notes.why = NULL;
    ep_top_sight_free(&watch->sight);
    watch->sight = sight;
    return 0;
}

/* Where the program has ended, nothing happens in its file; but another may be put in its place. */
static bool stands_still(const struct ep_top_watch *watch, const struct stat *file)
{
    const struct stat *seen = &watch->seen;
    return watch->sight.snapshot && watch->sight.state != EP_TOP_RUNNING && !watch->notes.why &&
           seen->st_dev == file->st_dev && seen->st_ino == file->st_ino &&
           seen->st_ctim.tv_sec == file->st_ctim.tv_sec &&
           seen->st_ctim.tv_nsec == file->st_ctim.tv_nsec;
}

/* However large the profile is, half of the time is left to others. */
static int look(struct ep_top_watch *watch)
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
    if (look(watch) == 0) {
        watch->look_up.is_quiet = true; /* from now on the terminal has frames on it */
        return 0;
    }
    ep_complain(options->target, "%s", watch->why);
    ep_top_watch_close(watch);
    return -1;
}

void ep_top_watch_look(struct ep_top_watch *watch)
{
    look(watch);
}

void ep_top_watch_close(struct ep_top_watch *watch)
{
    ep_top_sight_free(&watch->sight);
    ep_look_up_free(&watch->look_up);
    ep_top_target_close(&watch->target);
}
