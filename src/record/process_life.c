#include "record/process_life.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/platform.h"
#include "record/control.h"
#include "record/light.h"
#include "record/process_lock.h"
#include "record/sampling.h"
#include "record/thread.h"
#include "record/thread_life.h"

#define LONGEST_WAIT_NS UINT64_C(1000000000) /* for threads that end */

static bool is_forking; /* the holder of the lock is in fork(). Not zeroed, so the child sees it */
static int errno_before_fork; /* of that thread */
static bool is_counted_child; /* in its parent's `forked`, and not set up yet */

/* ---- a thread under the lock ---- */

/* Keeps signal handlers of this thread from needing the lock. false: this is one, and the code that
 * it interrupted may hold the lock. */
static bool mark_busy(void)
{
    struct ep_thread *self = ep_thread_self;
    if (self->busy)
        return false;
    if (self->cell)
        ep_thread_mark_busy(self, EP_THREAD_IS_COLD);
    else
        ep_thread_self = &ep_thread_entering;
    ep_signal_fence();
    return true;
}

static void unmark_busy(void)
{
    ep_signal_fence();
    if (ep_thread_self == &ep_thread_entering)
        ep_thread_self = &ep_thread_nobody;
    else
        ep_thread_unmark_busy(ep_thread_self);
}

/* ---- fork ---- */

static void before_fork(void)
{
    if (!ep_process_is_ready())
        return;
    ep_light_write_out();
    if (!mark_busy())
        return;
    ep_process_mutex_lock();
    is_forking = true;
    ep_image_before_fork(&ep_process.image);
    errno_before_fork = errno;
    errno = 0;
}

static void after_fork_in_parent(void)
{
    if (!ep_process_wiped() || ep_load(&ep_process_wiped()->holder) != (uint64_t)pthread_self() ||
        !is_forking)
        return;
    int error = errno;
    is_forking = false;
    /* also called after a failed fork(), which only errno shows: it was set to 0 before */
    struct ep_note_cell *note = &ep_process.image.cells[EP_CELL_NOTE].note;
    if (error != EAGAIN && error != ENOMEM && error != ENOSYS && error != EPERM) {
        ep_store(&note->forked, note->forked + 1);
        ep_store(&note->forked_with_image,
                 note->forked_with_image + (ep_process.image.backing.cells != 0));
    }
    ep_backing_forget_copy(&ep_process.image.backing);
    errno = error ? error : errno_before_fork;
    ep_process_mutex_unlock();
    unmark_busy();
}

/* Zeroes what the kernel zeroes, where it does not (before 4.14). */
static void after_fork_in_child(void)
{
#ifdef __SANITIZE_THREAD__
    if (is_forking) /* the sanitizer saw the parent lock it, but not the kernel zero it */
        pthread_mutex_unlock(&ep_process_wiped()->mutex);
#endif
    is_counted_child = is_forking;
    if (is_forking)
        errno = errno_before_fork;
    is_forking = false;
    if (ep_process_wiped())
        memset(ep_process_wiped(), 0, sizeof *ep_process_wiped());
    if (ep_thread_self == &ep_thread_entering)
        ep_thread_self = &ep_thread_nobody;
    if (ep_thread_self->cell)
        ep_thread_wipe_all();
    ep_light_forget();
    /* without memory renew() tries again */
    if (ep_process.image.backing.copy)
        ep_image_leave_file(&ep_process.image);
}

/* Makes the copy of the parent's image this process's own: the instances and their handles are the
 * same, and nothing has been recorded yet. 0, or -1 and ENOMEM. */
static int renew(void)
{
    if (ep_image_leave_file(&ep_process.image) != 0)
        return -1;
    ep_process.is_being_read = false;
    ep_process.image.cells[EP_CELL_NOTE].note =
        (struct ep_note_cell){.flags = is_counted_child ? EP_NOTE_CHILD : 0};
    is_counted_child = false; /* not inherited by a child of this process */
    ep_thread_life_forget_all();
    ep_image_describe(&ep_process.image);
    ep_control_use_source(ep_process_source());
    ep_control_quiesce();
    ep_store_release(&ep_process_wiped()->is_ready, true); /* pairs with ep_process_is_ready() */
    ep_upward.renewed();
    return 0;
}

static void end_thread(void *unused)
{
    struct ep_process_wiped *page = ep_process_wiped();
    (void)unused;
    if (!page)
        return;
    if (ep_thread_self->busy == EP_THREAD_IS_BRIEF) /* it was cancelled there */
        ep_thread_unmark_busy(ep_thread_self);
    __atomic_fetch_add(&page->ending, 1, __ATOMIC_ACQ_REL);
    if (ep_process_lock() == 0) {
        ep_thread_life_end();
        ep_process_unlock();
    }
    __atomic_fetch_sub(&page->ending, 1, __ATOMIC_ACQ_REL); /* pairs with ep_process_release() */
}

static int set_up(void)
{
    if (ep_thread_life_watch_ends(end_thread) != 0)
        return -1;
    if (ep_image_create(&ep_process.image) != 0) {
        ep_thread_life_unwatch_ends();
        return -1;
    }
    ep_control_use_source(ep_source_find("auto"));
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    ep_store_release(&ep_process_wiped()->is_ready, true); /* pairs with ep_process_is_ready() */
    ep_sampling_set(EP_SAMPLING_DEFAULT, 0);
    ep_upward.first_use();
    return 0;
}

int ep_process_lock(void)
{
    struct ep_process_wiped *page = ep_process_get_wiped();
    if (!page) {
        errno = ENOMEM;
        return -1;
    }
    /* code under the lock has cancellation points: open(), write() */
    int cancel_state, cancel_type;
    ep_platform_hold_cancel(&cancel_state, &cancel_type);
    ep_light_write_out();
    if (!mark_busy()) {
        ep_process_diagnose(EP_DIAGNOSTIC_LOST);
        ep_platform_release_cancel(cancel_state, cancel_type);
        errno = EBUSY;
        return -1;
    }
    ep_process_mutex_lock();
    page->cancel_state = cancel_state;
    page->cancel_type = cancel_type;
    if (page->is_ready)
        return 0;
    if ((ep_process.image.cells ? renew() : set_up()) == 0)
        return 0;
    ep_process_unlock();
    errno = ENOMEM;
    return -1;
}

void ep_process_unlock(void)
{
    const struct ep_process_wiped *page = ep_process_wiped();
    int cancel_state = page->cancel_state, cancel_type = page->cancel_type;
    ep_process_mutex_unlock();
    unmark_busy();
    ep_platform_release_cancel(cancel_state, cancel_type);
}

struct ep_thread *ep_process_self(void)
{
    struct ep_thread *thread = ep_thread_self;
    if (EP_UNLIKELY(thread->lent))
        return NULL;
    if (EP_LIKELY(thread->cell != NULL))
        return thread;
    if (ep_process_lock() != 0)
        return NULL;
    thread = ep_thread_life_begin(NULL, 0);
    ep_process_unlock();
    if (!thread) {
        ep_process_diagnose(EP_DIAGNOSTIC_OUT_OF_CELLS);
        ep_process_diagnose(EP_DIAGNOSTIC_LOST);
    }
    return thread;
}

void ep_process_release(void)
{
    ep_process.is_released = true;
    if (!ep_process_wiped())
        return;
    if (ep_process.image.cells) {
        ep_thread_life_unwatch_ends();
        /* Waits for threads that began to end before their key was deleted. It cannot wait for a
         * thread in the first or last few instructions of end_thread() */
        uint64_t begin_ns = ep_platform_monotonic_ns();
        while (ep_load_acquire(&ep_process_wiped()->ending) != 0 && /* pairs with end_thread() */
               ep_platform_monotonic_ns() - begin_ns < LONGEST_WAIT_NS)
            sched_yield();
        ep_backing_forget_copy(&ep_process.image.backing);
        ep_image_destroy(&ep_process.image);
    }
    ep_store_release(&ep_process.source, NULL);
    ep_thread_self = &ep_thread_nobody;
    ep_light_forget();
    ep_store_release(&ep_process_wiped_page, NULL);
    ep_platform_release_all_kept();
}
