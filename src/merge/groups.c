#include <stdlib.h>
#include <string.h>

#include "merge/tables.h"

/*
 * A bar for each process would take as much memory as there are processes. So processes with
 * neighbouring keys share a group as soon as there are more than EP_GROUPS_MOST. The number of bits
 * that the keys lose depends on the set of all keys alone: groups that are added up in any order
 * become the same. The time of a group is that of its slowest process, so one slow rank of 10,000
 * is visible.
 */

/* ---- times by path ---- */

/* Makes room for `paths` paths. */
static bool need(struct ep_merge_group *group, size_t paths)
{
    if (group->max_ns && paths <= group->room)
        return true;
    size_t room = paths < 2 * group->room ? 2 * group->room : paths;
    uint64_t *grown = realloc(group->max_ns, room * sizeof *grown);
    if (!grown)
        return false;
    memset(&grown[group->room], 0, (room - group->room) * sizeof *grown);
    group->max_ns = grown;
    group->room = room;
    return true;
}

void ep_merge_groups_raise(struct ep_merge *merge, struct ep_merge_group *group, uint32_t path,
                           uint64_t ns)
{
    if (path == EP_MAP_NONE || !need(group, merge->paths.count)) {
        merge->is_failed = true;
        return;
    }
    if (group->max_ns[path] < ns)
        group->max_ns[path] = ns;
}

/* ---- groups ---- */

/* Frees the group that is joined. */
static void join(struct ep_merge *merge, struct ep_merge_group *to, struct ep_merge_group *from)
{
    for (size_t i = 0; i < from->room; i++)
        if (from->max_ns[i])
            ep_merge_groups_raise(merge, to, (uint32_t)i, from->max_ns[i]);
    free(from->max_ns);
}

static struct ep_merge_group *find(struct ep_merge_groups *groups, uint64_t key)
{
    for (uint32_t i = 0; i < groups->count; i++)
        if (groups->at[i].key == key)
            return &groups->at[i];
    return NULL;
}

/* Makes each group twice as wide. */
static void widen(struct ep_merge *merge)
{
    struct ep_merge_groups *groups = &merge->groups;
    uint32_t count = groups->count;
    groups->shift++;
    groups->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct ep_merge_group group = groups->at[i], *same = find(groups, group.key >> 1);
        group.key >>= 1;
        if (same)
            join(merge, same, &group);
        else
            groups->at[groups->count++] = group;
    }
}

struct ep_merge_group *ep_merge_groups_find(struct ep_merge *merge, uint64_t key)
{
    struct ep_merge_groups *groups = &merge->groups;
    struct ep_merge_group *found = find(groups, key >> groups->shift);
    if (found)
        return found;
    groups->at[groups->count++] = (struct ep_merge_group){.key = key >> groups->shift};
    while (groups->count > EP_GROUPS_MOST)
        widen(merge);
    return find(groups, key >> groups->shift);
}

void ep_merge_groups_add_sum(struct ep_merge *merge, const uint32_t *rows)
{
    const struct ep_processes_cell *from =
        &ep_image_cell(merge->from, EP_CELL_PROCESSES)->processes;
    merge->groups.is_unknown |= !from->groups && from->balance_count;
    if (!from->groups)
        return;
    while (merge->groups.shift < from->group_shift)
        widen(merge);
    for (uint32_t i = 0; i < from->group_count; i++) {
        uint64_t key = ep_image_groups(merge->from, 0)[i] << from->group_shift;
        /* a damaged file may have a key that no process has */
        key &= 2 * EP_KEY_UNRANKED - 1;
        struct ep_merge_group *group = ep_merge_groups_find(merge, key);
        for (uint32_t path = 0; path < from->balance_count; path++) {
            uint64_t ns = ep_image_groups(merge->from, path + (uint64_t)1)[i];
            if (ns)
                ep_merge_groups_raise(merge, group, rows[path], ns);
        }
    }
}

void ep_merge_groups_free(struct ep_merge_groups *groups)
{
    for (uint32_t i = 0; i < groups->count; i++)
        free(groups->at[i].max_ns);
}

/* ---- writing ---- */

static int by_key(const void *a, const void *b)
{
    const struct ep_merge_group *const *x = a, *const *y = b;
    return ((*x)->key > (*y)->key) - ((*x)->key < (*y)->key);
}

static void write(const struct ep_merge_groups *groups, struct ep_image *image,
                  const uint32_t *row_of)
{
    const struct ep_processes_cell *to = &ep_image_cell(image, EP_CELL_PROCESSES)->processes;
    const struct ep_merge_group *sorted[EP_GROUPS_MOST];
    for (uint32_t i = 0; i < groups->count; i++)
        sorted[i] = &groups->at[i];
    /* cppcheck-suppress uninitvar; the loop sets as many as are sorted */
    qsort(sorted, groups->count, sizeof sorted[0], by_key);
    for (uint32_t i = 0; i < groups->count; i++) {
        ep_image_groups(image, 0)[i] = sorted[i]->key;
        for (uint32_t path = 0; path < to->balance_count; path++)
            if (row_of[path] < sorted[i]->room)
                ep_image_groups(image, path + (uint64_t)1)[i] = sorted[i]->max_ns[row_of[path]];
    }
}

int ep_merge_groups_write(const struct ep_merge *merge, struct ep_image *image,
                          const uint32_t *row_of)
{
    const struct ep_merge_groups *groups = &merge->groups;
    struct ep_processes_cell *to = &ep_image_cell(image, EP_CELL_PROCESSES)->processes;
    if (groups->is_unknown || groups->count == 0)
        return 0;
    to->group_count = groups->count;
    to->group_shift = groups->shift;
    uint64_t cells = ((uint64_t)to->balance_count + 1) * ep_image_group_cells(to);
    /* more than a block is taken as whole blocks */
    if (cells > EP_BLOCK_CELLS)
        cells = (cells + EP_BLOCK_CELLS - 1) / EP_BLOCK_CELLS * EP_BLOCK_CELLS;
    ep_ref taken = cells < UINT32_MAX ? ep_image_take(image, (uint32_t)cells) : 0;
    if (!taken)
        return -1;
    ep_image_cell(image, EP_CELL_PROCESSES)->processes.groups = taken;
    write(groups, image, row_of);
    return 0;
}
