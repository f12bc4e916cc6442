#include "image/copy.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/platform.h"
#include "image/check.h"

/* Word by word, and in the order of the lists, so that the target of a reference is not older than
 * the reference. Hidden from the thread sanitizer: an owner writes plainly into cells that are on
 * no list yet, and what is read there is not used. */
__attribute__((no_sanitize("thread"))) static int read_memory(void *context, ep_ref first,
                                                              uint32_t count, union ep_cell *cells)
{
    const union ep_cell *from = (const union ep_cell *)context + first;
    const uint64_t *source = (const uint64_t *)from;
    uint64_t *words = (uint64_t *)cells;
    for (size_t i = 0; i < (size_t)count * EP_CELL_BYTES / sizeof *words; i++)
        words[i] = ep_load_acquire(&source[i]);
    return 0;
}

struct ep_image_origin ep_image_copy_of_memory(const struct ep_image *image)
{
    return (struct ep_image_origin){
        .read = read_memory, .context = image->cells, .writer = EP_WRITER_THREADS};
}

/* The cells of blank records are not read: after a reader has held off many moves, most of the
 * image is blank, and reading all of it takes so long that it overlaps the next moves. A thread
 * that takes the record afterwards began after the start of the read. Each block belongs to one
 * thread. */
struct taking {
    struct ep_image *copy;
    const struct ep_image_origin *origin;
    bool *is_left_out; /* of each block */
    uint32_t followed; /* references, bounded because a list may be circular */
};

static int read_into_copy(const struct taking *taking, ep_ref ref)
{
    return ref < taking->copy->committed
               ? ep_image_copy_read(taking->origin, ref, 1, ep_image_cell(taking->copy, ref))
               : 0;
}

/* Leaves out the blocks of a list's members, whose next reference is at byte `next_at`. */
static int leave_out_list(struct taking *taking, ep_ref ref, size_t next_at)
{
    uint32_t count = taking->copy->committed;
    uint32_t cells_before = (uint32_t)(next_at / EP_CELL_BYTES);
    union ep_cell cell;
    while (ref && ref < count && cells_before < count - ref && taking->followed++ < count) {
        taking->is_left_out[ref / EP_BLOCK_CELLS] = true;
        if (ep_image_copy_read(taking->origin, ref + cells_before, 1, &cell) != 0)
            return -1;
        ref = cell.refs[next_at % EP_CELL_BYTES / sizeof cell.refs[0]];
    }
    return 0;
}

/* A blank record keeps the diagnostics of its former threads. */
static int leave_out_blank(struct taking *taking, ep_ref ref, struct ep_thread_cell *thread)
{
    if (thread->state != EP_THREAD_BLANK || ref % EP_BLOCK_CELLS != 0)
        return 0;
    taking->is_left_out[ref / EP_BLOCK_CELLS] = true;
    if (leave_out_list(taking, thread->pairs, offsetof(struct ep_instance_cells, next)) != 0 ||
        leave_out_list(taking, thread->nodes, offsetof(struct ep_node_cell, next)) != 0)
        return -1;
    thread->pairs = thread->scratch_cells = thread->nodes = thread->frames = 0;
    thread->name = thread->name_bytes = 0;
    ep_image_cell(taking->copy, ref)->thread = *thread;
    if (read_into_copy(taking, thread->diagnostics) != 0 ||
        read_into_copy(taking, thread->more) != 0)
        return -1;
    return thread->more < taking->copy->committed
               ? read_into_copy(taking, ep_image_cell(taking->copy, thread->more)->more.note)
               : 0;
}

/* The origin is unchecked: no reference beyond the copy is followed, and no more threads are
 * visited than there are cells. */
static int leave_out_all(struct taking *taking)
{
    uint32_t count = taking->copy->committed;
    union ep_cell cell;
    if (ep_image_copy_read(taking->origin, EP_CELL_ROOT, 1, &cell) != 0)
        return -1;
    ep_ref ref = cell.root.threads;
    for (uint32_t threads = 0; ref && ref < count && threads < count; threads++) {
        if (ep_image_copy_read(taking->origin, ref, 1, &cell) != 0)
            return -1;
        ep_ref next = cell.thread.next;
        if (leave_out_blank(taking, ref, &cell.thread) != 0)
            return -1;
        ref = next;
    }
    return 0;
}

/* Reads all other blocks, consecutive ones at once. */
static int read_blocks(const struct taking *taking, uint32_t blocks)
{
    const struct ep_image *copy = taking->copy;
    uint32_t first = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        uint64_t whole = ((uint64_t)block + 1) * EP_BLOCK_CELLS;
        uint32_t end = whole < copy->committed ? (uint32_t)whole : copy->committed;
        if (taking->is_left_out[block])
            first = end;
        else if ((block + 1 == blocks || taking->is_left_out[block + 1]) &&
                 ep_image_copy_read(taking->origin, first, end - first,
                                    ep_image_cell(copy, first)) != 0)
            return -1;
    }
    return 0;
}

static int read_used(struct ep_image *copy, const struct ep_image_origin *origin)
{
    uint32_t blocks = (copy->committed - 1) / EP_BLOCK_CELLS + 1;
    struct taking taking = {
        .copy = copy, .origin = origin, .is_left_out = calloc(blocks, sizeof(bool))};
    if (!taking.is_left_out) {
        errno = ENOMEM;
        return -1;
    }
    int result = leave_out_all(&taking) == 0 ? read_blocks(&taking, blocks) : -1;
    int error = errno;
    free(taking.is_left_out);
    errno = error;
    return result;
}

/* Reads at a moment when the other process does not hold its lock. Gives up early if the lock was
 * taken and released several times during a copy. */
static int read_between_changes(struct ep_image *copy, const struct ep_image_origin *origin)
{
    enum { MOST_CHANGES = 8 };
    uint32_t before, after, tries = ep_image_reread_tries(10, 2, copy->committed);
    for (; tries > 0; tries--) {
        if (ep_image_reread_wait_until_even(origin, EP_COUNTER_CHANGES, 0, &before) != 0 ||
            read_used(copy, origin) != 0 ||
            ep_image_reread_counter(origin, EP_COUNTER_CHANGES, &after) != 0)
            return -1;
        if (before % 2 == 0 && before == after)
            return 0;
        if (after - before > MOST_CHANGES)
            break;
    }
    ep_image_cell(copy, EP_CELL_LOCK)->lock.changes |= 1;
    return 0;
}

static void discard(struct ep_image *copy)
{
    int error = errno;
    ep_image_destroy(copy);
    errno = error;
}

int ep_image_copy_take(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count)
{
    if (ep_image_allocate(copy, count) != 0)
        return -1;
    int result = origin->writer == EP_WRITER_OTHER
                     ? read_between_changes(copy, origin)
                     : ep_image_copy_read(origin, 0, count, copy->cells);
    if (result != 0)
        discard(copy);
    else if (origin->writer == EP_WRITER_THREADS) /* the lock is the caller's */
        ep_image_cell(copy, EP_CELL_LOCK)->lock.changes = 0;
    return result;
}

/* ---- checking, and starting anew ---- */

static int check(struct ep_image *copy, const char **why)
{
    int error;
    *why = ep_image_check(copy, &error);
    errno = *why ? EINVAL : error;
    return errno ? -1 : 0;
}

static const struct ep_image_counter moves = {EP_CELL_LOCK, offsetof(struct ep_lock_cell, moves)};

/* EAGAIN: a move is under way. */
static int begin_between_moves(const struct ep_image_origin *origin, uint32_t *before)
{
    ep_full_fence(); /* pairs with the one in ep_moves_begin() */
    if (ep_image_reread_wait_until_even(origin, moves, 0, before) != 0)
        return -1;
    errno = EAGAIN;
    return *before % 2 ? -1 : 0;
}

/* EAGAIN: figures were moved since. */
static int end_between_moves(const struct ep_image_origin *origin, uint32_t before)
{
    uint32_t after;
    ep_load_fence();
    if (ep_image_reread_counter(origin, moves, &after) != 0)
        return -1;
    errno = EAGAIN;
    return after == before ? 0 : -1;
}

/* The reader's part of image/moves.h, r3 to r5. */
static int copy_once(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count,
                     const char **why)
{
    bool is_written = origin->writer != EP_WRITER_NONE;
    uint32_t before = 0;
    if (is_written && begin_between_moves(origin, &before) != 0)
        return -1;
    if (ep_image_copy_take(copy, origin, count) != 0)
        return -1;
    /* a copy that is not of one moment may lack the newest cells */
    bool is_torn = ep_image_cell(copy, EP_CELL_LOCK)->lock.changes % 2;
    bool has_grown = !is_torn && !ep_image_check_is_cut_short(copy->cells) &&
                     ep_image_root(copy)->cells_used > copy->committed;
    if (is_written && has_grown)
        errno = EAGAIN;
    else if (check(copy, why) == 0 &&
             (!is_written || (ep_image_reread(copy, origin) == 0 &&
                              end_between_moves(origin, before) == 0 && check(copy, why) == 0)))
        return 0;
    discard(copy);
    return -1;
}

/* A cell that was copied before it was handed out does not match a newer reference to it. That is
 * rare, and unlikely to repeat. */
int ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count,
                        const char **why)
{
    enum { MOST_TRIES = 20 };
    int tries = origin->writer == EP_WRITER_NONE ? 1 : MOST_TRIES;
    int result;
    *why = NULL;
    do
        result = copy_once(copy, origin, count, why);
    while (result != 0 && errno == EINVAL && --tries > 0);
    return result;
}
