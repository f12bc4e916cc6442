/*
 * image_names.h - the names of the functions in images, which somebody else has to look up
 *
 * The functions of one or several images that have no name yet, each once, by module and address.
 * Once they have been asked for (image_names_ask.h), they are put into the images.
 */
#ifndef EP_IMAGE_NAMES_H
#define EP_IMAGE_NAMES_H

#include "arena.h"
#include "image.h"
#include "map.h"
#include "symbol_request.h"

struct ep_name {
    uint64_t address;
    const char *name; /* "": it is not known */
    const char *file; /* "": it is not known */
    uint32_t line;
};

struct ep_names_module {
    const char *path;
    char build_id[EP_BUILD_ID_DIGITS + 1]; /* in hexadecimal digits; "": it has none */
    uint64_t modified_ns;
    const char *fault; /* why its functions have no names, as the end of a line; "": none */
    struct ep_name *functions;
    size_t count, room, answered; /* the first so many have been asked for */
    struct ep_map index;          /* by address + 1 */
};

/* All zero: empty. */
struct ep_image_names {
    struct ep_names_module *modules;
    size_t count, room;
    struct ep_arena texts;
};

/* Adds those of an image that could have a better name than they have; nothing is written in it.
 * Lock. 0, or -1 and ENOMEM. */
int ep_image_names_add(struct ep_image_names *names, const struct ep_image *image);

/* Fills in label, file and line of the functions of an image whose names are known by now. Lock.
 * 0, or -1 and ENOMEM: then some have theirs. */
int ep_image_names_fill(struct ep_image_names *names, struct ep_image *image);

/* How many cells that may take. */
uint32_t ep_image_names_cells(const struct ep_image_names *names);

/* Gives one function its name. Lock. 0, or -1 and ENOMEM. */
int ep_image_names_give(struct ep_image *image, struct ep_site_cell *site,
                        const struct ep_name *name, enum ep_site_naming naming);

void ep_image_names_free(struct ep_image_names *names);

#endif /* EP_IMAGE_NAMES_H */
