/*
 * compared.h - the comparison of two sides of profiles, which are made by hand
 */
#ifndef COMPARED_H
#define COMPARED_H

#include "support/fake_image.h"

#include "diff/diff.h"

enum { FILES_MOST = 12 };

/* The ticks that one run recorded in main;parse, main;write and an instance. 0: no call. */
struct run {
    uint64_t parse_ticks, write_ticks, instance_ticks;
    unsigned calls;        /* calls of each, with these totals; 0: one call */
    uint32_t line;         /* the line of parse in the source */
    const char *thread;    /* the thread that ran the calls */
    uint64_t twin_ticks;   /* another parse in main, at another line */
    uint64_t hook_ticks;   /* a sampled function in main, at another address each time */
    uint64_t weight;       /* a timed call of parse represents so many; 0: all are timed */
    uint64_t spread_ticks; /* by which half of these are shorter, and half longer */
    uint64_t parse_cpu_ns; /* processor time of parse; 0: not recorded */
    bool are_shown_alike;  /* the two instances have equal labels */
    bool is_parse_nested;  /* all calls of parse are inside another call of it, so none is timed */
    bool is_parse_damaged; /* the number of calls is half of the largest count */
};

struct sides {
    struct run before[FILES_MOST], after[FILES_MOST];
    size_t before_count, after_count;
};

/* Both sides have `count` files, and on each the same times, but parse takes `more_ns` more on the
 * side after. */
struct sides repeated(size_t count, uint64_t more_ns);

/* The result of the last comparison. */
extern struct ep_diff *diff;

/* Compares the sides by this column. filter: NULL for all regions. */
void compare_by(const struct sides *sides, const char *by, const char *filter);

/* Compares all regions by their total. */
void compare(const struct sides *sides);

/* It must run after each comparison. */
int compared_end(void **state);

/* The region of the path, which is unique. It fails if there is no such region. */
const struct ep_diff_row *row_of(const char *path);

#endif /* COMPARED_H */
