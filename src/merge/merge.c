#include "merge/merge.h"

#include <errno.h>
#include <stdlib.h>

#include "merge/tables.h"

/* ---- instances, by their labels ---- */

static uint32_t find_instance(struct ep_merge *merge, const struct ep_instance_cell *cell)
{
    uint32_t label = ep_merge_text_find(merge, cell->label, cell->label_bytes);
    size_t count = merge->instances.count;
    uint32_t index = ep_merge_instance_find(merge, ep_merge_key(label, 0));
    struct ep_merge_instance *instance = ep_merge_instance(merge, index);
    if (index == count || cell->birth < instance->birth)
        instance->birth = cell->birth;
    return index;
}

static struct ep_merge_sum *find_sum(struct ep_merge *merge, const struct ep_thread_cell *thread,
                                     const struct ep_instance_cell *cell)
{
    uint32_t by = ep_merge_tables_threads_find(merge, ep_image_row_of(merge->from, thread));
    struct ep_wide key = ep_merge_key(by, find_instance(merge, cell));
    return &ep_merge_instance_cells(merge, ep_merge_instance_cells_find(merge, key))->sum;
}

static void add_cells(struct ep_merge *merge, const struct ep_thread_cell *thread,
                      const struct ep_instance_cells *cells)
{
    const struct ep_instance_cell *cell =
        ep_image_instance(merge->from, cells->handle & (EP_SLOTS - 1));
    if (!cell || !cell->born || !ep_snapshot_instances_is_valid(merge->from, cells, cell))
        return;
    struct ep_merge_region region = {
        .net = {.scale = merge->overhead.scale,
                .inside_milliticks = merge->overhead.inside_milliticks},
        .stats = &cells->stats,
        .figures = ep_snapshot_instances_read(merge->from, cells)};
    region.figures.cpu_ns = ep_snapshot_instances_cpu_ns(&region.figures, &merge->overhead);
    merge->overhead_milliticks = ep_saturating_add(
        merge->overhead_milliticks,
        ep_snapshot_instances_probe_milliticks(&region.figures, &merge->overhead));
    ep_merge_sums_add(merge, find_sum(merge, thread, cell), &region);
}

static void add_instances(struct ep_merge *merge)
{
    const struct ep_thread_cell *thread;
    const struct ep_instance_cells *cells;
    for (ep_ref ref = ep_image_root(merge->from)->threads; ref; ref = thread->next) {
        thread = &ep_image_cell(merge->from, ref)->thread;
        for (ep_ref at = thread->pairs; at; at = cells->next) {
            cells = ep_image_instance_cells(merge->from, at);
            add_cells(merge, thread, cells);
        }
    }
}

/* ---- the origin of images ---- */

static void add_origin(struct ep_merge *merge)
{
    const struct ep_identity_cell *identity =
        &ep_image_cell(merge->from, EP_CELL_IDENTITY)->identity;
    struct ep_merge_origin *origin = &merge->origin;
    uint32_t command = ep_merge_text_find(merge, identity->command, identity->command_bytes);
    uint32_t none = ep_merge_text_find(merge, 0, 0);
    origin->command = origin->images && command != origin->command ? none : command;
    origin->process_id = origin->images ? 0 : identity->process_id;
    if (origin->images == 0 || identity->realtime_ns < origin->realtime_ns)
        origin->realtime_ns = identity->realtime_ns;
    origin->not_closed += identity->not_closed;
    origin->cut_short += identity->cut_short;
    origin->interrupted += ep_image_cell(merge->from, EP_CELL_LOCK)->lock.interrupted;
    origin->clock_apart += ep_image_cell(merge->from, EP_CELL_SOURCE)->source.apart;
    origin->items_not_understood += identity->items_not_understood;
    origin->images++;
}

/* Sums of what each image knows; both are one more, and 0 if not known. */
static void add_known(uint64_t *sum, uint64_t more, bool is_first)
{
    if (is_first)
        *sum = more;
    else
        *sum = *sum && more ? ep_saturating_add(*sum, more - 1) : 0;
}

/* A sum has the overhead of its images. Elsewhere it is that of the figures, which were added. */
static void add_run(struct ep_merge *merge)
{
    const struct ep_run_cell *from = &ep_image_cell(merge->from, EP_CELL_RUN)->run;
    bool is_sum = ep_image_cell(merge->from, EP_CELL_NOTE)->note.flags & EP_NOTE_SUM;
    bool is_known = ep_image_cell(merge->from, EP_CELL_PROBE)->probe.is_known;
    bool is_first = merge->origin.images == 1;
    uint64_t overhead_ns =
        ep_wide_scale_ns(ep_image_scale(merge->from), merge->overhead_milliticks / 1000);
    struct ep_run_cell *run = &merge->origin.run;
    add_known(&run->wall_ns, from->wall_ns, is_first);
    add_known(&run->cpu_ns, from->cpu_ns, is_first);
    add_known(&run->overhead_ns,
              is_sum     ? from->overhead_ns
              : is_known ? overhead_ns + 1
                         : 0,
              is_first);
}

/* The sites that never ended are marked with the trees. */
static void add_notes(struct ep_merge *merge)
{
    uint32_t unended[EP_UNENDED_SITES];
    const struct ep_notes notes = ep_notes_count(merge->from, unended);
    const struct ep_note_cell *from = &ep_image_cell(merge->from, EP_CELL_NOTE)->note;
    struct ep_note_cell *sum = &merge->origin.note;
    sum->holds_kept += notes.holds_kept;
    sum->holds_ended += notes.holds_ended;
    sum->forked += from->forked;
    sum->forked_with_image += from->forked_with_image;
    sum->added_children += from->added_children + (from->flags & EP_NOTE_CHILD ? 1 : 0);
    sum->flags |= notes.has_more_unended ? EP_NOTE_MORE_UNENDED : 0;
    sum->flags |= from->flags & EP_NOTE_SUM ? from->flags & EP_NOTE_RUN
                                            : ep_notes_of_run(merge->from);
}

/* ---- adding and the result ---- */

struct ep_merge *ep_merge_begin(bool is_raw)
{
    struct ep_merge *merge = calloc(1, sizeof *merge);
    if (merge && (merge->spare = calloc(1, sizeof *merge->spare))) {
        merge->is_raw = is_raw;
        ep_merge_sites_begin(merge);
        if (!merge->is_failed)
            return merge;
    }
    ep_merge_end(merge);
    errno = ENOMEM;
    return NULL;
}

void ep_merge_ignore_locations(struct ep_merge *merge)
{
    merge->ignores_locations = true;
}

void ep_merge_ignore_processes(struct ep_merge *merge)
{
    merge->ignores_processes = true;
}

void ep_merge_inspect(struct ep_merge *merge, const union ep_cell *header)
{
    ep_merge_clock_inspect(&merge->clock, header);
}

int ep_merge_add(struct ep_merge *merge, const struct ep_image *image)
{
    merge->from = image;
    merge->unit = ep_merge_clock_unit(&merge->clock, image);
    merge->overhead = (struct ep_conversion){.scale = {1, 1}};
    if (!merge->is_raw)
        ep_snapshot_take_probe_off(&merge->overhead, image);
    ep_snapshot_describe_cpu(&merge->overhead, image, ep_image_scale(image), merge->is_raw);
    ep_snapshot_describe_probes(&merge->overhead, image);
    merge->overhead_milliticks = 0;
    add_origin(merge);
    add_instances(merge);
    merge->is_failed |= ep_merge_trees_add(merge) != 0;
    ep_snapshot_add_diagnostics(merge->origin.diagnostics, image);
    add_notes(merge);
    add_run(merge);
    ep_merge_clock_add(&merge->clock, image);
    ep_merge_clock_add_probe(merge);
    if (!merge->is_failed)
        return 0;
    errno = ENOMEM;
    return -1;
}

const struct ep_image *ep_merge_image(struct ep_merge *merge)
{
    ep_image_destroy(&merge->image);
    if (ep_image_create(&merge->image) != 0)
        return NULL;
    return ep_merge_write(merge) == 0 ? &merge->image : NULL;
}

int ep_merge_take(struct ep_merge *merge, struct ep_image *image)
{
    bool is_whole = ep_merge_image(merge) != NULL;
    if (is_whole) {
        *image = merge->image;
        merge->image = (struct ep_image){.cells = NULL};
    }
    ep_merge_end(merge);
    if (is_whole)
        return 0;
    errno = ENOMEM;
    return -1;
}

void ep_merge_end(struct ep_merge *merge)
{
    if (!merge)
        return;
    struct ep_fingerprint_table *const tables[] = {
        &merge->lines,   &merge->modules, &merge->functions,      &merge->sites, &merge->instances,
        &merge->threads, &merge->nodes,   &merge->instance_cells, &merge->paths};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        ep_hash_table_free(tables[i]);
    ep_merge_groups_free(&merge->groups);
    ep_merge_tables_names_free(&merge->names);
    ep_image_destroy(&merge->image);
    free(merge->octaves.at);
    free(merge->spare);
    free(merge);
}
