/*
 * image_file.h - the file that an image is to be in: safely made, put in its place whole
 *
 * It is written under another name beside its place, locked for as long as it is being written
 * (flock, exclusive), and renamed when it is an image. What is in its place already is left
 * alone, unless it is an image of the same owner that nobody writes. Needs no memory.
 */
#ifndef EP_IMAGE_FILE_H
#define EP_IMAGE_FILE_H

#include <limits.h>

/* Whether a file begins as images do: 1 or 0; -1 and errno: that could not be read. */
int ep_image_file_is_image(int descriptor);

struct ep_image_file {
    int descriptor;   /* of the new file: mode 0600, closed by exec, empty */
    const char *path; /* where it is to be; the caller's */
    char temporary[PATH_MAX];
};

/*
 * Returns 0; or -1, errno, and in *why the end of a line that says what is in the way: ELOOP a
 * symbolic link, EEXIST not an image, EPERM another's, EBUSY one that is being written, or what
 * the system says.
 */
int ep_image_file_create(struct ep_image_file *file, const char *path, const char **why);

/* Puts it in its place, where is looked again before. 0, and the descriptor, with its lock, is
 * the caller's; -1, as ep_image_file_create() says: it is to be discarded. */
int ep_image_file_publish(struct ep_image_file *file, const char **why);
/* Removes it. Keeps errno. */
void ep_image_file_discard(struct ep_image_file *file);

#endif /* EP_IMAGE_FILE_H */
