/*
 * merge_tables.h - what has been added up so far
 *
 * Tables, whose rows know each other by index. What is the same in two images has one row; the
 * order of the rows is that in which they were met, and tells nothing.
 */
#ifndef EP_MERGE_TABLES_H
#define EP_MERGE_TABLES_H

#include "merge.h"
#include "merge_clock.h"
#include "merge_names.h"
#include "merge_probe.h"
#include "merge_sums.h"
#include "merge_table.h"

struct ep_merge_line {
    uint32_t file; /* a name */
    uint32_t number;
};

struct ep_merge_module {
    uint32_t path;
    uint32_t version; /* a name: what tells it from others of its path */
    uint32_t rank;    /* in the order of all */
    ep_ref ref;       /* in the image that is written, */
    bool is_used;     /* if a function lies in it */
};

/* 4 GiB of a module, and an address in them: what is known of either is its key. */
struct ep_merge_half {
    uint32_t unused;
};
struct ep_merge_address {
    uint32_t unused;
};

struct ep_merge_function {
    uint64_t address;
    uint32_t module; /* of several that it lies in, and addresses, the first */
    uint32_t label;  /* a name */
    uint16_t naming; /* enum ep_site_naming */
    bool is_thinned; /* in any image */
    bool is_seen;    /* false: the row has just been made */
};

/* The first is that of paths for which there was no room. */
struct ep_merge_site {
    uint32_t line, label; /* a line; a name */
    uint32_t function;    /* EP_MAP_NONE: it is none */
    uint32_t number;      /* in the image that is written */
};

struct ep_merge_instance {
    uint32_t label; /* a name */
    uint64_t birth; /* the lowest; when it was allocated, before or after others */
    uint32_t slot;  /* in the image that is written */
};

/* Known by the name that is shown. */
struct ep_merge_thread {
    uint32_t name;
    uint32_t number; /* the lowest */
    bool is_named;   /* else it is called by its number */
    uint32_t root;   /* a node; EP_MAP_NONE: none */
    uint32_t rank;   /* in the image that is written */
};

struct ep_merge_node {
    uint32_t parent; /* EP_MAP_NONE: a thread's root */
    uint32_t site;
    struct ep_merge_sum sum;
};

struct ep_merge_pair {
    uint32_t thread, instance;
    struct ep_merge_sum sum;
};

struct ep_merge_origin {
    uint64_t images;
    uint64_t process_id, realtime_ns;
    uint64_t not_closed, cut_short, clock_apart, items_not_understood;
    uint32_t command; /* a name: the common one, or "" */
    uint64_t trouble[EP_TROUBLE_KINDS];
};

struct ep_merge {
    bool is_raw;
    bool ignores_places;
    struct ep_merge_clock clock;
    struct ep_merge_probe probe;
    struct ep_merge_origin origin;
    struct ep_merge_names names;
    struct ep_merge_table modules, halves, addresses, functions;
    struct ep_merge_table lines, sites, instances, threads, nodes, pairs;
    struct ep_merge_octaves octaves;
    struct ep_image image; /* as written last */
};

/* A key of two numbers, of which the upper one is an index or EP_MAP_NONE: never 0, as an index
 * is raised by one; none is as high as EP_MAP_NONE less one. */
EP_INLINE uint64_t ep_merge_key(uint32_t upper, uint32_t lower)
{
    return (uint64_t)(upper == EP_MAP_NONE ? upper : upper + 1) << 32 | lower;
}

EP_INLINE const struct ep_merge_name *ep_merge_name(const struct ep_merge *merge, uint32_t index)
{
    return &merge->names.at[index];
}

EP_INLINE struct ep_merge_line *ep_merge_line(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_line *)merge->lines.rows + index;
}

EP_INLINE struct ep_merge_module *ep_merge_module(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_module *)merge->modules.rows + index;
}

EP_INLINE struct ep_merge_function *ep_merge_function(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_function *)merge->functions.rows + index;
}

EP_INLINE struct ep_merge_site *ep_merge_site(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_site *)merge->sites.rows + index;
}

EP_INLINE struct ep_merge_instance *ep_merge_instance(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_instance *)merge->instances.rows + index;
}

EP_INLINE struct ep_merge_thread *ep_merge_thread(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_thread *)merge->threads.rows + index;
}

EP_INLINE struct ep_merge_node *ep_merge_node(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_node *)merge->nodes.rows + index;
}

EP_INLINE struct ep_merge_pair *ep_merge_pair(const struct ep_merge *merge, uint32_t index)
{
    return (struct ep_merge_pair *)merge->pairs.rows + index;
}

#endif /* EP_MERGE_TABLES_H */
