/*
 * merge_clock.h - the sources of several images: whether their ticks may be added up, and how
 * long a tick of the sum is
 */
#ifndef EP_MERGE_CLOCK_H
#define EP_MERGE_CLOCK_H

#include "merge_unit.h"

/* All zero: nothing weighed yet. */
struct ep_merge_clock {
    uint64_t images;                 /* that were weighed */
    char name[32];                   /* the first one's */
    bool is_several;                 /* and another's is not the same */
    struct ep_scale lowest, highest; /* of all rates; ticks 0: none is known */
    uint64_t ticks_per_second;       /* as the sources know it; 0: not known, or not the same */
    struct ep_wide ns, ticks;        /* of those that were added */
};

/* Looks at the header cells only. */
void ep_merge_clock_weigh(struct ep_merge_clock *clock, const union ep_cell *header);
/* How an image is to be added. */
struct ep_merge_unit ep_merge_clock_unit(const struct ep_merge_clock *clock,
                                         const struct ep_image *image);
/* Adds its rate. */
void ep_merge_clock_add(struct ep_merge_clock *clock, const struct ep_image *image);
void ep_merge_clock_write(const struct ep_merge_clock *clock, struct ep_image *image);

#endif /* EP_MERGE_CLOCK_H */
