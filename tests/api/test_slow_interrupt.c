/*
 * EPROF_SLOW at each of its instructions: a signal handler records, or the thread ends there
 *
 * A hold begins and ends in a brief way where its path is known and nothing unusual happened in it
 * (record/slow.h). So each scope was entered before, and the handler acts once in each of them.
 */
#include "hand_clock.h"
#include "trap_flag.h"
#include "tree_text.h"

#include <pthread.h>

static uint64_t steps, only_at;
static void (*in_handler)(void);

static void step(ucontext_t *interrupted)
{
    (void)interrupted;
    if (++steps == only_at)
        in_handler();
}

static int begin(void **state)
{
    hand_clock_begin(state);
    assert_int_equal(eprof_setup("budget=1/4096"), 0);
    return trap_flag_call(step);
}

/* ---- what is interrupted ---- */

enum { EARLIER = 3 }; /* until all is known */

static __attribute__((noinline)) void pair(void)
{
    EPROF_SCOPE("pair");
}

static __attribute__((noinline)) void be_slow(void)
{
    EPROF_SLOW("slow", 0);
    pair();
}

static __attribute__((noinline)) void be_fast(void)
{
    EPROF_SLOW("fast", UINT64_C(3600) * 1000000000);
    pair();
}

/* One path that is kept or dropped. */
static bool is_kept_now;

static __attribute__((noinline)) void be_either(void)
{
    EPROF_SLOW("either", is_kept_now ? 0 : UINT64_C(3600) * 1000000000);
    pair();
}

static __attribute__((noinline)) void nest(void)
{
    EPROF_SLOW("around", 0);
    be_fast();
    be_slow();
}

/* ---- what a handler does ---- */

static void enter_and_leave(void)
{
    EPROF_SCOPE("handler");
}

static void enter_slow(void)
{
    EPROF_SLOW("handler", 0);
}

static void enter_fast(void)
{
    EPROF_SLOW("handler", UINT64_C(3600) * 1000000000);
    enter_and_leave();
}

static void enter_what_is_interrupted(void)
{
    be_slow();
}

static int span_id;
static uint64_t span_start_ticks;

static void record_span(void)
{
    eprof_record(span_id, span_start_ticks, hand_ticks);
}

static void hold_and_keep(void)
{
    eprof_hold();
    enter_and_leave();
    eprof_keep(true);
}

static void hold_and_drop(void)
{
    eprof_hold();
    enter_and_leave();
    eprof_keep(false);
}

static uint64_t calls_of(const char *name)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "diagnostic") == 0)
            continue;
        if (row.open)
            fail_msg("instruction %" PRIu64 ": %s is open", only_at, row.path);
        calls += strcmp(row.name, name) == 0 ? row.calls : 0;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

static void assert_calls(const char *name, uint64_t least, uint64_t most)
{
    uint64_t calls = calls_of(name);
    if (calls < least || calls > most)
        fail_msg("instruction %" PRIu64 ": %s: %" PRIu64 " calls, not %" PRIu64 " to %" PRIu64,
                 only_at, name, calls, least, most);
}

/* Some 0.1 s each. */
enum { MOST_STEPS = 15000 };

/* most: calls of the same name by the handler. After it all is as if it had not been there. */
static void interrupt_one_instruction(void (*act)(void), void (*by)(void), uint64_t most,
                                      const char *const *kept)
{
    uint64_t stride = 1;
    in_handler = by;
    for (only_at = 1; only_at == 1 || steps >= only_at; only_at += stride) {
        eprof_reset();
        for (int i = 0; i < EARLIER; i++)
            act();
        steps = 0;
        trap_flag_set();
        act();
        trap_flag_clear();
        act();
        for (const char *const *name = kept; *name; name++)
            assert_calls(*name, EARLIER + 2, EARLIER + 2 + most);
        assert_calls("fast", 0, 0);
        assert_int_equal(diagnostic_count("forced_closes"), 0);
        assert_int_equal(diagnostic_count("unmatched_keeps"), 0);
        stride = 1 + steps * steps / MOST_STEPS;
    }
    assert_true(only_at > 200);
}

static void (*const handlers[])(void) = {enter_and_leave, enter_slow,    enter_fast,
                                         hold_and_keep,   hold_and_drop, NULL};

TEST(handler_leaves_a_kept_one_exact_at_each_instruction)
{
    static const char *const kept[] = {"slow", "pair", NULL};
    for (void (*const *by)(void) = handlers; *by; by++)
        interrupt_one_instruction(be_slow, *by, 0, kept);
    interrupt_one_instruction(be_slow, enter_what_is_interrupted, 1, kept);
}

TEST(handler_leaves_a_dropped_one_dropped_at_each_instruction)
{
    static const char *const none[] = {NULL};
    for (void (*const *by)(void) = handlers; *by; by++) {
        interrupt_one_instruction(be_fast, *by, 0, none);
        assert_calls("pair", 0, 0);
    }
}

TEST(handler_leaves_holds_in_a_hold_exact_at_each_instruction)
{
    static const char *const kept[] = {"around", "slow", "pair", NULL};
    for (void (*const *by)(void) = handlers; *by; by++)
        interrupt_one_instruction(nest, *by, 0, kept);
}

/* A call of the handler is recorded or lost. */
static void record_at_each_instruction(void (*act)(void), void (*by)(void), const char *name)
{
    by();
    in_handler = by;
    for (only_at = 1; only_at == 1 || steps >= only_at; only_at++) {
        eprof_reset();
        for (int i = 0; i < EARLIER; i++)
            act();
        span_start_ticks = eprof_now();
        hand_ticks += 5;
        steps = 0;
        trap_flag_set();
        act();
        trap_flag_clear();
        uint64_t calls = calls_of(name), lost = diagnostic_count("lost");
        if (calls + lost != (steps >= only_at))
            fail_msg("instruction %" PRIu64 ": %" PRIu64 " calls and %" PRIu64 " lost", only_at,
                     calls, lost);
    }
}

TEST(handler_is_recorded_or_lost_at_each_instruction_of_a_kept_one)
{
    record_at_each_instruction(be_slow, enter_and_leave, "handler");
}

/* It began before the hold, so a drop does not concern it. */
TEST(span_of_a_handler_is_recorded_or_lost_at_each_instruction_of_a_dropped_one)
{
    span_id = eprof_alloc("span");
    record_at_each_instruction(be_fast, record_span, "span");
}

/* ---- the end of the thread ---- */

static void end_the_thread(void)
{
    pthread_exit(NULL);
}

static void *be_worker(void *act)
{
    void (*const *function)(void) = act;
    eprof_thread_enter("worker");
    for (int i = 0; i < EARLIER; i++)
        (*function)();
    trap_flag_set();
    (*function)();
    trap_flag_clear();
    return NULL;
}

static void run_worker(void (*act)(void))
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, be_worker, &act), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

enum { STRIDE = 3 }; /* a new thread for each instruction takes a second in all */

/* The next thread of the name goes on in its record. */
static void end_at_each_instruction(void (*act)(void), bool is_kept)
{
    uint64_t calls = 0;
    in_handler = end_the_thread;
    steps = UINT64_MAX;
    for (only_at = 1; steps >= only_at - STRIDE; only_at += STRIDE) {
        steps = 0;
        run_worker(act);
        uint64_t now = calls_of(is_kept ? "slow" : "fast"), added = now - calls;
        if (is_kept ? added < EARLIER || added > EARLIER + 1 : added > 0)
            fail_msg("ended at instruction %" PRIu64 ": %" PRIu64 " calls more", only_at, added);
        calls = now;
    }
    assert_true(only_at > 200);
    /* a thread that ends in a keep loses the rest of that hold, as a kill does */
    uint64_t threads = only_at / STRIDE;
    assert_calls("pair", is_kept ? EARLIER * threads : 0, is_kept ? calls + only_at : 0);
}

TEST(thread_may_end_at_each_instruction_of_a_kept_one)
{
    end_at_each_instruction(be_slow, true);
}

TEST(thread_may_end_at_each_instruction_of_a_dropped_one)
{
    end_at_each_instruction(be_fast, false);
}

/* The second thread keeps a hold with a call of the same path. */
TEST(calls_of_a_dropped_one_are_not_those_of_the_next_thread)
{
    in_handler = end_the_thread;
    steps = UINT64_MAX;
    for (uint64_t at = 1; steps >= at - STRIDE; at += STRIDE) {
        eprof_reset();
        only_at = at;
        steps = 0;
        run_worker(be_either);
        uint64_t taken = steps;
        only_at = 0;
        is_kept_now = true;
        run_worker(be_either);
        is_kept_now = false;
        only_at = at;
        assert_calls("either", EARLIER + 1, EARLIER + 1);
        assert_calls("pair", EARLIER + 1, EARLIER + 1);
        steps = taken;
    }
}

TEST_RUN()
{
    return tests_run(NULL, begin, NULL);
}
