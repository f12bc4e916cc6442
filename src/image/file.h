/*
 * image/file.h - creates the file of an image, and saves an image
 *
 * The file is written under another name beside its path, locked while it is written (flock,
 * exclusive), and renamed when it is complete. A file at the path is replaced only if it is an
 * image of the same owner that no process writes. Allocates no memory.
 */
#ifndef EP_IMAGE_FILE_H
#define EP_IMAGE_FILE_H

#include <limits.h>

#include "image/image.h"

/* Whether a file begins like an image: 1 or 0; -1 and errno: it could not be read. */
int ep_image_file_is_image(int descriptor);

struct ep_image_file {
    int descriptor;   /* of the new file: mode 0600, closed by exec, empty */
    const char *path; /* the path it will have; the caller's */
    char temporary[PATH_MAX];
};

/* Returns 0; or -1, errno, and in *why the reason as the end of a line: at the path is ELOOP a
 * symbolic link, EEXIST no image, EPERM another user's file, EBUSY an image that is being written;
 * or an error of the system. */
int ep_image_file_create(struct ep_image_file *file, const char *path, const char **why);

/* Renames it to its path, after checking again what is there. 0: the descriptor, with its lock, is
 * the caller's. -1 as ep_image_file_create(): it has to be discarded. */
int ep_image_file_publish(struct ep_image_file *file, const char **why);
/* Removes it. Keeps errno. */
void ep_image_file_discard(struct ep_image_file *file);

/* Writes all used cells into a file, whole or not at all. 0, or -1 as ep_image_file_create(). */
int ep_image_file_save(const struct ep_image *image, const char *path, const char **why);
/* The same into a file that was created for it, which is published or discarded. */
int ep_image_file_save_into(const struct ep_image *image, struct ep_image_file *file,
                            const char **why);

#endif /* EP_IMAGE_FILE_H */
