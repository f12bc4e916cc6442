/*
 * mpi/tree.h - merges the images of the processes of a job along a binomial tree
 *
 * In step k a process whose number is an odd multiple of 2^k sends its sum to the process 2^k below
 * and is done; the others add what they receive. After log2(processes) steps process 0 has the sum
 * of all. A process keeps its sum as the tables of a merge and one received image at a time.
 *
 * The sum is that of `eprof merge`, to the last byte: before the first image is added, all
 * processes learn the clocks of all (merge/merge.h), which travel up and down the same tree.
 *
 * The messages are those of the caller: MPI, or the memory of a simulation.
 */
#ifndef EP_MPI_TREE_H
#define EP_MPI_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "merge/tables.h"

/* Messages between two processes arrive in the order of sending. 0; -1: no further message can be
 * sent or received. */
struct ep_mpi_post {
    uint32_t process, processes;
    int (*send)(void *context, uint32_t to, const void *bytes, size_t count);
    int (*receive)(void *context, uint32_t from, void *bytes, size_t count);
    void *context;
};

/* All zero but `post`: not begun. */
struct ep_mpi_tree {
    const struct ep_mpi_post *post;
    struct ep_merge_clock clock; /* of all images of the job */
    struct ep_merge *merge;      /* NULL: no image was added, or there is no memory */
    uint64_t lost;               /* processes below this one whose images are missing in the sum */
    bool has_begun, is_broken;   /* messages fail */
};

/* The first half: exchanges the clocks and adds the image of this process. cells: NULL, the process
 * has none. Each process makes this call once. The image is not needed after it. */
void ep_mpi_tree_begin(struct ep_mpi_tree *tree, const union ep_cell *cells, size_t count);

/* The image of this process cannot be had: counts it as lost. */
void ep_mpi_tree_lose(struct ep_mpi_tree *tree);

/* The second half: receives, adds and sends on. In process 0 returns true if *sum is the sum of all
 * images, to be destroyed; false: there is none, because no process has an image, no memory was
 * left, or messages failed. In all others false. */
bool ep_mpi_tree_finish(struct ep_mpi_tree *tree, struct ep_image *sum);

#endif /* EP_MPI_TREE_H */
