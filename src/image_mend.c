#include "image_mend.h"

#include "map.h"
#include "wide.h"

static struct ep_node_cell *node_at(const struct ep_image *copy, ep_ref ref)
{
    return (struct ep_node_cell *)ep_image_cell(copy, ref);
}

static struct ep_pair_cell *pair_at(const struct ep_image *copy, ep_ref ref)
{
    return (struct ep_pair_cell *)ep_image_cell(copy, ref);
}

/* ---- one field: nobody says that what a move names is one ---- */

enum { WORDS = EP_CELL_BYTES / sizeof(uint64_t) };

static uint64_t word_of(const struct ep_image *copy, const uint64_t *field)
{
    return (uint64_t)(field - (const uint64_t *)copy->cells);
}

static bool is_counter_of(const struct ep_image *copy, const struct ep_statistics *stats,
                          uint64_t word)
{
    if (word >= word_of(copy, &stats->calls) && word <= word_of(copy, &stats->errors))
        return true;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++) {
        ep_ref counts = ep_cell_octave(copy->cells, stats, octave);
        if (counts && word / WORDS == counts)
            return true;
    }
    return false;
}

static bool is_in_pairs(const struct ep_image *copy, ep_ref first, uint64_t word)
{
    for (ep_ref ref = first; ref; ref = pair_at(copy, ref)->next)
        if (is_counter_of(copy, &pair_at(copy, ref)->stats, word))
            return true;
    return false;
}

static bool is_in_nodes(const struct ep_image *copy, ep_ref first, uint64_t word)
{
    for (ep_ref ref = first; ref; ref = node_at(copy, ref)->next)
        if (word == word_of(copy, &node_at(copy, ref)->self_ticks) ||
            is_counter_of(copy, &node_at(copy, ref)->stats, word))
            return true;
    return false;
}

static bool is_of_thread(const struct ep_image *copy, const struct ep_thread_cell *thread,
                         uint64_t word)
{
    return is_in_nodes(copy, thread->nodes, word) || is_in_pairs(copy, thread->pairs, word) ||
           is_in_pairs(copy, thread->scratch_pairs, word);
}

/* An ended thread's goes to another's, under the lock: so but one at a time, and looked for but
 * once, whatever an image says. */
static bool is_of_another(const struct ep_image *copy, uint64_t word, bool *is_looked_for)
{
    const struct ep_thread_cell *thread;
    if (*is_looked_for)
        return false;
    *is_looked_for = true;
    for (ep_ref ref = ep_image_root(copy)->threads; ref; ref = thread->next) {
        thread = &ep_image_cell(copy, ref)->thread;
        if (is_of_thread(copy, thread, word))
            return true;
    }
    return false;
}

static void finish_move(const struct ep_image *copy, const struct ep_thread_cell *thread,
                        bool *is_looked_for)
{
    struct ep_move_cell *move = &ep_image_cell(copy, thread->move)->move;
    uint64_t *words = (uint64_t *)copy->cells;
    uint64_t from = move->from, to = move->to;
    bool is_wide = move->is_wide;
    move->from = 0;
    if (!from || !is_of_thread(copy, thread, to + is_wide) || !is_of_thread(copy, thread, to))
        return;
    if (!is_of_thread(copy, thread, from) && !is_of_another(copy, from, is_looked_for))
        return;
    if (is_wide && (from + 1) % WORDS == 0)
        return; /* of an octave's last count: no square has it */
    words[from] = 0;
    words[to] = move->sum_low;
    if (is_wide) {
        words[from + 1] = 0;
        words[to + 1] = move->sum_high;
    }
}

/* ---- the figures of a region ---- */

static void move(uint64_t *to, uint64_t *from)
{
    *to += *from;
    *from = 0;
}

static void move_octave(struct ep_image *copy, ep_ref to, ep_ref from)
{
    for (unsigned step = 0; to && from && step < EP_OCTAVE_BUCKETS; step++)
        move(&copy->cells[to].octave.count[step], &copy->cells[from].octave.count[step]);
}

static void move_figures(struct ep_image *copy, struct ep_statistics *to,
                         struct ep_statistics *from)
{
    move(&to->calls, &from->calls);
    move(&to->total_ticks, &from->total_ticks);
    move(&to->nested, &from->nested);
    move(&to->errors, &from->errors);
    to->abandoned += from->abandoned;
    from->abandoned = 0;
    to->min_ticks = from->min_ticks < to->min_ticks ? from->min_ticks : to->min_ticks;
    to->max_ticks = from->max_ticks > to->max_ticks ? from->max_ticks : to->max_ticks;
    struct ep_wide sum = ep_wide_add((struct ep_wide){to->square_low, to->square_high},
                                     (struct ep_wide){from->square_low, from->square_high});
    to->square_low = sum.low;
    to->square_high = sum.high;
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        move_octave(copy, ep_cell_octave(copy->cells, to, octave),
                    ep_cell_octave(copy->cells, from, octave));
}

/* ---- the rest of a keep ---- */

static bool is_of_hold(const struct ep_image *copy, uint64_t stamp)
{
    return (stamp & EP_STAMP_GENERATION) >= ep_image_control(copy)->reset_generation &&
           stamp / EP_STAMP_LEVEL == 1;
}

/* What was kept already has a stamp of 0. */
static void keep_nodes(struct ep_image *copy, const struct ep_thread_cell *thread)
{
    struct ep_node_cell *node;
    for (ep_ref ref = thread->nodes; ref; ref = node->next) {
        node = node_at(copy, ref);
        if (node->level != 1 || !node->base || !is_of_hold(copy, node->stamp))
            continue;
        struct ep_node_cell *base = node_at(copy, node->base);
        move(&base->self_ticks, &node->self_ticks);
        move_figures(copy, &base->stats, &node->stats);
        node->stamp = 0;
    }
}

/* The thread's pairs by handle: there may be as many as there are instances. 0, or -1 and ENOMEM.
 */
static int index_pairs(struct ep_map *bases, const struct ep_image *copy, ep_ref first)
{
    size_t count = 0;
    for (ep_ref ref = first; ref; ref = pair_at(copy, ref)->next)
        count++;
    if (ep_map_reserve(bases, count) != 0)
        return -1;
    for (ep_ref ref = first; ref; ref = pair_at(copy, ref)->next) {
        uint64_t key = (uint64_t)pair_at(copy, ref)->handle + 1;
        if (ep_map_find(bases, key) == EP_MAP_NONE)
            ep_map_add(bases, key, ref);
    }
    return 0;
}

static void keep_pair(struct ep_image *copy, const struct ep_map *bases,
                      struct ep_pair_cell *scratch)
{
    if (!is_of_hold(copy, scratch->stamp))
        return;
    ep_ref base = ep_map_find(bases, (uint64_t)scratch->handle + 1);
    if (base != EP_MAP_NONE)
        move_figures(copy, &pair_at(copy, base)->stats, &scratch->stats);
    scratch->stamp = 0;
}

static int keep_pairs(struct ep_image *copy, const struct ep_thread_cell *thread)
{
    struct ep_map bases = {.places = NULL};
    int result = index_pairs(&bases, copy, thread->pairs);
    for (ep_ref ref = thread->scratch_pairs; ref && result == 0; ref = pair_at(copy, ref)->next)
        keep_pair(copy, &bases, pair_at(copy, ref));
    ep_map_free(&bases);
    return result;
}

/* What an inner hold keeps goes to an outer one, which is undecided. */
static int finish_keep(struct ep_image *copy, struct ep_thread_cell *thread)
{
    thread->keeps++;
    if (ep_image_cell(copy, thread->move)->move.keep_level != 1)
        return 0;
    keep_nodes(copy, thread);
    return keep_pairs(copy, thread);
}

int ep_image_mend(struct ep_image *copy)
{
    struct ep_thread_cell *thread;
    bool is_looked_for = false;
    int result = 0;
    for (ep_ref ref = ep_image_root(copy)->threads; ref && result == 0; ref = thread->next) {
        thread = &ep_image_cell(copy, ref)->thread;
        finish_move(copy, thread, &is_looked_for);
        if (thread->keeps % 2)
            result = finish_keep(copy, thread);
    }
    return result;
}
