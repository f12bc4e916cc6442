#include "eprof.h"

#include <errno.h>
#include <string.h>

#include "api/at_exit.h"
#include "api/config.h"
#include "api/profile.h"
#include "api/results.h"
#include "instrument/instance_set.h"
#include "instrument/probe_cost.h"
#include "instrument/site.h"
#include "record/control.h"
#include "record/hold.h"
#include "record/light.h"
#include "record/process_life.h"
#include "record/rate.h"
#include "record/thread_life.h"

/*
 * The public calls: they check their arguments, take the lock and call lower layers. The hot calls
 * are in instrument/instance.c and instrument/scope.c; their inline halves are exported from here,
 * for other languages.
 */

extern inline void eprof_start(int id);
extern inline void eprof_stop(int id);

static int fail(int error)
{
    errno = error;
    return -1;
}

static void unlock(const char *lock)
{
    (void)lock;
    ep_process_unlock();
}

/* Takes the lock until the end of the block, after the value of a `return`. If that fails, returns
 * from the function with the value given, if any. */
#define LOCK_OR_RETURN(...)                                                                        \
    if (ep_process_lock() != 0)                                                                    \
        return __VA_ARGS__;                                                                        \
    __attribute__((cleanup(unlock), unused)) const char lock = 0

/* ---- instances ---- */

void eprof_init(void)
{
    LOCK_OR_RETURN();
    ep_instance_release_all();
    ep_control_reset_init();
}

int eprof_alloc(const char *label)
{
    if (!label)
        return fail(EINVAL);
    LOCK_OR_RETURN(-1);
    return ep_instance_alloc(label);
}

int eprof_instance_for(const char *label)
{
    if (!label)
        return fail(EINVAL);
    LOCK_OR_RETURN(-1);
    return ep_instance_find_or_alloc(label);
}

void eprof_free(const char *label)
{
    EP_KEEP_ERRNO;
    LOCK_OR_RETURN();
    if (ep_instance_free(label) != 0)
        ep_process_diagnose(EP_DIAGNOSTIC_UNKNOWN_LABELS);
}

int eprof_release(int id)
{
    LOCK_OR_RETURN(-1);
    return ep_instance_release(id);
}

/* ---- spans ---- */

uint64_t eprof_now(void)
{
    /* sets up a forked child whose first call this is, before its span begins */
    if (EP_UNLIKELY(!ep_process_is_ready())) {
        if (ep_process_lock() != 0)
            return 0;
        ep_process_unlock();
    }
    return ep_source_now(ep_process_source());
}

uint64_t eprof_ns(uint64_t ticks)
{
    EP_KEEP_ERRNO;
    LOCK_OR_RETURN(0);
    return ep_wide_scale_ns(ep_rate_scale(), ticks);
}

/* ---- holds ---- */

void eprof_hold(void)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    bool has_begun = ep_light_begin();
    ep_hold_begin(thread);
    ep_light_end(has_begun);
}

void eprof_keep(bool keep)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    bool has_begun = ep_light_begin();
    ep_hold_end(thread, keep);
    ep_light_end(has_begun);
}

/* ---- threads ---- */

void eprof_thread_name(const char *name)
{
    EP_KEEP_ERRNO;
    uint32_t bytes = name ? ep_site_kept_bytes(name) : 0;
    LOCK_OR_RETURN();
    /* in a forked child this thread may have begun under the name that it had in the parent */
    if ((!ep_thread_self->cell && !ep_thread_life_begin(name, bytes)) ||
        ep_thread_life_rename(name, bytes) != 0)
        ep_process_diagnose(EP_DIAGNOSTIC_OUT_OF_CELLS);
}

void eprof_thread_enter(const char *name)
{
    eprof_thread_name(name);
}

void eprof_thread_exit(void)
{
    EP_KEEP_ERRNO;
    LOCK_OR_RETURN();
    ep_thread_life_end();
}

/* ---- run control ---- */

int eprof_setup(const char *items)
{
    if (!items)
        return fail(EINVAL);
    LOCK_OR_RETURN(-1);
    return ep_config_setup(items);
}

void eprof_enable(bool on)
{
    EP_KEEP_ERRNO;
    LOCK_OR_RETURN();
    ep_control_enable(on);
}

void eprof_thread_enable(bool on)
{
    EP_KEEP_ERRNO;
    struct ep_thread *thread = ep_process_self();
    if (thread)
        ep_thread_switch(thread, on);
}

void eprof_reset(void)
{
    EP_KEEP_ERRNO;
    LOCK_OR_RETURN();
    ep_control_reset();
}

/* ---- time sources ---- */

int eprof_source_use(const char *name)
{
    if (!name)
        return fail(EINVAL);
    LOCK_OR_RETURN(-1);
    const struct ep_source *source = ep_source_find(name);
    if (source)
        ep_config_use_source(source);
    return source ? 0 : -1;
}

const char *eprof_source_name(void)
{
    eprof_now(); /* sets the process up if this is the first call */
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
    LOCK_OR_RETURN(-1);
    if (ep_source_register(&copy) != 0)
        return -1;
    ep_config_source_added(source->name);
    return 0;
}

/* ---- results ---- */

int eprof_report(FILE *out, const char *format)
{
    if (ep_results_write(out, format, NULL) != 0)
        return -1;
    ep_at_exit_tree_reported();
    return 0;
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
    ep_at_exit_tree_reported();
    return 0;
}

eprof_snapshot *eprof_snapshot_take(void)
{
    return ep_results_take((struct ep_snapshot_options){.threads = false}, false);
}

eprof_snapshot *eprof_snapshot_take_threads(void)
{
    return ep_results_take((struct ep_snapshot_options){.threads = true}, false);
}

void eprof_snapshot_free(eprof_snapshot *snapshot)
{
    ep_snapshot_free(snapshot);
}

size_t eprof_snapshot_rows(const eprof_snapshot *snapshot)
{
    return snapshot ? snapshot->row_count + snapshot->value_count : 0;
}

/* The path of a scope is made at the first request, under the lock, so that two threads do not make
 * it at once. The snapshot may be constant: making a path does not change what it contains. */
static const char *path_of(const eprof_snapshot *snapshot, size_t index)
{
    LOCK_OR_RETURN(NULL);
    return ep_rows_path((eprof_snapshot *)(uintptr_t)snapshot, index);
}

int eprof_snapshot_row(const eprof_snapshot *snapshot, size_t index, struct eprof_row *row)
{
    const size_t first_version = offsetof(struct eprof_row, outermost);
    if (!row || row->size < first_version || index >= eprof_snapshot_rows(snapshot))
        return fail(EINVAL);
    size_t values = snapshot->diagnostic_first, others = values + snapshot->value_count;
    bool is_value = index >= values && index < others;
    size_t at = index < values ? index : index - (is_value ? values : snapshot->value_count);
    bool is_scope = at >= snapshot->scope_first && at < values && !is_value;
    struct eprof_row whole = is_value ? snapshot->values[at] : snapshot->rows[at];
    whole.size = row->size;
    if (is_scope)
        whole.path = path_of(snapshot, at);
    if (!whole.path)
        return -1;
    memcpy(row, &whole, whole.size < sizeof whole ? whole.size : sizeof whole);
    return 0;
}

/* ---- the calls of the recording core to this folder ---- */

const struct ep_upward ep_upward = {
    .first_use = ep_config_first_use,
    .renewed = ep_profile_renewed,
    .cut_short = ep_profile_cut_short,
    .filter_is_blind = ep_config_filter_is_blind,
    .measure_probes = ep_probe_calibrate,
};
