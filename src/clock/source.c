#include "clock/source.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/platform.h"

/* ---- built-in sources ---- */

static uint64_t clock_gettime_now(void *context)
{
    (void)context;
    return ep_platform_monotonic_ns();
}

static uint64_t thread_cputime_now(void *context)
{
    (void)context;
    return ep_platform_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

const struct ep_source ep_source_clock_gettime = {
    .now = clock_gettime_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000000,
    .name = "clock_gettime",
};

const struct ep_source ep_source_thread_cputime = {
    .now = thread_cputime_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000000,
    .per_thread = true,
    .name = "thread_cputime",
};

/* The time of day, in us. It is set by hand and by NTP, forwards and backwards. */
static uint64_t gettimeofday_now(void *context)
{
    struct timeval now;
    (void)context;
    gettimeofday(&now, NULL);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_usec;
}

const struct ep_source ep_source_gettimeofday = {
    .now = gettimeofday_now,
    .mask = UINT64_MAX,
    .ticks_per_second = 1000000,
    .steps = true,
    .name = "gettimeofday",
};

/*
 * The processor's counter, read when all earlier instructions are complete and no later one has
 * begun. A scope costs 71 ns instead of 27 (docs/internals/proofs.md, 2026-11-22) with the plain
 * counter, which is read while up to a few hundred earlier instructions are still being executed.
 */
static uint64_t ordered_now(void *context)
{
    (void)context;
    ep_counter_wait();
    uint64_t ticks = ep_counter_read();
    ep_counter_wait();
    return ticks;
}

static const struct ep_source counter_ordered = {
    .now = ordered_now,
    .mask = UINT64_MAX,
    .is_ordered = true,
    .name = EP_COUNTER_NAME "_ordered",
};

static const struct ep_source *const built_in[] = {
    &ep_counter_source,        &counter_ordered,        &ep_source_clock_gettime,
    &ep_source_thread_cputime, &ep_source_gettimeofday,
};

/* ---- finding and registering ---- */

/* Known on every processor, so that the error for another processor's counter is ENOTSUP. */
static const char *const counter_names[] = {"rdtsc", "rdtsc_ordered", "cntvct", "cntvct_ordered"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct registration {
    struct ep_source source;
    char name[];
};

static const struct ep_source *registered; /* the newest one first */

static const struct ep_source *look_up(const char *name)
{
    for (size_t i = 0; i < COUNT(built_in); i++)
        if (strcmp(built_in[i]->name, name) == 0)
            return built_in[i];
    for (const struct ep_source *source = registered; source; source = source->next)
        if (strcmp(source->name, name) == 0)
            return source;
    return NULL;
}

bool ep_source_is_counter_name(const char *name)
{
    for (size_t i = 0; i < COUNT(counter_names); i++)
        if (strcmp(counter_names[i], name) == 0)
            return true;
    return false;
}

const struct ep_source *ep_source_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return ep_counter_is_trusted() ? &ep_counter_source : &ep_source_clock_gettime;

    const struct ep_source *source = look_up(name);
    if (source == &ep_counter_source && !ep_counter_is_readable())
        source = NULL;
    if (source == &counter_ordered && !(ep_counter_can_wait() && ep_counter_is_readable()))
        source = NULL;
    if (!source)
        errno = ep_source_is_counter_name(name) ? ENOTSUP : EINVAL;
    return source;
}

EP_ANALYZER_KEPT_BEGIN /* the list points into the block */
int ep_source_register(const struct ep_source *source)
{
    if (look_up(source->name) || ep_source_is_counter_name(source->name) ||
        strcmp(source->name, "auto") == 0) {
        errno = EEXIST;
        return -1;
    }
    size_t name_bytes = strlen(source->name) + 1;
    struct registration *copy = malloc(sizeof *copy + name_bytes);
    if (!copy)
        return -1;
    memcpy(copy->name, source->name, name_bytes);
    copy->source = *source;
    copy->source.name = copy->name;
    copy->source.is_own = true;
    copy->source.next = registered;
    registered = &copy->source;
    return 0;
}
EP_ANALYZER_KEPT_END

void ep_source_release_all(void)
{
    while (registered) {
        const struct ep_source *next = registered->next;
        free((void *)(uintptr_t)registered); /* the first member of its registration */
        registered = next;
    }
}
