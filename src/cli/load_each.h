/*
 * load_each.h - profile files one after the other, with the names of their functions
 */
#ifndef EP_CLI_LOAD_EACH_H
#define EP_CLI_LOAD_EACH_H

#include <stddef.h>

#include "image.h"

struct ep_load_files {
    char *const *paths;
    size_t count;
    bool is_raw;                 /* for a raw snapshot */
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
};

/* What is done with each, by its number: first with the header cells of all, then with the whole of
 * all. */
struct ep_load_visitor {
    void *context;
    void (*weigh)(void *context, size_t file, const union ep_cell *header);
    int (*add)(void *context, size_t file, const struct ep_image *image); /* 0, or -1 and ENOMEM */
};

/* One of them is in memory at a time. All are read first, so that all that is wrong is said on
 * stderr at once, and each name is looked up once. 0, or -1 where it was complained. */
int ep_load_each(const struct ep_load_files *files, const struct ep_load_visitor *visitor);

#endif /* EP_CLI_LOAD_EACH_H */
