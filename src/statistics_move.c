#include "statistics_move.h"

#include "thread.h"

static struct ep_move_cell *journal(void)
{
    return &ep_self->cells[ep_self->cell->move].move;
}

static uint64_t number_of(const uint64_t *word)
{
    return (uint64_t)(word - (const uint64_t *)ep_self->cells);
}

/*
 * `from` is written last, since it says that the rest is there; pairs with nothing but a kill. In
 * an image in memory too, though a keep would take an eighth less time without it (10 places, 3.05
 * us instead of 3.45, a loop of holds, 2026-11-21): a save may find a thread that stands still
 * here.
 */
static void begin(const uint64_t *to, const uint64_t *from, struct ep_wide sum, bool is_wide)
{
    struct ep_move_cell *move = journal();
    ep_store(&move->sum_low, sum.low);
    ep_store(&move->sum_high, sum.high);
    ep_store(&move->is_wide, is_wide);
    ep_store(&move->to, number_of(to));
    ep_store_release(&move->from, number_of(from));
}

static void end(void)
{
    ep_store_release(&journal()->from, 0);
}

void ep_statistics_move_counter(uint64_t *to, uint64_t *from)
{
    if (!*from)
        return;
    begin(to, from, (struct ep_wide){*to + *from, 0}, false);
    ep_add64(to, *from); /* a signal handler may add to it as well */
    ep_store_release(from, 0);
    end();
}

static void move_squares(struct ep_statistics *to, struct ep_statistics *from)
{
    struct ep_wide more = {from->square_low, from->square_high};
    struct ep_wide sum = ep_wide_add((struct ep_wide){to->square_low, to->square_high}, more);
    begin(&to->square_low, &from->square_low, sum, true);
    ep_add_wide(&to->square_low, &to->square_high, more.low, more.high);
    ep_store(&from->square_low, 0);
    ep_store_release(&from->square_high, 0);
    end();
}

static void move_octave(ep_ref to, ep_ref from)
{
    for (unsigned step = 0; to && from && step < EP_OCTAVE_BUCKETS; step++)
        ep_statistics_move_counter(&ep_self->cells[to].octave.count[step],
                                   &ep_self->cells[from].octave.count[step]);
}

/* `calls` last, as in every other end of a call. */
void ep_statistics_move(struct ep_statistics *to, struct ep_statistics *from)
{
    const union ep_cell *cells = ep_self->cells;
    ep_statistics_move_counter(&to->total_ticks, &from->total_ticks);
    if (from->min_ticks < to->min_ticks)
        ep_store(&to->min_ticks, from->min_ticks);
    if (from->max_ticks > to->max_ticks)
        ep_store(&to->max_ticks, from->max_ticks);
    move_squares(to, from);
    for (unsigned octave = 0; octave < EP_OCTAVES; octave++)
        move_octave(ep_cell_octave(cells, to, octave), ep_cell_octave(cells, from, octave));
    ep_statistics_move_counter(&to->nested, &from->nested);
    ep_statistics_move_counter(&to->errors, &from->errors);
    ep_add32(&to->abandoned, from->abandoned);
    ep_store(&from->abandoned, 0);
    ep_statistics_move_counter(&to->calls, &from->calls);
}
