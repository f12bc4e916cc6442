#include "snapshot_tops.h"

#include <errno.h>
#include <stdlib.h>

#include "array.h"

int ep_tops_begin(struct ep_tops *tops, uint32_t sites)
{
    tops->top_of = malloc(sites * sizeof *tops->top_of);
    if (!tops->top_of) {
        errno = ENOMEM;
        return -1;
    }
    for (uint32_t i = 0; i < sites; i++)
        tops->top_of[i] = EP_MAP_NONE;
    return 0;
}

static struct ep_top *top_of(struct ep_tops *tops, uint32_t site)
{
    if (tops->top_of[site] != EP_MAP_NONE)
        return &tops->at[tops->top_of[site]];
    struct ep_top *grown = ep_array_room(tops->at, tops->count, &tops->room, sizeof *grown);
    if (!grown)
        return NULL;
    tops->at = grown;
    tops->top_of[site] = (uint32_t)tops->count;
    grown[tops->count] = (struct ep_top){.sum = {.site = site, .figures = ep_figures_none}};
    return &grown[tops->count++];
}

static struct ep_top_octave *octave_of(struct ep_tops *tops, struct ep_top *top, unsigned octave)
{
    if (top->octave[octave] == 0) {
        struct ep_top_octave *grown =
            ep_array_room(tops->octaves, tops->octave_count, &tops->octave_room, sizeof *grown);
        if (!grown)
            return NULL;
        tops->octaves = grown;
        grown[tops->octave_count] = (struct ep_top_octave){.count = {0}};
        top->octave[octave] = (uint32_t)++tops->octave_count;
    }
    return &tops->octaves[top->octave[octave] - 1];
}

int ep_tops_add(struct ep_tops *tops, const struct ep_branch *branch,
                const struct ep_histogram *histogram)
{
    struct ep_top *top = top_of(tops, branch->site);
    if (!top)
        return -1;
    top->sum.probe = branch->probe;
    ep_figures_add(&top->sum.figures, &branch->figures);
    ep_probed_add(&top->sum.total, &branch->total);
    top->sum.total_ticks += branch->total_ticks;
    top->sum.self_ticks += branch->self_ticks;
    for (uint64_t octaves = histogram->octaves; octaves; octaves &= octaves - 1) {
        unsigned octave = (unsigned)__builtin_ctzll(octaves);
        struct ep_top_octave *to = octave_of(tops, top, octave);
        if (!to)
            return -1;
        for (unsigned step = 0; step < EP_OCTAVE_BUCKETS; step++)
            to->count[step] += histogram->counts[octave * EP_OCTAVE_BUCKETS + step];
    }
    return 0;
}

void ep_tops_add_counts(const struct ep_tops *tops, const struct ep_top *top,
                        struct ep_histogram *histogram)
{
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        for (unsigned step = 0; top->octave[octave] && step < EP_OCTAVE_BUCKETS; step++)
            ep_histogram_add(histogram, octave * EP_OCTAVE_BUCKETS + step,
                             tops->octaves[top->octave[octave] - 1].count[step]);
}

void ep_tops_clear(struct ep_tops *tops)
{
    for (size_t i = 0; i < tops->count; i++)
        tops->top_of[tops->at[i].sum.site] = EP_MAP_NONE;
    tops->count = tops->octave_count = 0;
}

void ep_tops_free(struct ep_tops *tops)
{
    free(tops->at);
    free(tops->octaves);
    free(tops->top_of);
}
