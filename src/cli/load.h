/*
 * load.h - profile files as one image
 */
#ifndef EP_CLI_LOAD_H
#define EP_CLI_LOAD_H

#include "load_each.h"
#include "merge.h"
#include "snapshot.h"

struct ep_load {
    struct ep_image single; /* of one file */
    struct ep_merge *merge; /* of several; else NULL */
};

/*
 * Reads the files, or says on stderr of each that cannot be read what is wrong with it: then -1,
 * since a sum that lacks one is a wrong sum. Of several, one is in memory at a time. What is
 * still being written is said, and is no error.
 */
int ep_load_files(struct ep_load *load, const struct ep_load_files *files);
/* What was read; lives until the load is freed. NULL with ENOMEM. */
const struct ep_image *ep_load_image(const struct ep_load *load);
/* NULL with ENOMEM. */
struct eprof_snapshot *ep_load_snapshot(const struct ep_load *load,
                                        struct ep_snapshot_options options);
void ep_load_free(struct ep_load *load);

#endif /* EP_CLI_LOAD_H */
