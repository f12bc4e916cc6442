#include "record/process.h"

#include "base/platform.h"
#include "eprof.h"

struct ep_process ep_process;

/* Alone on its cache line: a variable that is written with each pair would slow every reader of it.
 */
int eprof_recording __attribute__((aligned(EP_CELL_BYTES))) = EP_RECORDING_ALL;

struct ep_process_wiped *ep_process_wiped_page;

struct ep_process_wiped *ep_process_get_wiped(void)
{
    struct ep_process_wiped *page = ep_process_wiped();
    if (EP_LIKELY(page != NULL))
        return page;
    if (ep_process.is_released)
        return NULL;
    struct ep_process_wiped *fresh = ep_platform_allocate_wiped(sizeof *fresh);
    if (!fresh)
        return NULL;
    /* several threads may come first: one page is kept. Pairs with ep_process_wiped() */
    if (!__atomic_compare_exchange_n(&ep_process_wiped_page, &page, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        ep_platform_release_kept(fresh, sizeof *fresh);
        return page;
    }
    return fresh;
}

bool ep_process_is_ready(void)
{
    struct ep_process_wiped *page = ep_process_wiped();
    return page && ep_load_acquire(&page->is_ready);
}

void ep_process_diagnose(enum ep_diagnostic kind)
{
    if (ep_process_is_ready())
        __atomic_fetch_add(&ep_process.image.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[kind], 1,
                           __ATOMIC_RELAXED);
}

struct ep_moment ep_process_first_moment(void)
{
    const struct ep_source_cell *source = &ep_process.image.cells[EP_CELL_SOURCE].source;
    return (struct ep_moment){ep_load(&source->first_ticks), ep_load(&source->first_monotonic_ns)};
}
