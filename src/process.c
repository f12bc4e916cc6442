#include "process.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "function.h"
#include "function_throttle.h"
#include "platform.h"
#include "process_scale.h"
#include "thread.h"
#include "thread_life.h"

/* What a forked child finds zeroed. All zero is an unlocked mutex (glibc, musl). */
struct wiped {
    pthread_mutex_t mutex;
    uint64_t holder; /* pthread_self() of who has the mutex, so that it may take it again */
    uint32_t times;  /* that it has */
    bool is_ready;   /* this process is set up */
    int cancel_state, cancel_type; /* of the holder, before it took the lock */
};

struct ep_process ep_process = {.functions = &ep_function_none.table,
                                .throttle_calls = EP_THROTTLE_CALLS};

static struct wiped *wiped;
static pthread_key_t thread_end_key;
static bool is_forking; /* the holder of the lock is in fork(); not wiped, so the child knows */

/* ---- the lock ---- */

static struct wiped *get_wiped(void)
{
    struct wiped *page = ep_load_acquire(&wiped);
    if (EP_LIKELY(page != NULL))
        return page;
    struct wiped *fresh = ep_platform_allocate_wiped(sizeof *fresh);
    if (!fresh)
        return NULL;
    /* of several first callers one wins; pairs with the acquire above */
    if (!__atomic_compare_exchange_n(&wiped, &page, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        ep_platform_release(fresh, sizeof *fresh);
        return page;
    }
    return fresh;
}

/* For readers of the image's file, and children of a fork that nobody was told of: odd while
 * something may be half done. In a child it may begin odd, as it was in the parent. */
static void begin_changes(void)
{
    uint32_t *changes = &ep_process.image.cells[EP_CELL_LOCK].lock.changes;
    ep_store_release(changes, *changes | 1);
    ep_store_fence();
}

static void end_changes(void)
{
    uint32_t *changes = &ep_process.image.cells[EP_CELL_LOCK].lock.changes;
    if (ep_process.image.backing.cells)
        ep_process_scale_refresh();
    ep_store_release(changes, (*changes | 1) + 1);
}

/* A file that could not grow: said once, by whoever saw it. */
static void tell_of_error(void)
{
    struct ep_backing *backing = &ep_process.image.backing;
    if (!backing->error || backing->is_told)
        return;
    backing->is_told = true;
    ep_process_cut_short(backing->error);
}

void ep_process_mutex_lock(void)
{
    struct wiped *page = wiped;
    uint64_t self = (uint64_t)pthread_self();
    /* only this thread ever stores its own number, so a stale look finds another's */
    if (ep_load(&page->holder) != self) {
        pthread_mutex_lock(&page->mutex);
        ep_store(&page->holder, self);
    }
    if (page->times++ == 0 && page->is_ready)
        begin_changes();
}

void ep_process_mutex_unlock(void)
{
    struct wiped *page = wiped;
    /* 0: this is a child of a fork() in a signal handler that came under the lock */
    if (page->times == 0 || --page->times != 0)
        return;
    if (page->is_ready) {
        end_changes();
        tell_of_error();
    }
    ep_store(&page->holder, 0);
    pthread_mutex_unlock(&page->mutex);
}

/* Keeps signal handlers of this thread from needing the lock. false: this is one,
 * and what it interrupted may have it. */
static bool mark_busy(void)
{
    struct ep_thread *self = ep_self;
    if (self->busy)
        return false;
    if (self->cell)
        ep_thread_mark_busy(self);
    else
        ep_self = &ep_thread_entering;
    ep_signal_fence();
    return true;
}

static void unmark_busy(void)
{
    ep_signal_fence();
    if (ep_self == &ep_thread_entering)
        ep_self = &ep_thread_nobody;
    else
        ep_self->busy = 0;
}

/* ---- fork ---- */

static void before_fork(void)
{
    if (!ep_process_is_ready() || !mark_busy())
        return;
    ep_process_mutex_lock();
    is_forking = true;
    ep_image_before_fork(&ep_process.image);
}

static void after_fork_in_parent(void)
{
    if (!wiped || ep_load(&wiped->holder) != (uint64_t)pthread_self() || !is_forking)
        return;
    is_forking = false;
    ep_backing_forget_copy(&ep_process.image.backing);
    ep_process_mutex_unlock();
    unmark_busy();
}

/* What the kernel wiped is wiped, and where it does not (before 4.14), this does. */
static void after_fork_in_child(void)
{
#ifdef __SANITIZE_THREAD__
    if (is_forking) /* which saw the parent lock it, and not the kernel wipe it */
        pthread_mutex_unlock(&wiped->mutex);
#endif
    is_forking = false;
    if (wiped)
        memset(wiped, 0, sizeof *wiped);
    if (ep_self == &ep_thread_entering)
        ep_self = &ep_thread_nobody;
    if (ep_self->cell)
        ep_thread_wipe_all();
    /* without memory renew() tries again */
    if (ep_process.image.backing.copy)
        ep_image_leave_file(&ep_process.image);
}

/* The copy of the parent's image becomes this process's own: the instances and
 * their handles are the same, and nothing has been recorded yet. -1 and ENOMEM. */
static int renew(void)
{
    if (ep_image_leave_file(&ep_process.image) != 0)
        return -1;
    ep_process.is_being_read = false;
    ep_thread_life_forget_all();
    ep_image_describe(&ep_process.image);
    ep_control_use_source(ep_process_source());
    ep_control_drain();
    wiped->is_ready = true;
    ep_process_renewed();
    return 0;
}

/* ---- set-up ---- */

static void end_thread(void *unused)
{
    (void)unused;
    if (ep_process_lock() != 0)
        return;
    ep_thread_life_end();
    ep_process_unlock();
}

int ep_process_watch_thread(void)
{
    return pthread_setspecific(thread_end_key, &ep_process) == 0 ? 0 : (errno = ENOMEM, -1);
}

/* A plug-in with the static library in it may be closed: what ends afterwards shall
 * not call what is not there any more. (The shared library is never unloaded.) */
__attribute__((destructor)) static void forget_thread_ends(void)
{
    if (ep_process_is_ready())
        pthread_key_delete(thread_end_key);
}

static int set_up(void)
{
    if (pthread_key_create(&thread_end_key, end_thread) != 0) {
        errno = ENOMEM;
        return -1;
    }
    if (ep_image_create(&ep_process.image) != 0) {
        pthread_key_delete(thread_end_key);
        return -1;
    }
    ep_control_use_source(ep_source_find("auto"));
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    wiped->is_ready = true;
    ep_process_first_use();
    return 0;
}

int ep_process_lock(void)
{
    if (!get_wiped()) {
        errno = ENOMEM;
        return -1;
    }
    /* what is done under the lock has cancellation points: open(), write() */
    int cancel_state, cancel_type;
    ep_platform_hold_cancel(&cancel_state, &cancel_type);
    if (!mark_busy()) {
        ep_process_trouble(EP_TROUBLE_LOST);
        ep_platform_release_cancel(cancel_state, cancel_type);
        errno = EBUSY;
        return -1;
    }
    ep_process_mutex_lock();
    wiped->cancel_state = cancel_state;
    wiped->cancel_type = cancel_type;
    if (wiped->is_ready)
        return 0;
    if ((ep_process.image.cells ? renew() : set_up()) == 0)
        return 0;
    ep_process_unlock();
    errno = ENOMEM;
    return -1;
}

void ep_process_unlock(void)
{
    int cancel_state = wiped->cancel_state, cancel_type = wiped->cancel_type;
    ep_process_mutex_unlock();
    unmark_busy();
    ep_platform_release_cancel(cancel_state, cancel_type);
}

bool ep_process_is_ready(void)
{
    struct wiped *page = ep_load_acquire(&wiped);
    return page && page->is_ready;
}

/* ---- what belongs to no thread ---- */

void ep_process_trouble(enum ep_trouble kind)
{
    if (ep_process_is_ready())
        __atomic_fetch_add(&ep_process.image.cells[EP_CELL_TROUBLE].trouble.count[kind], 1,
                           __ATOMIC_RELAXED);
}

struct ep_moment ep_process_first_moment(void)
{
    const struct ep_source_cell *source = &ep_process.image.cells[EP_CELL_SOURCE].source;
    return (struct ep_moment){source->first_ticks, source->first_monotonic_ns};
}
