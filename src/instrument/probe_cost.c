#include "instrument/probe_cost.h"

#include <signal.h>
#include <stdlib.h>

#include "eprof.h"
#include "image/layout.h"
#include "instrument/function_table.h"
#include "record/control.h"
#include "record/instance_cells.h"
#include "record/light.h"
#include "record/process_life.h"
#include "record/process_lock.h"
#include "record/sampling.h"
#include "record/stack.h"
#include "record/tree.h"

/* ---- measuring: how much longer work takes with probes around it ---- */

/*
 * The probe is measured around some work, since a region without any is of no use to anyone, and
 * costs differ: the part of a probe after its reading of the clock runs beside the work, and work
 * that the processor has begun is not finished when the next probe begins.
 *
 * The median round counts, so that an interrupt, a change of frequency or the cold first rounds do
 * not. 21 rounds of 32 pairs at some 130 ns each, and of their work alone, take 160 us.
 */
enum { ROUNDS = 21, READS = 200, PAIRS = 32 /* a round, one after the other or nested */ };

/* PAIRS pairs, each around work() or nothing. Multiplies the number on, and returns it. */
typedef uint64_t probe_round(uint64_t number);

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

static uint64_t only_work(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        number = work(number);
    return number;
}

static uint64_t no_work(uint64_t number)
{
    return number;
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Per pair, in thousandths of a tick. A negative median comes only by chance or from a clock that
 * goes back, and one above the maximum from a clock that jumps all the time: then it is unknown. */
static uint64_t median(int64_t *ticks)
{
    qsort(ticks, ROUNDS, sizeof *ticks, compare);
    int64_t middle = ticks[ROUNDS / 2];
    bool is_known = middle > 0 && middle <= (int64_t)(EP_PROBE_MOST_MILLITICKS / 1000);
    return is_known ? (uint64_t)middle * 1000 / PAIRS : 0;
}

/* Reads the clock after the measured instructions have ended, with any source. */
static uint64_t now_after_all(const struct ep_source *source)
{
    if (ep_counter_can_wait())
        ep_counter_wait();
    return ep_source_now(source);
}

static uint64_t ticks_of(const struct ep_source *source, probe_round *round, uint64_t *number)
{
    uint64_t begin = now_after_all(source);
    *number = round(*number);
    __asm__ volatile("" : "+r"(*number));
    return ep_source_difference(source, begin, now_after_all(source));
}

/*
 * Measures by how much a pair in `with` takes longer than one in `without`. *around is the time
 * that it adds to the region around it; *inside, if not NULL, is the part of this time that the
 * pair itself measures. The pairs add up what they measure in *counter.
 */
static void measure(const struct ep_source *source, probe_round *with, probe_round *without,
                    const uint64_t *counter, uint64_t *around_milliticks,
                    uint64_t *inside_milliticks)
{
    int64_t inside[ROUNDS], around[ROUNDS];
    uint64_t number = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t same_number = number, before = *counter;
        uint64_t read_ticks = ticks_of(source, no_work, &same_number);
        uint64_t without_ticks = ticks_of(source, without, &same_number);
        uint64_t with_ticks = ticks_of(source, with, &number);
        around[round] = (int64_t)(with_ticks - without_ticks);
        inside[round] = (int64_t)(*counter - before - (without_ticks - read_ticks));
    }
    *around_milliticks = median(around);
    if (inside_milliticks)
        *inside_milliticks = median(inside);
}

/* The greatest common divisor of all steps of the source, in ticks (Euclid); 0: it did not move.
 * The steps themselves only show how long a read takes. */
static uint64_t resolution_of(const struct ep_source *source)
{
    uint64_t divisor = 0, before = ep_source_now(source);
    for (int i = 0; i < READS; i++) {
        uint64_t now = ep_source_now(source);
        uint64_t rest = ep_source_difference(source, before, now);
        if (rest > source->mask >> 1)
            rest = 0;
        while (rest) {
            uint64_t next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        before = now;
    }
    return divisor;
}

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

/* The pair, cleared. */
static const struct ep_instance_cells *record_pair(void)
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

/* The node of the scope, cleared. Each of its calls is timed, in the way of the budget if there is
 * one. */
static struct ep_node_cell *record_scope(void)
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
    if (ep_sampling_is_on())
        ep_light_lend(thread);
    return cell;
}

/* false: no memory. */
static bool begin_record(void)
{
    if (!record.cells)
        record.cells = ep_image_take(&ep_process.image, EP_BLOCK_CELLS);
    if (!record.thread)
        record.thread = ep_thread_make_record();
    if (!record.cells || !record.thread)
        return false;
    struct ep_thread *thread = record.thread;
    /* every difference is possible: calls stay on the measured paths, even if the clock jumps */
    record.control = (struct ep_control_cell){.generation = 1, .horizon_ticks = UINT64_MAX};
    thread->control = &record.control;
    thread->cells = ep_process.image.cells;
    thread->busy = 1;
    thread->near_capacity = 1;
    thread->site_slots = record.site_slots;
    thread->site_capacity = PROBE_SITES;
    ep_thread_open_tables(thread);
    return true;
}

/* ---- the measured calls ---- */

static uint64_t record_pairs(uint64_t number)
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
        eprof_scope_enter(&site, &token, EPROF_FRAME);
        number = work(number);
        eprof_scope_leave(&token);
    }
    return number;
}

/* Inside each other, as in recursion: they cost less than one after the other. A recursive function
 * does little in each call. */
__attribute__((noinline)) static void record_nested(int depth)
{
    struct eprof_token token = {NULL};
    eprof_scope_enter(&site, &token, EPROF_FRAME);
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

/* Scopes without work that are only counted, before each timed one: their number cannot be
 * foreseen, so that the processor mispredicts the timed one, as in a program. */
static uint64_t untimed_before;

static unsigned untimed_before_next(uint64_t number)
{
    unsigned count = (unsigned)(number >> 59) & 7;
    ep_tree_node(record.thread, record.cells + AT_NODE)->stats.until_timed = count + 1;
    untimed_before += count;
    return count;
}

/* As EPROF_SCOPE does it, also while recording is off: most of these calls are inline. */
__attribute__((noinline)) static uint64_t record_scope_of_macro(uint64_t number, bool has_work)
{
    struct eprof_token token = {NULL};
#ifdef EPROF_IS_INLINE
    if (!eprof_open_inline(&site, &token, EPROF_FRAME))
#endif
        eprof_scope_enter(&site, &token, EPROF_FRAME);
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
static uint64_t sampled_ticks;

static uint64_t record_sampled_scopes(uint64_t number)
{
    const struct ep_node_cell *node = ep_tree_node(record.thread, record.cells + AT_NODE);
    for (int i = 0; i < PAIRS; i++) {
        ep_sampling_of(record.thread, node)->shift = 1;
        for (unsigned left = untimed_before_next(number); left; left--)
            number = record_scope_of_macro(number, false);
        number = record_scope_of_macro(number, true);
    }
    sampled_ticks = node->stats.total_ticks / 2;
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
__attribute__((noinline)) static uint64_t hooked(uint64_t number, probe_round *inside)
{
    void *call_site = __builtin_return_address(0);
    hook_enter((void *)(uintptr_t)hooked, call_site);
    number = inside(number);
    hook_leave((void *)(uintptr_t)hooked, call_site);
    return number;
}

__attribute__((noinline)) static uint64_t unhooked(uint64_t number, probe_round *inside)
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
        number = hooked(number, no_work);
    return number;
}

static uint64_t empty_functions(uint64_t number)
{
    for (int i = 0; i < PAIRS; i++)
        number = unhooked(number, no_work);
    return number;
}

static uint64_t record_sampled_functions(uint64_t number)
{
    const struct ep_node_cell *node = ep_tree_node(record.thread, record.cells + AT_NODE);
    for (int i = 0; i < PAIRS; i++) {
        ep_sampling_of(record.thread, node)->shift = 1;
        for (unsigned left = untimed_before_next(number); left; left--)
            number = hooked(number, no_work);
        number = hooked(number, work);
    }
    sampled_ticks = node->stats.total_ticks / 2;
    return number;
}

/* ---- processor time ---- */

/* What a reading of it costs, in thousandths of a tick. */
static uint64_t reading_milliticks(const struct ep_source *source)
{
    int64_t ticks[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t begin = now_after_all(source);
        for (int i = 0; i < PAIRS; i++)
            ep_cpu_now();
        ticks[round] = (int64_t)ep_source_difference(source, begin, now_after_all(source));
    }
    return median(ticks);
}

/* By how many ns the processor time of a pair is longer than its time: nothing waits here. The
 * pairs add up both. Readings vary: 510 to 680 ns from one run to the next (AMD EPYC in a virtual
 * machine, 2026-11-28). So this is an eighth less than in the shorter rounds: calls without any
 * waiting must not seem to wait. */
static uint64_t outside_ns(probe_round *with, struct ep_scale scale, const uint64_t *total_ticks,
                           const struct ep_cpu_sums *cpu)
{
    int64_t ns[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t ticks_before = *total_ticks, ns_before = cpu->cpu_ns;
        with(1);
        ns[round] = (int64_t)(cpu->cpu_ns - ns_before -
                              ep_wide_scale_ns(scale, *total_ticks - ticks_before));
    }
    qsort(ns, ROUNDS, sizeof *ns, compare);
    int64_t shorter = ns[ROUNDS / 4];
    return shorter > 0 ? (uint64_t)(shorter - shorter / 8) / PAIRS : 0;
}

static void calibrate_cpu(const struct ep_source *source)
{
    struct ep_cpu_cell *cell = &ep_process.image.cells[EP_CELL_CPU].cpu;
    struct ep_scale scale = ep_rate_scale_at_once();
    if (!ep_cpu_is_on())
        return;
    const struct ep_instance_cells *pair = record_pair();
    ep_store(&cell->read_ns, ep_wide_scale_ns(scale, reading_milliticks(source)) / 1000);
    ep_store(&cell->outside_ns[EP_CPU_INSTANCE],
             outside_ns(record_pairs, scale, &pair->stats.total_ticks,
                        ep_instance_cells_cpu(record.thread, pair)));
    const struct ep_node_cell *node = record_scope();
    ep_store(&cell->outside_ns[EP_CPU_SCOPE],
             outside_ns(record_scopes, scale, &node->stats.total_ticks,
                        ep_sampling_cpu(record.thread, node)));
    ep_store(&cell->outside_ns[EP_CPU_FUNCTION], cell->outside_ns[EP_CPU_SCOPE]);
}

/* ---- calibration ---- */

/* The costs of calls that are only counted, and of those timed among them. */
static void calibrate_budget(const struct ep_source *source, int kind, probe_round *untimed,
                             probe_round *without_untimed, probe_round *sampled)
{
    struct ep_sampled_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    const struct ep_node_cell *node = record_scope();
    if (!ep_sampling_is_on())
        return;
    measure(source, untimed, without_untimed, &node->self_ticks, &probe->untimed_milliticks[kind],
            NULL);
    record_scope();
    untimed_before = sampled_ticks = 0;
    measure(source, sampled, only_work, &sampled_ticks, &probe->pair_milliticks[kind],
            &probe->inside_milliticks[kind]);
    uint64_t beside = probe->untimed_milliticks[kind] * untimed_before / (ROUNDS * PAIRS);
    uint64_t with = probe->pair_milliticks[kind], least = probe->inside_milliticks[kind];
    probe->pair_milliticks[kind] = with > beside + least ? with - beside : least;
}

static void calibrate_scopes(const struct ep_source *source)
{
    struct ep_probe_cell *probe = &ep_process.image.cells[EP_CELL_PROBE].probe;
    const struct ep_instance_cells *pair = record_pair();
    const struct ep_node_cell *node = record_scope();
    measure(source, record_pairs, only_work, &pair->stats.total_ticks, &probe->pair_milliticks,
            &probe->inside_milliticks);
    measure(source, record_scopes, only_work, &node->stats.total_ticks,
            &probe->scope_pair_milliticks, &probe->scope_inside_milliticks);
    measure(source, record_nested_scopes, no_work, &node->self_ticks,
            &probe->nested_pair_milliticks, NULL);
    calibrate_budget(source, 0, record_untimed_scopes, no_work, record_sampled_scopes);
    probe->resolution_ticks = resolution_of(source);
    probe->is_known = 1;
}

static void exchange_inside(uint64_t *inside, uint64_t *pair, uint64_t milliticks)
{
    if (!*inside)
        return;
    uint64_t outside = *pair > *inside ? *pair - *inside : 0;
    ep_store(pair, milliticks + outside);
    ep_store(inside, milliticks);
}

/* Takes over the inner part that was measured for timed calls with patched entries, if there are
 * any, for functions with hooks too. What they cost outside is not measured: that of a hook stays.
 */
static void use_entries(void)
{
    union ep_cell *cells = ep_process.image.cells;
    struct ep_function_probe_cell *probe = &cells[EP_CELL_FUNCTION_PROBE].function_probe;
    struct ep_sampled_probe_cell *sampled = &cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    uint64_t milliticks = ep_load(&ep_process.entry_inside_ticks) * 1000;
    if (!milliticks || milliticks > EP_PROBE_MOST_MILLITICKS || !probe->is_known ||
        !ep_process_source()->is_counter)
        return;
    exchange_inside(&probe->inside_milliticks, &probe->pair_milliticks, milliticks);
    exchange_inside(&sampled->inside_milliticks[1], &sampled->pair_milliticks[1], milliticks);
}

static void calibrate_functions(const struct ep_source *source)
{
    struct ep_function_probe_cell *probe =
        &ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    /* again, since patterns may have changed: it is no function of the program */
    if (!ep_function_set((uintptr_t)hooked, PROBE_SITE))
        return;
    const struct ep_node_cell *node = record_scope();
    measure(source, record_functions, only_work, &node->stats.total_ticks, &probe->pair_milliticks,
            &probe->inside_milliticks);
    measure(source, record_nested_functions, nested_functions, &node->self_ticks,
            &probe->nested_pair_milliticks, NULL);
    calibrate_budget(source, 1, record_untimed_functions, empty_functions,
                     record_sampled_functions);
    probe->is_known = 1;
    use_entries();
}

void ep_probe_forget(void)
{
    ep_store(&ep_process.image.cells[EP_CELL_PROBE].probe.is_known, 0);
    ep_store(&ep_process.image.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known, 0);
}

/* Measures functions only if there are any. Signals are blocked: a handler would find the scratch
 * record, and its calls would be lost without being counted. */
void ep_probe_calibrate(void)
{
    const union ep_cell *cells = ep_process.image.cells;
    const struct ep_source *source = ep_process_source();
    bool has_scopes = !cells[EP_CELL_PROBE].probe.is_known;
    bool has_functions = ep_image_tree(&ep_process.image)->modules &&
                         !cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known;
    use_entries();
    if ((!has_scopes && !has_functions) || !begin_record())
        return;
    struct ep_thread *self = ep_thread_self;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const struct eprof_hot hot = eprof_hot;
    ep_thread_self = record.thread;
    if (has_scopes)
        calibrate_scopes(source);
    if (has_scopes)
        calibrate_cpu(source);
    if (has_functions)
        calibrate_functions(source);
    ep_thread_self = self;
    eprof_hot = hot;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

EP_EXPORT void eprof_entry_measured(uint64_t inside_ticks)
{
    EP_KEEP_ERRNO;
    ep_store(&ep_process.entry_inside_ticks, inside_ticks);
    if (!ep_process_self() || ep_thread_self->busy || !ep_thread_begin_cold())
        return; /* a signal handler in a cold path: the next report takes it over */
    ep_process_mutex_lock();
    use_entries();
    ep_process_mutex_unlock();
    ep_thread_end_cold();
}
