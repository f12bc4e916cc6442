/*
 * image_backing.h - the file behind an image
 *
 * The file's pages are mapped, shared, in the place of memory: they belong to the kernel, so
 * that what was recorded outlives the process, however it ends. Blocks are allocated before
 * they are mapped: a full disk is an error code and not a signal. Where the file cannot grow,
 * memory goes on behind it, for good.
 */
#ifndef EP_IMAGE_BACKING_H
#define EP_IMAGE_BACKING_H

#include <sys/types.h>

#include "cell.h"

/* Room is made in multiples of this: 64 KiB, which is whole pages on every machine. */
enum { EP_BACKING_STEP_CELLS = (64 << 10) / EP_CELL_BYTES };

EP_INLINE uint32_t ep_backing_round_up(uint32_t cells)
{
    return (cells + EP_BACKING_STEP_CELLS - 1) / EP_BACKING_STEP_CELLS * EP_BACKING_STEP_CELLS;
}

struct ep_backing {
    uint32_t cells;      /* the first so many are in the file; 0: there is none. Lock; a keep looks
                         whether there is one */
    int file;            /* its descriptor, which holds its lock, */
    dev_t device;        /* and what it is a descriptor of: the program may have closed it, and */
    ino_t inode;         /* opened its own file under that number */
    const char *path;    /* where it is found again then; the caller's. NULL: not told */
    int error;           /* why it does not grow any more; 0: it does. The image writes it */
    bool is_told;        /* and that has been said */
    bool was_tried;      /* in a child of a fork that nobody was told of: it could not be copied */
    union ep_cell *copy; /* of the cells, while the process forks; NULL: none */
    uint32_t copy_cells;
};

/* Gives cells `first` to `first + count` of the image at `cells` room in the file, zeroed. 0, or
 * -1 and errno. */
int ep_backing_grow(struct ep_backing *backing, union ep_cell *cells, uint32_t first,
                    uint32_t count);

/* Puts `file`, with a copy of the first `used` cells in it, behind the first `count`. 0, or -1
 * and errno; nothing has changed then. */
int ep_backing_begin(struct ep_backing *backing, union ep_cell *cells, uint32_t used,
                     uint32_t count, int file);

/* Writes cells to the beginning of a file. 0, or -1 and errno. */
int ep_backing_write(int file, const union ep_cell *cells, size_t bytes);

/* Before a fork: a private copy for the child, of the first `used` cells, since the parent
 * writes on in the ones it shares with it. Without memory there is none. */
void ep_backing_copy(struct ep_backing *backing, const union ep_cell *cells, uint32_t used);
/* After it, in the parent. */
void ep_backing_forget_copy(struct ep_backing *backing);

/* In the child: private memory in the place of the file's pages, with the copy, or else, after a
 * fork that nobody was told of, with what the parent has there now. *end: so many cells have room
 * then. The parent's file is closed. 0, or -1 and ENOMEM. */
int ep_backing_leave(struct ep_backing *backing, union ep_cell *cells, uint32_t *end);

#endif /* EP_IMAGE_BACKING_H */
