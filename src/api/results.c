#include "api/results.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "instrument/module.h"
#include "instrument/probe_cost.h"
#include "record/control.h"
#include "record/cpu.h"
#include "record/process_life.h"
#include "record/rate.h"
#include "report/report.h"
#include "snapshot/monotonic.h"

/* ---- the moment of the program's end ---- */

static struct {
    const struct ep_source *source; /* NULL: the program has not ended */
    uint64_t ticks;
    uint64_t cpu_ns; /* + 1; 0: not recorded */
    pthread_t thread;
} moment;

static uint64_t cpu_of_now(void)
{
    return ep_cpu_is_on() ? ep_cpu_now() + 1 : 0;
}

void ep_results_moment_begin(void)
{
    ep_rate_run_write();
    moment.source = ep_process_source();
    moment.ticks = ep_source_now(moment.source);
    moment.cpu_ns = cpu_of_now();
    moment.thread = pthread_self();
}

void ep_results_moment_end(void)
{
    moment.source = NULL;
}

/* Other threads still run, and may change the source. */
static bool has_ended_with(const struct ep_source *source)
{
    return moment.source == source && pthread_equal(moment.thread, pthread_self());
}

uint64_t ep_results_moment_of_report(uint64_t *cpu_ns)
{
    const struct ep_source *source = ep_process_source();
    bool has_ended = has_ended_with(source);
    uint64_t ticks = has_ended ? moment.ticks : ep_source_now(source);
    *cpu_ns = has_ended ? moment.cpu_ns : cpu_of_now();
    return ticks;
}

/* ---- a snapshot of the living image ---- */

static struct ep_monotonic grown; /* lock */

void ep_results_forget(void)
{
    ep_hash_table_free(&grown.marks);
}

eprof_snapshot *ep_results_take(struct ep_snapshot_options options, bool only_grows)
{
    if (ep_module_names_find() != 0 || ep_process_lock() != 0)
        return NULL;
    ep_control_quiesce(); /* the last leave may have been hot: then it has not done this */
    ep_probe_calibrate();
    /* at the same moment as the times of open scopes */
    if (!has_ended_with(ep_process_source()))
        ep_rate_run_write();
    struct ep_present present = {.is_live = true, .self = (uint64_t)pthread_self()};
    present.now_ticks = ep_results_moment_of_report(&present.now_cpu_ns);
    struct ep_scale scale = ep_rate_scale();
    ep_rate_clock_look(scale);
    ep_store(&ep_process.is_being_read, true);
    eprof_snapshot *snapshot = ep_snapshot_take(&ep_process.image, scale, present, options);
    ep_store(&ep_process.is_being_read, false);
    uint64_t epoch = ep_load(&ep_image_control(&ep_process.image)->reset_generation);
    if (only_grows && snapshot && ep_monotonic_raise(&grown, epoch, snapshot) != 0) {
        ep_snapshot_free(snapshot);
        snapshot = NULL;
        errno = ENOMEM;
    }
    ep_process_unlock();
    return snapshot;
}

/* ---- reports ---- */

int ep_results_write(FILE *out, const char *format, const struct ep_image *merged)
{
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report =
        out && format ? ep_report_find(format, strlen(format), &options) : NULL;
    if (!report)
        return errno = EINVAL, -1;
    eprof_snapshot *snapshot = merged ? ep_snapshot_take_stored(merged, options)
                                      : ep_results_take(options, report->only_grows);
    if (!snapshot)
        return -1;
    int result = ep_report_write(report, snapshot, out);
    EP_KEEP_ERRNO;
    ep_snapshot_free(snapshot);
    return result;
}
