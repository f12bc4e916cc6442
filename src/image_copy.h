/*
 * image_copy.h - a copy of an image that somebody writes meanwhile
 *
 * Of this process (eprof_save) or of another, through its file: where the bytes come from is
 * the caller's. In the copy the fields of one node or pair are apart by one call at most, as
 * they are after a kill, and no thread is seen in the midst of a keep.
 */
#ifndef EP_IMAGE_COPY_H
#define EP_IMAGE_COPY_H

#include "image.h"

/* Who writes the cells while they are copied. */
enum ep_image_writer {
    EP_WRITER_NONE,   /* nobody any more */
    EP_WRITER_OTHER,  /* another process */
    EP_WRITER_THREADS /* this process's threads; who copies has its lock */
};

/* Where the cells are. `read` puts `count` of them from number `first` on to `cells`; 0, or -1
 * and errno. Those of a file that ends before are not there: errno is ENODATA. */
struct ep_image_origin {
    int (*read)(void *context, ep_ref first, uint32_t count, union ep_cell *cells);
    void *context;
    enum ep_image_writer writer;
};

/* The cells of this process's own image, whose lock the caller holds. */
struct ep_image_origin ep_image_copy_of_memory(const struct ep_image *image);

/*
 * Makes *copy, in memory of its own: the first `count` cells, the header among them. Nothing
 * in it has been looked at. What the lock guards is of one moment, if that can be had; else
 * `changes` of the copy's lock cell is odd. 0, or -1 and errno.
 */
int ep_image_copy_take(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count);

/*
 * For an origin that is being written, after the copy was found sound (image_check.h): reads
 * again what its owner may have been writing while it was read, until it is apart by a call at
 * most. The copy is to be checked once more. 0, or -1 and errno.
 */
int ep_image_copy_settle(struct ep_image *copy, const struct ep_image_origin *origin);

/*
 * All of this: taken, checked, settled and checked again, and begun anew where the writer was
 * faster. 0; -1 and errno: EINVAL, and *why is what is wrong with the image (image_check.h);
 * EAGAIN: more cells are in use by now than `count`.
 */
int ep_image_copy_sound(struct ep_image *copy, const struct ep_image_origin *origin, uint32_t count,
                        const char **why);

#endif /* EP_IMAGE_COPY_H */
