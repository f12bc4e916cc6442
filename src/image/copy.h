/*
 * image/copy.h - a copy of an image that is being written
 *
 * The image is that of this process (eprof_save) or of another one, through its file; the caller
 * provides the function that reads its cells. In the copy the fields of a node or of instance cells
 * differ by at most one call, as after a kill, and no thread is seen during a keep.
 */
#ifndef EP_IMAGE_COPY_H
#define EP_IMAGE_COPY_H

#include "image/image.h"

/* The writer of the cells during the copy. */
enum ep_image_writer {
    EP_WRITER_NONE,   /* none any more */
    EP_WRITER_OTHER,  /* another process */
    EP_WRITER_THREADS /* this process's threads; the copying thread holds its lock */
};

/* `read` copies `count` cells from number `first` on to `cells`. 0, or -1 and errno: ENODATA if the
 * file ends before. */
struct ep_image_origin {
    int (*read)(void *context, ep_ref first, uint32_t count, union ep_cell *cells);
    void *context;
    enum ep_image_writer writer;
};

EP_INLINE int ep_image_copy_read(const struct ep_image_origin *origin, ep_ref first, uint32_t count,
                                 union ep_cell *cells)
{
    return origin->read(origin->context, first, count, cells);
}

/* A 32-bit counter in a cell, which its writer raises before and after a change: odd during it. */
struct ep_image_counter {
    ep_ref cell;
    size_t offset; /* in bytes */
};

/* The counter of the process lock. */
#define EP_COUNTER_CHANGES                                                                         \
    ((struct ep_image_counter){EP_CELL_LOCK, offsetof(struct ep_lock_cell, changes)})

/* 0, or -1 and errno. */
int ep_image_reread_counter(const struct ep_image_origin *origin, struct ep_image_counter counter,
                            uint32_t *value);

/* Waits until the counter is even, but not for long: *value may be odd in the end. A change takes
 * some microseconds, unless its thread does not run or was stopped. Sleeps up to `most_ms` ms for a
 * thread that waits for a processor. 0, or -1 and errno. */
int ep_image_reread_wait_until_even(const struct ep_image_origin *origin,
                                    struct ep_image_counter counter, int most_ms, uint32_t *value);

/* How often a reading is tried, between `fewest` and `most` times: less often if there are `count`
 * cells or nodes to read and their writer may be faster each time. */
uint32_t ep_image_reread_tries(uint32_t most, uint32_t fewest, size_t count);

/* The cells of this process's own image, whose lock the caller holds. */
struct ep_image_origin ep_image_copy_of_memory(const struct ep_image *image);

/* Copies the first `count` cells, the header among them, into memory of its own, unchecked. From
 * another process, blank thread records have only their counts of diagnostics. Data under the lock
 * is of one moment if possible; else `changes` of the copy's lock cell is odd. 0, or -1 and errno.
 */
int ep_image_copy_take(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count);

/* For an origin that is being written, after the copy was found sound (image/check.h): reads the
 * cells again that their owners may have been writing, until their fields differ by at most one
 * call. The copy has to be checked again. 0, or -1 and errno. */
int ep_image_reread(struct ep_image *copy, const struct ep_image_origin *origin);

/* Copies, checks, reads again and checks again, and starts again if the writer was faster. 0; -1
 * and errno: EINVAL, and *why is the fault of the image (image/check.h); EAGAIN: more cells than
 * `count` are in use now, or figures were moved. */
int ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count,
                        const char **why);

#endif /* EP_IMAGE_COPY_H */
