#include "record/cpu.h"

#include "record/horizon.h"

bool ep_cpu_set(const struct ep_source *source)
{
    if (ep_process.cpu_source == source)
        return false;
    ep_store(&ep_process.image.cells[EP_CELL_CPU].cpu.is_on, 1);
    ep_store(&ep_process.cpu_source, source);
    ep_horizon_raise();
    return true;
}

void ep_cpu_count(struct ep_cpu_sums *sums, uint64_t now_cpu_ns, uint32_t weight)
{
    uint64_t start_cpu_ns = sums->start_cpu_ns;
    ep_store(&sums->start_cpu_ns, 0);
    if (!start_cpu_ns || now_cpu_ns < start_cpu_ns - 1)
        return;
    ep_add64(&sums->cpu_ns, (now_cpu_ns - (start_cpu_ns - 1)) * weight);
    ep_add64_release(&sums->weight, weight);
}

/* Releases, as in ep_statistics_clear(). */
void ep_cpu_clear(struct ep_cpu_sums *sums)
{
    ep_store_release(&sums->weight, 0);
    ep_store_release(&sums->cpu_ns, 0);
    ep_store_release(&sums->start_cpu_ns, 0);
}

void ep_cpu_add(struct ep_cpu_sums *to, const struct ep_cpu_sums *more)
{
    if (!to || !more)
        return;
    ep_add64(&to->cpu_ns, more->cpu_ns);
    ep_add64_release(&to->weight, more->weight);
}

void ep_cpu_move(struct ep_cpu_sums *to, struct ep_cpu_sums *from)
{
    uint64_t start_cpu_ns = from ? from->start_cpu_ns : 0;
    if (to)
        ep_store(&to->start_cpu_ns, start_cpu_ns);
    if (from)
        ep_store(&from->start_cpu_ns, 0);
}
