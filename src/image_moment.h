/*
 * image_moment.h - the moment that the image of a running program is of, for who reads it from
 * outside
 *
 * Its program writes none into it before it ends. Without one, open scopes have only what ended
 * in them, and a scope that is open for long would seem to take no time and then all at once.
 */
#ifndef EP_IMAGE_MOMENT_H
#define EP_IMAGE_MOMENT_H

#include "image.h"

/* One moment on the clocks that programs of this machine can read alike. */
struct ep_image_moment {
    uint64_t monotonic_ns;
    uint64_t counter_ticks; /* of the processor; 0: it has none that can be read */
    uint64_t day_us;
};

/* Now. Taken before the image is read: so none of its scopes has more time than it had. */
struct ep_image_moment ep_image_moment_take(void);

/*
 * Makes it the moment of `copy`, the image of a program that runs. False, and it has none: its
 * source is its own or another on each thread; or the clocks do not agree with it, since it runs
 * on another machine, say.
 */
bool ep_image_moment_put(struct ep_image *copy, const struct ep_image_moment *moment);

/*
 * For how long an image's figures had been counted at its moment: since its source was first
 * used, or the last reset. 0: it is not known. Where the image has no moment, it is `moment`;
 * NULL: nor is there that.
 */
uint64_t ep_image_moment_age_ns(const struct ep_image *image, const struct ep_image_moment *moment);

#endif /* EP_IMAGE_MOMENT_H */
