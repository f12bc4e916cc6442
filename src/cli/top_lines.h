/*
 * top_lines.h - the lines of `eprof top`, in their order
 */
#ifndef EP_CLI_TOP_LINES_H
#define EP_CLI_TOP_LINES_H

#include "top_sight.h"
#include "top_view.h"

struct ep_top_lines {
    struct ep_top_line *at; /* those that the filter leaves, sorted */
    size_t count;
    size_t functions, scopes, instances; /* of them */
};

/* Rows stay the snapshot's. 0, or -1 and ENOMEM. */
int ep_top_lines_make(struct ep_top_lines *lines, const struct ep_top_sight *sight,
                      const struct ep_top_view *view);
void ep_top_lines_free(struct ep_top_lines *lines);

#endif /* EP_CLI_TOP_LINES_H */
