#include "record/blocks.h"

#include "record/process_lock.h"
#include "record/rate.h"
#include "record/sampling.h"

enum {
    FIRST_MICROSECONDS = 1000,
    MOST_MICROSECONDS = 10000,
    LONGEST_GAP_MICROSECONDS = 1000,
    RUN_STEP_MS = 10,  /* how often a thread writes how long the process has run */
    LONG_PROBES = 100, /* after a call that takes as many times its probe, a block has one call */
    SHORTER_AFTER = 32 /* timed calls before blocks become shorter */
};

/* ---- credit, in millionths of a tick ---- */

/* Two readings, of the processor time too if it is recorded, and an allowance for the rest: the
 * instructions of a timed call, the mispredictions before and after it, and what it makes the
 * program wait for. The ray tracer of examples/flake.c takes 188 ns longer for each call that is
 * timed, 40 of them for the readings of the clock (budget=1/64 and budget=1/16 against
 * budget=1/4096, AMD EPYC, 2026-11-28), and some 50 ns more since the leave is rehearsed
 * (record/light.h; in a loop 180 ns, 128 without). Inside the library a timed call lasts only 105
 * ns, so it cannot be measured there. */
static uint32_t measured_charge(const struct ep_source *source, uint64_t ticks_per_us)
{
    enum { READS = 16, REST_NS = 200 };
    uint64_t read_ticks = UINT32_MAX / 4;
    for (int i = 0; i < READS; i++) {
        uint64_t begin = ep_sampling_now(source);
        if (ep_cpu_is_on())
            ep_cpu_now();
        uint64_t ticks = ep_source_difference(source, begin, ep_sampling_now(source));
        read_ticks = ticks < read_ticks ? ticks : read_ticks;
    }
    return (uint32_t)(2 * read_ticks + ticks_per_us * REST_NS / 1000 + 1);
}

void ep_blocks_begin_credit(struct ep_thread *thread)
{
    const struct ep_source *source = ep_process_source();
    bool has_cpu = ep_cpu_is_on();
    if (thread->charge_source == source && thread->charge_has_cpu == has_cpu)
        return;
    ep_process_mutex_lock();
    struct ep_scale scale = ep_rate_scale_at_once();
    uint64_t ticks_per_ms = ep_wide_divide(ep_wide_multiply(scale.ticks, 1000000), scale.ns);
    thread->credit_most =
        (int64_t)(ticks_per_ms * (MOST_MICROSECONDS / 1000)) * EP_SAMPLING_MILLION;
    thread->credit = (int64_t)(ticks_per_ms * (FIRST_MICROSECONDS / 1000)) * EP_SAMPLING_MILLION;
    thread->credited_ticks = ep_source_now(source);
    thread->charge_ticks = measured_charge(source, ticks_per_ms / 1000);
    thread->charge_source = source;
    thread->charge_has_cpu = has_cpu;
    thread->run_step_ticks = ticks_per_ms * RUN_STEP_MS;
    thread->run_ticks = thread->credited_ticks;
    ep_process_mutex_unlock();
}

/* What a timed call changed: the gain since the timed call before it, and its own price. */
struct change {
    int64_t gain, price;
};

/* How many times the charge a timed call pays.
 *
 * In a hold twice. It takes 287 to 335 ns longer than an untimed one, and 188 ns longer outside of
 * holds: in a hold its node is cleared before the call and added up or dropped after it (the ray
 * tracer with each ray in a hold, budget=1/64 and budget=1/16 against budget=1/4096, AMD EPYC,
 * 2026-11-28).
 *
 * Of a function with a patched entry three times. It takes 620 to 650 ns longer than an untimed
 * one: all registers are saved and restored twice, and two returns are mispredicted (eleven queens,
 * gcc -O2 -fno-inline, budget=1/16 and budget=1/4 against budget=1/4096, the same machine,
 * 2026-11-29). */
static int64_t charges(const struct ep_thread *thread)
{
    enum { IN_HOLD = 2, OF_ENTRY = 3 };
    return (thread->level ? IN_HOLD : 1) * (thread->leaves_entry ? OF_ENTRY : 1);
}

/* A gap between two timed calls gives the share of at most 1 ms: in a longer one the thread mostly
 * waits, for a processor too. At a load of 12 to 17 on two processors the ray tracer took 87 %
 * longer when all that time gave credit (2026-11-28). A thread that computes for longer between two
 * timed calls still gains more than one of them costs. */
static void pay(struct ep_thread *thread, uint64_t now_ticks, struct change *change)
{
    const uint64_t longest_ticks = (uint64_t)thread->credit_most / MOST_MICROSECONDS *
                                   LONGEST_GAP_MICROSECONDS / EP_SAMPLING_MILLION;
    uint64_t ticks = ep_source_difference(ep_process_source(), thread->credited_ticks, now_ticks);
    thread->credited_ticks = now_ticks;
    if (now_ticks - thread->run_ticks >= thread->run_step_ticks) {
        thread->run_ticks = now_ticks;
        ep_rate_run_refresh();
    }
    if (ticks > longest_ticks)
        ticks = ticks >> 63 ? 0 : longest_ticks;
    change->gain = (int64_t)(ticks * ep_load(&ep_sampling_budget()->budget_millionths));
    change->price = (int64_t)thread->charge_ticks * charges(thread) * EP_SAMPLING_MILLION;
    thread->credit += change->gain;
    if (thread->credit > thread->credit_most)
        thread->credit = thread->credit_most;
    thread->credit -= change->price;
}

void ep_blocks_pay_hold(struct ep_thread *thread, uint64_t now_ticks)
{
    struct change change;
    if (ep_load(&ep_sampling_budget()->period))
        return;
    pay(thread, now_ticks, &change);
    if (thread->credit < 0)
        thread->credit = thread->credit + change.price < 0 ? thread->credit + change.price : 0;
}

/* ---- blocks ---- */

/* Xorshift (Marsaglia: Xorshift RNGs, Journal of Statistical Software 8, 2003), one generator per
 * thread. The counter and the record's address make the generators of threads and of forked
 * children differ. */
static uint32_t draw(struct ep_thread *thread)
{
    uint32_t x = thread->random;
    if (!x)
        x = (uint32_t)(ep_source_now(ep_process_source()) ^ ep_counter_read() ^
                       (uintptr_t)thread >> 12) *
                UINT32_C(0x9E3779B1) |
            1;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return thread->random = x;
}

uint32_t ep_blocks_next(struct ep_thread *thread, unsigned shift, uint32_t *rest)
{
    uint32_t place = shift ? draw(thread) >> (32 - shift) : 0;
    uint32_t until = *rest + place + 1;
    *rest = (UINT32_C(1) << shift) - 1 - place;
    return until;
}

unsigned ep_blocks_first_shift(void)
{
    uint64_t period = ep_load(&ep_sampling_budget()->period);
    return period > 1 ? (unsigned)__builtin_ctzll(period) : 0;
}

/*
 * The length of the next block. Longer only without credit, and not if credit is growing already;
 * by more than one step if twice the first credit is missing or more, as when many paths begin at
 * once. Shorter only if blocks of half the length could be paid for all the time. After a long call
 * each call is timed, until one is not long. Then the blocks are as long as before the first long
 * call, which may only have waited for a processor.
 */
static unsigned next_shift(const struct ep_thread *thread, unsigned shift,
                           struct ep_blocks_course course, uint64_t difference_ticks,
                           struct change change)
{
    if (course.is_first)
        return 0;
    if (difference_ticks > (uint64_t)LONG_PROBES * thread->charge_ticks) {
        if (shift)
            *course.former_shift = (uint8_t)shift;
        return 0;
    }
    if (*course.former_shift) {
        shift = *course.former_shift;
        *course.former_shift = 0;
    }
    if (thread->credit < 0 && change.gain < change.price) {
        unsigned steps = -thread->credit > thread->credit_most / 2   ? 4
                         : -thread->credit > thread->credit_most / 5 ? 2
                                                                     : 1;
        return shift + steps < EP_SAMPLING_SHIFT_MOST ? shift + steps : EP_SAMPLING_SHIFT_MOST;
    }
    bool is_plenty = thread->credit > thread->credit_most / 10 && *course.since >= SHORTER_AFTER &&
                     change.gain / 2 >= change.price;
    return shift && is_plenty ? shift - 1 : shift;
}

unsigned ep_blocks_adapt(struct ep_thread *thread, unsigned before, struct ep_blocks_course course,
                         uint64_t difference_ticks, uint64_t now_ticks)
{
    unsigned shift = before;
    uint8_t former_shift = *course.former_shift;
    if (ep_sampling_is_on() && !ep_load(&ep_sampling_budget()->period)) {
        struct change change;
        pay(thread, now_ticks, &change);
        shift = next_shift(thread, before, course, difference_ticks, change);
    }
    bool is_detour = former_shift != *course.former_shift; /* to blocks of one call, or back */
    if (shift != before && !is_detour)
        *course.since = 0;
    else if (*course.since != UINT16_MAX)
        *course.since = (uint16_t)(*course.since + 1);
    return shift;
}
