#include "bench_loops.h"

#include <eprof.h>
#include <errno.h>
#include <string.h>

#include "bench_counter.h"
#include "bench_pairing.h"

enum { SITES_MAX = 100000, LEVELS_MAX = 5, BRANCHES = 10, VISITS = 2 };

/* A site is identified by file, line and label: these sites all have different lines. */
static struct eprof_site sites[SITES_MAX];
static unsigned site_count, level_count;

/* Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003. */
static uint32_t random_state = 1;

static inline uint32_t draw(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (uint32_t)((uint64_t)random_state * below >> 32);
}

static void name_sites(void)
{
    for (unsigned i = 0; i < SITES_MAX; i++) {
        sites[i].line = i + 1;
        sites[i].file = __FILE__;
        sites[i].label = "bench";
        sites[i].offset = EPROF_NO_OFFSET;
    }
}

/* The same as EPROF_SCOPE, but with a site that does not belong to the block. */
#define SCOPE_OF(site)                                                                             \
    EPROF_TOKEN(bench, eprof_token_enter((site), &eprof_token_bench, EPROF_CALLER_FRAME))

/* ---- one of many ---- */

BENCH_LOOP void bench_scope_flat_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i++) {
        SCOPE_OF(&sites[draw(site_count)]);
    }
}

BENCH_LOOP void bench_raw_flat_pairs(uint64_t pairs)
{
    uint64_t total_ticks = 0;
    for (uint64_t i = 0; i < pairs; i++) {
        bench_keep(&sites[draw(site_count)]);
        uint64_t start_ticks = bench_counter_read();
        total_ticks += bench_counter_read() - start_ticks;
        bench_keep(total_ticks);
    }
}

/* ---- a tree ---- */

__attribute__((noinline)) static void descend(unsigned level)
{
    SCOPE_OF(&sites[level * BRANCHES + draw(BRANCHES)]);
    if (level + 1 < level_count)
        descend(level + 1);
}

__attribute__((noinline)) static void descend_raw(unsigned level)
{
    bench_keep(&sites[level * BRANCHES + draw(BRANCHES)]);
    uint64_t start_ticks = bench_counter_read();
    if (level + 1 < level_count)
        descend_raw(level + 1);
    bench_keep(bench_counter_read() - start_ticks);
}

BENCH_LOOP void bench_scope_tree_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += level_count)
        descend(0);
}

BENCH_LOOP void bench_raw_tree_pairs(uint64_t pairs)
{
    for (uint64_t i = 0; i < pairs; i += level_count)
        descend_raw(0);
}

unsigned bench_tree_nodes(unsigned levels)
{
    unsigned nodes = 0, of_level = 1;
    for (unsigned i = 0; i < levels; i++)
        nodes += of_level *= BRANCHES;
    return nodes;
}

/* ---- before ---- */

/* Returns 0 if each place has its own node. */
static int expect_nodes(unsigned wanted)
{
    struct eprof_row row = {.size = sizeof row};
    unsigned nodes = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++)
        if (eprof_snapshot_row(snapshot, i, &row) == 0 && strcmp(row.kind, "scope") == 0)
            nodes++;
    eprof_snapshot_free(snapshot);
    errno = ENOMEM;
    return nodes == wanted ? 0 : -1;
}

/* 100,000 nodes of each shape are more than the default limit of a program allows. */
static int begin(void)
{
    name_sites();
    return bench_scope_begin() == 0 ? eprof_setup("limit=1G") : -1;
}

int bench_flat_begin(unsigned count)
{
    if (begin() != 0)
        return -1;
    site_count = count;
    for (unsigned visit = 0; visit < VISITS; visit++)
        for (unsigned i = 0; i < count; i++) {
            SCOPE_OF(&sites[i]);
        }
    return expect_nodes(count);
}

__attribute__((noinline)) static void visit_below(unsigned level)
{
    for (unsigned i = 0; i < BRANCHES; i++) {
        SCOPE_OF(&sites[level * BRANCHES + i]);
        if (level + 1 < level_count)
            visit_below(level + 1);
    }
}

int bench_tree_begin(unsigned levels)
{
    if (begin() != 0)
        return -1;
    level_count = levels;
    for (unsigned visit = 0; visit < VISITS; visit++)
        visit_below(0);
    return expect_nodes(bench_tree_nodes(levels));
}
