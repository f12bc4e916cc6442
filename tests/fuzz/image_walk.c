#include "image_walk.h"

#include <string.h>

enum { RUN_CELLS = EP_SLOTS / EP_DIRECTORY_RUNS };

/* Returns the object at `ref`, and notes it; NULL: there is none, or the walk has reached it
 * before. Only the header is at 0, so no reference leads there. */
static const union ep_cell *take(struct walk *walk, ep_ref ref, enum layout_kind kind)
{
    uint32_t end = walk->cell_count;
    if (ref >= end || layouts[kind].cells > end - ref || walk->is_taken[ref])
        return NULL;
    walk->is_taken[ref] = true;
    walk->at[walk->count++] = (struct walk_object){ref, kind};
    walk->count_of[kind]++;
    return &walk->cells[ref];
}

static void take_statistics(struct walk *walk, const struct ep_statistics *stats)
{
    for (int i = 0; i < EP_NEAR_OCTAVES; i++)
        take(walk, stats->octave[i], LAYOUT_OCTAVE);
    for (int i = 0; i < EP_FAR_CELLS; i++) {
        const union ep_cell *far = take(walk, stats->far[i], LAYOUT_FAR);
        for (int j = 0; far && j < 16; j++)
            take(walk, far->far.octave[j], LAYOUT_OCTAVE);
    }
}

static void take_pairs(struct walk *walk, ep_ref ref)
{
    const struct ep_instance_cells *pair;
    while ((pair = (const struct ep_instance_cells *)take(walk, ref, LAYOUT_PAIR))) {
        take_statistics(walk, &pair->stats);
        ref = pair->next;
    }
}

static void take_nodes(struct walk *walk, ep_ref ref)
{
    bool has_sampling = walk->cells[EP_CELL_IDENTITY].identity.version >= EP_FORMAT_SAMPLING;
    const struct ep_node_cell *node;
    while ((node = (const struct ep_node_cell *)take(walk, ref, LAYOUT_NODE))) {
        take_statistics(walk, &node->stats);
        if (has_sampling && node->level == 0)
            take(walk, node->sampling, LAYOUT_SAMPLING);
        ref = node->next;
    }
}

static void take_threads(struct walk *walk, ep_ref ref)
{
    const union ep_cell *cell;
    while ((cell = take(walk, ref, LAYOUT_THREAD))) {
        take(walk, cell->thread.diagnostics, LAYOUT_DIAGNOSTICS);
        const union ep_cell *more = take(walk, cell->thread.more, LAYOUT_MORE);
        if (more)
            take(walk, more->more.note, LAYOUT_NOTE);
        take(walk, cell->thread.name, LAYOUT_TEXT);
        take_pairs(walk, cell->thread.pairs);
        take_pairs(walk, cell->thread.scratch_cells);
        take_nodes(walk, cell->thread.nodes);
        const union ep_cell *entry;
        for (ep_ref at = cell->thread.frames; (entry = take(walk, at, LAYOUT_FRAME));)
            at = entry->frame.next;
        ref = cell->thread.next;
    }
}

static void take_modules(struct walk *walk, ep_ref ref)
{
    const union ep_cell *cell;
    while ((cell = take(walk, ref, LAYOUT_MODULE))) {
        take(walk, cell->module.path, LAYOUT_TEXT);
        ref = cell->module.next;
    }
}

static void take_sites(struct walk *walk, ep_ref ref)
{
    const union ep_cell *cell;
    while ((cell = take(walk, ref, LAYOUT_SITE))) {
        take(walk, cell->site.label, LAYOUT_TEXT);
        take(walk, cell->site.file, LAYOUT_TEXT);
        ref = cell->site.next;
    }
}

static void take_instances(struct walk *walk, ep_ref run)
{
    static const union ep_cell never_used;
    for (uint32_t i = 0; run && i < RUN_CELLS && run + i < walk->cell_count; i++) {
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): of all bytes */
        if (memcmp(&walk->cells[run + i], &never_used, sizeof never_used) == 0)
            continue;
        const union ep_cell *cell = take(walk, run + i, LAYOUT_INSTANCE);
        if (cell)
            take(walk, cell->instance.label, LAYOUT_TEXT);
    }
}

/* The number of groups may be damaged, so their cells are those up to the first that is in use or
 * the end. */
static void take_processes(struct walk *walk)
{
    const union ep_cell *cell = take(walk, EP_CELL_PROCESSES, LAYOUT_PROCESSES);
    if (!cell)
        return;
    for (uint32_t i = 0; cell->processes.balances && i < cell->processes.balance_count; i++)
        if (!take(walk, cell->processes.balances + i, LAYOUT_BALANCE))
            break;
    uint64_t cells = (cell->processes.balance_count + (uint64_t)1) *
                     (cell->processes.group_count / EP_GROUPS_IN_CELL + 1);
    for (uint32_t i = 0; cell->processes.groups && i < cells; i++)
        if (!take(walk, cell->processes.groups + i, LAYOUT_GROUPS))
            break;
}

void walk_image(struct walk *walk, const union ep_cell *cells, uint32_t cell_count)
{
    memset(walk, 0, sizeof *walk);
    walk->cells = cells;
    walk->cell_count = cell_count < WALK_CELLS ? cell_count : WALK_CELLS;
    if (walk->cell_count < EP_HEADER_CELLS)
        return;
    for (int kind = LAYOUT_IDENTITY; kind <= LAYOUT_SAMPLED_PROBE; kind++)
        take(walk, (ep_ref)kind, (enum layout_kind)kind); /* each at the index of its kind */
    take(walk, cells[EP_CELL_IDENTITY].identity.command, LAYOUT_TEXT);
    take_modules(walk, cells[EP_CELL_TREE].tree.modules);
    take_sites(walk, cells[EP_CELL_TREE].tree.sites);
    take_processes(walk);
    take_threads(walk, cells[EP_CELL_ROOT].root.threads);
    const union ep_cell *directory =
        take(walk, cells[EP_CELL_ROOT].root.directory, LAYOUT_DIRECTORY);
    for (int i = 0; directory && i < 16; i++)
        take_instances(walk, directory->refs[i]);
}

struct walk_object walk_nth(const struct walk *walk, enum layout_kind kind, uint32_t n)
{
    uint32_t i = 0;
    while (walk->at[i].kind != kind || n-- > 0)
        i++;
    return walk->at[i];
}
