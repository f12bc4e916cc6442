/*
 * hand_cpu.h - a clock of the processor time of each thread that does not advance until a test
 * moves it, and the processor time and waiting of a row
 *
 * The clock of all threads is that of hand_clock.h.
 */
#ifndef HAND_CPU_H
#define HAND_CPU_H

#include "calls.h"
#include "rows.h"

#include <inttypes.h>

#include "record/cpu.h"
#include "record/process_life.h"

static _Thread_local uint64_t cpu_ticks;
static uint64_t cpu_readings;
static uint64_t cpu_reading_ns; /* the time that a reading takes */

static inline uint64_t cpu_now(void *context)
{
    (void)context;
    cpu_readings++;
    hand_ticks += cpu_reading_ns;
    return cpu_ticks;
}

static const struct ep_source hand_cpu = {.now = cpu_now, .mask = UINT64_MAX};

static inline void compute(uint64_t ns)
{
    hand_ticks += ns;
    cpu_ticks += ns;
}

static inline int hand_cpu_switch_on(void)
{
    if (ep_process_lock() != 0)
        return -1;
    ep_cpu_set(&hand_cpu);
    ep_process_unlock();
    return 0;
}

/* The set-up of a test: that of hand_clock.h, and the processor time is recorded. */
static inline int hand_cpu_begin(void **state)
{
    hand_clock_begin(state);
    return hand_cpu_switch_on();
}

/* ---- rows ---- */

static inline struct eprof_row row_of(const char *name)
{
    struct eprof_row row;
    size_t count = take_rows(eprof_snapshot_take, NULL, name, "*", &row);
    if (count != 1)
        fail_msg("%zu rows of %s", count, name);
    return row;
}

static inline void assert_cpu(const char *name, uint64_t cpu_ns, uint64_t wait_ns)
{
    struct eprof_row row = row_of(name);
    if (row.cpu_ns != cpu_ns || row.wait_ns != wait_ns)
        fail_msg("%s: %" PRIu64 " ns on a processor and %" PRIu64 " waiting, not %" PRIu64
                 " and %" PRIu64,
                 name, row.cpu_ns, row.wait_ns, cpu_ns, wait_ns);
}

static inline void assert_unknown(const char *name)
{
    assert_cpu(name, EPROF_UNKNOWN, EPROF_UNKNOWN);
}

/* ---- calls that compute, and then wait ---- */

static inline void work(const char *name, uint64_t cpu_ns, uint64_t wait_ns)
{
    eprof_enter(name);
    compute(cpu_ns);
    pass(wait_ns);
    eprof_leave();
}

static inline void work_between(int id, uint64_t cpu_ns, uint64_t wait_ns)
{
    eprof_start(id);
    compute(cpu_ns);
    pass(wait_ns);
    eprof_stop(id);
}

static inline void work_by_macro(uint64_t cpu_ns, uint64_t wait_ns)
{
    EPROF_SCOPE("macro");
    compute(cpu_ns);
    pass(wait_ns);
}

#endif /* HAND_CPU_H */
