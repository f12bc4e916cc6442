#include "probe.h"

#include "eprof.h"
#include "function.h"
#include "pair.h"
#include "probe_measure.h"
#include "probe_record.h"
#include "stack.h"

/* ---- pairs ---- */

static uint64_t record_pairs(uint64_t number)
{
    for (int i = 0; i < EP_PROBE_PAIRS; i++) {
        eprof_instance_start(EP_HANDLE_PROBE);
        number = ep_probe_work(number);
        eprof_instance_stop(EP_HANDLE_PROBE);
    }
    return number;
}

/* ---- scopes ---- */

static struct eprof_site site = {.number = EP_PROBE_SITE};

static uint64_t record_scopes(uint64_t number)
{
    char token;
    for (int i = 0; i < EP_PROBE_PAIRS; i++) {
        eprof_scope_enter(&site, &token, EPROF_FRAME);
        number = ep_probe_work(number);
        eprof_scope_leave(&token);
    }
    return number;
}

/* Inside each other, as recursion has them: they cost less than one after the other. What
 * recurses does little in each call. */
__attribute__((noinline)) static void record_nested(int depth)
{
    char token;
    eprof_scope_enter(&site, &token, EPROF_FRAME);
    if (depth)
        record_nested(depth - 1);
    eprof_scope_leave(&token);
}

static uint64_t record_nested_scopes(uint64_t number)
{
    record_nested(EP_PROBE_PAIRS - 1);
    return number;
}

/* ---- functions ---- */

/* Addresses of no functions: of the scratch site, and of the same as a throttled one. */
static char function, throttled_function;

/* As the hooks of libeprof-auto do. */
__attribute__((noinline)) static void hook_enter(char *called, void *frame)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || frame)
        eprof_function_enter(called, called, frame, called);
}

__attribute__((noinline)) static void hook_leave(char *called, void *frame)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || frame)
        eprof_function_leave(called, called, frame, called);
}

static uint64_t record_functions(uint64_t number)
{
    void *frame = __builtin_dwarf_cfa();
    for (int i = 0; i < EP_PROBE_PAIRS; i++) {
        hook_enter(&function, frame);
        number = ep_probe_work(number);
        hook_leave(&function, frame);
    }
    return number;
}

/* Frames go down, as a recursion's do. */
static uint64_t record_nested_functions(uint64_t number)
{
    char *frame = __builtin_dwarf_cfa();
    for (int depth = 0; depth < EP_PROBE_PAIRS; depth++)
        hook_enter(&function, frame - depth * 16);
    for (int depth = EP_PROBE_PAIRS; depth-- > 0;)
        hook_leave(&function, frame - depth * 16);
    return number;
}

/* Inside one that is not timed itself: so all of them are not. */
static uint64_t record_untimed_functions(uint64_t number)
{
    char *frame = __builtin_dwarf_cfa();
    struct ep_thread *thread = ep_self;
    hook_enter(&function, frame);
    thread->top->state |= EP_FRAME_UNTIMED;
    for (int i = 0; i < EP_PROBE_PAIRS; i++) {
        hook_enter(&throttled_function, frame - 16);
        hook_leave(&throttled_function, frame - 16);
    }
    thread->top->state &= ~(uint32_t)EP_FRAME_UNTIMED;
    hook_leave(&function, frame);
    return number;
}

/* ---- calibration ---- */

static void calibrate_scopes(struct ep_probe_record *record, const struct ep_source *source)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_pair_cell *pair = ep_probe_record_pair(record);
    const struct ep_node_cell *node = ep_probe_record_scope(record);
    struct ep_probe_measure measure =
        ep_probe_measure(source, record_pairs, ep_probe_only_work, &pair->stats.total_ticks);
    probe->pair_milliticks = measure.around_milliticks;
    probe->inside_milliticks = measure.inside_milliticks;
    measure = ep_probe_measure(source, record_scopes, ep_probe_only_work, &node->stats.total_ticks);
    probe->scope_pair_milliticks = measure.around_milliticks;
    probe->scope_inside_milliticks = measure.inside_milliticks;
    measure = ep_probe_measure(source, record_nested_scopes, ep_probe_nothing, &node->self_ticks);
    probe->nested_pair_milliticks = measure.around_milliticks;
    probe->resolution_ticks = ep_probe_resolution(source);
    probe->is_known = 1;
}

static bool know(const char *address, uint32_t number)
{
    return ep_function_find((uintptr_t)address) || ep_function_set((uintptr_t)address, number);
}

static void calibrate_functions(struct ep_probe_record *record, const struct ep_source *source)
{
    struct ep_function_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    if (!know(&function, EP_PROBE_SITE) ||
        !know(&throttled_function, EP_PROBE_SITE | EP_FUNCTION_THROTTLED))
        return;
    const struct ep_node_cell *node = ep_probe_record_scope(record);
    struct ep_probe_measure measure =
        ep_probe_measure(source, record_functions, ep_probe_only_work, &node->stats.total_ticks);
    probe->pair_milliticks = measure.around_milliticks;
    probe->inside_milliticks = measure.inside_milliticks;
    measure =
        ep_probe_measure(source, record_nested_functions, ep_probe_nothing, &node->self_ticks);
    probe->nested_pair_milliticks = measure.around_milliticks;
    measure =
        ep_probe_measure(source, record_untimed_functions, ep_probe_nothing, &node->self_ticks);
    probe->untimed_pair_milliticks = measure.around_milliticks;
    probe->is_known = 1;
}

/* Of functions, where there are any. */
void ep_probe_calibrate(void)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_source *source = ep_process_source();
    bool has_scopes = !cells[EP_CELL_PROBE].probe.is_known;
    bool has_functions = ep_image_tree(&ep_process.image)->modules &&
                         !cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known;
    struct ep_probe_record record;
    if ((!has_scopes && !has_functions) || !ep_probe_record_begin(&record))
        return;
    struct ep_thread *self = ep_self;
    ep_self = record.thread;
    if (has_scopes)
        calibrate_scopes(&record, source);
    if (has_functions)
        calibrate_functions(&record, source);
    ep_self = self;
}
