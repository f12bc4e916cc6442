/*
 * random_image.h - an image of random figures, as a program might have left it
 *
 * From a few names, so that images have much in common. In an orderly one everything has a name
 * of its own and its number is its place in the order of the names.
 */
#ifndef RANDOM_IMAGE_H
#define RANDOM_IMAGE_H

#include "fake_image.h"
#include "random.h"

enum {
    RANDOM_RESET = 3, /* what has an older generation is not shown */
    RANDOM_NOW = 5,
    RANDOM_MOMENT_TICKS = 1000000,
    RANDOM_MOST_NODES = 12
};

uint32_t random_below(uint32_t limit);
bool random_one_in(uint32_t count);

/* ---- instances ---- */

/* ---- call trees ---- */

/* What a site may be: functions are in one of two modules, and scopes in none. */
struct random_site {
    const char *file, *label;
    uint32_t line;
    enum ep_site_naming naming;
    const char *module;
    uint64_t address;
};

/* ---- threads ---- */

/* ---- the header ---- */

/* Destroyed by whoever asked for it. */
struct ep_image random_image(bool is_orderly);

#endif /* RANDOM_IMAGE_H */
