#include "instrument/probe_calls.h"

#include "eprof.h"
#include "image/layout.h"
#include "instrument/function_table.h"
#include "record/light_manual.h"
#include "record/process.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/tree.h"

enum { PAIRS = EP_PROBE_PAIRS };

/* ---- the scratch record that the measured calls record into ---- */

/* The one site of the record's scopes. It is not a site of the program: otherwise the first scope
 * of a signal handler would be taken for one of them. The table has no slot above it. */
enum { PROBE_SITE = EP_SITE_OTHER, PROBE_SITES = PROBE_SITE + 1 };

/*
 * A record that belongs to no thread, with one pair of no instance (EP_HANDLE_PROBE) and one scope
 * of no site. The calls of the library record into it as into any other. Its mark `busy` keeps
 * signal handlers out, and its own control cell keeps out resets by other threads. Lock.
 */
static struct {
    struct ep_thread *thread; /* made once, */
    struct ep_light *light;   /* as well, */
    ep_ref cells;             /* a block of the one image, taken once */
    struct ep_control_cell control;
    struct ep_site_slot site_slots[PROBE_SITES];
} record;

/* The layout of the block. All octaves share one cell of counts, which is not read. */
enum {
    AT_PAIR = 0,
    AT_COUNTS = AT_PAIR + sizeof(struct ep_instance_cells) / EP_CELL_BYTES,
    AT_ROOT,
    AT_NODE = AT_ROOT + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_SAMPLING = AT_NODE + sizeof(struct ep_node_cell) / EP_CELL_BYTES,
    AT_CPU = AT_SAMPLING + sizeof(struct ep_sampling_cells) / EP_CELL_BYTES,
    AT_LOWEST,
    AT_ENTRY /* and the following cells */
};

_Static_assert(AT_ENTRY + PAIRS < EP_BLOCK_CELLS, "the deepest has an entry above it");

static void lend_counts(struct ep_statistics *stats, ep_ref counts)
{
    *stats = (struct ep_statistics){.min_ticks = UINT64_MAX};
    for (int i = 0; i < EP_NEAR_OCTAVES; i++)
        stats->octave[i] = counts;
}

const struct ep_instance_cells *ep_probe_calls_pair(void)
{
    struct ep_instance_cells *pair =
        (struct ep_instance_cells *)&record.thread->cells[record.cells + AT_PAIR];
    *pair = (struct ep_instance_cells){.generation = ep_thread_generation(record.thread),
                                       .handle = EP_HANDLE_PROBE};
    lend_counts(&pair->stats, record.cells + AT_COUNTS);
    record.thread->cells[record.cells + AT_CPU].cpu_sums = (struct ep_cpu_sums){.cpu_ns = 0};
    pair->stats.cpu = ep_cpu_is_on() ? record.cells + AT_CPU : 0;
    ep_thread_set_instance_cells(record.thread, 0, pair);
    return pair;
}

const struct ep_node_cell *ep_probe_calls_node(void)
{
    struct ep_thread *thread = record.thread;
    ep_ref root = record.cells + AT_ROOT, node = record.cells + AT_NODE;
    struct ep_node_cell *cell = ep_tree_node(thread, node);
    *cell = (struct ep_node_cell){
        .generation = ep_thread_generation(thread), .site = PROBE_SITE, .parent = root};
    lend_counts(&cell->stats, record.cells + AT_COUNTS);
    if (ep_sampling_is_on() || ep_cpu_is_on()) {
        cell->sampling = record.cells + AT_SAMPLING;
        *ep_sampling_of(thread, cell) =
            (struct ep_sampling_cells){.nested_until_timed = 1, .own_until_timed = INT32_MAX};
        cell->stats.until_timed = ep_sampling_is_on();
    }
    thread->top = ep_stack_entry(thread, record.cells + AT_LOWEST);
    thread->free = record.cells + AT_ENTRY;
    *thread->top = (struct ep_open_scope_cell){
        .frame = UINT64_MAX, .node = root, .next = thread->free, .state = EP_SCOPE_OPEN};
    for (ep_ref ref = thread->free; ref <= thread->free + PAIRS; ref++)
        *ep_stack_entry(thread, ref) =
            (struct ep_open_scope_cell){.below = ref - 1, .next = ref + 1};
    record.site_slots[PROBE_SITE] = (struct ep_site_slot){.parent = root, .node = node};
    /* without one the light stack in use stays that of the calling thread, and is not touched */
    thread->light = ep_sampling_is_on() ? record.light : NULL;
    if (ep_sampling_is_on())
        ep_light_lend(thread);
    if (thread->light)
        record.light = thread->light;
    return cell;
}

struct ep_thread *ep_probe_calls_begin(void)
{
    if (!record.cells)
        record.cells = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    if (!record.thread)
        record.thread = ep_thread_make_record();
    if (!record.cells || !record.thread)
        return NULL;
    struct ep_thread *thread = record.thread;
    /* every difference is possible: calls stay on the measured paths, even if the clock jumps */
    record.control = (struct ep_control_cell){.generation = 1, .horizon_ticks = UINT64_MAX};
    thread->control = &record.control;
    thread->generation = record.control.generation;
    thread->cells = ep_process.image.cells;
    thread->busy = 1;
    thread->near_capacity = 1;
    thread->site_slots = record.site_slots;
    thread->site_capacity = PROBE_SITES;
    ep_thread_open_tables(thread);
    return thread;
}

/* ---- the work of a call ---- */

/* Some 100 ns at 3 cycles a multiplication. The multiplications wait for each other, and a
 * processor that predicts the end of loops cannot foresee their number. */
enum { STEPS = 96 };

__attribute__((noinline)) static uint64_t work(uint64_t number)
{
    /* Knuth, TAOCP volume 2, 3.3.4, table 1, line 26: the highest bits are the most random */
    const uint64_t multiplier = UINT64_C(6364136223846793005);
    unsigned steps = STEPS + (unsigned)(number >> 60);
    for (unsigned i = 0; i < steps; i++) {
        number *= multiplier;
        __asm__ volatile("" : "+r"(number)); /* no power of the multiplier */
    }
    return number;
}

uint64_t ep_probe_calls_only_work(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        number = work(number);
    return number;
}

uint64_t ep_probe_calls_no_work(uint64_t number)
{
    return number;
}

/* ---- the measured calls ---- */

uint64_t ep_probe_calls_of_instances(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++) {
        eprof_instance_start(EP_HANDLE_PROBE);
        number = work(number);
        eprof_instance_stop(EP_HANDLE_PROBE);
    }
    return number;
}

static struct eprof_site site = {.number = PROBE_SITE, .offset = PROBE_SITE * EPROF_EDGE_BYTES};

static uint64_t record_scopes(uint64_t number)
{
    struct eprof_token token = {NULL};
    for (int i = 0; i < PAIRS; i++) {
        eprof_scope_enter(&site, &token, EPROF_CALLER_FRAME);
        number = work(number);
        eprof_scope_leave(&token);
    }
    return number;
}

__attribute__((noinline)) static void record_nested(int depth)
{
    struct eprof_token token = {NULL};
    eprof_scope_enter(&site, &token, EPROF_CALLER_FRAME);
    if (depth)
        record_nested(depth - 1);
    eprof_scope_leave(&token);
}

static uint64_t record_nested_scopes(uint64_t number)
{
    record_nested(PAIRS - 1);
    return number;
}

/* ---- the measured calls under a budget ---- */

struct ep_probe_calls_sampled ep_probe_calls_sampled;

/* How many untimed calls come before a timed one: their number cannot be foreseen, so that the
 * processor mispredicts the timed one, as in a program. */
static unsigned untimed_before_next(uint64_t number)
{
    unsigned count = (unsigned)(number >> 59) & 7;
    ep_tree_node(record.thread, record.cells + AT_NODE)->stats.until_timed = count + 1;
    ep_probe_calls_sampled.untimed += count;
    return count;
}

/* As EPROF_SCOPE does it, also while recording is off: most of these calls are inline. */
__attribute__((noinline)) static uint64_t record_scope_of_macro(uint64_t number, bool has_work)
{
    struct eprof_token token = {NULL};
#ifdef EPROF_IS_INLINE
    if (!eprof_open_inline(&site, &token, EPROF_CALLER_FRAME))
#endif
        eprof_scope_enter(&site, &token, EPROF_CALLER_FRAME);
    if (has_work)
        number = work(number);
#ifdef EPROF_IS_INLINE
    if (!eprof_close_inline(&token))
#endif
        eprof_scope_leave(&token);
    return number;
}

static uint64_t record_untimed_scopes(uint64_t number)
{
    ep_tree_node(record.thread, record.cells + AT_NODE)->stats.until_timed = INT32_MAX;
    for (int i = 0; i < PAIRS; i++)
        number = record_scope_of_macro(number, false);
    return number;
}

/* A timed call represents two, as it does in blocks of two calls: then it is timed by its edge
 * (record/light_timed.c). */
static uint64_t record_sampled_scopes(uint64_t number)
{
    const struct ep_node_cell *node = ep_tree_node(record.thread, record.cells + AT_NODE);
    for (int i = 0; i < PAIRS; i++) {
        ep_sampling_of(record.thread, node)->shift = 1;
        for (unsigned left = untimed_before_next(number); left; left--)
            number = record_scope_of_macro(number, false);
        number = record_scope_of_macro(number, true);
    }
    ep_probe_calls_sampled.timed_ticks = node->stats.total_ticks / 2;
    return number;
}

const struct ep_probe_calls ep_probe_calls_of_scopes = {
    .timed = record_scopes,
    .nested = record_nested_scopes,
    .without_nested = ep_probe_calls_no_work,
    .untimed = record_untimed_scopes,
    .without_untimed = ep_probe_calls_no_work,
    .sampled = record_sampled_scopes,
};

/* ---- values ---- */

enum { A_VALUE = 1000 };

#ifdef EPROF_IS_INLINE

bool ep_probe_calls_begin_values(void)
{
    struct ep_node_cell *node = ep_tree_node(record.thread, record.cells + AT_NODE);
    ep_probe_calls_node();
    if (!record.thread->light)
        return false;
    struct eprof_open *top = ep_load(&eprof_hot.top);
    char *edges = (char *)(uintptr_t)ep_load(&eprof_hot.edges) + top->state;
    struct eprof_edge *edge = (struct eprof_edge *)(void *)(edges + site.offset);
    *edge = (struct eprof_edge){.calls = &node->stats.calls, .site = site.offset | top->limit};
    if (record.thread->light->highest_offset < site.offset)
        record.thread->light->highest_offset = site.offset;
    eprof_frame frame = EPROF_CALLER_FRAME;
    bool is_found = ep_light_manual_value(site.offset, ep_stack_frame_address(frame),
                                          ep_stack_return_address(frame)) == &node->stats;
    if (!is_found)
        *edge = (struct eprof_edge){.site = 0};
    return is_found;
}

#else

bool ep_probe_calls_begin_values(void)
{
    return false;
}

#endif

uint64_t ep_probe_calls_of_values(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++) {
        eprof_value_record(&site, A_VALUE, 0, EPROF_CALLER_FRAME);
        number = work(number);
    }
    return number;
}

uint64_t ep_probe_calls_only_values(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        eprof_value_record(&site, A_VALUE, 0, EPROF_CALLER_FRAME);
    return number;
}

/* ---- the measured calls of functions ---- */

/* The hooks of a function, as in libeprof-auto. On x86-64 they need the frame pointer of the
 * function that calls them: this file is compiled with it (src/CMakeLists.txt). */
#define HIDDEN __attribute__((visibility("hidden"), used, no_instrument_function))

HIDDEN void ep_probe_cost_enter(void *called, void *call_site);
HIDDEN void ep_probe_cost_leave(void *called, void *call_site);

#ifdef EPROF_IS_INLINE

HIDDEN void ep_probe_cost_enter_outside(void *called, void *call_site);
HIDDEN void ep_probe_cost_leave_outside(void *called, void *call_site);

__asm__(EPROF_HOOK("ep_probe_cost_enter",
                   EPROF_HOOK_LOAD_KEY EPROF_HOOK_OPEN("16(%rbp)", "ep_probe_cost_enter_outside")));
__asm__(EPROF_HOOK("ep_probe_cost_leave",
                   EPROF_HOOK_CLOSE("16(%rbp)", "8(%rsp)", "ep_probe_cost_leave_outside")));

#else

#define ep_probe_cost_enter_outside ep_probe_cost_enter
#define ep_probe_cost_leave_outside ep_probe_cost_leave

#endif

/* The canonical frame address of the function that called a hook, in code with frame pointers. */
#define FRAME_OF_CALLER() ((char *)*(void **)__builtin_frame_address(0) + 2 * sizeof(void *))

/* The acquire pairs with ep_control_enable(). */
void ep_probe_cost_enter_outside(void *called, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || called)
        eprof_function_enter(called, call_site, FRAME_OF_CALLER(), __builtin_return_address(0));
}

void ep_probe_cost_leave_outside(void *called, void *call_site)
{
    if (__atomic_load_n(&eprof_recording, __ATOMIC_ACQUIRE) || called)
        eprof_function_leave(called, call_site, FRAME_OF_CALLER(), __builtin_return_address(0));
}

/* A program calls them through the linkage table of a shared library. */
typedef void probe_hook(void *called, void *call_site);
static probe_hook *volatile hook_enter = ep_probe_cost_enter;
static probe_hook *volatile hook_leave = ep_probe_cost_leave;

/* As a compiler compiles a function with hooks, and without. */
__attribute__((noinline)) static uint64_t hooked(uint64_t number, ep_probe_round *inside)
{
    void *call_site = __builtin_return_address(0);
    hook_enter((void *)(uintptr_t)hooked, call_site);
    number = inside(number);
    hook_leave((void *)(uintptr_t)hooked, call_site);
    return number;
}

__attribute__((noinline)) static uint64_t unhooked(uint64_t number, ep_probe_round *inside)
{
    number = inside(number);
    __asm__ volatile("" : "+r"(number)); /* a call, not a jump */
    return number;
}

static uint64_t record_functions(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        number = hooked(number, work);
    return number;
}

static uint64_t record_nested_function(uint64_t left)
{
    return left ? hooked(left - 1, record_nested_function) : left;
}

static uint64_t nested_function(uint64_t left)
{
    return left ? unhooked(left - 1, nested_function) : left;
}

static uint64_t record_nested_functions(uint64_t number)
{
    return number + record_nested_function(PAIRS);
}

static uint64_t nested_functions(uint64_t number)
{
    return number + nested_function(PAIRS);
}

static uint64_t record_untimed_functions(uint64_t number)
{
    ep_tree_node(record.thread, record.cells + AT_NODE)->stats.until_timed = INT32_MAX;
    for (int i = 0; i < PAIRS; i++)
        number = hooked(number, ep_probe_calls_no_work);
    return number;
}

static uint64_t empty_functions(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        number = unhooked(number, ep_probe_calls_no_work);
    return number;
}

static uint64_t record_sampled_functions(uint64_t number)
{
    const struct ep_node_cell *node = ep_tree_node(record.thread, record.cells + AT_NODE);
    for (int i = 0; i < PAIRS; i++) {
        ep_sampling_of(record.thread, node)->shift = 1;
        for (unsigned left = untimed_before_next(number); left; left--)
            number = hooked(number, ep_probe_calls_no_work);
        number = hooked(number, work);
    }
    ep_probe_calls_sampled.timed_ticks = node->stats.total_ticks / 2;
    return number;
}

const struct ep_probe_calls ep_probe_calls_of_functions = {
    .timed = record_functions,
    .nested = record_nested_functions,
    .without_nested = nested_functions,
    .untimed = record_untimed_functions,
    .without_untimed = empty_functions,
    .sampled = record_sampled_functions,
};

bool ep_probe_calls_add_function(void)
{
    return ep_function_set((uintptr_t)hooked, PROBE_SITE);
}
