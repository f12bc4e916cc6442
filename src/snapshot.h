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
#include "eprof.h"
#include "image.h"
#include "scale.h"
#include "snapshot_field.h"
#include "snapshot_kinds.h"
#include "snapshot_outline.h"

/* What a report may ask for behind its format. */
struct ep_snapshot_options {
    bool threads;  /* a row per thread instead of one merged row */
    bool raw;      /* not corrected for the probe's cost */
    bool ticks;    /* not converted: every *_ns field holds ticks */
    bool both;     /* merged, and beside it `by_threads` */
    bool outlines; /* how the times of each row are spread */
};

/* Of scopes, or of functions. */
struct ep_probe_cost {
    uint64_t inside_milliticks; /* off each call, and */
    uint64_t around_milliticks; /* for each, what its parents read around it */
    uint64_t nested_milliticks; /* off for each that is inside another of its site */
};

/* From ticks to what a row shows. What is to be taken off for the probe's own cost is 0
 * in a raw snapshot. */
struct ep_conversion {
    struct ep_scale scale;
    uint64_t inside_milliticks; /* off each timed call of an instance */
    struct ep_probe_cost costs[EP_PROBE_KINDS];
    uint64_t untimed_milliticks; /* for each call of a function that was only counted */
};

/* The moment of the snapshot, up to which open scopes have run. */
struct ep_present {
    bool is_live;       /* the image's threads run, or ran at that moment; else open scopes have
                           only what ended in them */
    uint64_t now_ticks; /* of the source in use */
    uint64_t self;      /* pthread_self() of who takes it: of a source that is another on each
                           thread, now_ticks holds for this one only */
};

/* What is to be said of a site wherever it stands. */
struct ep_site_mark {
    uint32_t site;     /* its number in the image */
    bool is_ambiguous; /* another has its name: file and line tell them apart */
    bool is_thinned;   /* of a throttled function, whose times are estimates */
};

/* Where a row of a scope stands in its tree; rows are in the order of a walk through it,
 * children after their parent, by total time. */
struct ep_tree_place {
    uint32_t site;  /* its number in the image */
    uint32_t depth; /* 0: below the root */
    size_t parent;  /* its row; SIZE_MAX: none */
    size_t end;     /* the row behind its last descendant */
    struct ep_site_mark mark;
    bool is_around;                   /* it is not what a view asked for, but what that is in */
    const struct ep_outline *outline; /* NULL: not asked for */
    uint32_t thread;                  /* the number of its thread; merged: 0 */
};

/* Which instance a row is of, whatever stands in its slot before and after. */
struct ep_instance_place {
    uint64_t born;                    /* the generation in which it was allocated */
    uint32_t thread;                  /* the number of its thread; merged: 0 */
    const struct ep_outline *outline; /* NULL: not asked for */
};

/* What a tree was before a view left rows of it out: shares are parts of that. */
struct ep_whole {
    const char *thread;
    size_t places, sites; /* rows and tops */
    size_t functions;     /* of the tops those that are functions, not scopes */
    uint64_t total_ns;    /* of all roots */
    uint64_t self_ns;     /* of all tops */
};

/* struct eprof_snapshot, the public name, is this. */
struct eprof_snapshot {
    struct eprof_row *rows; /* instances by ID, scopes, then the trouble that is not zero */
    size_t row_count, row_room;
    size_t scope_first;           /* rows from here on are scopes; a tree for each thread, or one */
    size_t trouble_first;         /* rows from here on are of kind "trouble" */
    struct ep_tree_place *places; /* of row scope_first and on; their `path` is NULL until
                                     ep_snapshot_path() is asked for it: those of a deep tree
                                     would fill the memory */
    struct eprof_row *tops;       /* a row for each site (and thread), merged over its paths, by
                                     self time; `path` is NULL */
    size_t top_count;
    struct ep_site_mark *top_marks;            /* of each of them */
    struct ep_instance_place *instance_places; /* of each row of an instance */
    struct eprof_snapshot *by_threads; /* the same with a tree for each thread, taken right behind
                                          it; NULL: not asked for, or one thread has all */
    size_t thinned_count;              /* sites in rows whose times are estimates */
    /* of a view, see snapshot_view.h */
    const struct ep_field *order; /* what rows, siblings and tops are sorted by; NULL: as above */
    bool is_chosen;               /* so many rows were asked for: a report shows each of them */
    bool is_filtered;             /* rows were asked for by name, whatever their time */
    struct ep_whole *wholes;      /* of each tree; NULL: nothing was left out */
    struct ep_snapshot_options options;
    const char *command;  /* of a stored image, its program's command line; "": not known. NULL:
                             this is the living one */
    uint64_t process_id;  /* 0: of several */
    uint64_t realtime_ns; /* when it began, the first of several */
    const char *unit;     /* "ns" or "ticks": what the durations are in */
    const char *source;   /* its name */
    double ticks_per_us;  /* as known at this moment */
    double resolution_ns; /* the smallest step seen; 0: never seen to move */
    double pair_ns;       /* what a start and stop cost around them */
    double inside_ns;     /* and what of that is measured as time inside */
    double scope_pair_ns; /* the same of a scope; 0: not known */
    double scope_inside_ns;
    double function_pair_ns; /* and of a function; 0: not known */
    double function_inside_ns;
    struct ep_conversion conversion;
    uint64_t clock_errors;   /* rejected differences of all rows */
    struct ep_arena strings; /* all strings of the rows */
};

/*
 * Reads `image`. The caller keeps names from changing meanwhile (the process
 * lock); recording goes on. NULL with ENOMEM.
 */
struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_present present,
                                        struct ep_snapshot_options options);
/*
 * The same of an image that was read from a file, or made of several: scale, moment and origin
 * stand in it. In rows of trouble it says how many were not closed or cut short.
 */
struct eprof_snapshot *ep_snapshot_take_stored(const struct ep_image *image,
                                               struct ep_snapshot_options options);
/* Tells what the probe of an image added to its times; nothing where that is off already. */
void ep_snapshot_take_probe_off(struct ep_conversion *conversion, const struct ep_image *image);
/* The path of a row, made at the first call for a scope; lives as the snapshot does. NULL with
 * ENOMEM. Not from two threads at once. */
const char *ep_snapshot_path(struct eprof_snapshot *snapshot, size_t row);
void ep_snapshot_free(struct eprof_snapshot *snapshot);

#endif /* EP_SNAPSHOT_H */
