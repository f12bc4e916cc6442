/*
 * merge/binomial.h - merges the images of the processes of a job along a binomial tree
 *
 * In step k a process whose number is an odd multiple of 2^k sends its sum to the process 2^k below
 * and is done; the others add what they receive. After log2(processes) steps process 0 has the sum
 * of all. A process keeps its sum as the tables of a merge and one received image at a time.
 *
 * The sum is that of `eprof merge`, to the last byte: before the first image is added, all
 * processes learn the clocks of all (merge/merge.h), which travel up and down the same tree.
 *
 * If a message fails, there is no sum, but each process still sends and receives all other
 * messages, so none waits for ever. Nor is there one if process 0 has no memory for it. At the end
 * process 0 tells all others whether there is a sum.
 *
 * The messages are those of the caller: MPI, or the memory of a simulation.
 */
#ifndef EP_MERGE_BINOMIAL_H
#define EP_MERGE_BINOMIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "merge/tables.h"

/* Messages between two processes arrive in the order of sending. 0; -1: the message is lost, for
 * its sender and its receiver. */
struct ep_merge_post {
    uint32_t process, processes;
    int (*send)(void *context, uint32_t to, const void *bytes, size_t count);
    int (*receive)(void *context, uint32_t from, void *bytes, size_t count);
    void *context;
};

/* All zero but `post`: not begun. */
struct ep_merge_binomial {
    const struct ep_merge_post *post;
    struct ep_merge_clock clock; /* of all images of the job */
    struct ep_merge *merge;      /* NULL: no image was added, or there is no memory */
    uint64_t lost;               /* processes below this one whose images are missing in the sum */
    bool has_begun, is_broken;   /* a message failed, here or in a process above; after the second
                                    half: process 0 has no sum although a process had an image */
    bool is_without_outcome;     /* broken, but process 0 may have a sum */
    bool has_lost_all;           /* in process 0: because no memory was left */
};

/* The first half: exchanges the clocks and adds the image of this process. cells: NULL, the process
 * has none. Each process makes this call once. The image is not needed after it. */
void ep_merge_binomial_begin(struct ep_merge_binomial *tree, const union ep_cell *cells,
                             size_t count);

/* The image of this process cannot be had: counts it as lost. */
void ep_merge_binomial_lose(struct ep_merge_binomial *tree);

/* The second half: receives, adds and sends on. In process 0 returns true if *sum is the sum of all
 * images, to be destroyed; false: there is none, because no process has an image, no memory was
 * left, or messages failed. In all others false. */
bool ep_merge_binomial_finish(struct ep_merge_binomial *tree, struct ep_image *sum);

#endif /* EP_MERGE_BINOMIAL_H */
