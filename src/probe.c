#include "probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "eprof.h"
#include "pair.h"

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

/*
 * Cells for a thread's record that is on no list, with one pair of no instance:
 * the real calls record into it as they do everywhere else. Its mark "busy"
 * keeps signal handlers out, a control cell of its own keeps it from other
 * threads' resets. Every octave's counts go to one cell; they are not looked at.
 */
static struct ep_pair_cell *borrow(struct ep_thread *scratch)
{
    static ep_ref cells; /* of the one image there is; taken once */
    if (!cells)
        cells = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    if (!cells)
        return NULL;
    ep_ref counts = cells + sizeof(struct ep_pair_cell) / EP_CELL_BYTES;
    scratch->cells = ep_process.image.cells;
    struct ep_pair_cell *pair = (struct ep_pair_cell *)&scratch->cells[cells];
    *pair = (struct ep_pair_cell){
        .stamp = ep_pair_stamp(scratch), .handle = EP_HANDLE_PROBE, .min_ticks = UINT64_MAX};
    for (int i = 0; i < EP_NEAR_OCTAVES; i++)
        pair->octave[i] = counts;
    return pair;
}

static void measure(const struct ep_source *source, struct ep_pair_cell *pair,
                    struct ep_probe_cell *probe)
{
    uint64_t inside[ROUNDS], around[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t total = pair->total_ticks;
        uint64_t begin = ep_source_now(source);
        for (int i = 0; i < PAIRS; i++) {
            eprof_instance_start(EP_HANDLE_PROBE);
            eprof_instance_stop(EP_HANDLE_PROBE);
        }
        around[round] = ep_source_difference(source, begin, ep_source_now(source));
        inside[round] = pair->total_ticks - total;
    }
    probe->inside_milliticks = median(inside) * 1000 / PAIRS;
    probe->pair_milliticks = median(around) * 1000 / PAIRS;
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

void ep_probe_calibrate(void)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_source *source = ep_process_source();
    struct ep_control_cell control = {.generation = 1, .horizon_ticks = source->mask >> 1};
    /* a record with a table of one */
    union {
        struct ep_thread thread;
        char room[sizeof(struct ep_thread) + sizeof(struct ep_pair_cell *)];
    } scratch = {.thread = {.pair_capacity = 1, .busy = 1, .control = &control}};
    struct ep_pair_cell *pair = probe->is_known ? NULL : borrow(&scratch.thread);
    if (!pair)
        return;
    ep_thread_open_table(&scratch.thread);
    memcpy(&scratch.room[offsetof(struct ep_thread, pairs)], &pair, sizeof pair);
    struct ep_thread *self = ep_self;
    ep_self = &scratch.thread;
    measure(source, pair, probe);
    ep_self = self;
    probe->resolution_ticks = resolution(source);
    probe->is_known = 1;
}
