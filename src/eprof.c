#include "eprof.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "control.h"
#include "environment.h"
#include "exit_moment.h"
#include "exit_tree.h"
#include "hold.h"
#include "instance.h"
#include "instance_record.h"
#include "item.h"
#include "module_names.h"
#include "probe.h"
#include "process.h"
#include "process_clock.h"
#include "process_scale.h"
#include "profile.h"
#include "report.h"
#include "scope_manual.h"
#include "snapshot.h"
#include "snapshot_told.h"
#include "thread.h"
#include "thread_life.h"
#include "utf8.h"

/*
 * The public calls: check, take the lock, call down. The hot ones, start and
 * stop, are in instance_record.c; here stand the copies of their inline halves
 * for other languages.
 */

extern inline void eprof_start(int id);
extern inline void eprof_stop(int id);

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- instances ---- */

void eprof_init(void)
{
    if (ep_process_lock() != 0)
        return;
    ep_instance_release_all();
    ep_control_reset_init();
    ep_process_unlock();
}

int eprof_alloc(const char *label)
{
    if (!label)
        return fail(EINVAL);
    if (ep_process_lock() != 0)
        return -1;
    int id = ep_instance_alloc(label);
    ep_process_unlock();
    return id;
}

void eprof_free(const char *label)
{
    int saved_errno = errno;
    if (ep_process_lock() == 0) {
        if (ep_instance_free(label) != 0)
            ep_process_trouble(EP_TROUBLE_UNKNOWN_LABELS);
        ep_process_unlock();
    }
    errno = saved_errno;
}

int eprof_release(int id)
{
    if (ep_process_lock() != 0)
        return -1;
    int result = ep_instance_release(id);
    ep_process_unlock();
    return result;
}

/* ---- spans ---- */

uint64_t eprof_now(void)
{
    /* a forked child that begins with a span is to be set up before it begins */
    if (EP_UNLIKELY(!ep_process_is_ready())) {
        if (ep_process_lock() != 0)
            return 0;
        ep_process_unlock();
    }
    return ep_source_now(ep_process_source());
}

uint64_t eprof_ns(uint64_t ticks)
{
    int saved_errno = errno;
    uint64_t ns = 0;
    if (ep_process_lock() == 0) {
        ns = ep_scale_ns(ep_process_scale(), ticks);
        ep_process_unlock();
    }
    errno = saved_errno;
    return ns;
}

void eprof_record(int id, uint64_t start, uint64_t stop)
{
    ep_instance_span(id, start, stop);
}

/* ---- scopes ---- */

void eprof_enter(const char *label)
{
    ep_scope_manual_enter(label, __builtin_frame_address(0));
}

void eprof_leave(void)
{
    ep_scope_manual_leave(__builtin_frame_address(0));
}

void eprof_hold(void)
{
    ep_hold_begin();
}

void eprof_keep(bool keep)
{
    ep_hold_end(keep);
}

/* ---- threads ---- */

void eprof_thread_enter(const char *name)
{
    int saved_errno = errno;
    uint32_t bytes = 0;
    if (name)
        bytes = (uint32_t)ep_utf8_cut(name, strnlen(name, EP_LABEL_BYTES + 4), EP_LABEL_BYTES);
    if (ep_process_lock() == 0) {
        /* in a forked child it may have begun under the name that it had in the parent */
        if ((!ep_self->cell && !ep_thread_life_begin(name, bytes)) ||
            ep_thread_life_rename(name, bytes) != 0)
            ep_process_trouble(EP_TROUBLE_OUT_OF_CELLS);
        ep_process_unlock();
    }
    errno = saved_errno;
}

void eprof_thread_exit(void)
{
    int saved_errno = errno;
    if (ep_process_lock() == 0) {
        ep_thread_life_end();
        ep_process_unlock();
    }
    errno = saved_errno;
}

/* ---- run control ---- */

int eprof_setup(const char *items)
{
    if (!items)
        return fail(EINVAL);
    if (ep_process_lock() != 0)
        return -1;
    int result = ep_environment_setup(items);
    ep_process_unlock();
    return result;
}

void eprof_enable(bool on)
{
    int saved_errno = errno;
    if (ep_process_lock() == 0) {
        ep_control_enable(on);
        ep_process_unlock();
    }
    errno = saved_errno;
}

void eprof_thread_enable(bool on)
{
    int saved_errno = errno;
    struct ep_thread *thread = ep_thread_current();
    if (thread)
        ep_thread_switch(thread, on);
    errno = saved_errno;
}

void eprof_reset(void)
{
    int saved_errno = errno;
    if (ep_process_lock() == 0) {
        ep_control_reset();
        ep_process_unlock();
    }
    errno = saved_errno;
}

/* ---- time sources ---- */

int eprof_source_use(const char *name)
{
    if (!name)
        return fail(EINVAL);
    if (ep_process_lock() != 0)
        return -1;
    const struct ep_source *source = ep_source_find(name);
    if (source)
        ep_control_use_source(source);
    ep_process_unlock();
    return source ? 0 : -1;
}

const char *eprof_source_name(void)
{
    eprof_now(); /* the process is set up, whichever call is the first */
    const struct ep_source *source = ep_process_source();
    return source ? source->name : "";
}

int eprof_source_add(const struct eprof_source *source)
{
    if (!source || source->size != sizeof *source || !source->name || !*source->name ||
        !source->now || source->bits > 64 || source->flags & ~EPROF_SOURCE_PER_THREAD)
        return fail(EINVAL);
    struct ep_source copy = {
        .now = source->now,
        .context = source->context,
        .mask = source->bits % 64 ? (UINT64_C(1) << source->bits) - 1 : UINT64_MAX,
        .ticks_per_second = source->ticks_per_second,
        .per_thread = source->flags & EPROF_SOURCE_PER_THREAD,
        .name = source->name,
    };
    if (ep_process_lock() != 0)
        return -1;
    int result = ep_source_register(&copy);
    if (result == 0)
        ep_item_source_added(source->name);
    ep_process_unlock();
    return result;
}

/* ---- results ---- */

/* Lock. NULL, and ENOMEM. */
static eprof_snapshot *raise_to_told(eprof_snapshot *snapshot)
{
    static struct ep_told told;
    uint64_t epoch = ep_load(&ep_image_control(&ep_process.image)->reset_generation);
    if (!snapshot || ep_told_raise(&told, epoch, snapshot) == 0)
        return snapshot;
    ep_snapshot_free(snapshot);
    errno = ENOMEM;
    return NULL;
}

static eprof_snapshot *take(struct ep_snapshot_options options, bool only_grows)
{
    if (ep_module_names_find() != 0 || ep_process_lock() != 0)
        return NULL;
    ep_probe_calibrate();
    struct ep_present present = {
        .is_live = true, .now_ticks = ep_exit_moment_of_report(), .self = (uint64_t)pthread_self()};
    struct ep_scale scale = ep_process_scale();
    ep_process_clock_look(scale);
    ep_store(&ep_process.is_being_read, true);
    eprof_snapshot *snapshot = ep_snapshot_take(&ep_process.image, scale, present, options);
    ep_store(&ep_process.is_being_read, false);
    if (only_grows)
        snapshot = raise_to_told(snapshot);
    ep_process_unlock();
    return snapshot;
}

int eprof_report(FILE *out, const char *format)
{
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report =
        out && format ? ep_report_find(format, strlen(format), &options) : NULL;
    if (!report)
        return fail(EINVAL);
    eprof_snapshot *snapshot = take(options, report->only_grows);
    if (!snapshot)
        return -1;
    int result = ep_report_write(report, snapshot, out);
    int error = errno;
    if (result == 0)
        ep_exit_tree_reported();
    ep_snapshot_free(snapshot);
    errno = error;
    return result;
}

void eprof_print(void)
{
    eprof_report(stdout, "table");
}

int eprof_save(const char *path)
{
    if (!path)
        return fail(EINVAL);
    if (ep_profile_save(path) != 0)
        return -1;
    ep_exit_tree_reported();
    return 0;
}

eprof_snapshot *eprof_snapshot_take(void)
{
    return take((struct ep_snapshot_options){.threads = false}, false);
}

eprof_snapshot *eprof_snapshot_take_threads(void)
{
    return take((struct ep_snapshot_options){.threads = true}, false);
}

void eprof_snapshot_free(eprof_snapshot *snapshot)
{
    ep_snapshot_free(snapshot);
}

size_t eprof_snapshot_rows(const eprof_snapshot *snapshot)
{
    return snapshot ? snapshot->row_count : 0;
}

/* A scope's is made when it is asked for. The lock keeps two threads from making one at the
 * same time; that the snapshot gets a path does not change what it says. */
static const char *path_of(const eprof_snapshot *snapshot, size_t index)
{
    if (index < snapshot->scope_first || index >= snapshot->trouble_first)
        return snapshot->rows[index].path;
    if (ep_process_lock() != 0)
        return NULL;
    const char *path = ep_snapshot_path((eprof_snapshot *)(uintptr_t)snapshot, index);
    ep_process_unlock();
    return path;
}

int eprof_snapshot_row(const eprof_snapshot *snapshot, size_t index, struct eprof_row *row)
{
    if (!snapshot || !row || row->size < sizeof *row || index >= snapshot->row_count)
        return fail(EINVAL);
    size_t size = row->size;
    const char *path = path_of(snapshot, index);
    if (!path)
        return -1;
    *row = snapshot->rows[index];
    row->size = size;
    row->path = path;
    return 0;
}
