/*
 * random_image.h - an image with random figures, such as a program could have left
 *
 * It uses only a few names, so that images have much in common. In an orderly image each item has
 * its own name, and its number is its position in the order of the names.
 */
#ifndef RANDOM_IMAGE_H
#define RANDOM_IMAGE_H

#include "fake_image.h"
#include "random.h"

enum {
    RANDOM_RESET = 3, /* figures of an older generation are not shown */
    RANDOM_NOW = 5,
    RANDOM_MOMENT_TICKS = 1000000,
    RANDOM_MOST_NODES = 12
};

uint32_t random_below(uint32_t limit);
bool random_one_in(uint32_t count);

/* ---- instances ---- */

/* ---- call trees ---- */

/* The properties of a site: a function is in one of two modules, a scope in none. */
struct random_site {
    const char *file, *label;
    uint32_t line;
    enum ep_site_naming naming;
    const char *module;
    uint64_t address;
    enum ep_site_kind kind; /* of a site in no module */
};

/* ---- threads ---- */

/* ---- the header ---- */

/* The caller destroys it. */
struct ep_image random_image(bool is_orderly);

#endif /* RANDOM_IMAGE_H */
