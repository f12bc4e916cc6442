/*
 * image/names.h - the names of the functions in images, which another program looks up
 *
 * Collects the functions of images that have no final name, each once, by module and address;
 * asks that program; stores its answers in the images. "Lock": the caller holds the process lock.
 */
#ifndef EP_IMAGE_NAMES_H
#define EP_IMAGE_NAMES_H

#include "base/hash.h"
#include "base/memory.h"
#include "base/strings.h"
#include "image/image.h"

/* Somebody waits for the answer; each start of the program limits itself to less. */
#define EP_SYMBOL_DEADLINE_NS (UINT64_C(20) * 1000000000)

enum { EP_BUILD_ID_DIGITS = 2 * EP_BUILD_ID_BYTES };

/* The build-id in hexadecimal digits, with a NUL; "": the module has none. */
void ep_image_names_request_build_id(char digits[EP_BUILD_ID_DIGITS + 1],
                                     const struct ep_module_cell *module);

/* Begins the questions about the functions of a module: adds its "M" and three fields (below). */
void ep_image_names_request_module(struct ep_fields *request, const char *path,
                                   const char *build_id, uint64_t modified_ns);

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

/*
 * The program that looks the names up. Its answers are not trusted: the files that it reads may
 * belong to any user, and it may be another program. Its standard input and output are texts with a
 * NUL after each:
 *
 *     "M" path build-id modified_ns    begins a module; "" is no build-id, and 0 an unknown time
 *     "A" address                      asks for a function of it: the address in its file
 *
 *     "M" fault                        answers the same, in the same order; "" is no fault
 *     "A" name file line               "" is not known
 *     "E"                              the end; without it the answer is incomplete
 *
 * The "M" is written before the module's files are read, so an answer that stops after it shows
 * which module has ended the program.
 */

/* The fault of a module that ended the program. */
#define EP_IMAGE_NAMES_UNREADABLE                                                                  \
    "cannot be read: it, or its debug information, is damaged, or takes too long"

/* Asks for all that have not been asked for yet. `arguments` are the program's, its path first, as
 * in base/helper.h. A module that ends the program gets a fault, and the program is started again
 * for the others, all within one deadline. 0; -1 and errno: it could not be started; EPROTO: it did
 * not come to the end, or is another program; ETIMEDOUT. The answers that came before are kept. */
int ep_image_names_ask(struct ep_image_names *names, char *const *arguments);

#endif /* EP_IMAGE_NAMES_H */
