/*
 * snapshot.h - a picture of an image: threads merged, ticks turned into ns, the
 * probe's own cost taken off, names found
 *
 * It is the waist: the only place that does so. What stands above walks rows
 * and neither measures, converts nor sorts. It knows nothing of recording, so
 * that one reader serves the live image and every other.
 */
#ifndef EP_SNAPSHOT_H
#define EP_SNAPSHOT_H

#include "arena.h"
#include "calibrate.h"
#include "eprof.h"
#include "image.h"

/* What a report may ask for behind its format. */
struct ep_snapshot_options {
    bool threads; /* a row per thread instead of one merged row */
    bool raw;     /* not corrected for the probe's cost */
    bool ticks;   /* not converted: every *_ns field holds ticks */
};

/* From ticks to what a row shows. */
struct ep_conversion {
    struct ep_scale scale;
    uint64_t inside_milliticks; /* to be taken off each timed call */
};

/* struct eprof_snapshot, the public name, is this. */
struct eprof_snapshot {
    struct eprof_row *rows; /* instances by ID, then the trouble that is not zero */
    size_t row_count, row_room;
    size_t trouble_first; /* rows from here on are of kind "trouble" */
    struct ep_snapshot_options options;
    const char *unit;     /* "ns" or "ticks": what the durations are in */
    const char *source;   /* its name */
    double ticks_per_us;  /* as known at this moment */
    double resolution_ns; /* the smallest step seen; 0: never seen to move */
    double pair_ns;       /* what an empty start and stop cost around them */
    double inside_ns;     /* and what of that is measured as time inside */
    struct ep_conversion conversion;
    uint64_t clock_errors;   /* rejected differences of all rows */
    struct ep_arena strings; /* all strings of the rows */
};

/*
 * Reads `image`. The caller keeps names from changing meanwhile (the process
 * lock); recording goes on. NULL with ENOMEM.
 */
struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_snapshot_options options);
void ep_snapshot_free(struct eprof_snapshot *snapshot);

#endif /* EP_SNAPSHOT_H */
