#include "source.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

static const struct ep_source *const built_in[] = {
    &ep_source_rdtsc,          &ep_source_rdtsc_ordered, &ep_source_clock_gettime,
    &ep_source_thread_cputime, &ep_source_gettimeofday,
};

/* The counters of all processors: known everywhere, so that the answer is "not here". */
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

static bool is_counter_name(const char *name)
{
    for (size_t i = 0; i < COUNT(counter_names); i++)
        if (strcmp(counter_names[i], name) == 0)
            return true;
    return false;
}

const struct ep_source *ep_source_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return ep_source_rdtsc_is_trusted() ? &ep_source_rdtsc : &ep_source_clock_gettime;

    const struct ep_source *source = look_up(name);
    if (source == &ep_source_rdtsc && !ep_source_rdtsc_is_readable())
        source = NULL;
    if (source == &ep_source_rdtsc_ordered && !ep_source_rdtsc_can_wait())
        source = NULL;
    if (!source)
        errno = is_counter_name(name) ? ENOTSUP : EINVAL;
    return source;
}

EP_ANALYZER_KEPT_BEGIN /* in the list, by what lies within */
int ep_source_register(const struct ep_source *source)
{
    if (look_up(source->name) || is_counter_name(source->name) ||
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
    copy->source.next = registered;
    registered = &copy->source;
    return 0;
}
EP_ANALYZER_KEPT_END
