#include "image_copy.h"

#include <errno.h>
#include <sched.h>

#include "image_check.h"
#include "platform.h"

/* A lock is held for some microseconds; who holds it longer is writing a large image or has been
 * stopped. One that is always taken again while all is copied lets no copy be of one moment. */
enum { MOST_WAITS = 1000, MOST_COPIES = 10 };

/* ---- from memory ---- */

/*
 * Word by word, and in the order in which the lists go, so that what a reference leads to is not
 * older than the reference. The thread sanitizer is not asked: an owner writes plainly what is
 * on no list yet, and of what is read there nothing is looked at.
 */
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

/* ---- taken ---- */

static int allocate(struct ep_image *copy, uint32_t count)
{
    *copy = (struct ep_image){.cells = NULL};
    uint64_t bytes = (uint64_t)count * EP_CELL_BYTES;
    if (bytes <= SIZE_MAX)
        copy->cells = ep_platform_allocate((size_t)bytes);
    if (!copy->cells) {
        errno = ENOMEM;
        return -1;
    }
    copy->reserved = copy->committed = count;
    return 0;
}

static int read_changes(const struct ep_image_origin *origin, uint32_t *changes)
{
    union ep_cell cell;
    if (origin->read(origin->context, EP_CELL_LOCK, 1, &cell) != 0)
        return -1;
    *changes = cell.lock.changes;
    return 0;
}

/* Waits until nobody has the lock, unless that takes too long. */
static int wait_for_lock(const struct ep_image_origin *origin, uint32_t *changes)
{
    for (int waits = 0; waits < MOST_WAITS; waits++) {
        if (read_changes(origin, changes) != 0)
            return -1;
        if (*changes % 2 == 0)
            return 0;
        sched_yield();
    }
    return 0;
}

/* What another process writes: of a moment at which nobody had its lock. */
static int read_between_changes(struct ep_image *copy, const struct ep_image_origin *origin)
{
    uint32_t before, after;
    for (int copies = 0; copies < MOST_COPIES; copies++) {
        if (wait_for_lock(origin, &before) != 0 ||
            origin->read(origin->context, 0, copy->committed, copy->cells) != 0 ||
            read_changes(origin, &after) != 0)
            return -1;
        if (before % 2 == 0 && before == after)
            return 0;
    }
    ep_image_cell(copy, EP_CELL_LOCK)->lock.changes |= 1;
    return 0;
}

static int read_all(struct ep_image *copy, const struct ep_image_origin *origin)
{
    if (origin->writer == EP_WRITER_OTHER)
        return read_between_changes(copy, origin);
    if (origin->read(origin->context, 0, copy->committed, copy->cells) != 0)
        return -1;
    if (origin->writer == EP_WRITER_THREADS) /* the lock is the caller's */
        ep_image_cell(copy, EP_CELL_LOCK)->lock.changes = 0;
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
    if (allocate(copy, count) != 0)
        return -1;
    if (read_all(copy, origin) == 0)
        return 0;
    discard(copy);
    return -1;
}

/* ---- sound ---- */

/* What is of no one moment may lack what came last. */
static bool has_grown(const struct ep_image *copy)
{
    bool is_torn = ep_image_cell(copy, EP_CELL_LOCK)->lock.changes % 2;
    return !is_torn && !ep_image_check_is_cut_short(copy->cells) &&
           ep_image_root(copy)->cells_used > copy->committed;
}

static int check(struct ep_image *copy, const char **why)
{
    int error;
    *why = ep_image_check(copy, &error);
    errno = *why ? EINVAL : error;
    return errno ? -1 : 0;
}

static int copy_once(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count,
                     const char **why)
{
    bool is_written = origin->writer != EP_WRITER_NONE;
    if (ep_image_copy_take(copy, origin, count) != 0)
        return -1;
    if (is_written && has_grown(copy))
        errno = EAGAIN;
    else if (check(copy, why) == 0 &&
             (!is_written || (ep_image_copy_settle(copy, origin) == 0 && check(copy, why) == 0)))
        return 0;
    discard(copy);
    return -1;
}

/* A cell that was copied before it was given to somebody, and what refers to it after that, do
 * not fit together. That is seldom, and not so again the next time. */
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
