/*
 * top_view.h - what of a program is looked at, and how: what the keys of `eprof top` change
 */
#ifndef EP_CLI_TOP_VIEW_H
#define EP_CLI_TOP_VIEW_H

#include "top_column.h"

enum { EP_TOP_FILTER_BYTES = 128 };

struct ep_top_view {
    enum ep_top_column sort;
    bool by_path;                     /* a line for each path; else for each region */
    bool is_paused;                   /* the frame stays as it is */
    bool is_typing;                   /* the filter is being typed, */
    char filter[EP_TOP_FILTER_BYTES]; /* and holds already; "": none */
    char former[EP_TOP_FILTER_BYTES]; /* the one before */
    size_t first;                     /* the line at the top */
    size_t room;                      /* so many lines are shown; 0: all */
};

/* Whether a name has the filter in it, or is like it, where that has a character that fnmatch()
 * knows. */
bool ep_top_view_has(const struct ep_top_view *view, const char *name);
/* Of so many lines there are: none is scrolled away for nothing. */
void ep_top_view_fit(struct ep_top_view *view, size_t lines);

#endif /* EP_CLI_TOP_VIEW_H */
