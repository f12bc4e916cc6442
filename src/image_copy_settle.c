#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "image_copy_group.h"

/* Of a thread, oldest first. */
struct node_list {
    ep_ref *at;
    size_t count, room;
};

/* ---- lists ---- */

static void mark(const struct ep_settling *settling, ep_ref ref, uint32_t cells)
{
    memset(&settling->is_linked[ref], true, cells);
}

static ep_ref next_pair(const struct ep_settling *settling, ep_ref ref)
{
    return ((const struct ep_pair_cell *)ep_settling_cell(settling, ref))->next;
}

static ep_ref next_node(const struct ep_settling *settling, ep_ref ref)
{
    return ((const struct ep_node_cell *)ep_settling_cell(settling, ref))->next;
}

static void mark_all(const struct ep_settling *settling)
{
    const struct ep_thread_cell *thread;
    for (ep_ref ref = ep_image_root(settling->copy)->threads; ref; ref = thread->next) {
        thread = &ep_settling_cell(settling, ref)->thread;
        mark(settling, ref, 1);
        mark(settling, thread->move, 1);
        for (ep_ref at = thread->pairs; at; at = next_pair(settling, at))
            mark(settling, at, EP_GROUP_CELLS);
        for (ep_ref at = thread->scratch_pairs; at; at = next_pair(settling, at))
            mark(settling, at, EP_GROUP_CELLS);
        for (ep_ref at = thread->nodes; at; at = next_node(settling, at))
            mark(settling, at, EP_GROUP_CELLS);
        for (ep_ref at = thread->frames; at; at = ep_settling_cell(settling, at)->frame.next)
            mark(settling, at, 1);
    }
}

static int settle_pairs(const struct ep_settling *settling, ep_ref first)
{
    int result = 0;
    for (ep_ref ref = first; ref && result == 0; ref = next_pair(settling, ref))
        result = ep_image_copy_group_pair(settling, ref);
    return result;
}

static int list_nodes(const struct ep_settling *settling, ep_ref first, struct node_list *nodes)
{
    nodes->count = 0;
    for (ep_ref ref = first; ref; ref = next_node(settling, ref)) {
        ep_ref *grown = ep_array_room(nodes->at, nodes->count, &nodes->room, sizeof *grown);
        if (!grown)
            return -1;
        nodes->at = grown;
        nodes->at[nodes->count++] = ref;
    }
    return 0;
}

/* Newest first: a parent that is read after its children has all of their time. */
static int settle_nodes(const struct ep_settling *settling, const struct node_list *nodes)
{
    int result = 0;
    for (size_t i = nodes->count; i-- > 0 && result == 0;)
        result = ep_image_copy_group_node(settling, nodes->at[i]);
    return result;
}

/* ---- open scopes: looked at before and after the nodes, as snapshot_open.h says ---- */

static int read_entry(const struct ep_settling *settling, ep_ref ref, struct ep_frame_cell *entry)
{
    union ep_cell cell;
    if (ep_settling_read(settling, ref, 1, &cell) != 0)
        return -1;
    *entry = cell.frame;
    if (entry->node >= settling->copy->committed)
        entry->node = 0; /* of a node that came later */
    return 0;
}

static int read_stack(const struct ep_settling *settling, ep_ref first)
{
    struct ep_frame_cell entry = {.state = EP_FRAME_OPEN};
    for (ep_ref ref = first; ref && entry.state & EP_FRAME_OPEN; ref = entry.next) {
        struct ep_frame_cell *before = &ep_settling_cell(settling, ref)->frame;
        if (read_entry(settling, ref, &entry) != 0)
            return -1;
        entry.next = before->next;
        *before = entry;
    }
    return 0;
}

/* What is not as it was ends the stack. */
static int read_stack_again(const struct ep_settling *settling, ep_ref first)
{
    struct ep_frame_cell now, *before;
    for (ep_ref ref = first; ref; ref = before->next) {
        before = &ep_settling_cell(settling, ref)->frame;
        if (!(before->state & EP_FRAME_OPEN))
            break;
        if (read_entry(settling, ref, &now) != 0)
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

/* ---- threads ---- */

/* Whether it is in the midst of a keep, and what it is moving. */
struct progress {
    uint32_t keeps;
    struct ep_move_cell move;
};

static int read_progress(const struct ep_settling *settling, ep_ref thread,
                         struct progress *progress)
{
    union ep_cell cell;
    if (ep_settling_read(settling, thread, 1, &cell) != 0)
        return -1;
    progress->keeps = cell.thread.keeps;
    ep_ref move = ep_settling_cell(settling, thread)->thread.move;
    if (ep_settling_read(settling, move, 1, &cell) != 0)
        return -1;
    progress->move = cell.move;
    return 0;
}

/* A keep takes some microseconds, unless its thread does not run: then, and of a process that was
 * stopped, it stands still. The processor is given away now and then only: others may have it for
 * milliseconds, and who copies has the lock. */
static int wait_for_keep(const struct ep_settling *settling, ep_ref thread,
                         struct progress *progress)
{
    enum { MOST_LOOKS = 200, LOOKS_A_TURN = 50 };
    for (int looks = 1; looks <= MOST_LOOKS; looks++) {
        if (read_progress(settling, thread, progress) != 0)
            return -1;
        if (progress->keeps % 2 == 0)
            break;
        if (looks % LOOKS_A_TURN == 0)
            sched_yield();
    }
    return 0;
}

static bool is_as_before(const struct progress *before, const struct progress *after)
{
    return before->keeps == after->keeps &&
           memcmp(&before->move, &after->move, sizeof after->move) == 0;
}

static int settle_once(const struct ep_settling *settling, const struct ep_thread_cell *thread,
                       const struct node_list *nodes)
{
    return read_stack(settling, thread->frames) == 0 && settle_nodes(settling, nodes) == 0 &&
                   read_stack_again(settling, thread->frames) == 0 &&
                   settle_pairs(settling, thread->pairs) == 0
               ? settle_pairs(settling, thread->scratch_pairs)
               : -1;
}

/* How often a thread is read anew: of a large tree, which takes some 5 us a node from a file, less
 * often. */
static size_t most_tries(const struct node_list *nodes)
{
    enum { FEWEST_TRIES = 3, MOST_TRIES = 100, MOST_NODES = 20000 };
    size_t tries = MOST_NODES / (nodes->count + 1);
    if (tries > MOST_TRIES)
        return MOST_TRIES;
    return tries > FEWEST_TRIES ? tries : FEWEST_TRIES;
}

/*
 * Where nothing is being kept or moved, or what is stands still: then who reads the copy
 * finishes it (image_mend.h). A thread that keeps more often than it can be read is read as it is,
 * in the end.
 */
static int settle_thread(const struct ep_settling *settling, ep_ref ref, struct node_list *nodes)
{
    struct ep_thread_cell *thread = &ep_settling_cell(settling, ref)->thread;
    struct progress before, after;
    bool is_still = false;
    if (list_nodes(settling, thread->nodes, nodes) != 0)
        return -1;
    for (size_t tries = most_tries(nodes); tries > 0 && !is_still; tries--) {
        if (wait_for_keep(settling, ref, &before) != 0 ||
            settle_once(settling, thread, nodes) != 0 || read_progress(settling, ref, &after) != 0)
            return -1;
        is_still = is_as_before(&before, &after);
    }
    thread->keeps = is_still ? before.keeps : 0;
    before.move.from = is_still ? before.move.from : 0;
    ep_settling_cell(settling, thread->move)->move = before.move;
    return 0;
}

static int settle_threads(const struct ep_settling *settling)
{
    struct node_list nodes = {.at = NULL};
    int result = 0;
    for (ep_ref ref = ep_image_root(settling->copy)->threads; ref && result == 0;
         ref = ep_settling_cell(settling, ref)->thread.next)
        result = settle_thread(settling, ref, &nodes);
    free(nodes.at);
    return result;
}

/* After a reset meanwhile, what was read before it is of the past, as its stamps say, and what was
 * read after it counts. */
static int read_epoch(const struct ep_settling *settling)
{
    return ep_settling_read(settling, EP_CELL_CONTROL, 1,
                            ep_settling_cell(settling, EP_CELL_CONTROL));
}

int ep_image_copy_settle(struct ep_image *copy, const struct ep_image_origin *origin)
{
    struct ep_settling settling = {.copy = copy, .origin = origin};
    settling.is_linked = calloc(copy->committed, sizeof *settling.is_linked);
    if (!settling.is_linked) {
        errno = ENOMEM;
        return -1;
    }
    mark_all(&settling);
    int result = settle_threads(&settling) == 0 ? read_epoch(&settling) : -1;
    free(settling.is_linked);
    return result;
}
