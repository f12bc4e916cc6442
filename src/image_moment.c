#include "image_moment.h"

#include <string.h>
#include <time.h>

#include "counter.h"
#include "platform.h"

struct ep_image_moment ep_image_moment_take(void)
{
    struct timespec day;
    clock_gettime(CLOCK_REALTIME, &day);
    return (struct ep_image_moment){.monotonic_ns = ep_platform_monotonic_ns(),
                                    .counter_ticks = ep_counter_read(),
                                    .day_us = (uint64_t)day.tv_sec * 1000000 +
                                              (uint64_t)day.tv_nsec / 1000};
}

static struct ep_scale scale_of(const struct ep_image *image)
{
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    return known->scale[known->current % 2];
}

/* On the clock of a built-in source; 0: it is none of them. */
static uint64_t ticks_of(const char *source, const struct ep_image_moment *moment)
{
    if (strcmp(source, "rdtsc") == 0 || strcmp(source, "rdtsc_ordered") == 0 ||
        strcmp(source, "cntvct") == 0 || strcmp(source, "cntvct_ordered") == 0)
        return moment->counter_ticks;
    if (strcmp(source, "clock_gettime") == 0)
        return moment->monotonic_ns;
    if (strcmp(source, "gettimeofday") == 0)
        return moment->day_us;
    return 0;
}

/* A step back is no time. */
static uint64_t difference(uint64_t from, uint64_t to)
{
    uint64_t ticks = to - from;
    return ticks >> 63 ? 0 : ticks;
}

/*
 * CLOCK_MONOTONIC as the program had it says how long it has run as well. What is measured in 2 ms
 * is 50 ppm off (calibrate.h), clocks of two machines are hours apart: a second, and one in 64.
 */
static bool agrees(const struct ep_image *image, uint64_t ticks,
                   const struct ep_image_moment *moment)
{
    enum { TOLERANCE_PART = 64 };
    const uint64_t tolerance_ns = 1000000000;
    const struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    uint64_t run_ns = difference(source->first_monotonic_ns, moment->monotonic_ns);
    uint64_t told_ns = ep_scale_ns(scale_of(image), difference(source->first_ticks, ticks));
    uint64_t apart_ns = run_ns > told_ns ? run_ns - told_ns : told_ns - run_ns;
    return apart_ns <= tolerance_ns + run_ns / TOLERANCE_PART;
}

bool ep_image_moment_put(struct ep_image *copy, const struct ep_image_moment *moment)
{
    const struct ep_source_cell *source = &ep_image_cell(copy, EP_CELL_SOURCE)->source;
    struct ep_scale_cell *known = &ep_image_cell(copy, EP_CELL_SCALE)->scale;
    uint64_t ticks = ticks_of(source->name, moment);
    if (known->has_now) /* it has just come to its end */
        return true;
    if (!ticks || source->is_per_thread || !scale_of(copy).ticks || !agrees(copy, ticks, moment))
        return false;
    known->has_now = 1;
    known->now_ticks = ticks;
    return true;
}

uint64_t ep_image_moment_age_ns(const struct ep_image *image, const struct ep_image_moment *moment)
{
    const struct ep_source_cell *source = &ep_image_cell(image, EP_CELL_SOURCE)->source;
    const struct ep_scale_cell *known = &ep_image_cell(image, EP_CELL_SCALE)->scale;
    struct ep_scale scale = scale_of(image);
    uint64_t reset_ticks = ep_image_control(image)->reset_ticks;
    uint64_t before_ticks = difference(source->first_ticks, reset_ticks);
    if (!ep_image_cell(image, EP_CELL_IDENTITY)->identity.process_id || !scale.ticks)
        return 0; /* of several programs there is no such time */
    if (known->has_now && !source->is_per_thread)
        return ep_scale_ns(scale, difference(source->first_ticks + before_ticks, known->now_ticks));
    if (!moment)
        return 0;
    return difference(source->first_monotonic_ns + ep_scale_ns(scale, before_ticks),
                      moment->monotonic_ns);
}
