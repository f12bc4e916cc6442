/*
 * image/backing.h - the file that holds the beginning of an image
 *
 * The pages of the file are mapped shared in place of memory. They belong to the kernel, so the
 * recorded data survives any end of the process. Blocks are allocated before they are mapped, so a
 * full disk is an error code and not a signal. If the file cannot grow, all further cells are in
 * memory only.
 */
#ifndef EP_IMAGE_BACKING_H
#define EP_IMAGE_BACKING_H

#include <sys/types.h>

#include "image/layout.h"

/* Room is made in multiples of this: 64 KiB, which is whole pages on every machine. */
enum { EP_BACKING_STEP_CELLS = (64 << 10) / EP_CELL_BYTES };

EP_INLINE uint32_t ep_backing_round_up(uint32_t cells)
{
    return (cells + EP_BACKING_STEP_CELLS - 1) / EP_BACKING_STEP_CELLS * EP_BACKING_STEP_CELLS;
}

struct ep_backing {
    uint32_t cells; /* how many are in the file; 0: no file. Lock; a keep reads it too */
    int file;       /* its descriptor, which holds its lock */
    dev_t
        device;  /* with `inode`, identifies the file: the program may have closed the descriptor */
    ino_t inode; /* and opened another file with the same number */
    const char *path;    /* to open it again then; the caller's. NULL: unknown */
    int error;           /* why it cannot grow any more; 0: it can. The image writes it */
    bool is_reported;    /* the error has been reported */
    bool was_tried;      /* in a child of a fork without handlers: copying it failed */
    union ep_cell *copy; /* of the cells, while the process forks; NULL: none */
    uint32_t copy_cells;
};

/* Extends the file by zeroed room for cells `first` to `first + count`. 0, or -1 and errno. */
int ep_backing_grow(struct ep_backing *backing, union ep_cell *cells, uint32_t first,
                    uint32_t count);

/* Copies the first `used` cells into `file` and maps it in place of the first `count`. 0, or -1 and
 * errno; then nothing has changed. */
int ep_backing_begin(struct ep_backing *backing, union ep_cell *cells, uint32_t used,
                     uint32_t count, int file);

/* Whether `file` is still the descriptor of the image; if not, tries to open it again. */
bool ep_backing_is_open(struct ep_backing *backing);

/* Writes cells to the beginning of a file. 0, or -1 and errno. */
int ep_backing_write(int file, const union ep_cell *cells, size_t bytes);

/* Before a fork: a private copy of the first `used` cells for the child, because the parent keeps
 * writing into the shared ones. Without memory there is none. */
void ep_backing_copy(struct ep_backing *backing, const union ep_cell *cells, uint32_t used);
/* After a fork, in the parent. */
void ep_backing_forget_copy(struct ep_backing *backing);

/* Closes the file, if its descriptor still belongs to it. */
void ep_backing_close(struct ep_backing *backing);

/* In the child: replaces the pages of the file, which is closed, by private memory with the copy,
 * or, after a fork without handlers, with the parent's present contents. *end: how many cells have
 * memory then. 0, or -1 and ENOMEM. */
int ep_backing_leave(struct ep_backing *backing, union ep_cell *cells, uint32_t *end);

#endif /* EP_IMAGE_BACKING_H */
