#include "probe_record.h"

#include "control.h"
#include "pair.h"
#include "probe_measure.h"
#include "stack.h"
#include "tree.h"

/* What stands where in the block. Every octave's counts go to one cell; they are not looked at. */
enum {
    AT_PAIR = 0,
    AT_COUNTS = AT_PAIR + sizeof(struct ep_pair_cell) / EP_CELL_BYTES,
    AT_ROOT,
    AT_NODE = AT_ROOT + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_LOWEST = AT_NODE + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_ENTRY /* and on */
};

_Static_assert(AT_ENTRY + EP_PROBE_PAIRS < EP_BLOCK_CELLS, "the deepest has an entry above it");

static void lend_counts(struct ep_statistics *stats, ep_ref counts)
{
    *stats = (struct ep_statistics){.min_ticks = UINT64_MAX};
    for (int i = 0; i < EP_NEAR_OCTAVES; i++)
        stats->octave[i] = counts;
}

const struct ep_pair_cell *ep_probe_record_pair(struct ep_probe_record *record)
{
    struct ep_pair_cell *pair =
        (struct ep_pair_cell *)&record->thread->cells[record->cells + AT_PAIR];
    *pair =
        (struct ep_pair_cell){.stamp = ep_thread_stamp(record->thread), .handle = EP_HANDLE_PROBE};
    lend_counts(&pair->stats, record->cells + AT_COUNTS);
    record->thread->pairs[0] = pair;
    return pair;
}

const struct ep_node_cell *ep_probe_record_scope(struct ep_probe_record *record)
{
    struct ep_thread *thread = record->thread;
    ep_ref root = record->cells + AT_ROOT, node = record->cells + AT_NODE;
    struct ep_node_cell *cell = ep_tree_node(thread, node);
    *cell = (struct ep_node_cell){
        .stamp = ep_thread_stamp(thread), .site = EP_PROBE_SITE, .parent = root};
    lend_counts(&cell->stats, record->cells + AT_COUNTS);
    thread->top = ep_stack_entry(thread, record->cells + AT_LOWEST);
    thread->free = record->cells + AT_ENTRY;
    *thread->top = (struct ep_frame_cell){
        .frame = UINT64_MAX, .node = root, .next = thread->free, .state = EP_FRAME_OPEN};
    for (ep_ref ref = thread->free; ref <= thread->free + EP_PROBE_PAIRS; ref++)
        *ep_stack_entry(thread, ref) = (struct ep_frame_cell){.below = ref - 1, .next = ref + 1};
    record->places[EP_PROBE_SITE] = (struct ep_place){.parent = root, .node = node};
    return cell;
}

bool ep_probe_record_begin(struct ep_probe_record *record)
{
    /* of the one image there is; taken once */
    static ep_ref cells;
    static struct ep_thread *thread;
    if (!cells)
        cells = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    if (!thread)
        thread = ep_thread_make_record(0);
    if (!cells || !thread)
        return false;
    record->cells = cells;
    record->thread = thread;
    /* no difference is too long: whatever the clock does, all stay on the paths that are measured
     */
    record->control = (struct ep_control_cell){.generation = 1, .horizon_ticks = UINT64_MAX};
    thread->control = &record->control;
    thread->cells = ep_process.image.cells;
    thread->busy = 1;
    thread->pair_capacity = 1;
    thread->places = record->places;
    thread->site_capacity = EP_PROBE_SITES;
    ep_thread_open_tables(thread);
    return true;
}
