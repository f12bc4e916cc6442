/*
 * top_sight.h - what is seen of a program at one moment, and what has happened since the last one
 */
#ifndef EP_CLI_TOP_SIGHT_H
#define EP_CLI_TOP_SIGHT_H

#include "look_up.h"
#include "snapshot_growth.h"

enum ep_top_state {
    EP_TOP_RUNNING,
    EP_TOP_ENDED,
    EP_TOP_KILLED, /* or it called _exit() */
    EP_TOP_SAVED   /* the figures of one moment, or of several programs */
};

/* All zero: nothing was seen yet. */
struct ep_top_sight {
    struct eprof_snapshot *snapshot;
    struct ep_growths growths; /* what it has more than before, or than nothing */
    uint64_t elapsed_ns;       /* in so much time; 0: it is not known */
    bool is_of_all;            /* and that is all the time since it began, or was reset */
    enum ep_top_state state;
    uint64_t monotonic_ns;     /* when it was read */
    uint64_t age_ns;           /* for how long it had counted by then; 0: it is not known */
    bool is_age_estimated;     /* to an eighth of it */
    uint64_t reset_generation; /* which of its resets was the last */
};

/* Reads the file. Names of functions that are new are looked up; `look_up` knows the others.
 * 0; -1: *why is the end of a line that says what is wrong. */
int ep_top_sight_take(struct ep_top_sight *sight, const char *path, struct ep_look_up *look_up,
                      bool is_raw, const char **why);
/* Finds growths and elapsed_ns. 0, or -1 and ENOMEM. */
int ep_top_sight_compare(struct ep_top_sight *sight, const struct ep_top_sight *before);
/* Whether both are of one process. */
bool ep_top_sight_is_of_same(const struct ep_top_sight *a, const struct ep_top_sight *b);
void ep_top_sight_free(struct ep_top_sight *sight);

#endif /* EP_CLI_TOP_SIGHT_H */
