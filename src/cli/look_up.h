/*
 * look_up.h - the names of the functions in profile files
 *
 * They are looked up by another process of this very program, `eprof symbolize`, so that a file
 * that breaks the reader of debug information does not break more.
 */
#ifndef EP_CLI_LOOK_UP_H
#define EP_CLI_LOOK_UP_H

#include "image_names.h"

struct ep_look_up {
    struct ep_image_names names;
    const char *debug_directory; /* where separate debug information is as well; NULL: nowhere */
    bool is_quiet;               /* nothing is said on stderr */
    bool has_failed;             /* it is not tried again, which may take its time */
};

/* Adds the functions of an image that have no names. 0, or -1 and ENOMEM. */
int ep_look_up_add(struct ep_look_up *look_up, const struct ep_image *image);
/* Looks up what was added and is not known yet, and says on stderr what could not be had: figures
 * are right without names as well. */
void ep_look_up_ask(struct ep_look_up *look_up);
/* Puts the names into an image that was read. 0, or -1 and ENOMEM. */
int ep_look_up_fill(struct ep_look_up *look_up, struct ep_image *image);
/* All three, for one image. 0, or -1 and ENOMEM. */
int ep_look_up_name(struct ep_look_up *look_up, struct ep_image *image);
void ep_look_up_free(struct ep_look_up *look_up);

#endif /* EP_CLI_LOOK_UP_H */
