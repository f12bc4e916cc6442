#include "instrument/entry_cost.h"

#include "eprof.h"
#include "record/process_life.h"
#include "record/process_lock.h"

/* In thousandths of a tick; 0: unknown. The sums are read one after the other, while other threads
 * add to them: with some calls the quotient is right all the same. */
static uint64_t entry_milliticks(const struct ep_entry_cost *cost)
{
    uint64_t calls = ep_load(&cost->calls), ticks = ep_load(&cost->ticks);
    return calls ? ep_wide_divide(ep_wide_multiply(ticks, 1000), calls) : 0;
}

/* Whether the inner part is known; in thousandths of a tick. */
static bool read_inside(uint64_t *milliticks)
{
    *milliticks = ep_load(&ep_process.entry_inside_ticks) * 1000;
    return *milliticks && *milliticks <= EP_PROBE_MOST_MILLITICKS &&
           ep_process_source()->is_counter;
}

/* If the outer part is unknown, that of a hook stays. The inner part of a hook may be 0: then the
 * processor did its work beside that of the function. */
static void exchange(uint64_t *inside, uint64_t *pair, uint64_t milliticks)
{
    uint64_t outside = ep_load(pair) > ep_load(inside) ? ep_load(pair) - ep_load(inside) : 0;
    ep_store(pair, milliticks + outside);
    ep_store(inside, milliticks);
}

/* Writes what both parts are, if they are known: the same in any thread, so no lock is needed. */
static void write_known(uint64_t milliticks)
{
    union ep_cell *cells = ep_process.image.cells;
    struct ep_function_probe_cell *probe = &cells[EP_CELL_FUNCTION_PROBE].function_probe;
    struct ep_sampled_probe_cell *sampled = &cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    uint64_t single = entry_milliticks(&ep_process.entry_cost[0]);
    uint64_t others = entry_milliticks(&ep_process.entry_cost[1]);
    if (single && ep_load(&probe->is_known)) {
        ep_store(&probe->inside_milliticks, milliticks);
        ep_store(&probe->pair_milliticks, milliticks + single);
        ep_store(&probe->nested_pair_milliticks, milliticks + single);
    }
    if (others && ep_load(&probe->is_known) && ep_load(&sampled->pair_milliticks[1])) {
        ep_store(&sampled->inside_milliticks[1], milliticks);
        ep_store(&sampled->pair_milliticks[1], milliticks + others);
    }
}

void ep_entry_cost_use(void)
{
    union ep_cell *cells = ep_process.image.cells;
    struct ep_function_probe_cell *probe = &cells[EP_CELL_FUNCTION_PROBE].function_probe;
    struct ep_sampled_probe_cell *sampled = &cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    uint64_t milliticks;
    if (ep_load(&ep_process.entry_inside_ticks))
        ep_store(&probe->has_entries, 1);
    if (!read_inside(&milliticks) || !ep_load(&probe->is_known))
        return;
    exchange(&probe->inside_milliticks, &probe->pair_milliticks, milliticks);
    if (ep_load(&sampled->pair_milliticks[1])) /* there is a budget */
        exchange(&sampled->inside_milliticks[1], &sampled->pair_milliticks[1], milliticks);
    write_known(milliticks);
}

/* A call of 8 us and more does not count: it was interrupted, or the first of its module. First
 * calls of a path take page faults of 1 to 2 us each, which count. */
void ep_entry_cost_add(struct ep_thread *thread, bool is_sampled, uint64_t outside_ticks)
{
    enum { BATCH = 16, LONGEST_TICKS = 20000 };
    struct ep_entry_cost *own = &thread->entry_cost[is_sampled];
    struct ep_entry_cost *all = &ep_process.entry_cost[is_sampled];
    if (outside_ticks > LONGEST_TICKS)
        return;
    own->ticks += outside_ticks;
    own->calls++;
    if (own->calls < BATCH && ep_load(&all->calls) >= BATCH)
        return;
    __atomic_add_fetch(&all->ticks, own->ticks, __ATOMIC_RELAXED);
    __atomic_add_fetch(&all->calls, own->calls, __ATOMIC_RELAXED);
    *own = (struct ep_entry_cost){.calls = 0};
    uint64_t milliticks;
    if (read_inside(&milliticks))
        write_known(milliticks);
}

EP_EXPORT void eprof_entry_measured(uint64_t inside_ticks)
{
    EP_KEEP_ERRNO;
    ep_store(&ep_process.entry_inside_ticks, inside_ticks);
    if (!ep_process_self() || ep_thread_self->busy || !ep_thread_begin_cold())
        return; /* a signal handler in a cold path: the next report takes it over */
    ep_process_mutex_lock();
    ep_entry_cost_use();
    ep_process_mutex_unlock();
    ep_thread_end_cold();
}
