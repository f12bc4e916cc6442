/*
 * tables.h - the sum so far, as tables whose rows refer to each other by index
 *
 * A thing that is in several images has one row. Rows are in the order in which they were found,
 * which has no meaning. "Find" functions return an index and create a missing row. If there is no
 * memory for it, they set is_failed of the merge and return EP_MAP_NONE, the index of a spare row
 * without meaning: so adding continues to the end, where the failure is reported.
 */
#ifndef EP_MERGE_TABLES_H
#define EP_MERGE_TABLES_H

#include "base/hash.h"
#include "base/memory.h"
#include "image/image.h"
#include "merge/merge.h"
#include "snapshot/figures.h"

/* ---- the unit of the sum: the ticks of its images, or ns (clock.c) ---- */

struct ep_merge_unit {
    bool is_ns;            /* else ticks are not converted */
    struct ep_scale scale; /* of the image */
};

EP_INLINE uint64_t ep_merge_unit_of(const struct ep_merge_unit *unit, uint64_t ticks)
{
    return unit->is_ns ? ep_wide_scale_ns(unit->scale, ticks) : ticks;
}

/* The sources of the images. All zero: no image was inspected. */
struct ep_merge_clock {
    uint64_t images;                 /* inspected so far */
    char name[32];                   /* of the first source */
    bool is_several;                 /* another source has another name */
    struct ep_scale lowest, highest; /* of all rates; ticks 0: none is known */
    uint64_t ticks_per_second;       /* nominal; 0: not known, or different */
    struct ep_wide ns, ticks;        /* the sum of the rates of the images added */
};

void ep_merge_clock_inspect(struct ep_merge_clock *clock, const union ep_cell *header);
/* How an image is to be converted. */
struct ep_merge_unit ep_merge_clock_unit(const struct ep_merge_clock *clock,
                                         const struct ep_image *image);
/* Adds the rate of an image. */
void ep_merge_clock_add(struct ep_merge_clock *clock, const struct ep_image *image);
void ep_merge_clock_write(const struct ep_merge_clock *clock, struct ep_image *image);

/* Adds what another inspection of other images found. */
void ep_merge_clock_join(struct ep_merge_clock *clock, const struct ep_merge_clock *other);

/* Raises each of the highest costs of the images' probes. */
void ep_merge_clock_add_probe(struct ep_merge *merge);

/* ---- the figures of a region (sums.c) ---- */

/* The calls of one region on one thread. All zero: none. */
struct ep_merge_sum {
    struct ep_figures figures;
    uint64_t so_far_ticks; /* of open calls; not in the total of `figures` */
    uint32_t first_octave; /* see ep_figures_octave() */
    uint16_t rests;        /* of a raw sum: EP_MERGED_REST, EP_MERGED_PARTS */
    bool is_begun;
};

/* A region in the image that is added. */
struct ep_merge_region {
    struct ep_correction net;          /* the correction of a snapshot, in ticks */
    const struct ep_statistics *stats; /* with its histogram; NULL: it has no calls */
    struct ep_figures figures;         /* as measured, in the image's ticks */
    uint64_t total_ticks, self_ticks;  /* of a scope: without probes, with the time so far */
    uint64_t raise_ticks, lower_ticks; /* total_ticks was raised or lowered by, to fit it */
    uint16_t rests; /* EP_MERGED_REST: self_ticks may be negative, in two's complement */
};

void ep_merge_sums_add(struct ep_merge *merge, struct ep_merge_sum *sum,
                       const struct ep_merge_region *region);
/* Into the empty cells of a region. False: no memory. */
bool ep_merge_sums_write(const struct ep_merge *merge, const struct ep_merge_sum *sum,
                         struct ep_image *image, struct ep_statistics *stats);

/* ---- tables and names (tables.c) ---- */

/* The texts of images, each once. All zero: empty. */
struct ep_merge_names {
    struct ep_fingerprint_table table;
    struct ep_arena texts;
};

struct ep_merge_name {
    struct ep_wide print;
    const char *text; /* followed by a NUL */
    uint32_t bytes;
};

extern const struct ep_merge_name ep_merge_tables_no_name;

EP_INLINE const struct ep_merge_name *ep_merge_names_at(const struct ep_merge_names *names,
                                                        uint32_t index)
{
    return (const struct ep_merge_name *)names->table.rows + index;
}

/* A new text is copied. EP_MAP_NONE: no memory. */
uint32_t ep_merge_tables_names_find(struct ep_merge_names *names, const char *text, uint32_t bytes);
/* Compares like memcmp(); a text comes before those that begin with it. */
int ep_merge_tables_names_compare(const struct ep_merge_name *a, const struct ep_merge_name *b);
void ep_merge_tables_names_free(struct ep_merge_names *names);

/* ---- the rows, which begin with their keys: see ep_merge_key() ---- */

/* The beginning of each row of a kind that is written. */
struct ep_merge_ranked {
    struct ep_wide key;
    uint32_t rank; /* in the order of its kind, in the image that is written */
};

struct ep_merge_line {
    struct ep_wide key; /* file, a name; number */
};

struct ep_merge_module {
    struct ep_wide key; /* path; version, a name: build-id or time, which distinguishes modules of
                           one path */
    uint32_t rank;
    ep_ref ref;   /* in the image that is written */
    bool is_used; /* a function is in it */
};

struct ep_merge_function {
    struct ep_wide key;
    uint64_t address;
    uint32_t module; /* the first of its modules and addresses */
    uint32_t label;  /* a name */
    uint16_t naming; /* enum ep_site_naming */
    bool is_sampled; /* in any image */
    bool is_seen;    /* false: the row is new */
};

enum { EP_MERGE_OTHER_SITE = 0 }; /* the row of EP_SITE_OTHER, of paths that had no room */

struct ep_merge_site {
    struct ep_wide key;
    uint32_t rank;        /* its number, from EP_SITE_FIRST on */
    uint32_t line, label; /* a line; a name */
    uint32_t function;    /* EP_MAP_NONE: the site is no function */
    uint16_t kind;        /* enum ep_site_kind */
    uint64_t budget_ns;   /* of EP_SITE_OVER, as in the image; else 0 */
    bool is_unended;      /* an image states that it never ended */
};

struct ep_merge_instance {
    struct ep_wide key; /* label, a name; 0 */
    uint32_t rank;      /* its slot */
    uint64_t birth;     /* the lowest sequence number of its allocation */
};

struct ep_merge_thread {
    struct ep_wide key; /* the name that is shown; 0 */
    uint32_t rank;
    uint32_t number; /* the lowest */
    bool is_named;   /* else it is named by its number */
    uint32_t root;   /* a node; EP_MAP_NONE: none */
};

struct ep_merge_node {
    struct ep_wide key; /* parent, site; the root of a thread: EP_MAP_NONE, thread */
    uint32_t rank;
    struct ep_merge_sum sum;
};

struct ep_merge_instance_cells {
    struct ep_wide key; /* thread, instance */
    uint32_t rank;
    struct ep_merge_sum sum;
};

/* A call path in all threads (balance.c). */
struct ep_merge_path {
    struct ep_wide key;             /* the path above, EP_MAP_NONE: none; site */
    struct ep_balance_cell figures; /* without site and parent */
    uint64_t ticks;                 /* in the threads of the image that is added */
    bool is_in_image;               /* which has calls of this path */
};

/* The greatest time of each path in each group of processes (groups.c; image/cells_header.h). */
struct ep_merge_groups {
    uint32_t count, shift;
    bool is_unknown; /* a sum without groups was added: there are none in the result */
    struct ep_merge_group {
        uint64_t key;     /* shifted */
        uint64_t *max_ns; /* by path */
        size_t room;
    } at[EP_GROUPS_MOST + 1]; /* in any order */
};

/* The rows with the index EP_MAP_NONE: they replace rows for which there was no memory. */
struct ep_merge_spare {
    struct ep_merge_line lines;
    struct ep_merge_module modules;
    struct ep_merge_function functions;
    struct ep_merge_site sites;
    struct ep_merge_instance instances;
    struct ep_merge_thread threads;
    struct ep_merge_node nodes;
    struct ep_merge_instance_cells instance_cells;
    struct ep_merge_path paths;
};

struct ep_merge_origin {
    uint64_t images;
    uint64_t process_id, realtime_ns;
    uint64_t not_closed, interrupted, cut_short, clock_apart, items_not_understood;
    uint32_t command; /* a name: the common one, or "" */
    uint64_t diagnostics[EP_DIAGNOSTIC_KINDS];
    struct ep_note_cell note; /* without `unended` */
    struct ep_run_cell run;   /* the sums of what is known */
};

struct ep_merge {
    bool is_raw;
    bool ignores_locations, ignores_processes;
    bool is_failed; /* memory was refused */
    struct ep_merge_spare *spare;
    struct ep_merge_clock clock;
    /* the highest costs of any image's probe, for reports: they are subtracted already */
    struct ep_probe_cell probe;
    struct ep_function_probe_cell function_probe;
    struct ep_sampled_probe_cell sampled_probe;
    struct ep_cpu_cell cpu; /* `is_on` if it was in any image */
    struct ep_merge_origin origin;
    struct ep_merge_names names;
    struct ep_fingerprint_table lines, modules, functions, sites, instances, threads, nodes,
        instance_cells, paths;
    struct ep_processes_cell processes; /* the counts */
    struct ep_merge_groups groups;
    struct ep_octaves octaves; /* of all sums */
    struct ep_image image;     /* as written last */
    /* the image that is added, how it is converted, and the overhead to subtract */
    const struct ep_image *from;
    struct ep_merge_unit unit;
    struct ep_conversion overhead;
    uint64_t overhead_milliticks; /* what the probes of the image cost */
};

/* A key of two numbers. As `upper`, EP_MAP_NONE is different from each index. */
EP_INLINE struct ep_wide ep_merge_key(uint32_t upper, uint32_t lower)
{
    return (struct ep_wide){(uint64_t)upper << 32 | lower, 0};
}

EP_INLINE uint32_t ep_merge_upper(struct ep_wide key)
{
    return (uint32_t)(key.low >> 32);
}

EP_INLINE uint32_t ep_merge_lower(struct ep_wide key)
{
    return (uint32_t)key.low;
}

EP_INLINE const struct ep_merge_name *ep_merge_name(const struct ep_merge *merge, uint32_t index)
{
    return index < merge->names.table.count ? ep_merge_names_at(&merge->names, index)
                                            : &ep_merge_tables_no_name;
}

EP_INLINE uint32_t ep_merge_found(struct ep_merge *merge, uint32_t index)
{
    merge->is_failed |= index == EP_MAP_NONE;
    return index;
}

/* A text of the image that is added; ref 0: "". */
EP_INLINE uint32_t ep_merge_text_find(struct ep_merge *merge, ep_ref text, uint32_t bytes)
{
    return ep_merge_found(merge, ep_merge_tables_names_find(&merge->names,
                                                            ep_image_string(merge->from, text),
                                                            text ? bytes : 0));
}

/* ep_merge_line(merge, index): a row; ep_merge_line_find(merge, key): its index; and so on. */
#define EP_MERGE_ROW(name, table)                                                                  \
    EP_INLINE struct name *name(const struct ep_merge *merge, uint32_t index)                      \
    {                                                                                              \
        return index == EP_MAP_NONE ? &merge->spare->table                                         \
                                    : (struct name *)merge->table.rows + index;                    \
    }                                                                                              \
    EP_INLINE uint32_t name##_find(struct ep_merge *merge, struct ep_wide key)                     \
    {                                                                                              \
        return ep_merge_found(merge, ep_hash_table_find(&merge->table, sizeof(struct name), key)); \
    }
EP_MERGE_ROW(ep_merge_line, lines)
EP_MERGE_ROW(ep_merge_module, modules)
EP_MERGE_ROW(ep_merge_function, functions)
EP_MERGE_ROW(ep_merge_site, sites)
EP_MERGE_ROW(ep_merge_instance, instances)
EP_MERGE_ROW(ep_merge_thread, threads)
EP_MERGE_ROW(ep_merge_node, nodes)
EP_MERGE_ROW(ep_merge_instance_cells, instance_cells)
EP_MERGE_ROW(ep_merge_path, paths)

/* A thread, by the name that it is shown under. */
uint32_t ep_merge_tables_threads_find(struct ep_merge *merge, const struct ep_thread_cell *thread);

/* ---- sites, functions and modules (sites.c) ---- */

/* Everything except its path, into an empty cell. */
void ep_merge_sites_modules_write(const struct ep_merge *merge, const struct ep_merge_module *from,
                                  struct ep_module_cell *to);

/* Creates the first site, EP_SITE_OTHER. */
void ep_merge_sites_begin(struct ep_merge *merge);
/* The row of a site of the image that is added; NULL: EP_MERGE_OTHER_SITE. */
uint32_t ep_merge_sites_find(struct ep_merge *merge, const struct ep_site_cell *cell);

/* ---- the balance of processes (balance.c) ---- */

/* The row of a call path. parent: that of the path above, EP_MAP_NONE: none. */
uint32_t ep_merge_balance_path(struct ep_merge *merge, uint32_t parent, uint32_t site);
/* The image that is added is of one process: adds the calls of a path in one thread, then all. */
void ep_merge_balance_add_thread(struct ep_merge *merge, uint32_t path, uint64_t total_ticks);
void ep_merge_balance_end_process(struct ep_merge *merge);
/* It is a sum. rows: room for each of its paths. site_of: from a number to the row of a site. */
typedef uint32_t ep_merge_site_of(void *context, uint32_t number);
void ep_merge_balance_add_sum(struct ep_merge *merge, uint32_t *rows, ep_merge_site_of *site_of,
                              void *context);
/* After the ranks of sites are known. 0, or -1: no memory. */
int ep_merge_balance_write(const struct ep_merge *merge, struct ep_image *image);

/* ---- groups of processes (groups.c) ---- */

/* The group of a process, by its key, or of a sum's group, by its key shifted back. Valid until the
 * next call. */
struct ep_merge_group *ep_merge_groups_find(struct ep_merge *merge, uint64_t key);
/* Raises the greatest time of a path in a group. */
void ep_merge_groups_raise(struct ep_merge *merge, struct ep_merge_group *group, uint32_t path,
                           uint64_t ns);
/* The image that is added is a sum, whose path i has the row rows[i]. */
void ep_merge_groups_add_sum(struct ep_merge *merge, const uint32_t *rows);
/* After the paths are written: `row_of` has the row of each. 0, or -1: no memory. */
int ep_merge_groups_write(const struct ep_merge *merge, struct ep_image *image,
                          const uint32_t *row_of);
void ep_merge_groups_free(struct ep_merge_groups *groups);

/* ---- trees, and writing (trees.c, write.c) ---- */

/* Adds the call trees of the image, by thread and path, with the time so far of open scopes and
 * without the overhead of its probe. 0, or -1: no memory. */
int ep_merge_trees_add(struct ep_merge *merge);

/* Writes all rows into the empty image of `merge`. 0, or -1 and ENOMEM. */
int ep_merge_write(struct ep_merge *merge);

#endif /* EP_MERGE_TABLES_H */
