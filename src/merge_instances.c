#include "merge_instances.h"

#include "merge_threads.h"
#include "snapshot_instances.h"

static uint32_t find_instance(struct ep_merge *merge, const struct ep_image *image,
                              const struct ep_instance_cell *cell)
{
    uint32_t label =
        ep_merge_names_find(&merge->names, ep_image_string(image, cell->label), cell->label_bytes);
    if (label == EP_MAP_NONE)
        return EP_MAP_NONE;
    size_t count = merge->instances.count;
    uint32_t index = ep_merge_table_find(&merge->instances, sizeof(struct ep_merge_instance),
                                         ep_merge_key(label, 0));
    if (index == EP_MAP_NONE)
        return EP_MAP_NONE;
    struct ep_merge_instance *instance = ep_merge_instance(merge, index);
    if (index == count || cell->birth < instance->birth)
        instance->birth = cell->birth;
    instance->label = label;
    return index;
}

static struct ep_merge_sum *find_sum(struct ep_merge *merge, const struct ep_image *image,
                                     const struct ep_thread_cell *thread,
                                     const struct ep_instance_cell *cell)
{
    uint32_t by = ep_merge_threads_find(merge, image, thread);
    uint32_t instance = by == EP_MAP_NONE ? by : find_instance(merge, image, cell);
    if (instance == EP_MAP_NONE)
        return NULL;
    uint32_t index = ep_merge_table_find(&merge->pairs, sizeof(struct ep_merge_pair),
                                         ep_merge_key(by, instance));
    if (index == EP_MAP_NONE)
        return NULL;
    struct ep_merge_pair *pair = ep_merge_pair(merge, index);
    pair->thread = by;
    pair->instance = instance;
    return &pair->sum;
}

static int add_pair(struct ep_merge *merge, const struct ep_image *image,
                    const struct ep_merge_unit *unit, const struct ep_conversion *probe,
                    const struct ep_thread_cell *thread, const struct ep_pair_cell *pair)
{
    const struct ep_instance_cell *cell = ep_image_instance(image, pair->handle & (EP_SLOTS - 1));
    if (!cell || !cell->born || !ep_snapshot_instances_is_valid(image, pair, cell))
        return 0;
    struct ep_merge_sum *sum = find_sum(merge, image, thread, cell);
    if (!sum)
        return -1;
    struct ep_merge_region region = {.image = image,
                                     .unit = unit,
                                     .net.inside_milliticks = probe->inside_milliticks,
                                     .stats = &pair->stats,
                                     .figures = ep_figures_read(&pair->stats, NULL)};
    /* in 32 bits, as what is to be added may be below zero */
    region.figures.open = (uint32_t)(region.figures.open + pair->depth);
    return ep_merge_sums_add(&merge->octaves, sum, &region);
}

int ep_merge_instances_add(struct ep_merge *merge, const struct ep_image *image,
                           const struct ep_merge_unit *unit, const struct ep_conversion *probe)
{
    const struct ep_thread_cell *thread;
    const struct ep_pair_cell *pair;
    for (ep_ref ref = ep_image_root(image)->threads; ref; ref = thread->next) {
        thread = &ep_image_cell(image, ref)->thread;
        for (ep_ref at = thread->pairs; at; at = pair->next) {
            pair = (const struct ep_pair_cell *)ep_image_cell(image, at);
            if (add_pair(merge, image, unit, probe, thread, pair) != 0)
                return -1;
        }
    }
    return 0;
}
