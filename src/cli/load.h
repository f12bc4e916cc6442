/*
 * cli/load.h - reads profile files, one or several, with the names of their functions
 *
 * Functions below that fail with a complaint have written a line to stderr that says why.
 */
#ifndef EP_CLI_LOAD_H
#define EP_CLI_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image.h"
#include "image/names.h"
#include "merge/merge.h"
#include "snapshot/snapshot.h"

struct ep_load_files {
    char *const *paths;
    size_t count;
    bool is_raw;                 /* for a raw snapshot */
    const char *debug_directory; /* also searched for separate debug information; NULL: none */
};

/* The callbacks for the files, each with the number of its file: first `inspect` for each header,
 * then `add` and `finish` for each image. The last two return 0, or -1 and ENOMEM. */
struct ep_load_visitor {
    void *context;
    void (*inspect)(void *context, size_t file, const union ep_cell *header);
    int (*add)(void *context, size_t file, const struct ep_image *image);
    int (*finish)(void *context); /* called after the image was freed; may be NULL */
};

/* Visits the files; one image is in memory at a time. All are read once before the first `add`, so
 * that every faulty file is reported and each name is looked up once. Returns 0, or another number
 * with a complaint. */
int ep_load_each(const struct ep_load_files *files, const struct ep_load_visitor *visitor);

/* Files as one image. */
struct ep_load {
    struct ep_image single; /* of one file */
    struct ep_merge *merge; /* of several; else NULL */
};

/* Reads the files and adds them up. Returns 0, or another number with a complaint if one of them
 * cannot be read, since the sum would be wrong without it. A file that is still being written is
 * reported but no error. */
int ep_load_files(struct ep_load *load, const struct ep_load_files *files);
/* The image, which belongs to the load. NULL with ENOMEM. */
const struct ep_image *ep_load_image(const struct ep_load *load);
void ep_load_free(struct ep_load *load);

/* The rows of the sum of the files, to be freed with ep_snapshot_free(). NULL with a complaint. */
struct eprof_snapshot *ep_load_snapshot(const struct ep_load_files *files,
                                        struct ep_snapshot_options options);

/*
 * The names of functions. They are looked up by a process of their own, `eprof symbolize`, since
 * a damaged file may end the process that reads its debug information.
 */
struct ep_look_up {
    struct ep_image_names names;
    const char *debug_directory; /* as above */
    bool is_quiet;               /* write nothing to stderr */
    bool has_failed;             /* not tried again, since a try may take its whole deadline */
};

/* Gives the functions of an image their names. Looks up those that are not known yet; a name that
 * is not found is reported, and is no error. Returns 0, or -1 and ENOMEM. */
int ep_load_look_up_name(struct ep_look_up *look_up, struct ep_image *image);
void ep_load_look_up_free(struct ep_look_up *look_up);

#endif /* EP_CLI_LOAD_H */
