/*
 * made_tree.h - snapshots of call trees, made by hand
 *
 * Scopes are added in the order of a walk, with their depth and the time of their own; the
 * rest follows from that. Rows belong to the thread that was named last.
 */
#ifndef MADE_TREE_H
#define MADE_TREE_H

#include "made_snapshot.h"

struct made_tree {
    struct eprof_row *rows;
    struct ep_tree_place *places;
    struct eprof_row *tops;
    struct ep_site_mark *top_marks;
    size_t count, room, instances, troubles, top_count;
    const char *thread;
    struct eprof_snapshot snapshot;
};

static inline void *made_grown(void *memory, size_t count, size_t bytes)
{
    /* gcc's analyzer (12.2) takes what grew out of NULL twice for one block, freed twice */
    void *larger = memory ? realloc(memory, count * bytes) : malloc(count * bytes);
    assert_non_null(larger);
    return larger;
}

static inline struct eprof_row *made_add(struct made_tree *tree, struct eprof_row row)
{
    if (tree->count == tree->room) {
        tree->room = 2 * tree->room + 64;
        tree->rows = made_grown(tree->rows, tree->room, sizeof *tree->rows);
        tree->places = made_grown(tree->places, tree->room, sizeof *tree->places);
    }
    if (!tree->thread)
        tree->thread = "*";
    row.thread = tree->thread;
    tree->rows[tree->count] = row;
    return &tree->rows[tree->count++];
}

/* Instances come first. */
static inline void made_instance(struct made_tree *tree, struct eprof_row row)
{
    made_add(tree, row);
    tree->instances++;
}

static inline struct eprof_row *made_scope(struct made_tree *tree, uint32_t depth, const char *name,
                                           uint64_t calls, uint64_t self_ns)
{
    struct eprof_row *row = made_add(tree, instance(-1, name));
    row->kind = "scope";
    row->path = NULL;
    row->file = "src/made.c";
    row->line = 1;
    row->calls = row->timed = calls;
    row->self_ns = self_ns;
    tree->places[tree->count - 1 - tree->instances] = (struct ep_tree_place){.depth = depth};
    return row;
}

static inline struct eprof_row *made_function(struct made_tree *tree, uint32_t depth,
                                              const char *name, uint64_t calls, uint64_t self_ns)
{
    struct eprof_row *row = made_scope(tree, depth, name, calls, self_ns);
    row->kind = "function";
    return row;
}

/* Troubles come last. */
static inline void made_trouble(struct made_tree *tree, const char *name, uint64_t count)
{
    made_add(tree, trouble(name, count));
    tree->troubles++;
}

static inline void made_find_parents(struct made_tree *tree, size_t scopes)
{
    size_t deepest = 0, first = tree->instances;
    for (size_t i = 0; i < scopes; i++)
        deepest = tree->places[i].depth > deepest ? tree->places[i].depth : deepest;
    size_t *latest = made_grown(NULL, deepest + 2, sizeof *latest);
    latest[0] = SIZE_MAX;
    for (size_t i = 0; i < scopes; i++) {
        struct ep_tree_place *place = &tree->places[i];
        *place = (struct ep_tree_place){
            .depth = place->depth, .parent = latest[place->depth], .end = first + i + 1};
        latest[place->depth + 1] = first + i;
    }
    free(latest);
}

static inline void made_fill(struct eprof_row *row)
{
    if (row->timed == 0)
        return;
    row->mean_ns = row->total_ns / row->timed;
    row->min_ns = row->mean_ns / 2;
    row->p50_ns = row->mean_ns;
    row->p90_ns = row->p99_ns = row->mean_ns * 2;
    row->p999_ns = row->max_ns = row->mean_ns * 3;
}

static inline void made_add_up(struct made_tree *tree, size_t scopes)
{
    size_t first = tree->instances;
    for (size_t i = scopes; i-- > 0;) {
        struct eprof_row *row = &tree->rows[first + i];
        size_t parent = tree->places[i].parent;
        row->total_ns += row->self_ns;
        made_fill(row);
        if (parent == SIZE_MAX)
            continue;
        tree->rows[parent].total_ns += row->total_ns;
        if (tree->places[parent - first].end < tree->places[i].end)
            tree->places[parent - first].end = tree->places[i].end;
    }
}

static inline bool made_is_one_site(const struct eprof_row *a, const struct eprof_row *b)
{
    return a->line == b->line && a->thread == b->thread && strcmp(a->name, b->name) == 0 &&
           strcmp(a->file, b->file) == 0;
}

static inline bool made_has_namesake(const struct made_tree *tree, const struct eprof_row *row)
{
    for (size_t i = 0; i < tree->top_count; i++)
        if (strcmp(tree->tops[i].name, row->name) == 0 &&
            (tree->tops[i].line != row->line || strcmp(tree->tops[i].file, row->file) != 0))
            return true;
    return false;
}

/* For the tops of a thread; qsort() needs no more than this. */
static inline int made_by_self(const void *a, const void *b)
{
    const struct eprof_row *x = a, *y = b;
    return x->thread != y->thread ? 0 : (x->self_ns < y->self_ns) - (x->self_ns > y->self_ns);
}

static inline void made_find_tops(struct made_tree *tree, size_t scopes)
{
    struct eprof_row *rows = &tree->rows[tree->instances];
    tree->tops = made_grown(NULL, scopes + 1, sizeof *tree->tops);
    tree->top_marks = made_grown(NULL, scopes + 1, sizeof *tree->top_marks);
    memset(tree->top_marks, 0, (scopes + 1) * sizeof *tree->top_marks);
    for (size_t i = 0; i < scopes; i++) {
        size_t t = 0;
        while (t < tree->top_count && !made_is_one_site(&tree->tops[t], &rows[i]))
            t++;
        tree->places[i].site = (uint32_t)t + 1;
        if (t == tree->top_count) {
            tree->tops[tree->top_count++] = rows[i];
            continue;
        }
        tree->tops[t].calls += rows[i].calls;
        tree->tops[t].self_ns += rows[i].self_ns;
        tree->tops[t].total_ns += rows[i].total_ns;
    }
    qsort(tree->tops, tree->top_count, sizeof *tree->tops, made_by_self);
    for (size_t t = 0; t < tree->top_count; t++)
        tree->top_marks[t].is_ambiguous = made_has_namesake(tree, &tree->tops[t]);
    /* a million rows have few names in common, and no one to tell them apart */
    for (size_t i = 0; i < scopes && scopes < 1000; i++)
        tree->places[i].mark.is_ambiguous = made_has_namesake(tree, &rows[i]);
}

static inline struct eprof_snapshot *made_snapshot(struct made_tree *tree)
{
    size_t scopes = tree->count - tree->instances - tree->troubles;
    made_find_parents(tree, scopes);
    made_add_up(tree, scopes);
    made_find_tops(tree, scopes);
    free(tree->snapshot.instance_places);
    struct ep_instance_place *instance_places =
        calloc(tree->instances + 1, sizeof *instance_places);
    assert_non_null(instance_places);
    tree->snapshot = (struct eprof_snapshot){.rows = tree->rows,
                                             .instance_places = instance_places,
                                             .row_count = tree->count,
                                             .scope_first = tree->instances,
                                             .trouble_first = tree->instances + scopes,
                                             .places = tree->places,
                                             .tops = tree->tops,
                                             .top_count = tree->top_count,
                                             .top_marks = tree->top_marks,
                                             .unit = "ns",
                                             .source = "rdtsc",
                                             .ticks_per_us = 2300,
                                             .resolution_ns = 0.87,
                                             .pair_ns = 21.26,
                                             .inside_ns = 10.43};
    return &tree->snapshot;
}

static inline void made_free(struct made_tree *tree)
{
    free(tree->rows);
    free(tree->places);
    free(tree->tops);
    free(tree->top_marks);
    free(tree->snapshot.wholes);
    free(tree->snapshot.instance_places);
    ep_arena_free(&tree->snapshot.strings);
}

#endif /* MADE_TREE_H */
