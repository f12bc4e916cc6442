#include "regions.h"

#include <eprof.h>

static int parent_id, child_id;

void regions_make_instances(void)
{
    parent_id = eprof_alloc("parent");
    child_id = eprof_alloc("child");
}

/* ---- the child ---- */

__attribute__((noinline)) static void bare_child(const struct regions *regions)
{
    regions->work(regions->child_steps);
    __asm__ volatile(""); /* not a tail call: it must return like the other variants */
}

__attribute__((noinline)) static void no_child(const struct regions *regions)
{
    (void)regions;
    __asm__ volatile("");
}

__attribute__((noinline)) static void child_by_instance(const struct regions *regions)
{
    eprof_start(child_id);
    regions->work(regions->child_steps);
    eprof_stop(child_id);
}

__attribute__((noinline)) static void child_by_scope(const struct regions *regions)
{
    EPROF_SCOPE("child");
    regions->work(regions->child_steps);
}

/* ---- the parent ---- */

static inline void around(const struct regions *regions, regions_call *child)
{
    unsigned long half = regions->own_steps / 2;
    if (half)
        regions->work(half);
    for (unsigned call = 0; call < regions->calls; call++)
        child(regions);
    if (half)
        regions->work(half);
}

static inline void between(const struct regions *regions, regions_call *child)
{
    unsigned long part = regions->own_steps / regions->calls;
    for (unsigned call = 0; call < regions->calls; call++) {
        regions->work(part);
        child(regions);
    }
}

static inline void parent(const struct regions *regions, regions_call *child)
{
    if (regions->is_between)
        between(regions, child);
    else
        around(regions, child);
}

__attribute__((noinline)) void regions_bare(const struct regions *regions)
{
    parent(regions, bare_child);
}

__attribute__((noinline)) void regions_own(const struct regions *regions)
{
    parent(regions, no_child);
}

__attribute__((noinline)) void regions_by_instances(const struct regions *regions)
{
    eprof_start(parent_id);
    parent(regions, child_by_instance);
    eprof_stop(parent_id);
}

__attribute__((noinline)) void regions_by_scopes(const struct regions *regions)
{
    EPROF_SCOPE("parent");
    parent(regions, child_by_scope);
}
