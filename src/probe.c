#include "probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eprof.h"
#include "function.h"
#include "pair.h"
#include "stack.h"
#include "tree.h"

/* Rounds of so many pairs; the median round counts, so that an interrupt, a
 * change of frequency or the cold first rounds do not. 31 rounds of 32 pairs at
 * some 25 ns each are 25 us. */
enum { ROUNDS = 31, PAIRS = 32, READS = 200 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t median(uint64_t *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

/* ---- a record for it ---- */

/* What stands where in the block. Every octave's counts go to one cell; they are not looked at. */
enum {
    AT_PAIR = 0,
    AT_COUNTS = AT_PAIR + sizeof(struct ep_pair_cell) / EP_CELL_BYTES,
    AT_ROOT,
    AT_NODE = AT_ROOT + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_LOWEST = AT_NODE + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_ENTRY /* and on */
};

_Static_assert(AT_ENTRY + PAIRS < EP_BLOCK_CELLS, "the deepest has an entry above it");

enum { SITE = EP_SITE_FIRST, SITES = SITE + 1 };

/*
 * A thread's record that is no thread's, with one pair of no instance and one scope of
 * no site: the real calls record into it as they do everywhere else. Its mark "busy"
 * keeps signal handlers out, a control cell of its own keeps it from other threads' resets.
 */
struct scratch {
    struct ep_thread *thread;
    ep_ref cells; /* a block */
    struct ep_control_cell control;
    struct ep_place places[SITES];
};

static void lend_counts(struct ep_statistics *stats, ep_ref counts)
{
    *stats = (struct ep_statistics){.min_ticks = UINT64_MAX};
    for (int i = 0; i < EP_NEAR_OCTAVES; i++)
        stats->octave[i] = counts;
}

static struct ep_pair_cell *set_up_pair(struct scratch *scratch)
{
    struct ep_pair_cell *pair =
        (struct ep_pair_cell *)&scratch->thread->cells[scratch->cells + AT_PAIR];
    *pair =
        (struct ep_pair_cell){.stamp = ep_thread_stamp(scratch->thread), .handle = EP_HANDLE_PROBE};
    lend_counts(&pair->stats, scratch->cells + AT_COUNTS);
    scratch->thread->pairs[0] = pair;
    return pair;
}

static struct ep_node_cell *set_up_scope(struct scratch *scratch)
{
    struct ep_thread *thread = scratch->thread;
    ep_ref root = scratch->cells + AT_ROOT, node = scratch->cells + AT_NODE;
    struct ep_node_cell *cell = ep_tree_node(thread, node);
    *cell = (struct ep_node_cell){.stamp = ep_thread_stamp(thread), .site = SITE, .parent = root};
    lend_counts(&cell->stats, scratch->cells + AT_COUNTS);
    thread->top = ep_stack_entry(thread, scratch->cells + AT_LOWEST);
    thread->free = scratch->cells + AT_ENTRY;
    *thread->top = (struct ep_frame_cell){
        .frame = UINT64_MAX, .node = root, .next = thread->free, .state = EP_FRAME_OPEN};
    for (ep_ref ref = thread->free; ref <= thread->free + PAIRS; ref++)
        *ep_stack_entry(thread, ref) = (struct ep_frame_cell){.below = ref - 1, .next = ref + 1};
    scratch->places[SITE] = (struct ep_place){.parent = root, .node = node};
    return cell;
}

/* false: no memory. */
static bool set_up(struct scratch *scratch, const struct ep_source *source)
{
    /* of the one image there is; taken once */
    static ep_ref cells;
    static struct ep_thread *thread;
    if (!cells)
        cells = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    if (!thread)
        thread = ep_thread_make_record(0);
    if (!cells || !thread)
        return false;
    scratch->cells = cells;
    scratch->thread = thread;
    scratch->control =
        (struct ep_control_cell){.generation = 1, .horizon_ticks = source->mask >> 1};
    thread->control = &scratch->control;
    thread->cells = ep_process.image.cells;
    thread->busy = 1;
    thread->pair_capacity = 1;
    thread->places = scratch->places;
    thread->site_capacity = SITES;
    ep_thread_open_tables(thread);
    return true;
}

/* ---- measured ---- */

static void record_pairs(void)
{
    for (int i = 0; i < PAIRS; i++) {
        eprof_instance_start(EP_HANDLE_PROBE);
        eprof_instance_stop(EP_HANDLE_PROBE);
    }
}

static struct eprof_site site = {.number = SITE};

static void record_scopes(void)
{
    char token;
    for (int i = 0; i < PAIRS; i++) {
        eprof_scope_enter(&site, &token, __builtin_dwarf_cfa());
        eprof_scope_leave(&token);
    }
}

/* Inside each other, as recursion has them: they cost less than one after the other. */
__attribute__((noinline)) static void record_nested(int depth)
{
    char token;
    eprof_scope_enter(&site, &token, __builtin_dwarf_cfa());
    if (depth)
        record_nested(depth - 1);
    eprof_scope_leave(&token);
}

static void record_nested_scopes(void)
{
    record_nested(PAIRS - 1);
}

/* ---- functions ---- */

/* Addresses of no functions: of the scratch site, and of the same as a throttled one. */
static char function, throttled_function;

/* As the hooks of libeprof-auto do. */
__attribute__((noinline)) static void hook_enter(char *called, void *frame)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || frame)
        eprof_function_enter(called, called, frame, called);
}

__attribute__((noinline)) static void hook_leave(char *called, void *frame)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || frame)
        eprof_function_leave(called, called, frame, called);
}

static void record_functions(void)
{
    void *frame = __builtin_dwarf_cfa();
    for (int i = 0; i < PAIRS; i++) {
        hook_enter(&function, frame);
        hook_leave(&function, frame);
    }
}

/* Frames go down, as a recursion's do. */
static void record_nested_functions(void)
{
    char *frame = __builtin_dwarf_cfa();
    for (int depth = 0; depth < PAIRS; depth++)
        hook_enter(&function, frame - depth * 16);
    for (int depth = PAIRS; depth-- > 0;)
        hook_leave(&function, frame - depth * 16);
}

/* Inside one that is not timed itself: so all of them are not. */
static void record_untimed_functions(void)
{
    char *frame = __builtin_dwarf_cfa();
    struct ep_thread *thread = ep_self;
    hook_enter(&function, frame);
    thread->top->state |= EP_FRAME_UNTIMED;
    for (int i = 0; i < PAIRS; i++) {
        hook_enter(&throttled_function, frame - 16);
        hook_leave(&throttled_function, frame - 16);
    }
    thread->top->state &= ~(uint32_t)EP_FRAME_UNTIMED;
    hook_leave(&function, frame);
}

/* ---- rounds ---- */

/* What an empty pair costs around it, in thousandths of a tick; what it reads, as counted in
 * *counter, goes to *inside. */
static uint64_t measure(const struct ep_source *source, void (*record)(void),
                        const uint64_t *counter, uint64_t *inside_milliticks)
{
    uint64_t inside[ROUNDS], around[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t before = *counter, begin = ep_source_now(source);
        record();
        around[round] = ep_source_difference(source, begin, ep_source_now(source));
        inside[round] = *counter - before;
    }
    *inside_milliticks = median(inside) * 1000 / PAIRS;
    return median(around) * 1000 / PAIRS;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* What all steps of the source are multiples of; 0: it did not move. The steps
 * themselves are no measure: they are what a read takes. */
static uint64_t resolution(const struct ep_source *source)
{
    uint64_t divisor = 0, before = ep_source_now(source);
    for (int i = 0; i < READS; i++) {
        uint64_t now = ep_source_now(source);
        uint64_t step = ep_source_difference(source, before, now);
        if (step <= source->mask >> 1)
            divisor = greatest_common_divisor(step, divisor);
        before = now;
    }
    return divisor;
}

static void calibrate_scopes(struct scratch *scratch, const struct ep_source *source)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_pair_cell *pair = set_up_pair(scratch);
    const struct ep_node_cell *node = set_up_scope(scratch);
    uint64_t unused;
    probe->pair_milliticks =
        measure(source, record_pairs, &pair->stats.total_ticks, &probe->inside_milliticks);
    probe->scope_pair_milliticks =
        measure(source, record_scopes, &node->stats.total_ticks, &probe->scope_inside_milliticks);
    probe->nested_pair_milliticks =
        measure(source, record_nested_scopes, &node->self_ticks, &unused);
    probe->resolution_ticks = resolution(source);
    probe->is_known = 1;
}

static bool know(const char *address, uint32_t number)
{
    return ep_function_find((uintptr_t)address) || ep_function_set((uintptr_t)address, number);
}

static void calibrate_functions(struct scratch *scratch, const struct ep_source *source)
{
    struct ep_function_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    if (!know(&function, SITE) || !know(&throttled_function, SITE | EP_FUNCTION_THROTTLED))
        return;
    const struct ep_node_cell *node = set_up_scope(scratch);
    uint64_t unused;
    probe->pair_milliticks =
        measure(source, record_functions, &node->stats.total_ticks, &probe->inside_milliticks);
    probe->nested_pair_milliticks =
        measure(source, record_nested_functions, &node->self_ticks, &unused);
    probe->untimed_pair_milliticks =
        measure(source, record_untimed_functions, &node->self_ticks, &unused);
    probe->is_known = 1;
}

/* Of functions, where there are any. */
void ep_probe_calibrate(void)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_source *source = ep_process_source();
    bool has_scopes = !cells[EP_CELL_PROBE].probe.is_known;
    bool has_functions = ep_image_tree(&ep_process.image)->modules &&
                         !cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known;
    struct scratch scratch;
    if ((!has_scopes && !has_functions) || !set_up(&scratch, source))
        return;
    struct ep_thread *self = ep_self;
    ep_self = scratch.thread;
    if (has_scopes)
        calibrate_scopes(&scratch, source);
    if (has_functions)
        calibrate_functions(&scratch, source);
    ep_self = self;
}
