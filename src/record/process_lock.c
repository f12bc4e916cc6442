#include "record/process_lock.h"

#include <pthread.h>

#include "record/rate.h"

static uint32_t *changes(void)
{
    return &ep_process.image.cells[EP_CELL_LOCK].lock.changes;
}

void ep_process_mutex_lock(void)
{
    struct ep_process_wiped *page = ep_process_wiped();
    uint64_t self = (uint64_t)pthread_self();
    /* only this thread stores its own number, so a stale value is another thread's */
    if (ep_load(&page->holder) != self) {
        pthread_mutex_lock(&page->mutex);
        ep_store(&page->holder, self);
    }
    if (page->times++ != 0 || !page->is_ready)
        return;
    /* In a child of _Fork(), of which the library gets no notice, it may begin odd. Release and
     * fence pair with the readers' acquires in image/ */
    ep_store_release(changes(), *changes() | 1);
    ep_store_fence();
}

void ep_process_mutex_unlock(void)
{
    struct ep_process_wiped *page = ep_process_wiped();
    /* 0: a child of a fork() in a signal handler that interrupted the lock's holder */
    if (page->times == 0 || --page->times != 0)
        return;
    if (page->is_ready) {
        struct ep_backing *backing = &ep_process.image.backing;
        if (backing->cells)
            ep_rate_scale_refresh();
        ep_rate_run_refresh();
        ep_store_release(changes(), (*changes() | 1) + 1);
        if (backing->error && !backing->is_reported) {
            backing->is_reported = true;
            ep_upward.cut_short(backing->error);
        }
    }
    ep_store(&page->holder, 0);
    pthread_mutex_unlock(&page->mutex);
}
