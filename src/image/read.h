/*
 * image/read.h - reads an image from a file of a program that has ended, was killed, or still runs
 *
 * The file is copied, and the copy is checked. Memory is bounded by the size of the file.
 */
#ifndef EP_IMAGE_READ_H
#define EP_IMAGE_READ_H

#include "image/image.h"

/* A moment on the clocks that all programs of this machine share: that of the image of a running
 * program. Without it, an open scope would have only the time of scopes that ended inside. */
struct ep_image_moment {
    uint64_t monotonic_ns;
    uint64_t counter_ticks; /* of the processor; 0: it has no counter that can be read */
    uint64_t day_us;
};

/* Now. Taken before the image is read, so that no scope gets more time than it has had. */
struct ep_image_moment ep_image_read_moment_take(void);

/* Makes it the moment of `copy`. False, and the copy has none: the source is the program's own or
 * different on each thread, or the clocks do not agree, as those of two machines. */
bool ep_image_read_moment_put(struct ep_image *copy, const struct ep_image_moment *moment);

/* The time from the first use of the source, or from the last reset, to the image's moment. If the
 * image has none, `moment` is used, unless it is NULL. 0: unknown. */
uint64_t ep_image_read_moment_age_ns(const struct ep_image *image,
                                     const struct ep_image_moment *moment);

struct ep_image_file_state {
    bool is_being_written; /* by a process that holds its lock */
};

/* What became of the process. */
enum ep_image_life {
    EP_LIFE_RUNNING,
    EP_LIFE_ENDED,
    EP_LIFE_KILLED, /* or it called _exit() */
    EP_LIFE_SAVED   /* the figures of one moment, or of several programs */
};

enum ep_image_life ep_image_read_life(const struct ep_image *image, bool is_being_written);

/* The identity of an image, without its figures. */
struct ep_image_glance {
    bool is_image; /* it begins like one */
    uint64_t process_id, realtime_ns;
    enum ep_image_life life;
};

/* Reads the header of an open regular file. 0; -1: *why is the fault, as of ep_image_read(). */
int ep_image_read_glance(int file, struct ep_image_glance *glance, const char **why);

/*
 * Reads `path` into *image, which ep_image_destroy() frees. 0; -1: *why is the fault as the end of
 * a line ("not an eprof image", "No such file or directory"), valid until the next call.
 *
 * In the copy `not_closed` of the identity is 1 if the process ended without closing the image, and
 * `interrupted` of the lock cell is the number of keeps and moves that did not come to their end.
 */
int ep_image_read(const char *path, struct ep_image *image, struct ep_image_file_state *state,
                  const char **why);

#endif /* EP_IMAGE_READ_H */
