#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "merge/tables.h"

/* ---- the order of rows, which does not depend on the order of adding ---- */

/* The sort key of all kinds of rows; fields that a kind does not have are equal. Modules are
 * ordered by path and version; sites by file, line and label, functions also by module and address;
 * instances by allocation, then by label; threads by number, then by name; nodes by parent and
 * site; instance cells by thread and instance. */
struct contents {
    const struct ep_merge_name *file;
    uint64_t number;
    const struct ep_merge_name *name;
    uint32_t module; /* its rank + 1; 0: none */
    uint32_t row;
    uint64_t address;
};

static int by_contents(const void *a, const void *b)
{
    const struct contents *x = a, *y = b;
    int order = ep_merge_tables_names_compare(x->file, y->file);
    if (order == 0)
        order = (x->number > y->number) - (x->number < y->number);
    if (order == 0)
        order = ep_merge_tables_names_compare(x->name, y->name);
    if (order == 0)
        order = (x->module > y->module) - (x->module < y->module);
    return order ? order : (x->address > y->address) - (x->address < y->address);
}

static struct contents of_number(uint64_t number, const struct ep_merge_name *name)
{
    return (struct contents){.file = &ep_merge_tables_no_name, .number = number, .name = name};
}

static struct contents of_module(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_module *module = ep_merge_module(merge, row);
    return (struct contents){.file = ep_merge_name(merge, ep_merge_upper(module->key)),
                             .name = ep_merge_name(merge, ep_merge_lower(module->key))};
}

/* Twice the number, so that a named thread comes after the one that is named by this number. */
static struct contents of_thread(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_thread *thread = ep_merge_thread(merge, row);
    return of_number((uint64_t)thread->number * 2 + thread->is_named,
                     ep_merge_name(merge, ep_merge_upper(thread->key)));
}

static struct contents of_instance(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_instance *instance = ep_merge_instance(merge, row);
    return of_number(instance->birth, ep_merge_name(merge, ep_merge_upper(instance->key)));
}

static struct contents of_site(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_site *site = ep_merge_site(merge, row);
    const struct ep_merge_line *line = ep_merge_line(merge, site->line);
    struct contents contents = {.file = ep_merge_name(merge, ep_merge_upper(line->key)),
                                .number = ep_merge_lower(line->key),
                                .name = ep_merge_name(merge, site->label)};
    if (site->function != EP_MAP_NONE) {
        const struct ep_merge_function *function = ep_merge_function(merge, site->function);
        contents.module = ep_merge_module(merge, function->module)->rank + 1;
        contents.address = function->address;
    } else {
        contents.address = site->key.high;
    }
    return contents;
}

/* Ignores properties that another image may add: a function without a whole name is found by its
 * address, and may get name, file and line from another image (merge/sites.c). */
static struct contents of_unended(const struct ep_merge *merge, uint32_t row)
{
    const struct ep_merge_site *site = ep_merge_site(merge, row);
    struct contents contents = of_site(merge, row);
    if (site->function != EP_MAP_NONE &&
        ep_merge_function(merge, site->function)->naming != EP_NAMING_WHOLE) {
        contents.file = contents.name = &ep_merge_tables_no_name;
        contents.number = UINT64_MAX;
    }
    return contents;
}

static struct contents of_node(const struct ep_merge *merge, uint32_t row)
{
    struct ep_wide key = ep_merge_node(merge, row)->key;
    uint32_t parent = ep_merge_upper(key);
    uint32_t site = parent == EP_MAP_NONE ? 0 : ep_merge_site(merge, ep_merge_lower(key))->rank;
    struct contents contents = of_number((uint64_t)parent << 32 | site, &ep_merge_tables_no_name);
    contents.address = key.high;
    return contents;
}

static struct contents of_instance_cells(const struct ep_merge *merge, uint32_t row)
{
    struct ep_wide key = ep_merge_instance_cells(merge, row)->key;
    return of_number((uint64_t)ep_merge_thread(merge, ep_merge_upper(key))->rank << 32 |
                         ep_merge_instance(merge, ep_merge_lower(key))->rank,
                     &ep_merge_tables_no_name);
}

/* In the order of sorting: keys have the ranks of rows that were sorted before. */
enum kind { MODULES, UNENDED, SITES, INSTANCES, THREADS, NODES, INSTANCE_CELLS, KINDS };

#define ROWS(table, name) offsetof(struct ep_merge, table), sizeof(struct name)

static const struct {
    size_t table, row_bytes;
    uint32_t first_row; /* all sites but EP_SITE_OTHER */
    uint32_t first_rank;
    struct contents (*contents_of)(const struct ep_merge *, uint32_t);
} kinds[KINDS] = {
    [MODULES] = {ROWS(modules, ep_merge_module), 0, 0, of_module},
    [UNENDED] = {ROWS(sites, ep_merge_site), 1, 0, of_unended},
    [SITES] = {ROWS(sites, ep_merge_site), 1, EP_SITE_FIRST, of_site},
    [INSTANCES] = {ROWS(instances, ep_merge_instance), 0, 0, of_instance},
    [THREADS] = {ROWS(threads, ep_merge_thread), 0, 0, of_thread},
    [NODES] = {ROWS(nodes, ep_merge_node), 0, 0, of_node},
    [INSTANCE_CELLS] = {ROWS(instance_cells, ep_merge_instance_cells), 0, 0, of_instance_cells},
};

/* The indices of rows, sorted. */
struct order {
    uint32_t *rows[KINDS];
    uint32_t count[KINDS];
    uint32_t *first_child; /* of each node, in `rows`: up to that of the next node */
};

/* Numbers the rows, too. */
static int sort(struct order *order, const struct ep_merge *merge, enum kind kind)
{
    const struct ep_fingerprint_table *table =
        (const void *)((const char *)merge + kinds[kind].table);
    uint32_t first = kinds[kind].first_row, count = (uint32_t)table->count - first;
    struct contents *sorted = malloc((count + (size_t)1) * sizeof *sorted);
    uint32_t *rows = order->rows[kind] = malloc((count + (size_t)1) * sizeof *rows);
    bool is_done = sorted && rows;
    order->count[kind] = count;
    for (uint32_t i = 0; is_done && i < count; i++) {
        sorted[i] = kinds[kind].contents_of(merge, first + i);
        sorted[i].row = first + i;
    }
    if (is_done)
        qsort(sorted, count, sizeof *sorted, by_contents);
    for (uint32_t i = 0; is_done && i < count; i++) {
        rows[i] = sorted[i].row;
        struct ep_merge_ranked *row =
            (void *)((char *)table->rows + rows[i] * kinds[kind].row_bytes);
        row->rank = kinds[kind].first_rank + i;
    }
    free(sorted);
    return is_done ? 0 : -1;
}

static int find_first_children(struct order *order, const struct ep_merge *merge)
{
    uint32_t count = order->count[NODES], at = 0;
    order->first_child = malloc((count + (size_t)1) * sizeof *order->first_child);
    for (uint32_t parent = 0; order->first_child && parent <= count; parent++) {
        while (at < count &&
               ep_merge_upper(ep_merge_node(merge, order->rows[NODES][at])->key) < parent)
            at++;
        order->first_child[parent] = at;
    }
    return order->first_child ? 0 : -1;
}

/* To be freed in any case. */
static int find_order(struct order *order, const struct ep_merge *merge)
{
    for (enum kind kind = 0; kind < KINDS; kind++)
        if (sort(order, merge, kind) != 0)
            return -1;
    return find_first_children(order, merge);
}

/* ---- writing ---- */

enum { GENERATION = 1 }; /* no cell is older */

struct writing {
    struct ep_merge *merge;
    struct ep_image *image;
    struct order order;
    uint32_t *queue;     /* the nodes of a thread, parents before their children */
    ep_ref *ref_of;      /* the cells of each node */
    uint32_t next_cells; /* in order */
    bool is_failed;      /* there was no memory for cells: `spare` was written in their place */
    union ep_cell spare[sizeof(struct ep_node_cell) / EP_CELL_BYTES];
};

/* New cells, whose reference is set. */
static void *take(struct writing *writing, ep_ref *ref, size_t bytes)
{
    ep_ref taken = ep_image_take(writing->image, (uint32_t)(bytes / EP_CELL_BYTES));
    if (!taken) {
        writing->is_failed = true;
        return memset(writing->spare, 0, sizeof writing->spare);
    }
    *ref = taken;
    return ep_image_cell(writing->image, taken);
}

/* Returns how many cells the text has. */
static uint32_t write_text(struct writing *writing, uint32_t name, ep_ref *ref, uint32_t *bytes)
{
    const struct ep_merge_name *text = ep_merge_name(writing->merge, name);
    uint32_t cells = 0;
    *bytes = text->bytes < EP_LABEL_BYTES ? text->bytes : EP_LABEL_BYTES;
    *ref = ep_image_text(writing->image, text->text, *bytes, &cells);
    writing->is_failed |= *ref == 0;
    return cells;
}

static void write_text_unless_empty(struct writing *writing, uint32_t name, ep_ref *ref,
                                    uint32_t *bytes)
{
    if (ep_merge_name(writing->merge, name)->bytes)
        write_text(writing, name, ref, bytes);
}

/* Writes a row to the end of its list. Returns the new end. */
typedef ep_ref *write_row(struct writing *, uint32_t row, ep_ref *end);

static void write_all_of(struct writing *writing, enum kind kind, ep_ref *list, write_row *write)
{
    for (uint32_t i = 0; i < writing->order.count[kind]; i++)
        list = write(writing, writing->order.rows[kind][i], list);
}

/* ---- modules, sites, instances ---- */

/* Modules without functions are not written, since a sum of sums does not have them either. */
static void find_used_modules(struct ep_merge *merge)
{
    for (uint32_t i = 0; i < merge->modules.count; i++)
        ep_merge_module(merge, i)->is_used = false;
    for (uint32_t i = 0; i < merge->functions.count; i++)
        ep_merge_module(merge, ep_merge_function(merge, i)->module)->is_used = true;
}

static ep_ref *write_module(struct writing *writing, uint32_t row, ep_ref *end)
{
    struct ep_merge_module *from = ep_merge_module(writing->merge, row);
    if (!from->is_used)
        return end;
    struct ep_module_cell *module = take(writing, end, sizeof(union ep_cell));
    from->ref = *end;
    ep_merge_sites_modules_write(writing->merge, from, module);
    write_text_unless_empty(writing, ep_merge_upper(from->key), &module->path, &module->path_bytes);
    return &module->next;
}

static ep_ref *write_site(struct writing *writing, uint32_t row, ep_ref *end)
{
    const struct ep_merge_site *from = ep_merge_site(writing->merge, row);
    struct ep_wide line = ep_merge_line(writing->merge, from->line)->key;
    struct ep_site_cell *site = take(writing, end, sizeof(union ep_cell));
    site->number = from->rank;
    site->line = ep_merge_lower(line);
    if (from->function != EP_MAP_NONE) {
        const struct ep_merge_function *function =
            ep_merge_function(writing->merge, from->function);
        site->function = function->address;
        site->module = ep_merge_module(writing->merge, function->module)->ref;
        site->naming = function->naming;
        site->is_sampled = function->is_sampled;
    } else {
        site->kind = from->kind;
        site->budget_ns = from->budget_ns;
    }
    write_text_unless_empty(writing, ep_merge_upper(line), &site->file, &site->file_bytes);
    if (!site->module || site->naming != EP_NAMING_NONE)
        write_text(writing, from->label, &site->label, &site->label_bytes);
    return &site->next;
}

static ep_ref *write_instance(struct writing *writing, uint32_t row, ep_ref *end)
{
    const struct ep_merge_instance *from = ep_merge_instance(writing->merge, row);
    if (from->rank >= EP_SLOTS || ep_image_instance_add(writing->image, from->rank) != 0) {
        writing->is_failed = true;
        return end;
    }
    struct ep_instance_cell *to = ep_image_instance(writing->image, from->rank);
    to->handle = from->rank;
    to->birth = from->birth;
    to->label_cells = write_text(writing, ep_merge_upper(from->key), &to->label, &to->label_bytes);
    to->born = GENERATION;
    return end;
}

/* ---- threads ---- */

static void write_cpu(const struct ep_figures *figures, struct ep_cpu_sums *cpu)
{
    cpu->cpu_ns = figures->cpu_ns;
    cpu->weight = figures->cpu_calls;
}

static ep_ref *write_instance_cells(struct writing *writing, uint32_t row, ep_ref *end)
{
    const struct ep_merge_instance_cells *from = ep_merge_instance_cells(writing->merge, row);
    struct ep_instance_cells *cells = take(writing, end, sizeof *cells);
    cells->generation = GENERATION;
    cells->handle = ep_merge_instance(writing->merge, ep_merge_lower(from->key))->rank;
    writing->is_failed |=
        !ep_merge_sums_write(writing->merge, &from->sum, writing->image, &cells->stats);
    if (writing->merge->cpu.is_on) {
        struct ep_cpu_sums *cpu = take(writing, &cells->stats.cpu, sizeof(union ep_cell));
        write_cpu(&from->sum.figures, cpu);
    }
    return &cells->next;
}

/* The figures of a sum represent all calls already. */
static void write_sampling(struct writing *writing, const struct ep_merge_sum *sum, ep_ref *ref)
{
    const struct ep_figures *figures = &sum->figures;
    struct ep_sampling_cells *cells = take(writing, ref, sizeof *cells);
    uint64_t calls = ep_figures_timed(figures);
    cells->timed = calls > figures->untimed ? calls - figures->untimed : 0;
    cells->weight = cells->timed + figures->untimed;
    cells->timed_nested =
        figures->nested > figures->untimed_nested ? figures->nested - figures->untimed_nested : 0;
    cells->sampled = figures->sampled;
    cells->sampled_weight = figures->represented;
    cells->begun = figures->begun < UINT32_MAX ? (uint32_t)figures->begun : UINT32_MAX;
    cells->begun_nested =
        figures->begun_nested < UINT32_MAX ? (uint32_t)figures->begun_nested : UINT32_MAX;
    cells->variance = figures->variance;
    cells->merged = sum->rests | (figures->is_estimate ? 0 : EP_MERGED_EXACT);
    write_cpu(figures, &cells->cpu);
}

/* Whether a node has what only sampling cells can state. */
static bool needs_sampling(const struct ep_merge *merge, const struct ep_merge_sum *sum)
{
    return sum->is_begun && (sum->figures.is_estimate || sum->figures.untimed_nested ||
                             sum->figures.begun || sum->rests || merge->cpu.is_on);
}

static ep_ref *write_node(struct writing *writing, uint32_t row, ep_ref *end)
{
    const struct ep_merge_node *from = ep_merge_node(writing->merge, row);
    struct ep_node_cell *node = take(writing, end, sizeof *node);
    writing->ref_of[row] = *end;
    node->generation = GENERATION;
    if (ep_merge_upper(from->key) != EP_MAP_NONE) {
        node->site = ep_merge_site(writing->merge, ep_merge_lower(from->key))->rank |
                     (uint32_t)from->key.high;
        node->parent = writing->ref_of[ep_merge_upper(from->key)];
    }
    if (from->sum.is_begun) {
        node->self_ticks = from->sum.figures.self_ticks;
        node->owed_ticks = from->sum.so_far_ticks + 1;
    }
    if (needs_sampling(writing->merge, &from->sum))
        write_sampling(writing, &from->sum, &node->sampling);
    writing->is_failed |=
        !ep_merge_sums_write(writing->merge, &from->sum, writing->image, &node->stats);
    return &node->next;
}

/* Level by level, siblings by site. */
static void write_nodes(struct writing *writing, uint32_t root, ep_ref *end)
{
    size_t count = 1;
    writing->queue[0] = root;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = writing->queue[i];
        const uint32_t *first = &writing->order.first_child[node];
        end = write_node(writing, node, end);
        /* cppcheck-suppress objectIndex; it takes an element for a variable */
        for (uint32_t child = first[0]; child < first[1]; child++)
            writing->queue[count++] = writing->order.rows[NODES][child];
    }
}

static ep_ref *write_thread(struct writing *writing, uint32_t row, ep_ref *end)
{
    const struct ep_merge_thread *from = ep_merge_thread(writing->merge, row);
    struct ep_thread_cell *thread = take(writing, end, 3 * sizeof(union ep_cell));
    const uint32_t *cells = writing->order.rows[INSTANCE_CELLS],
                   count = writing->order.count[INSTANCE_CELLS];
    uint32_t *next = &writing->next_cells; /* in the order of threads */
    thread->number = from->number;
    thread->state = EP_THREAD_ENDED;
    thread->diagnostics = *end + 1; /* zero: all are those of the process */
    thread->more = *end + 2;
    end = &thread->next;
    if (from->is_named)
        write_text(writing, ep_merge_upper(from->key), &thread->name, &thread->name_bytes);
    ep_ref *list = &thread->pairs;
    for (; *next < count &&
           ep_merge_upper(ep_merge_instance_cells(writing->merge, cells[*next])->key) == row;
         ++*next)
        list = write_instance_cells(writing, cells[*next], list);
    if (from->root != EP_MAP_NONE)
        write_nodes(writing, from->root, &thread->nodes);
    return end;
}

/* ---- the whole ---- */

static uint32_t at_most_32_bits(uint64_t count)
{
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Writes the note with the first sites that never ended, in an order that a sum of sums has too. */
static void write_note(const struct writing *writing)
{
    const struct ep_merge *merge = writing->merge;
    struct ep_note_cell *note = &ep_image_cell(writing->image, EP_CELL_NOTE)->note;
    uint32_t marked = 0;
    *note = merge->origin.note;
    note->flags |= EP_NOTE_SUM;
    for (uint32_t i = 0; i < writing->order.count[UNENDED]; i++) {
        const struct ep_merge_site *site = ep_merge_site(merge, writing->order.rows[UNENDED][i]);
        if (site->is_unended && marked < EP_UNENDED_SITES)
            note->unended[marked++] = site->rank;
        else if (site->is_unended)
            note->flags |= EP_NOTE_MORE_UNENDED;
    }
}

static void write_origin(struct writing *writing)
{
    const struct ep_merge_origin *from = &writing->merge->origin;
    union ep_cell *header = writing->image->cells;
    struct ep_identity_cell *to = &header[EP_CELL_IDENTITY].identity;
    to->process_id = from->process_id;
    to->realtime_ns = from->realtime_ns;
    to->not_closed = at_most_32_bits(from->not_closed);
    to->cut_short = at_most_32_bits(from->cut_short);
    header[EP_CELL_LOCK].lock.interrupted = at_most_32_bits(from->interrupted);
    header[EP_CELL_SOURCE].source.apart = at_most_32_bits(from->clock_apart);
    to->items_not_understood = at_most_32_bits(from->items_not_understood);
    to->state = EP_STATE_SAVED;
    memcpy(header[EP_CELL_DIAGNOSTICS].diagnostics.count, from->diagnostics,
           sizeof from->diagnostics);
    write_note(writing);
    if (from->images)
        write_text_unless_empty(writing, from->command, &to->command, &to->command_bytes);
}

static void write_all(struct writing *writing)
{
    struct ep_merge *merge = writing->merge;
    union ep_cell *header = writing->image->cells;
    struct ep_root_cell *root = &header[EP_CELL_ROOT].root;
    struct ep_tree_cell *tree = &header[EP_CELL_TREE].tree;
    ep_merge_clock_write(&merge->clock, writing->image);
    header[EP_CELL_PROBE].probe = merge->probe;
    header[EP_CELL_FUNCTION_PROBE].function_probe = merge->function_probe;
    header[EP_CELL_SAMPLED_PROBE].sampled_probe = merge->sampled_probe;
    header[EP_CELL_CPU].cpu = merge->cpu;
    header[EP_CELL_RUN].run = merge->origin.run;
    header[EP_CELL_SUM].sum.is_net = !merge->is_raw;
    write_origin(writing);
    find_used_modules(merge);
    write_all_of(writing, MODULES, &tree->modules, write_module);
    write_all_of(writing, SITES, &tree->sites, write_site);
    write_all_of(writing, INSTANCES, NULL, write_instance);
    write_all_of(writing, THREADS, &root->threads, write_thread);
    tree->site_count = EP_SITE_FIRST - 1 + writing->order.count[SITES];
    root->slots_used = root->slots_alive = writing->order.count[INSTANCES];
    root->thread_count = writing->order.count[THREADS];
    writing->is_failed |= ep_merge_balance_write(merge, writing->image) != 0;
}

int ep_merge_write(struct ep_merge *merge)
{
    size_t nodes = merge->nodes.count + 1;
    struct writing writing = {.merge = merge,
                              .image = &merge->image,
                              .queue = malloc(nodes * sizeof *writing.queue),
                              .ref_of = malloc(nodes * sizeof *writing.ref_of)};
    bool is_done = writing.queue && writing.ref_of && find_order(&writing.order, merge) == 0;
    if (is_done)
        write_all(&writing);
    free(writing.queue);
    free(writing.ref_of);
    free(writing.order.first_child);
    for (enum kind kind = 0; kind < KINDS; kind++)
        free(writing.order.rows[kind]);
    if (is_done && !writing.is_failed)
        return 0;
    errno = ENOMEM;
    return -1;
}
