#include "merge_write.h"

#include <errno.h>
#include <stdlib.h>

#include "merge_modules.h"
#include "merge_order.h"

enum { GENERATION = 1 }; /* nothing is older */

struct writing {
    struct ep_merge *merge;
    struct ep_image *image;
    struct ep_merge_order order;
    uint32_t *queue; /* the nodes of a thread, parents before their children, */
    ep_ref *ref_of;  /* and where each of all nodes lies */
    size_t next_pair;
};

/* ---- texts, sites, instances ---- */

static int write_text(const struct writing *writing, uint32_t name, ep_ref *ref, uint32_t *bytes,
                      uint32_t *cells)
{
    const struct ep_merge_name *text = ep_merge_name(writing->merge, name);
    *bytes = text->bytes < EP_LABEL_BYTES ? text->bytes : EP_LABEL_BYTES;
    *ref = ep_image_text(writing->image, text->text, *bytes, cells);
    return *ref ? 0 : -1;
}

/* Those that functions lie in: in a sum of sums there is no other either. */
static void find_used_modules(struct ep_merge *merge)
{
    for (uint32_t i = 0; i < merge->modules.count; i++)
        ep_merge_module(merge, i)->is_used = false;
    for (uint32_t i = 0; i < merge->functions.count; i++)
        ep_merge_module(merge, ep_merge_function(merge, i)->module)->is_used = true;
}

static int write_module(const struct writing *writing, struct ep_merge_module *from, ep_ref *end)
{
    uint32_t cells;
    *end = from->ref = ep_image_take(writing->image, 1);
    if (!from->ref)
        return -1;
    struct ep_module_cell *module = &ep_image_cell(writing->image, from->ref)->module;
    ep_merge_modules_write(writing->merge, from, module);
    if (ep_merge_name(writing->merge, from->path)->bytes == 0)
        return 0;
    return write_text(writing, from->path, &module->path, &module->path_bytes, &cells);
}

static int write_modules(const struct writing *writing)
{
    struct ep_merge *merge = writing->merge;
    ep_ref *end = &ep_image_tree(writing->image)->modules;
    find_used_modules(merge);
    for (uint32_t i = 0; i < merge->modules.count; i++) {
        struct ep_merge_module *module = ep_merge_module(merge, writing->order.modules[i]);
        if (!module->is_used)
            continue;
        if (write_module(writing, module, end) != 0)
            return -1;
        end = &ep_image_cell(writing->image, *end)->module.next;
    }
    return 0;
}

static void write_function(const struct writing *writing, uint32_t index, struct ep_site_cell *site)
{
    const struct ep_merge_function *from = ep_merge_function(writing->merge, index);
    site->function = from->address;
    site->module = ep_merge_module(writing->merge, from->module)->ref;
    site->naming = from->naming;
    site->is_thinned = from->is_thinned;
}

static int write_site(const struct writing *writing, const struct ep_merge_site *from, ep_ref *end)
{
    const struct ep_merge_line *line = ep_merge_line(writing->merge, from->line);
    uint32_t cells;
    ep_ref ref = ep_image_take(writing->image, 1);
    if (!ref)
        return -1;
    struct ep_site_cell *site = &ep_image_cell(writing->image, ref)->site;
    site->number = from->number;
    site->line = line->number;
    *end = ref;
    if (from->function != EP_MAP_NONE)
        write_function(writing, from->function, site);
    if (ep_merge_name(writing->merge, line->file)->bytes &&
        write_text(writing, line->file, &site->file, &site->file_bytes, &cells) != 0)
        return -1;
    if (site->module && site->naming == EP_NAMING_NONE)
        return 0;
    return write_text(writing, from->label, &site->label, &site->label_bytes, &cells);
}

static int write_sites(const struct writing *writing)
{
    struct ep_tree_cell *tree = ep_image_tree(writing->image);
    uint32_t count = (uint32_t)writing->merge->sites.count - 1;
    ep_ref *end = &tree->sites;
    for (uint32_t i = 0; i < count; i++) {
        if (write_site(writing, ep_merge_site(writing->merge, writing->order.sites[i]), end) != 0)
            return -1;
        end = &ep_image_cell(writing->image, *end)->site.next;
    }
    tree->site_count = EP_SITE_FIRST - 1 + count;
    return 0;
}

static int write_instances(const struct writing *writing)
{
    struct ep_root_cell *root = ep_image_root(writing->image);
    uint32_t count = (uint32_t)writing->merge->instances.count;
    for (uint32_t slot = 0; slot < count; slot++) {
        const struct ep_merge_instance *from =
            ep_merge_instance(writing->merge, writing->order.instances[slot]);
        if (slot == EP_SLOTS || ep_image_instance_add(writing->image, slot) != 0)
            return -1;
        struct ep_instance_cell *to = ep_image_instance(writing->image, slot);
        to->handle = slot;
        to->birth = from->birth;
        if (write_text(writing, from->label, &to->label, &to->label_bytes, &to->label_cells) != 0)
            return -1;
        to->born = GENERATION;
    }
    root->slots_used = root->slots_alive = count;
    return 0;
}

/* ---- a thread ---- */

static int write_pair(const struct writing *writing, const struct ep_merge_pair *from, ep_ref *end)
{
    *end = ep_image_take(writing->image, sizeof(struct ep_pair_cell) / EP_CELL_BYTES);
    if (!*end)
        return -1;
    struct ep_pair_cell *pair = (struct ep_pair_cell *)ep_image_cell(writing->image, *end);
    pair->stamp = GENERATION;
    pair->handle = ep_merge_instance(writing->merge, from->instance)->slot;
    return ep_merge_sums_write(&writing->merge->octaves, &from->sum, writing->image, &pair->stats);
}

static int write_pairs(struct writing *writing, uint32_t rank, ep_ref *end)
{
    const struct ep_merge_keyed *pairs = writing->order.pairs;
    size_t i = writing->next_pair;
    for (; i < writing->merge->pairs.count && pairs[i].key >> 32 == rank; i++) {
        if (write_pair(writing, ep_merge_pair(writing->merge, pairs[i].row), end) != 0)
            return -1;
        end = &((struct ep_pair_cell *)ep_image_cell(writing->image, *end))->next;
    }
    writing->next_pair = i;
    return 0;
}

static int write_node(const struct writing *writing, uint32_t index, ep_ref *end)
{
    const struct ep_merge_node *from = ep_merge_node(writing->merge, index);
    *end = ep_image_take(writing->image, sizeof(struct ep_node_cell) / EP_CELL_BYTES);
    if (!*end)
        return -1;
    struct ep_node_cell *node = (struct ep_node_cell *)ep_image_cell(writing->image, *end);
    writing->ref_of[index] = *end;
    node->stamp = GENERATION;
    if (from->parent != EP_MAP_NONE) {
        node->site = ep_merge_site(writing->merge, from->site)->number;
        node->parent = writing->ref_of[from->parent];
    }
    if (from->sum.is_begun) {
        node->self_ticks = from->sum.figures.self_ticks;
        node->owed_ticks = from->sum.so_far_ticks + 1;
    }
    return ep_merge_sums_write(&writing->merge->octaves, &from->sum, writing->image, &node->stats);
}

/* Level by level, brothers by site. */
static int write_nodes(const struct writing *writing, uint32_t root, ep_ref *end)
{
    size_t count = 1;
    writing->queue[0] = root;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = writing->queue[i];
        const size_t *first = &writing->order.first_child[node];
        if (write_node(writing, node, end) != 0)
            return -1;
        end = &((struct ep_node_cell *)ep_image_cell(writing->image, *end))->next;
        /* cppcheck-suppress objectIndex; it takes an element for a variable */
        for (size_t child = first[0]; child < first[1]; child++)
            writing->queue[count++] = writing->order.nodes[child].row;
    }
    return 0;
}

static int write_thread(struct writing *writing, const struct ep_merge_thread *from, ep_ref *end)
{
    ep_ref ref = ep_image_take(writing->image, 3);
    uint32_t cells;
    if (!ref)
        return -1;
    struct ep_thread_cell *thread = &ep_image_cell(writing->image, ref)->thread;
    thread->number = from->number;
    thread->state = EP_THREAD_ENDED;
    thread->trouble = ref + 1; /* none: all of it is the process's */
    thread->move = ref + 2;
    *end = ref;
    if (from->is_named &&
        write_text(writing, from->name, &thread->name, &thread->name_bytes, &cells) != 0)
        return -1;
    if (write_pairs(writing, from->rank, &thread->pairs) != 0)
        return -1;
    return from->root == EP_MAP_NONE ? 0 : write_nodes(writing, from->root, &thread->nodes);
}

static int write_threads(struct writing *writing)
{
    struct ep_root_cell *root = ep_image_root(writing->image);
    ep_ref *end = &root->threads;
    root->thread_count = (uint32_t)writing->merge->threads.count;
    for (uint32_t i = 0; i < root->thread_count; i++) {
        const struct ep_merge_thread *thread =
            ep_merge_thread(writing->merge, writing->order.threads[i]);
        if (write_thread(writing, thread, end) != 0)
            return -1;
        end = &ep_image_cell(writing->image, *end)->thread.next;
    }
    return 0;
}

/* ---- the whole ---- */

static uint32_t at_most_32_bits(uint64_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static int write_origin(const struct writing *writing)
{
    const struct ep_merge_origin *from = &writing->merge->origin;
    union ep_cell *header = writing->image->cells;
    struct ep_identity_cell *to = &header[EP_CELL_IDENTITY].identity;
    uint32_t cells;
    to->process_id = from->process_id;
    to->realtime_ns = from->realtime_ns;
    to->not_closed = at_most_32_bits(from->not_closed);
    to->cut_short = at_most_32_bits(from->cut_short);
    header[EP_CELL_SOURCE].source.apart = at_most_32_bits(from->clock_apart);
    to->items_not_understood = at_most_32_bits(from->items_not_understood);
    to->state = EP_STATE_SAVED;
    for (int kind = 0; kind < EP_TROUBLE_KINDS; kind++)
        header[EP_CELL_TROUBLE].trouble.count[kind] = from->trouble[kind];
    if (from->images == 0 || ep_merge_name(writing->merge, from->command)->bytes == 0)
        return 0;
    return write_text(writing, from->command, &to->command, &to->command_bytes, &cells);
}

static int write_all(struct writing *writing)
{
    ep_merge_clock_write(&writing->merge->clock, writing->image);
    ep_image_cell(writing->image, EP_CELL_PROBE)->probe = writing->merge->probe.probe;
    ep_image_cell(writing->image, EP_CELL_FUNCTION_PROBE)->function_probe =
        writing->merge->probe.function;
    ep_image_cell(writing->image, EP_CELL_SUM)->sum.is_net = !writing->merge->is_raw;
    if (write_origin(writing) != 0 || write_modules(writing) != 0 || write_sites(writing) != 0 ||
        write_instances(writing) != 0)
        return -1;
    return write_threads(writing);
}

int ep_merge_write(struct ep_merge *merge)
{
    struct writing writing = {.merge = merge, .image = &merge->image};
    size_t nodes = merge->nodes.count + 1;
    int result = ep_merge_order_find(&writing.order, merge);
    writing.queue = malloc(nodes * sizeof *writing.queue);
    writing.ref_of = malloc(nodes * sizeof *writing.ref_of);
    result = result == 0 && writing.queue && writing.ref_of ? write_all(&writing) : -1;
    free(writing.queue);
    free(writing.ref_of);
    ep_merge_order_free(&writing.order);
    if (result != 0)
        errno = ENOMEM;
    return result;
}
