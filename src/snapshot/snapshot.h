/*
 * snapshot/snapshot.h - the figures of an image at one moment: threads merged, ticks converted to
 * ns, the probe's own cost subtracted, names resolved
 *
 * Measuring, converting and sorting happen here only: reports walk the rows. The snapshot knows
 * nothing of recording, so the same code reads the live image and stored ones.
 */
#ifndef EP_SNAPSHOT_SNAPSHOT_H
#define EP_SNAPSHOT_SNAPSHOT_H

#include <stdint.h>

#include "base/histogram.h"
#include "base/memory.h"
#include "base/wide.h"
#include "eprof.h"
#include "snapshot/columns.h"
#include "snapshot/ladder.h"

struct ep_image;

/* Three octaves of histogram buckets, one bucket a column; more octaves in wider columns. */
enum { EP_SPARKLINE_COLUMNS = 24, EP_SPARKLINE_HIGHEST = 255 };

/* The distribution of a row's times, from shortest to longest, on a logarithmic scale. */
struct ep_sparkline {
    uint8_t columns;                       /* 0: no call was timed */
    uint8_t heights[EP_SPARKLINE_COLUMNS]; /* up to EP_SPARKLINE_HIGHEST; 0: no call */
};

struct ep_sparkline ep_figures_sparkline(const struct ep_histogram *histogram);

struct ep_distribution; /* snapshot/distribution.h */

/* The distribution of a row's times in the form that was requested. */
union ep_row_distribution {
    const struct ep_sparkline *sparkline; /* NULL: not requested */
    const struct ep_distribution *whole;  /* the same, or a row of another region */
};

/* Columns that a reader chose, in their order, by their numbers (report/chosen.h). */
enum { EP_CHOSEN_COLUMNS = 27 };
struct ep_chosen_columns {
    uint8_t count; /* 0: those of the format */
    uint8_t at[EP_CHOSEN_COLUMNS];
};

struct ep_snapshot_options {
    bool threads;       /* a row per thread instead of one merged row */
    bool raw;           /* not corrected for the probe's cost */
    bool ticks;         /* not converted: every *_ns field holds ticks */
    bool both;          /* merged, and also `by_threads` */
    bool parent_shares; /* the tree has the column %parent */
    bool locations;     /* names in table and tree have file and line */
    bool sparklines;    /* each row has its distribution */
    bool ladders;       /* each row has its calls on the ladder, unless there are summaries */
    bool summaries;     /* openmetrics has percentiles of this process in place of histograms */
    bool no_tops;       /* no sums by site, which take as much memory as the rows */
    bool sums; /* of sampled calls, the total is the sum of weight and time, and `outermost` the sum
                  of weights with the errors: they never fall, while estimates for all calls do */
    struct ep_chosen_columns columns; /* of table and tree */
    const char *histogram_of; /* the rows of this region have their distribution in full, instead of
                                 a sparkline; NULL: none */
};

enum ep_probe_kind { EP_PROBE_SCOPE, EP_PROBE_FUNCTION, EP_PROBE_KINDS };

/* The overhead of one kind of probe. */
struct ep_probe_cost {
    uint64_t inside_milliticks; /* of each timed call, in its own time */
    uint64_t around_milliticks; /* of each timed call, in the time of its callers */
    uint64_t nested_milliticks; /* of each call inside another call of its site */
    /* the same of calls that are timed among untimed ones */
    uint64_t sampled_inside_milliticks, sampled_around_milliticks;
    uint64_t untimed_milliticks; /* of each untimed call */
};

/* Converts ticks to the times of a row. The probe's costs are 0 in a raw snapshot. */
struct ep_conversion {
    struct ep_scale scale;
    uint64_t inside_milliticks; /* for each timed call of an instance */
    struct ep_probe_cost costs[EP_PROBE_KINDS];
    /* what the probes cost the program, whether that was subtracted or not; in a sum the highest */
    struct ep_probe_cost probes[EP_PROBE_KINDS];
    uint64_t instance_pair_milliticks;
    uint64_t value_milliticks;       /* of each value, in the time of the scopes around it */
    uint64_t value_probe_milliticks; /* the same, whether it was subtracted or not */
    bool has_cpu;                    /* processor time was recorded */
    bool is_in_ticks;          /* `scale` is that of ticks, and processor time becomes ticks */
    struct ep_scale cpu_scale; /* from ticks to ns in any case */
    /* of a probe, in the processor time of its call but not in its time */
    uint64_t cpu_outside_ns[EP_PROBE_KINDS], instance_cpu_outside_ns;
    bool has_fitting; /* estimates are fitted to what was measured around them (tree.c); not in a
                         raw snapshot, nor twice in sums */
    bool has_sums;    /* sampled times stay sums of weight and time */
};

/* The moment of the snapshot, up to which open scopes have run. */
struct ep_present {
    bool is_live;        /* threads run, or ran at that moment; else open scopes have only the time
                            of calls that ended in them */
    uint64_t now_ticks;  /* of the source in use */
    uint64_t self;       /* pthread_self() of the caller: now_ticks of a source that differs between
                            threads holds for this thread only */
    uint64_t now_cpu_ns; /* the processor time of this thread, + 1; 0: unknown */
};

/* That of a stored image. */
struct ep_present ep_snapshot_stored_moment(const struct ep_image *image);

struct ep_site_mark {
    uint32_t site;          /* its number in the image */
    bool is_ambiguous;      /* another site has its name: file and line distinguish them */
    bool is_sampled;        /* not each call was timed: times are estimates */
    bool is_self_rest;      /* estimates of what is inside were subtracted from its self time */
    bool is_corrected;      /* the cost of its probes was subtracted, and is more than the clock's
                               resolution: a time of 0 is less than one probe */
    uint64_t self_error_ns; /* half of the 95 % interval of its self time, if that is or has
                               estimates, rounded up; EPROF_UNKNOWN: not known */
    uint64_t overhead_ns;   /* what its probes cost; in a sum at the highest cost of any image */
    uint64_t uncounted;     /* open calls that are not among its calls */
};

/* The tree position of a scope's row. Rows are in the order of a walk through the tree: children
 * after their parent, siblings by total time. */
struct ep_tree_position {
    uint32_t site;  /* its number in the image */
    uint32_t depth; /* 0: below the root */
    size_t parent;  /* its row; SIZE_MAX: none */
    size_t end;     /* the row after its last descendant */
    struct ep_site_mark mark;
    bool is_around; /* only an ancestor of rows that a view selects */
    union ep_row_distribution distribution;
    struct ep_ladder *ladder; /* NULL: not requested */
    uint32_t thread;          /* the number of its thread; merged: 0 */
    uint32_t group_run;       /* its times in the groups of processes, from 1 on; 0: none */
};

/* Processes with neighbouring numbers: ranks, or process ids; one, or a power of two. */
struct ep_process_group {
    uint64_t first;
    bool has_ranks;
};

/* The groups of all processes of a profile, in ascending order, ranks first. */
struct ep_process_groups {
    size_t count;     /* 0: none, or not known */
    uint64_t numbers; /* in each, from `first` on */
    struct ep_process_group *at;
    uint64_t *max_ns; /* of the slowest process of each, for each path; 0: no calls */
};

/* Which instance a row belongs to: a slot is used by one instance after another. */
struct ep_instance_slot {
    uint64_t born;   /* the generation in which it was allocated */
    uint32_t thread; /* the number of its thread; merged: 0 */
    union ep_row_distribution distribution;
    struct ep_ladder *ladder; /* NULL: not requested */
};

/* Of a row of a value. */
struct ep_value_mark {
    uint32_t site; /* its number in the image */
    size_t around; /* the row of the scope that it was recorded in; SIZE_MAX: none */
    const struct ep_distribution *distribution; /* NULL: not requested */
};

/* A tree before a view removed rows: shares refer to these sums. */
struct ep_whole {
    const char *thread;
    size_t positions, sites; /* rows and tops */
    size_t functions;        /* tops that are functions, not scopes */
    uint64_t total_ns;       /* of all roots */
    uint64_t self_ns;        /* of all tops */
};

enum { EP_NOTES_SITES = 3 }; /* EP_UNENDED_SITES of image/cells_header.h */

struct ep_unended_site {
    const char *name;
    const char *file; /* "": none */
    uint32_t line;
};

/* The facts that a report states besides figures and diagnostics. */
struct ep_notes {
    uint64_t holds_kept, holds_ended;
    uint64_t forked;         /* child processes */
    uint64_t missing;        /* those of them whose calls are not in this image */
    bool children_have_file; /* each child that records has an image file of its own */
    bool is_sum;             /* of several images */
    struct ep_unended_site unended[EP_NOTES_SITES]; /* regions that never ended */
    size_t unended_count;
    bool has_more_unended;
};

/* Everything except the names. `sites` receives the numbers of the first sites that never ended,
 * then 0. */
struct ep_notes ep_notes_count(const struct ep_image *image, uint32_t sites[EP_NOTES_SITES]);

/* What is known of the times in cell 14 of an image that is no sum: EP_NOTE_RUN_... */
uint32_t ep_notes_of_run(const struct ep_image *image);

/* The run of the process since the last reset; in a sum, of all of them. EPROF_UNKNOWN: not known.
 * In ns, whatever the unit of the rows. */
struct ep_run {
    uint64_t wall_ns, cpu_ns;     /* of the process */
    uint64_t overhead_ns;         /* what the probes cost it */
    uint64_t overhead_milliticks; /* the same of the rows */
    uint32_t threads;             /* those with scopes */
    bool has_entries; /* functions were recorded by patched entries, not by hooks alone */
    bool is_wall;     /* the source shows the same time in all threads, and so may show wall time */
    bool is_old; /* wall_ns and cpu_ns are as of the last update: the file is of a program that was
                    killed or still runs */
    bool is_stale;      /* and that may be long ago: only timed calls under a budget update them */
    bool is_partly_old; /* a sum, of which some times are complete */
};

/* What the last line of a tree recommends. */
enum ep_hint {
    EP_HINT_NONE,
    EP_HINT_OPTIONS, /* of the command, which reads a profile file */
    EP_HINT_ITEMS    /* of EPROF: the program ended, and left no profile file */
};

/* The public name eprof_snapshot is this structure. */
struct eprof_snapshot {
    struct eprof_row *rows; /* instances by ID, scopes, then the diagnostics that are not zero */
    size_t row_count, row_room;
    size_t scope_first;      /* rows from here on are scopes; a tree for each thread, or one */
    size_t diagnostic_first; /* rows from here on are of kind "diagnostic" */
    struct ep_tree_position *positions; /* of the rows from scope_first on. The `path` of these rows
                                     is NULL until ep_rows_path() is called: all paths of a deep
                                     tree would fill the memory */
    struct eprof_row *values; /* a row for each value and call path, in the order of the trees */
    struct ep_value_mark *value_marks; /* of each of them */
    size_t value_count, value_room, value_mark_room;
    struct eprof_row *tops; /* a row for each site (and thread), merged over its paths, in
                               the order of self time; `path` is NULL */
    size_t top_count;
    struct ep_site_mark *top_marks;          /* of each of them */
    struct ep_instance_slot *instance_slots; /* of each row of an instance */
    struct eprof_snapshot *by_threads; /* the same with a tree for each thread, taken immediately
                                          after it; NULL: not requested, or there is one thread */
    size_t sampled_count;              /* sites in rows whose times are estimates */
    /* set by a view, see snapshot/view.h */
    const struct ep_field *order; /* the sort key of rows, siblings and tops; NULL: as above */
    bool is_chosen;               /* a number of rows was requested: a report shows each of them */
    bool is_filtered;             /* rows were requested by name, regardless of their time */
    bool is_focused;              /* the roots are scopes that were requested */
    const char *region;           /* the region of a report on one region; NULL: none */
    enum ep_hint hint;
    struct ep_whole *wholes; /* of each tree, then one without a thread; NULL: no row was removed */
    struct ep_snapshot_options options;
    const struct ep_image *image; /* while the snapshot is made */
    const char *command;    /* the command line of a stored image's program; "": not known. NULL:
                               this is the live image */
    uint64_t process_count; /* whose images were merged; 0: these are not several */
    bool has_ranks;         /* each of these was a rank of MPI */
    struct ep_process_groups groups;
    uint64_t process_id;  /* 0: of several */
    uint64_t realtime_ns; /* when it began, the first of several */
    const char *unit;     /* "ns" or "ticks": the unit of durations */
    const char *source;   /* its name */
    double ticks_per_us;  /* as known at this moment */
    double resolution_ns; /* the smallest step seen; 0: the source never moved */
    double pair_ns;       /* the overhead of a start with its stop, */
    double inside_ns;     /* and the part of it that is measured as time inside */
    double scope_pair_ns; /* the same of a scope; 0: not known */
    double scope_inside_ns;
    double function_pair_ns; /* and of a function; 0: not known */
    double function_inside_ns;
    double cpu_read_ns; /* a reading of the processor time; 0: not recorded, or not known */
    struct ep_conversion conversion;
    struct ep_notes notes;
    struct ep_run run;
    uint64_t clock_errors;                 /* rejected differences of all rows */
    uint64_t saturated;                    /* rows with a time of more than 64 bits */
    struct ep_distribution *distributions; /* the newest of all, which are freed with it */
    struct ep_arena strings;               /* all strings of the rows */
};

/* Reads `image` while recording goes on. The caller holds the process lock, so that names do not
 * change. NULL with ENOMEM. */
struct eprof_snapshot *ep_snapshot_take(const struct ep_image *image, struct ep_scale scale,
                                        struct ep_present present,
                                        struct ep_snapshot_options options);
/* The same for an image that was read from a file or merged: it contains scale, moment and origin.
 * Its diagnostics also count the images that were not closed or were cut short. */
struct eprof_snapshot *ep_snapshot_take_stored(const struct ep_image *image,
                                               struct ep_snapshot_options options);
/* Sets the probe's costs that times contain; none if they are already subtracted. */
void ep_snapshot_take_probe_off(struct ep_conversion *conversion, const struct ep_image *image);
/* Sets what the probes cost the program. */
void ep_snapshot_describe_probes(struct ep_conversion *conversion, const struct ep_image *image);
/* Whether processor time was recorded, its conversion, and the part of probes in it: none if the
 * image is a sum without probes. `scale`: from ticks to ns. */
void ep_snapshot_describe_cpu(struct ep_conversion *conversion, const struct ep_image *image,
                              struct ep_scale scale, bool is_raw);
/* Adds the diagnostics since the last reset to `counts`, which has EP_DIAGNOSTIC_KINDS elements. */
void ep_snapshot_add_diagnostics(uint64_t *counts, const struct ep_image *image);
void ep_snapshot_free(struct eprof_snapshot *snapshot);

/* The path of a row: the names from the root, joined by ';', with ';' and '\' in a name escaped by
 * '\'. The path of a scope is made at the first call. It lives as long as the snapshot. NULL with
 * ENOMEM. Not from two threads at once. */
const char *ep_rows_path(struct eprof_snapshot *snapshot, size_t row);
/* The same, to be freed. */
char *ep_rows_path_copy(const struct eprof_snapshot *snapshot, size_t row);

/* Makes unknown how its time is spread over processes. */
void ep_rows_without_processes(struct eprof_row *row);

/* The length of its name without the parameters that a function of C++ has. */
size_t ep_rows_bytes_without_parameters(const struct eprof_row *row);
/* Whether a row is of the region `name`: has that name, with or without parameters, or the name and
 * the location that reports show where names are ambiguous: "parse (json.c:120)". */
bool ep_rows_is_called(const struct eprof_row *row, const char *name);

/* The mark that all rows of instances have. */
EP_INLINE struct ep_site_mark ep_rows_instance_mark(const struct eprof_snapshot *snapshot)
{
    bool is_corrected = !snapshot->options.raw && snapshot->inside_ns > snapshot->resolution_ns;
    return (struct ep_site_mark){.is_corrected = is_corrected};
}

/* The tree position of a row that is a scope. */
EP_INLINE struct ep_tree_position *ep_rows_position(const struct eprof_snapshot *snapshot,
                                                    size_t row)
{
    return &snapshot->positions[row - snapshot->scope_first];
}

/* The time of the slowest process of each group at the path of a row, in ns; NULL: not known. */
EP_INLINE const uint64_t *ep_rows_groups(const struct eprof_snapshot *snapshot, size_t row)
{
    uint32_t run = ep_rows_position(snapshot, row)->group_run;
    if (run == 0 || snapshot->rows[row].processes == EPROF_UNKNOWN)
        return NULL;
    return &snapshot->groups.max_ns[(run - (size_t)1) * snapshot->groups.count];
}

/* The ladder of a row; NULL: not requested, or this is a row of diagnostics. */
EP_INLINE struct ep_ladder *ep_rows_ladder(const struct eprof_snapshot *snapshot, size_t row)
{
    if (row >= snapshot->diagnostic_first)
        return NULL;
    return row < snapshot->scope_first ? snapshot->instance_slots[row].ladder
                                       : ep_rows_position(snapshot, row)->ladder;
}

#endif /* EP_SNAPSHOT_SNAPSHOT_H */
