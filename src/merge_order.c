#include "merge_order.h"

#include <errno.h>
#include <stdlib.h>

/* ---- by contents ---- */

/* All that rows are sorted by; what a kind does not have is the same for all of it. */
struct contents {
    const struct ep_merge_name *file;
    uint64_t number;
    const struct ep_merge_name *name;
    uint32_t module; /* its rank + 1; 0: it lies in none */
    uint32_t row;
    uint64_t address;
};

static const struct ep_merge_name no_file = {.text = ""};

static int by_contents(const void *a, const void *b)
{
    const struct contents *x = a, *y = b;
    int order = ep_merge_names_compare(x->file, y->file);
    if (order == 0)
        order = (x->number > y->number) - (x->number < y->number);
    if (order == 0)
        order = ep_merge_names_compare(x->name, y->name);
    if (order == 0)
        order = (x->module > y->module) - (x->module < y->module);
    return order ? order : (x->address > y->address) - (x->address < y->address);
}

static struct contents contents_of_module(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_module *module = ep_merge_module(merge, row);
    return (struct contents){.file = ep_merge_name(merge, module->path),
                             .name = ep_merge_name(merge, module->version),
                             .row = row};
}

/* Each row's number is a multiple of two, so that a thread that has a name comes behind the one
 * that is called by the same number. */
static struct contents contents_of_thread(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_thread *thread = ep_merge_thread(merge, row);
    return (struct contents){.file = &no_file,
                             .number = (uint64_t)thread->number * 2 + thread->is_named,
                             .name = ep_merge_name(merge, thread->name),
                             .row = row};
}

static struct contents contents_of_instance(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_instance *instance = ep_merge_instance(merge, row);
    return (struct contents){.file = &no_file,
                             .number = instance->birth,
                             .name = ep_merge_name(merge, instance->label),
                             .row = row};
}

static struct contents contents_of_site(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_site *site = ep_merge_site(merge, row);
    const struct ep_merge_line *line = ep_merge_line(merge, site->line);
    struct contents contents = {.file = ep_merge_name(merge, line->file),
                                .number = line->number,
                                .name = ep_merge_name(merge, site->label),
                                .row = row};
    if (site->function != EP_MAP_NONE) {
        const struct ep_merge_function *function = ep_merge_function(merge, site->function);
        contents.module = ep_merge_module(merge, function->module)->rank + 1;
        contents.address = function->address;
    }
    return contents;
}

/* The rows of a table from `first` on, in their order. NULL: no memory. */
static uint32_t *sort(const struct ep_merge *merge, const struct ep_merge_table *table,
                      uint32_t first,
                      struct contents (*contents_of)(const struct ep_merge *, uint32_t))
{
    size_t count = table->count - first;
    struct contents *sorted = malloc((count + 1) * sizeof *sorted);
    uint32_t *rows = malloc((count + 1) * sizeof *rows);
    if (!sorted || !rows) {
        free(sorted);
        free(rows);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = contents_of(merge, first + (uint32_t)i);
    qsort(sorted, count, sizeof *sorted, by_contents);
    for (size_t i = 0; i < count; i++)
        rows[i] = sorted[i].row;
    free(sorted);
    return rows;
}

/* ---- by number ---- */

static int by_key(const void *a, const void *b)
{
    const struct ep_merge_keyed *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static uint64_t key_of_node(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_node *node = ep_merge_node(merge, row);
    bool is_root = node->parent == EP_MAP_NONE;
    return (uint64_t)node->parent << 32 | (is_root ? 0 : ep_merge_site(merge, node->site)->number);
}

static uint64_t key_of_pair(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_pair *pair = ep_merge_pair(merge, row);
    return (uint64_t)ep_merge_thread(merge, pair->thread)->rank << 32 |
           ep_merge_instance(merge, pair->instance)->slot;
}

static struct ep_merge_keyed *sort_keys(const struct ep_merge *merge,
                                        const struct ep_merge_table *table,
                                        uint64_t (*key_of)(const struct ep_merge *, uint32_t))
{
    struct ep_merge_keyed *sorted = malloc((table->count + 1) * sizeof *sorted);
    if (!sorted)
        return NULL;
    for (uint32_t i = 0; i < table->count; i++)
        sorted[i] = (struct ep_merge_keyed){key_of(merge, i), i};
    qsort(sorted, table->count, sizeof *sorted, by_key);
    return sorted;
}

static size_t *find_first_children(const struct ep_merge_keyed *nodes, size_t count)
{
    size_t *first = malloc((count + 1) * sizeof *first);
    size_t at = 0;
    if (!first)
        return NULL;
    for (size_t parent = 0; parent <= count; parent++) {
        while (at < count && nodes[at].key >> 32 < parent)
            at++;
        first[parent] = at;
    }
    return first;
}

/* ---- all ---- */

/* First: functions stand in the order of what they lie in. */
static int order_modules(struct ep_merge_order *order, struct ep_merge *merge)
{
    order->modules = sort(merge, &merge->modules, 0, contents_of_module);
    for (uint32_t i = 0; order->modules && i < merge->modules.count; i++)
        ep_merge_module(merge, order->modules[i])->rank = i;
    return order->modules ? 0 : -1;
}

static void order_rows(struct ep_merge_order *order, const struct ep_merge *merge)
{
    order->sites = sort(merge, &merge->sites, 1, contents_of_site); /* all but EP_SITE_OTHER */
    order->instances = sort(merge, &merge->instances, 0, contents_of_instance);
    order->threads = sort(merge, &merge->threads, 0, contents_of_thread);
}

static void number_all(const struct ep_merge_order *order, struct ep_merge *merge)
{
    for (uint32_t i = 0; i + 1 < merge->sites.count; i++)
        ep_merge_site(merge, order->sites[i])->number = EP_SITE_FIRST + i;
    for (uint32_t i = 0; i < merge->instances.count; i++)
        ep_merge_instance(merge, order->instances[i])->slot = i;
    for (uint32_t i = 0; i < merge->threads.count; i++)
        ep_merge_thread(merge, order->threads[i])->rank = i;
}

int ep_merge_order_find(struct ep_merge_order *order, struct ep_merge *merge)
{
    *order = (struct ep_merge_order){.modules = NULL};
    if (order_modules(order, merge) == 0)
        order_rows(order, merge);
    if (order->sites && order->instances && order->threads) {
        number_all(order, merge);
        order->nodes = sort_keys(merge, &merge->nodes, key_of_node);
        order->pairs = sort_keys(merge, &merge->pairs, key_of_pair);
    }
    if (order->nodes && order->pairs)
        order->first_child = find_first_children(order->nodes, merge->nodes.count);
    if (order->first_child)
        return 0;
    errno = ENOMEM;
    return -1;
}

void ep_merge_order_free(struct ep_merge_order *order)
{
    free(order->modules);
    free(order->sites);
    free(order->instances);
    free(order->threads);
    free(order->nodes);
    free(order->pairs);
    free(order->first_child);
}
