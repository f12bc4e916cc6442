/*
 * image_read.h - an image from a file: of a program that has ended, was killed, or still runs
 *
 * The file is copied, whatever is in it, and the copy is checked. Memory is bounded by the
 * file's size.
 */
#ifndef EP_IMAGE_READ_H
#define EP_IMAGE_READ_H

#include "image.h"

struct ep_image_file_state {
    bool is_being_written; /* a process holds it */
};

/*
 * Opens `path` and makes *image, which ep_image_destroy() frees. 0; -1: *why is the end of a
 * line that says what is wrong ("not an eprof image", "No such file or directory"), a string
 * that lives until the next call.
 *
 * In the copy `not_closed` of the identity is 1 where the process is gone and had not closed
 * it.
 */
int ep_image_read(const char *path, struct ep_image *image, struct ep_image_file_state *state,
                  const char **why);

#endif /* EP_IMAGE_READ_H */
