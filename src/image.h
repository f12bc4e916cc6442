/*
 * image.h - the array of cells that everything recorded lies in
 *
 * Address space is reserved once and memory put behind it as cells are handed
 * out: nothing ever moves, so a thread may hold pointers into it.
 */
#ifndef EP_IMAGE_H
#define EP_IMAGE_H

#include <stddef.h>

#include "cell.h"
#include "image_backing.h"

struct ep_image {
    union ep_cell *cells;
    uint32_t reserved;                /* cells there is address space for */
    uint32_t committed;               /* cells there is memory for */
    uint32_t shared_next, shared_end; /* the rest of the block that short runs come from */
    struct ep_backing backing;        /* the file behind the first of them, if there is one */
};

/* 0, or -1 and ENOMEM. */
int ep_image_create(struct ep_image *image);
void ep_image_destroy(struct ep_image *image);

/* Writes who records into it: at creation, and when a forked child makes it its own. */
void ep_image_describe(struct ep_image *image);

/*
 * Moves what is recorded into a new, empty file, which is the image from then on; nobody writes
 * cells meanwhile. 0, and the descriptor is the image's; -1 and errno, and all is as before.
 */
int ep_image_move_to_file(struct ep_image *image, int file);
/* Before a fork; in the parent, ep_backing_forget_copy() comes after it. Lock. */
void ep_image_before_fork(struct ep_image *image);
/* In a forked child, whose parent goes on in its file: the image is this child's, in memory,
 * as it was at the fork (ep_backing_copy), or as the parent has it now. Lock. -1 and ENOMEM. */
int ep_image_leave_file(struct ep_image *image);

/*
 * `count` zeroed cells in a row. A multiple of a block begins at a block's edge
 * and is the caller's alone; shorter runs share blocks that only the holder of
 * the process lock writes. 0 and ENOMEM: no more. Lock.
 */
ep_ref ep_image_take(struct ep_image *image, uint32_t count);

/* Room for so many cells more in an image that nobody else looks at, as one from a file is; its
 * cells may move. 0, or -1 and ENOMEM. */
int ep_image_extend(struct ep_image *image, uint32_t cells);

/* A block for call trees. 0 and ENOMEM: no more, or the limit of call trees is reached. Lock. */
ep_ref ep_image_take_limited(struct ep_image *image);

/*
 * A copy of `bytes` bytes of text with a NUL behind them, in a run of a power
 * of two of cells; *cells tells how many. 0 and ENOMEM. Lock.
 */
ep_ref ep_image_text(struct ep_image *image, const char *text, uint32_t bytes, uint32_t *cells);
/* The cells of a text of so many bytes. */
uint32_t ep_image_text_cells(uint32_t bytes);
/* Gives the run back for the next text. Lock. */
void ep_image_text_free(struct ep_image *image, ep_ref text, uint32_t cells);

EP_INLINE union ep_cell *ep_image_cell(const struct ep_image *image, ep_ref ref)
{
    return &image->cells[ref];
}

EP_INLINE struct ep_control_cell *ep_image_control(const struct ep_image *image)
{
    return &image->cells[EP_CELL_CONTROL].control;
}

EP_INLINE struct ep_root_cell *ep_image_root(const struct ep_image *image)
{
    return &image->cells[EP_CELL_ROOT].root;
}

EP_INLINE struct ep_tree_cell *ep_image_tree(const struct ep_image *image)
{
    return &image->cells[EP_CELL_TREE].tree;
}

/* The instance cell of a slot; NULL where no slot so high was ever used. */
struct ep_instance_cell *ep_image_instance(const struct ep_image *image, uint32_t slot);
/* Puts memory behind the instance cell of a slot. 0, or -1 and ENOMEM. Lock. */
int ep_image_instance_add(struct ep_image *image, uint32_t slot);

EP_INLINE const char *ep_image_string(const struct ep_image *image, ep_ref ref)
{
    return ref ? image->cells[ref].text : "";
}

#endif /* EP_IMAGE_H */
