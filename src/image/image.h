/*
 * image/image.h - the array of cells that contains all recorded data
 *
 * Address space is reserved once and gets memory as cells are handed out. Cells never move, so a
 * thread may hold pointers to them. "Lock": the caller holds the process lock.
 */
#ifndef EP_IMAGE_IMAGE_H
#define EP_IMAGE_IMAGE_H

#include <stddef.h>

#include "image/backing.h"
#include "image/layout.h"

struct ep_image {
    union ep_cell *cells;
    uint32_t reserved;                /* cells with address space */
    uint32_t committed;               /* cells with memory */
    uint32_t shared_next, shared_end; /* the rest of the block that short runs come from */
    struct ep_backing backing;        /* the file that holds the first cells, if there is one */
};

/* 0, or -1 and ENOMEM. */
int ep_image_create(struct ep_image *image);
void ep_image_destroy(struct ep_image *image);

/* Writes the identity of the process: at creation, and in a forked child. */
void ep_image_describe(struct ep_image *image);

/* Moves the image into a new, empty file; no thread may write cells meanwhile. 0, and the
 * descriptor belongs to the image; -1 and errno, and nothing has changed. */
int ep_image_move_to_file(struct ep_image *image, int file);
/* Before a fork; the parent calls ep_backing_forget_copy() after it. Lock. */
void ep_image_before_fork(struct ep_image *image);
/* In a forked child, whose parent keeps the file: moves the image of the child into memory, as it
 * was at the fork (ep_backing_copy), or as the parent has it now. Lock. -1 and ENOMEM. */
int ep_image_leave_file(struct ep_image *image);

/* Takes `count` consecutive zeroed cells. Whole blocks are aligned and belong to the caller alone.
 * A shorter run shares its block with others; only the holder of the process lock writes that
 * block. 0 and ENOMEM. Lock. */
ep_ref ep_image_take(struct ep_image *image, uint32_t count);

/* A private image of so many zeroed cells. 0, or -1 and ENOMEM. */
int ep_image_allocate(struct ep_image *image, uint64_t cells);
/* Makes room for more cells in a private image, such as one from a file; its cells may move. 0, or
 * -1 and ENOMEM. */
int ep_image_extend(struct ep_image *image, uint32_t cells);

/* A block for call trees. 0 and ENOMEM: no memory, or the limit of call trees is reached. Lock. */
ep_ref ep_image_take_limited(struct ep_image *image);

/* A copy of a text with a NUL after it, in a run of *cells cells, a power of two. 0 and ENOMEM.
 * Lock. */
ep_ref ep_image_text(struct ep_image *image, const char *text, uint32_t bytes, uint32_t *cells);
/* How many cells a text of so many bytes takes. */
uint32_t ep_image_text_cells(uint32_t bytes);
/* Gives the run back for the next text. Lock. */
void ep_image_text_free(struct ep_image *image, ep_ref text, uint32_t cells);

EP_INLINE union ep_cell *ep_image_cell(const struct ep_image *image, ep_ref ref)
{
    return &image->cells[ref];
}

EP_INLINE struct ep_node_cell *ep_image_node(const struct ep_image *image, ep_ref ref)
{
    return (struct ep_node_cell *)&image->cells[ref];
}

EP_INLINE struct ep_instance_cells *ep_image_instance_cells(const struct ep_image *image,
                                                            ep_ref ref)
{
    return (struct ep_instance_cells *)&image->cells[ref];
}

EP_INLINE struct ep_control_cell *ep_image_control(const struct ep_image *image)
{
    return &image->cells[EP_CELL_CONTROL].control;
}

/* How long a tick is in an image that nothing changes. The program may have been killed before that
 * was known: then any scale is valid. */
EP_INLINE struct ep_scale ep_image_scale(const struct ep_image *image)
{
    const struct ep_scale_cell *known = &image->cells[EP_CELL_SCALE].scale;
    struct ep_scale scale = known->scale[known->current % 2];
    return scale.ticks ? scale : (struct ep_scale){1, 1};
}

EP_INLINE struct ep_root_cell *ep_image_root(const struct ep_image *image)
{
    return &image->cells[EP_CELL_ROOT].root;
}

EP_INLINE struct ep_tree_cell *ep_image_tree(const struct ep_image *image)
{
    return &image->cells[EP_CELL_TREE].tree;
}

/* The thread whose row has the figures of `thread`: itself, unless it has joined another. */
const struct ep_thread_cell *ep_image_row_of(const struct ep_image *image,
                                             const struct ep_thread_cell *thread);

/* The instance cell of a slot; NULL if no slot that high was ever used. */
struct ep_instance_cell *ep_image_instance(const struct ep_image *image, uint32_t slot);
/* Makes sure that the instance cell of a slot exists. 0, or -1 and ENOMEM. Lock. */
int ep_image_instance_add(struct ep_image *image, uint32_t slot);

EP_INLINE const char *ep_image_string(const struct ep_image *image, ep_ref ref)
{
    return ref ? image->cells[ref].text : "";
}

/* The cells of the keys of all groups of processes, or of their times at one path. */
EP_INLINE uint64_t ep_image_group_cells(const struct ep_processes_cell *processes)
{
    return (processes->group_count + (uint64_t)EP_GROUPS_IN_CELL - 1) / EP_GROUPS_IN_CELL;
}

/* The elements number `run`: 0, the keys; 1, the times at the first path. The image has groups. */
EP_INLINE uint64_t *ep_image_groups(const struct ep_image *image, uint64_t run)
{
    const struct ep_processes_cell *processes = &image->cells[EP_CELL_PROCESSES].processes;
    return image->cells[processes->groups + run * ep_image_group_cells(processes)].groups.at;
}

/* The hash of an instance's label, as its cell stores it, or of a thread's name. */
uint32_t ep_image_label_hash(const char *label, uint32_t bytes);

#endif /* EP_IMAGE_IMAGE_H */
