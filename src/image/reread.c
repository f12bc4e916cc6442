#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "image/copy.h"

/* ---- also for the copy itself ---- */

int ep_image_reread_counter(const struct ep_image_origin *origin, struct ep_image_counter counter,
                            uint32_t *value)
{
    union ep_cell cell;
    if (ep_image_copy_read(origin, counter.cell, 1, &cell) != 0)
        return -1;
    *value = cell.refs[counter.offset / sizeof cell.refs[0]];
    return 0;
}

/* The processor is yielded only now and then, because other threads may keep it for milliseconds.
 */
int ep_image_reread_wait_until_even(const struct ep_image_origin *origin,
                                    struct ep_image_counter counter, int most_ms, uint32_t *value)
{
    enum { MOST_LOOKS = 1000, LOOKS_A_TURN = 50 };
    for (int looks = 1; looks <= MOST_LOOKS + most_ms; looks++) {
        if (ep_image_reread_counter(origin, counter, value) != 0)
            return -1;
        if (*value % 2 == 0)
            return 0;
        if (looks > MOST_LOOKS)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        else if (looks % LOOKS_A_TURN == 0)
            sched_yield();
    }
    return 0;
}

uint32_t ep_image_reread_tries(uint32_t most, uint32_t fewest, size_t count)
{
    enum { MOST_CELLS = 20000 };
    size_t tries = MOST_CELLS / (count + 1);
    tries = tries > fewest ? tries : fewest;
    return tries < most ? (uint32_t)tries : most;
}

/* ---- the cells that owners write ---- */

struct reread {
    struct ep_image *copy;
    const struct ep_image_origin *origin;
    bool *is_linked; /* by cell: it is part of a list that is walked, so follow() must not overwrite
                        it, even if a wrong reference leads to it */
    ep_ref keeper;   /* a thread that cannot be read as a whole between two keeps: each of its
                        groups is read between two keeps; 0: none */
};

static union ep_cell *cell_at(const struct reread *reread, ep_ref ref)
{
    return ep_image_cell(reread->copy, ref);
}

/* 0, or -1 and errno. */
static int read_cells(const struct reread *reread, ep_ref first, uint32_t count,
                      union ep_cell *cells)
{
    return ep_image_copy_read(reread->origin, first, count, cells);
}

static struct ep_image_counter keeps_of(ep_ref thread)
{
    return (struct ep_image_counter){thread, offsetof(struct ep_thread_cell, keeps)};
}

/* ---- a group: the cells of a node or of an instance, read while their owner writes them ---- */

enum { GROUP_CELLS = sizeof(struct ep_node_cell) / EP_CELL_BYTES };

union group {
    union ep_cell cells[GROUP_CELLS];
    struct ep_node_cell node;
    struct ep_instance_cells pair;
};

_Static_assert(sizeof(struct ep_instance_cells) == sizeof(struct ep_node_cell) &&
                   offsetof(struct ep_instance_cells, stats) ==
                       offsetof(struct ep_node_cell, stats),
               "nodes and instance cells have their figures at the same offset");

/* The figures are taken from the first look; the second shows how much has changed. A generation of
 * 0: the owner is clearing them, or has never used them. */
static bool is_still(const union group *look, const union group *next)
{
    const struct ep_statistics *stats = &look->node.stats, *later = &next->node.stats;
    return look->node.generation == next->node.generation &&
           (!look->node.generation ||
            (later->calls - stats->calls <= 1 && later->square_high == stats->square_high));
}

/* `keeps` of a thread; 0 without one. */
static int read_keeps(const struct reread *reread, ep_ref thread, uint32_t *keeps)
{
    *keeps = 0;
    return thread ? ep_image_reread_counter(reread->origin, keeps_of(thread), keeps) : 0;
}

/* `keeps` is odd while a keep adds to several fields, and is raised before and after that. So if it
 * is even and equal before and after both looks, no keep overlapped them. */
static bool is_between(uint32_t before, uint32_t after)
{
    return before % 2 == 0 && before == after;
}

/* A region whose calls never pause is taken as it is; one that is cleared all the time is left out.
 */
static int read_group(const struct reread *reread, ep_ref ref, union group *group)
{
    enum { MOST_TRIES = 1000, LOOKS_A_TURN = 100 };
    union group next;
    uint32_t before, after;
    for (int tries = 1;; tries++) {
        if (read_keeps(reread, reread->keeper, &before) != 0 ||
            read_cells(reread, ref, GROUP_CELLS, group->cells) != 0 ||
            read_cells(reread, ref, GROUP_CELLS, next.cells) != 0 ||
            read_keeps(reread, reread->keeper, &after) != 0)
            return -1;
        if (is_still(group, &next) && is_between(before, after))
            return 0;
        if (tries == MOST_TRIES)
            break;
        if (reread->keeper && tries % LOOKS_A_TURN == 0)
            sched_yield();
    }
    if (group->node.generation != next.node.generation)
        group->node.generation = 0;
    return 0;
}

/* Reads the target of a reference that was read again. A target beyond the copy is newer than it,
 * and the reference becomes 0; a wrong target is found by the next check. false: nothing was read.
 */
static bool follow(const struct reread *reread, ep_ref *ref, int *result)
{
    if (*ref >= reread->copy->committed)
        *ref = 0;
    if (*result != 0 || *ref < EP_HEADER_CELLS || reread->is_linked[*ref])
        return false;
    *result = read_cells(reread, *ref, 1, cell_at(reread, *ref));
    return *result == 0;
}

static int read_octaves(const struct reread *reread, struct ep_statistics *stats)
{
    int result = 0;
    for (unsigned i = 0; i < EP_NEAR_OCTAVES; i++)
        follow(reread, &stats->octave[i], &result);
    for (unsigned i = 0; i < EP_FAR_CELLS; i++) {
        if (!follow(reread, &stats->far[i], &result))
            continue;
        ep_ref *far = cell_at(reread, stats->far[i])->refs;
        for (unsigned n = 0; n < EP_CELL_REFS; n++)
            follow(reread, &far[n], &result);
    }
    return result;
}

/* Reads the histogram after the figures, so it may have a few more calls. */
static int store_group(const struct reread *reread, ep_ref ref, union group *group)
{
    /* without a generation there are no figures */
    int result = group->node.generation ? read_octaves(reread, &group->node.stats) : 0;
    memcpy(cell_at(reread, ref), group, sizeof *group);
    return result;
}

enum { SAMPLING_CELLS = sizeof(struct ep_sampling_cells) / EP_CELL_BYTES };

/* The node's sampling cells, which a reader in the process finds as well. 0: none. */
static ep_ref sampling_of(const struct reread *reread, const struct ep_node_cell *node)
{
    bool has_cells = !node->level && node->sampling >= EP_HEADER_CELLS &&
                     node->sampling <= reread->copy->committed - SAMPLING_CELLS;
    return has_cells && !reread->is_linked[node->sampling] ? node->sampling : 0;
}

/* Reads a node and its sampling cells, with the sums of the same calls: `changes` is odd while a
 * timed call is added. */
static int read_node(const struct reread *reread, ep_ref ref, union group *group)
{
    enum { MOST_TRIES = 100 };
    struct ep_sampling_cells now, *sampling;
    for (int tries = 1;; tries++) {
        if (read_group(reread, ref, group) != 0)
            return -1;
        ep_ref at = sampling_of(reread, &group->node);
        if (!at)
            return 0;
        sampling = (struct ep_sampling_cells *)cell_at(reread, at);
        uint32_t before = sampling->changes;
        if (read_cells(reread, at, SAMPLING_CELLS, (union ep_cell *)&now) != 0)
            return -1;
        memcpy(sampling, &now, sizeof now);
        bool is_first = tries == 1;
        if (tries == MOST_TRIES || (!is_first && now.changes % 2 == 0 && now.changes == before))
            return 0;
    }
}

static int reread_node(const struct reread *reread, ep_ref ref)
{
    union group group;
    const struct ep_node_cell *before = ep_image_node(reread->copy, ref);
    if (read_node(reread, ref, &group) != 0)
        return -1;
    if (!group.node.level && group.node.sampling >= reread->copy->committed) {
        if (!before->sampling) /* the copy is of a time when each call was timed */
            return 0;
        group.node.sampling = 0; /* newer than the copy */
    }
    group.node.key = before->key;
    group.node.next = before->next;
    if (group.node.base >= reread->copy->committed)
        group.node.base = 0; /* a node that came later */
    return store_group(reread, ref, &group);
}

static int reread_instance_cells(const struct reread *reread,
                                 const struct ep_instance_cells *before)
{
    union group group;
    ep_ref ref = ep_cell_ref(reread->copy->cells, before);
    if (read_group(reread, ref, &group) != 0)
        return -1;
    group.pair.next = before->next;
    int result = 0;
    follow(reread, &group.pair.stats.cpu, &result);
    return result == 0 ? store_group(reread, ref, &group) : -1;
}

static void mark(const struct reread *reread, const void *member, uint32_t cells)
{
    memset(&reread->is_linked[ep_cell_ref(reread->copy->cells, member)], true, cells);
}

static void mark_all(const struct reread *reread)
{
    const union ep_cell *cells = reread->copy->cells;
    for (EP_EACH(ep_thread_cell, thread, cells, &ep_image_root(reread->copy)->threads)) {
        mark(reread, thread, 1);
        for (EP_EACH(ep_instance_cells, pair, cells, &thread->pairs))
            mark(reread, pair, GROUP_CELLS);
        for (EP_EACH(ep_instance_cells, pair, cells, &thread->scratch_cells))
            mark(reread, pair, GROUP_CELLS);
        for (EP_EACH(ep_node_cell, node, cells, &thread->nodes))
            mark(reread, node, GROUP_CELLS);
        for (EP_EACH(ep_open_scope_cell, frame, cells, &thread->frames))
            mark(reread, frame, 1);
    }
}

static int reread_pairs(const struct reread *reread, const ep_ref *pairs)
{
    int result = 0;
    for (EP_EACH(ep_instance_cells, pair, reread->copy->cells, pairs))
        result = result == 0 ? reread_instance_cells(reread, pair) : -1;
    return result;
}

/* The nodes of a thread, oldest first. */
struct node_list {
    ep_ref *at;
    size_t count, room;
};

static int list_nodes(const struct reread *reread, ep_ref first, struct node_list *nodes)
{
    nodes->count = 0;
    for (ep_ref ref = first; ref; ref = ep_image_node(reread->copy, ref)->next) {
        ep_ref *grown = ep_memory_room(nodes->at, nodes->count, &nodes->room, sizeof *grown);
        if (!grown)
            return -1;
        nodes->at = grown;
        nodes->at[nodes->count++] = ref;
    }
    return 0;
}

/* ---- open scopes: read before and after the nodes, as snapshot/tree.h explains ---- */

static int read_entry(const struct reread *reread, const struct ep_open_scope_cell *before,
                      struct ep_open_scope_cell *entry)
{
    union ep_cell cell;
    if (read_cells(reread, ep_cell_ref(reread->copy->cells, before), 1, &cell) != 0)
        return -1;
    *entry = cell.frame;
    entry->next = before->next;
    if (entry->node >= reread->copy->committed)
        entry->node = 0; /* a node that is newer than the copy */
    return 0;
}

static int read_stack(const struct reread *reread, const ep_ref *frames)
{
    for (EP_EACH(ep_open_scope_cell, entry, reread->copy->cells, frames)) {
        struct ep_open_scope_cell now;
        if (read_entry(reread, entry, &now) != 0)
            return -1;
        *entry = now;
        if (!(now.state & EP_SCOPE_OPEN))
            break;
    }
    return 0;
}

/* The stack ends below the first scope that has changed. */
static int read_stack_again(const struct reread *reread, const ep_ref *frames)
{
    for (EP_EACH(ep_open_scope_cell, before, reread->copy->cells, frames)) {
        struct ep_open_scope_cell now;
        if (!(before->state & EP_SCOPE_OPEN))
            break;
        if (read_entry(reread, before, &now) != 0)
            return -1;
        if (now.start_ticks != before->start_ticks || now.node != before->node ||
            now.state != before->state) {
            before->state = 0;
            break;
        }
        before->child_ticks = now.child_ticks;
    }
    return 0;
}

static int reread_once(const struct reread *reread, const struct ep_thread_cell *thread,
                       const struct node_list *nodes)
{
    int result = read_stack(reread, &thread->frames);
    /* newest first: a parent that is read after its children includes all of their time */
    for (size_t i = nodes->count; i-- > 0 && result == 0;)
        result = reread_node(reread, nodes->at[i]);
    return result == 0 && read_stack_again(reread, &thread->frames) == 0 &&
                   reread_pairs(reread, &thread->pairs) == 0
               ? reread_pairs(reread, &thread->scratch_cells)
               : -1;
}

/* Reads while no keep is under way, so that it is in the copy whole or not at all; or while the one
 * under way stands still: each figure is then one between those before and after the keep. With
 * nine threads for each processor, one that was interrupted in a keep goes on after 30 ms. */
static int reread_between_keeps(const struct reread *reread, ep_ref ref,
                                const struct node_list *nodes, bool *is_still)
{
    struct ep_thread_cell *thread = &cell_at(reread, ref)->thread;
    int patience_ms = 250;
    uint32_t before = 0, after;
    *is_still = false;
    /* a node takes some 5 us from a file */
    for (uint32_t tries = ep_image_reread_tries(100, 3, nodes->count); tries > 0 && !*is_still;
         tries--) {
        if (ep_image_reread_wait_until_even(reread->origin, keeps_of(ref), patience_ms, &before) !=
                0 ||
            reread_once(reread, thread, nodes) != 0 || read_keeps(reread, ref, &after) != 0)
            return -1;
        *is_still = before == after;
        patience_ms = before % 2 ? 0 : patience_ms;
    }
    thread->keeps = *is_still ? before : 0;
    return 0;
}

static int reread_thread(struct reread *reread, ep_ref ref, struct node_list *nodes)
{
    const struct ep_thread_cell *thread = &cell_at(reread, ref)->thread;
    bool is_still;
    if (list_nodes(reread, thread->nodes, nodes) != 0 ||
        reread_between_keeps(reread, ref, nodes, &is_still) != 0)
        return -1;
    reread->keeper = is_still ? 0 : ref;
    int result = is_still ? 0 : reread_once(reread, thread, nodes);
    reread->keeper = 0;
    return result;
}

/* The cells that a reset or a change of source writes. */
static const ep_ref epoch_cells[] = {
    EP_CELL_CONTROL,     EP_CELL_SOURCE, EP_CELL_PROBE, EP_CELL_FUNCTION_PROBE,
    EP_CELL_DIAGNOSTICS, EP_CELL_SCALE,  EP_CELL_CPU,   EP_CELL_RUN};

/* Handles a reset during the copy. These cells are read last and determine the epoch of the copy.
 * Figures that were read before the reset have older generations and are discarded; the others were
 * recorded after it. No figure is of a later epoch, because the control cell would then have a
 * later generation. The cells are of one moment if the lock is free meanwhile; if it is always
 * held, they are read as after a kill. */
static int read_epoch(const struct reread *reread)
{
    enum { MOST_TRIES = 1000, LOOKS_A_TURN = 50 };
    uint32_t before, after;
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
        int result = ep_image_reread_counter(reread->origin, EP_COUNTER_CHANGES, &before);
        for (size_t i = 0; i < sizeof epoch_cells / sizeof epoch_cells[0] && result == 0; i++)
            result = read_cells(reread, epoch_cells[i], 1, cell_at(reread, epoch_cells[i]));
        if (result != 0 || ep_image_reread_counter(reread->origin, EP_COUNTER_CHANGES, &after) != 0)
            return -1;
        if (is_between(before, after))
            break;
        if (tries % LOOKS_A_TURN == 0)
            sched_yield();
    }
    return 0;
}

int ep_image_reread(struct ep_image *copy, const struct ep_image_origin *origin)
{
    struct reread reread = {.copy = copy, .origin = origin};
    reread.is_linked = calloc(copy->committed, sizeof *reread.is_linked);
    if (!reread.is_linked) {
        errno = ENOMEM;
        return -1;
    }
    mark_all(&reread);
    struct node_list nodes = {.at = NULL};
    int result = 0;
    for (EP_EACH(ep_thread_cell, thread, copy->cells, &ep_image_root(copy)->threads))
        result =
            result == 0 ? reread_thread(&reread, ep_cell_ref(copy->cells, thread), &nodes) : -1;
    if (result == 0)
        result = read_epoch(&reread);
    free(nodes.at);
    free(reread.is_linked);
    return result;
}
