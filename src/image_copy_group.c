#include "image_copy_group.h"

#include <stddef.h>
#include <string.h>

union group {
    union ep_cell cells[EP_GROUP_CELLS];
    struct ep_node_cell node;
    struct ep_pair_cell pair;
};

_Static_assert(sizeof(struct ep_pair_cell) == sizeof(struct ep_node_cell) &&
                   offsetof(struct ep_pair_cell, stats) == offsetof(struct ep_node_cell, stats),
               "the figures of nodes and of pairs are at the same place");

enum { REFS_IN_CELL = 16 };

/* One look is what the figures are taken from, the next tells how much has happened meanwhile. A
 * stamp of 0: the owner is clearing them, or never was there. */
static bool is_still(const union group *look, const union group *next)
{
    const struct ep_statistics *stats = &look->node.stats, *later = &next->node.stats;
    return look->node.stamp == next->node.stamp &&
           (!look->node.stamp ||
            (later->calls - stats->calls <= 1 && later->square_high == stats->square_high));
}

/* What calls so often that it is never still is taken as it is, and what is cleared so often is
 * left out. */
static int read_group(const struct ep_settling *settling, ep_ref ref, union group *group)
{
    enum { MOST_TRIES = 100 };
    union group next;
    for (int tries = 1;; tries++) {
        if (ep_settling_read(settling, ref, EP_GROUP_CELLS, group->cells) != 0 ||
            ep_settling_read(settling, ref, EP_GROUP_CELLS, next.cells) != 0)
            return -1;
        if (is_still(group, &next))
            return 0;
        if (tries == MOST_TRIES)
            break;
    }
    if (group->node.stamp != next.node.stamp)
        group->node.stamp = 0;
    return 0;
}

/* Reads the cell that a reference which was read anew leads to. One that is not in the copy came
 * later, and is none; one to something else is a fault, which the next check finds. false: there
 * is nothing to be looked at. */
static bool follow(const struct ep_settling *settling, ep_ref *ref, int *result)
{
    if (*ref >= settling->copy->committed)
        *ref = 0;
    if (*result != 0 || *ref < EP_HEADER_CELLS || settling->is_linked[*ref])
        return false;
    *result = ep_settling_read(settling, *ref, 1, ep_settling_cell(settling, *ref));
    return *result == 0;
}

static int read_octaves(const struct ep_settling *settling, struct ep_statistics *stats)
{
    int result = 0;
    for (unsigned i = 0; i < EP_NEAR_OCTAVES; i++)
        follow(settling, &stats->octave[i], &result);
    for (unsigned i = 0; i < EP_FAR_CELLS; i++) {
        if (!follow(settling, &stats->far[i], &result))
            continue;
        ep_ref *far = ep_settling_cell(settling, stats->far[i])->refs;
        for (unsigned n = 0; n < REFS_IN_CELL; n++)
            follow(settling, &far[n], &result);
    }
    return result;
}

/* The counts after the figures, as of somewhat more calls. */
static int settle_group(const struct ep_settling *settling, ep_ref ref, union group *group)
{
    int result = read_octaves(settling, &group->node.stats);
    memcpy(ep_settling_cell(settling, ref), group, sizeof *group);
    return result;
}

int ep_image_copy_group_node(const struct ep_settling *settling, ep_ref ref)
{
    union group group;
    const struct ep_node_cell *before =
        (const struct ep_node_cell *)ep_settling_cell(settling, ref);
    if (read_group(settling, ref, &group) != 0)
        return -1;
    group.node.key = before->key;
    group.node.next = before->next;
    if (group.node.base >= settling->copy->committed)
        group.node.base = 0; /* a node that came later */
    return settle_group(settling, ref, &group);
}

int ep_image_copy_group_pair(const struct ep_settling *settling, ep_ref ref)
{
    union group group;
    if (read_group(settling, ref, &group) != 0)
        return -1;
    group.pair.next = ((const struct ep_pair_cell *)ep_settling_cell(settling, ref))->next;
    return settle_group(settling, ref, &group);
}
