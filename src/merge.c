#include "merge.h"

#include <errno.h>
#include <stdlib.h>

#include "merge_instances.h"
#include "merge_sites.h"
#include "merge_tables.h"
#include "merge_trees.h"
#include "merge_write.h"

struct ep_merge *ep_merge_begin(bool is_raw)
{
    struct ep_merge *merge = calloc(1, sizeof *merge);
    if (merge && ep_merge_sites_begin(merge) == 0) {
        merge->is_raw = is_raw;
        return merge;
    }
    ep_merge_end(merge);
    errno = ENOMEM;
    return NULL;
}

void ep_merge_ignore_places(struct ep_merge *merge)
{
    merge->ignores_places = true;
}

void ep_merge_weigh(struct ep_merge *merge, const union ep_cell *header)
{
    ep_merge_clock_weigh(&merge->clock, header);
}

/* ---- where images come from ---- */

static int add_command(struct ep_merge *merge, const struct ep_image *image)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    struct ep_merge_origin *origin = &merge->origin;
    uint32_t command = ep_merge_names_find(&merge->names, ep_image_string(image, identity->command),
                                           identity->command ? identity->command_bytes : 0);
    uint32_t none = ep_merge_names_find(&merge->names, "", 0);
    if (command == EP_MAP_NONE || none == EP_MAP_NONE)
        return -1;
    origin->command = origin->images && command != origin->command ? none : command;
    return 0;
}

static int add_origin(struct ep_merge *merge, const struct ep_image *image)
{
    const struct ep_identity_cell *identity = &ep_image_cell(image, EP_CELL_IDENTITY)->identity;
    struct ep_merge_origin *origin = &merge->origin;
    if (add_command(merge, image) != 0)
        return -1;
    origin->process_id = origin->images ? 0 : identity->process_id;
    if (origin->images == 0 || identity->realtime_ns < origin->realtime_ns)
        origin->realtime_ns = identity->realtime_ns;
    origin->not_closed += identity->not_closed;
    origin->cut_short += identity->cut_short;
    origin->clock_apart += ep_image_cell(image, EP_CELL_SOURCE)->source.apart;
    origin->items_not_understood += identity->items_not_understood;
    origin->images++;
    return 0;
}

static void add_trouble(uint64_t sums[EP_TROUBLE_KINDS], const struct ep_trouble_cell *trouble)
{
    for (int kind = 0; kind < EP_TROUBLE_KINDS; kind++)
        sums[kind] += trouble->count[kind];
}

/* That of the process counts whatever its stamp, as in the snapshot. */
static void add_all_trouble(struct ep_merge *merge, const struct ep_image *image)
{
    uint64_t reset = ep_image_control(image)->reset_generation;
    const struct ep_thread_cell *thread;
    add_trouble(merge->origin.trouble, &ep_image_cell(image, EP_CELL_TROUBLE)->trouble);
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        const struct ep_trouble_cell *trouble = &ep_image_cell(image, thread->trouble)->trouble;
        if (trouble->stamp >= reset)
            add_trouble(merge->origin.trouble, trouble);
    }
}

/* ---- the whole ---- */

int ep_merge_add(struct ep_merge *merge, const struct ep_image *image)
{
    struct ep_merge_unit unit = ep_merge_clock_unit(&merge->clock, image);
    struct ep_conversion probe = {.scale = {1, 1}};
    if (!merge->is_raw)
        ep_snapshot_take_probe_off(&probe, image);
    if (add_origin(merge, image) != 0 || ep_merge_instances_add(merge, image, &unit, &probe) != 0 ||
        ep_merge_trees_add(merge, image, &unit, &probe) != 0) {
        errno = ENOMEM;
        return -1;
    }
    add_all_trouble(merge, image);
    ep_merge_clock_add(&merge->clock, image);
    ep_merge_probe_add(&merge->probe, image, &unit);
    return 0;
}

const struct ep_image *ep_merge_image(struct ep_merge *merge)
{
    ep_image_destroy(&merge->image);
    if (ep_image_create(&merge->image) != 0)
        return NULL;
    return ep_merge_write(merge) == 0 ? &merge->image : NULL;
}

void ep_merge_end(struct ep_merge *merge)
{
    if (!merge)
        return;
    struct ep_merge_table *const tables[] = {
        &merge->modules, &merge->halves,    &merge->addresses, &merge->functions, &merge->lines,
        &merge->sites,   &merge->instances, &merge->threads,   &merge->nodes,     &merge->pairs};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        ep_merge_table_free(tables[i]);
    ep_merge_names_free(&merge->names);
    ep_image_destroy(&merge->image);
    free(merge->octaves.at);
    free(merge);
}
