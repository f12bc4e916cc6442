/*
 * Signal handlers that interrupt other recording: spans, instances, functions, slow scopes.
 *
 * The figures of the interrupted calls are exact; those of the handler's calls that could not be
 * recorded are counted as lost. By the trap flag of x86-64.
 */
#include "function_calls.h"
#include "hook_calls.h"
#include "trap_flag.h"
#include "tree_text.h"

#include <pthread.h>

static uint64_t steps; /* instructions so far */
static void (*in_handler)(void);
static uint64_t only_step; /* the handler acts after this instruction only; 0: after each */

/* After that instruction the trap flag is cleared. */
static void step(ucontext_t *interrupted)
{
    steps++;
    if (only_step && steps != only_step)
        return;
    if (only_step)
        trap_flag_stop(interrupted);
    in_handler();
}

/* Runs `act`, and `by` after the instruction of this number. false: `act` has fewer
 * instructions. */
static bool step_into(void (*act)(void), uint64_t number, void (*by)(void))
{
    in_handler = by;
    steps = 0;
    only_step = number;
    trap_flag_set();
    act();
    trap_flag_clear();
    only_step = 0;
    return steps >= number;
}

static int id;

static int begin(void **state)
{
    hand_clock_begin(state);
    id = eprof_alloc("instance");
    steps = only_step = 0;
    return trap_flag_call(step);
}

static uint64_t calls_of(const char *kind)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, kind) == 0)
            calls += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

/* ---- spans of one instance ---- */

enum { ROUND_TICKS = 1000 };

static void span(uint64_t ticks)
{
    uint64_t start = hand_ticks - ROUND_TICKS;
    eprof_record(id, start, start + ticks);
}

static void record_200(void)
{
    span(200);
}

static void record_250(void)
{
    span(250);
}

static void record_400(void)
{
    span(400);
}

static void record_350(void)
{
    span(350);
}

TEST(shortest_and_longest_span_are_found_at_each_instruction)
{
    bool is_stepped = true;
    for (uint64_t number = 1; is_stepped; number++) {
        eprof_reset();
        hand_ticks += ROUND_TICKS;
        span(300);
        bool is_in_first = step_into(record_200, number, record_250);
        bool is_in_second = step_into(record_400, number, record_350);
        is_stepped = is_in_first || is_in_second;
        struct eprof_row row = instance_row("instance");
        assert_int_equal(row.calls, 3U + is_in_first + is_in_second);
        assert_int_equal(row.total_ns, 900U + 250U * is_in_first + 350U * is_in_second);
        assert_int_equal(row.min_ns, 200);
        assert_int_equal(row.max_ns, 400);
    }
    assert_int_equal(count_rows("diagnostic"), 0);
}

/* ---- in the midst of a cold path ---- */

static uint64_t new_labels;

static void enter_something_new(void)
{
    char label[32];
    snprintf(label, sizeof label, "new %llu", (unsigned long long)new_labels++);
    eprof_enter(label);
    eprof_leave();
}

/* Longer than any time before, so the clock has to be looked at again. */
static void let_the_longest_time_pass(void)
{
    hand_ticks += hand_ticks + 1000;
}

static void record_a_long_pair(void)
{
    eprof_start(id);
    let_the_longest_time_pass();
    eprof_stop(id);
}

static void record_a_long_span(void)
{
    uint64_t start = hand_ticks;
    let_the_longest_time_pass();
    eprof_record(id, start, hand_ticks);
}

static void record_a_pair_back(void)
{
    eprof_start(id);
    hand_ticks -= 1;
    eprof_stop(id);
}

enum { FIRST_TICKS = 1000 };

/* The handler comes after some instructions of cold paths. Returns the number of its calls. */
static uint64_t interrupt_something_new(void (*by)(void))
{
    enum { STRIDE = 97, ROUNDS = 25 };
    uint64_t handlers = 0;
    hand_ticks = FIRST_TICKS;
    for (uint64_t i = 0; i < ROUNDS; i++)
        handlers += step_into(enter_something_new, 1 + i * STRIDE, by);
    assert_int_equal(calls_of("scope"), ROUNDS);
    assert_true(handlers > ROUNDS / 2);
    return handlers;
}

TEST(long_pair_in_a_handler_counts_at_each_instruction)
{
    record_a_long_pair(); /* the thread knows the instance */
    uint64_t before_ns = instance_row("instance").total_ns;
    uint64_t handlers = interrupt_something_new(record_a_long_pair);
    struct eprof_row row = instance_row("instance");
    assert_int_equal(row.errors, 0);
    assert_int_equal(row.timed, handlers + 1);
    assert_int_equal(row.total_ns - before_ns, hand_ticks - FIRST_TICKS);
    assert_int_equal(row.open, 0);
    assert_int_equal(diagnostic_count("lost"), 0);
    hand_ticks = 0;
}

static uint64_t longest_ticks; /* at least as long as any time before */

static void record_a_long_pair_by_a_running_clock(void)
{
    uint64_t start = eprof_now();
    eprof_start(id);
    while (eprof_now() - start <= longest_ticks)
        continue;
    eprof_stop(id);
}

/* A source that was just taken into use has run for a short time. */
static void interrupt_by_a_long_pair(const char *clock, uint64_t number)
{
    assert_int_equal(eprof_source_use("hand"), 0);
    assert_int_equal(eprof_source_use(clock), 0);
    uint64_t first = eprof_now();
    longest_ticks = 0;
    record_a_long_pair_by_a_running_clock();
    longest_ticks = 4 * (eprof_now() - first);
    uint64_t pairs =
        1 + step_into(enter_something_new, number, record_a_long_pair_by_a_running_clock);
    struct eprof_row row = instance_row("instance");
    if (row.timed != pairs || row.errors || diagnostic_count("lost"))
        fail_msg("%s, after instruction %" PRIu64 ":\n%s", clock, number, diagnostic_text());
}

TEST(long_pair_in_a_handler_counts_with_each_clock)
{
    static const char *const clocks[] = {"auto", "clock_gettime", "gettimeofday"};
    enum { STRIDE = 197, ROUNDS = 12 };
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++)
        for (uint64_t round = 0; round < ROUNDS; round++)
            interrupt_by_a_long_pair(clocks[i], 1 + round * STRIDE);
}

TEST(long_span_in_a_handler_counts_or_is_lost_once_at_each_instruction)
{
    record_a_long_span();
    uint64_t handlers = interrupt_something_new(record_a_long_span);
    uint64_t lost = diagnostic_count("lost");
    struct eprof_row row = instance_row("instance");
    assert_int_equal(row.errors, 0);
    assert_int_equal(row.timed + lost, handlers + 1);
    assert_in_range(lost, 1, handlers / 2);
    hand_ticks = 0;
}

TEST(pair_in_a_handler_during_which_the_clock_goes_back_is_rejected_at_each_instruction)
{
    eprof_start(id);
    eprof_stop(id);
    uint64_t handlers = interrupt_something_new(record_a_pair_back);
    struct eprof_row row = instance_row("instance");
    assert_int_equal(row.errors, handlers);
    assert_int_equal(row.calls, handlers + 1);
    assert_int_equal(diagnostic_count("lost"), 0);
    hand_ticks = 0;
}

static void interrupt_each_instruction_of_something_new(void (*by)(void))
{
    in_handler = by;
    trap_flag_set();
    enter_something_new();
    trap_flag_clear();
    assert_true(steps > 100);
}

static void enter_slow(void)
{
    EPROF_SLOW("slow", 0);
}

TEST(slow_scope_in_a_handler_counts_or_is_lost_at_each_instruction)
{
    enter_slow();
    interrupt_each_instruction_of_something_new(enter_slow);
    uint64_t lost = diagnostic_count("lost");
    assert_in_range(lost, 1, steps);
    assert_int_equal(calls_of("scope") + lost, 1 + steps + 1);
}

static uint64_t functions;

/* This function has never been called before. */
static void call_a_function(void)
{
    uintptr_t function = 0x10000 + 0x10 * (uintptr_t)functions++;
    eprof_function_enter(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
    eprof_function_leave(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
}

TEST(function_in_a_handler_counts_or_is_lost_at_each_instruction)
{
    interrupt_each_instruction_of_something_new(call_a_function);
    uint64_t lost = diagnostic_count("lost");
    assert_in_range(lost, 1, steps);
    assert_in_range(calls_of("function") + lost, steps, 2 * steps); /* an exit may be lost too */
    assert_int_equal(calls_of("scope"), 1);
}

static void enter_by_hand_switched_off(void)
{
    eprof_thread_enable(false);
    eprof_enter("off");
    eprof_leave();
    eprof_thread_enable(true);
}

TEST(handler_that_is_switched_off_leaves_all_in_balance_at_each_instruction)
{
    enum { STRIDE = 97 };
    uint64_t rounds = 0;
    while (step_into(enter_something_new, 1 + rounds * STRIDE, enter_by_hand_switched_off))
        rounds++;
    assert_in_range(rounds, 5, 100000);
    assert_int_equal(calls_of("scope"), rounds + 1);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
}

/* ---- the handler makes the same call that it interrupts ---- */

static uintptr_t same_function;

static void call_same_function(void)
{
    eprof_function_enter(AT(same_function), AT(0x901), AT(0x9000), AT(same_function + 1));
    eprof_function_leave(AT(same_function), AT(0x901), AT(0x9000), AT(same_function + 1));
}

TEST(function_that_a_handler_makes_known_counts_at_each_instruction)
{
    enum { ROUNDS = 250 };
    for (uint64_t number = 1; number <= ROUNDS; number++) {
        same_function = 0x1000000 + 0x10 * (uintptr_t)number;
        assert_true(step_into(call_same_function, number, call_same_function));
    }
    uint64_t calls = calls_of("function"), lost = diagnostic_count("lost");
    assert_in_range(calls, ROUNDS, 2 * ROUNDS);
    assert_in_range(calls + lost, 2 * ROUNDS, 3 * ROUNDS);
}

/* ---- a handler that calls a function that gcc has split (test_function_split.c) ---- */

static void call_g(void)
{
    enter(g_call);
    leave(g_call);
}

/* The enter hook is in the handler's frame, the exit hook below that. */
static void call_split_function(void)
{
    struct call beginning = in_frame(call_from(main_call, 0x44), 0x6000);
    enter(beginning);
    leave(in_frame(call_from(beginning, 0x48), 0x5000));
}

/* The thread has its own name, so it does not reuse the record of an ended thread. Its stack has no
 * entry for g yet. */
static void *step_through_a_first_call(void *number)
{
    char name[32];
    snprintf(name, sizeof name, "first %llu", *(unsigned long long *)number);
    eprof_thread_enter(name);
    enter(main_call);
    bool is_stepped = step_into(call_g, *(uint64_t *)number, call_split_function);
    pass(10);
    leave(main_call);
    return is_stepped ? number : NULL;
}

/* If the handler's enter is lost, its exit finds an open call of the same function, which belongs
 * to the program. */
TEST(split_function_in_a_handler_counts_or_is_lost_at_each_instruction)
{
    enum { STRIDE = 11 };
    uint64_t lost = 0, number;
    void *is_stepped = state;
    call_g();
    for (number = 1; is_stepped; number += STRIDE) {
        pthread_t thread;
        struct eprof_row row;
        eprof_reset();
        assert_int_equal(pthread_create(&thread, NULL, step_through_a_first_call, &number), 0);
        assert_int_equal(pthread_join(thread, &is_stepped), 0);
        uint64_t lost_now = diagnostic_count("lost");
        take_rows(eprof_snapshot_take, "function", "0x10", "*", &row);
        if (row.calls + lost_now != (is_stepped ? 2 : 1) || row.total_ns != 10 ||
            strcmp(diagnostic_text(), lost_now ? "lost 1" : "") != 0)
            fail_msg("after instruction %" PRIu64 ":\n%s%s", number, tree_text(),
                     diagnostic_text());
        lost += lost_now;
    }
    print_message("%" PRIu64 " instructions, %" PRIu64 " calls lost\n", number, lost);
    assert_in_range(lost, 1, number / STRIDE / 4);
}

/* ---- a handler that makes the thread's table larger ---- */

enum { MANY = 5000 }; /* more than a record has room for */

static int last_id;

static void use_the_last_instance(void)
{
    eprof_start(last_id);
    eprof_stop(last_id);
}

static __attribute__((noinline)) void scope(void)
{
    EPROF_SCOPE("scope");
}

/* The thread has a name of its own, so it does not get the record of an ended thread. */
static void *step_through_a_scope(void *number)
{
    char name[32];
    snprintf(name, sizeof name, "thread %llu", *(unsigned long long *)number);
    eprof_thread_enter(name);
    scope();
    scope();
    bool is_stepped = step_into(scope, *(uint64_t *)number, use_the_last_instance);
    scope();
    return is_stepped ? number : NULL;
}

TEST(table_may_grow_in_a_handler_at_each_instruction)
{
    uint64_t threads = 0;
    void *is_stepped = state;
    for (int i = 0; i < MANY; i++)
        last_id = eprof_alloc("many");
    while (is_stepped) {
        pthread_t thread;
        threads++;
        assert_int_equal(pthread_create(&thread, NULL, step_through_a_scope, &threads), 0);
        assert_int_equal(pthread_join(thread, &is_stepped), 0);
    }
    assert_in_range(threads, 10, 100000);
    assert_int_equal(calls_of("scope"), 4 * threads);
    assert_int_equal(count_rows("scope"), 1);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
    assert_int_equal(calls_of("instance") + diagnostic_count("lost"), threads - 1);
}

/* ---- a handler that switches recording off ---- */

static void switch_off(void)
{
    eprof_thread_enable(false);
}

TEST(scope_that_a_handler_switches_off_in_is_whole_or_nothing)
{
    enum { STRIDE = 17 };
    bool is_stepped = true;
    for (uint64_t number = 1; is_stepped; number += STRIDE) {
        eprof_reset(); /* so that it is opened by the cold path */
        is_stepped = step_into(scope, number, switch_off);
        eprof_thread_enable(true);
        assert_in_range(calls_of("scope"), 0, 1);
        assert_int_equal(count_rows("diagnostic"), 0);
    }
    scope();
    assert_in_range(calls_of("scope"), 1, 2);
}

/* ---- a handler that switches all recording off ---- */

enum { STOPS_ALONE = 1 }; /* in eprof_recording: open regions still end */

static void switch_all_off(void)
{
    eprof_enable(false);
}

enum part { NOTHING, BEGIN, END }; /* of a region that is run step by step */

static inline __attribute__((always_inline)) void trap_if(bool is_trapped)
{
    if (is_trapped)
        trap_flag_set();
}

/* The steps of the end continue up to the trap_flag_clear() of the caller. */
static void record_instance(enum part part)
{
    trap_if(part == BEGIN);
    eprof_start(id);
    trap_flag_clear();
    trap_if(part == END);
    eprof_stop(id);
}

static __attribute__((noinline)) void record_scope(enum part part)
{
    trap_if(part == BEGIN);
    EPROF_SCOPE("scope");
    trap_flag_clear();
    trap_if(part == END);
}

static void record_by_hand(enum part part)
{
    trap_if(part == BEGIN);
    eprof_enter("by hand");
    trap_flag_clear();
    trap_if(part == END);
    eprof_leave();
}

static __attribute__((noinline)) void record_slow(enum part part)
{
    trap_if(part == BEGIN);
    EPROF_SLOW("slow", 0);
    trap_flag_clear();
    trap_if(part == END);
}

static void record_function(enum part part)
{
    trap_if(part == BEGIN);
    enter(f_call);
    trap_flag_clear();
    trap_if(part == END);
    leave(f_call);
}

enum { INSTANCE, SCOPE, BY_HAND, SLOW, FUNCTION, REGIONS };

static void (*const regions[])(enum part part) = {record_instance, record_scope, record_by_hand,
                                                  record_slow, record_function};

/* Switches recording off after `number` instructions. false: there are fewer. */
static bool switch_off_in(int region, enum part part, uint64_t number)
{
    in_handler = switch_all_off;
    steps = 0;
    only_step = number;
    regions[region](part);
    trap_flag_clear();
    only_step = 0;
    return steps >= number;
}

/* If the handler interrupts the cold path, the switch may be refused: then recording stays on. */
TEST(begin_that_is_given_up_ends_the_state_in_which_ends_are_called)
{
    enum { HOT_INSTRUCTIONS = 200, STRIDE = 97 };
    for (int region = 0; region < REGIONS; region++)
        for (int is_hot = 0; is_hot < 2; is_hot++) {
            bool is_stepped = true;
            for (uint64_t number = 1; is_stepped;
                 number += is_hot && number < HOT_INSTRUCTIONS ? 1 : STRIDE) {
                eprof_enable(true);
                if (is_hot)
                    regions[region](NOTHING);
                is_stepped = switch_off_in(region, BEGIN, number);
                if (eprof_recording == STOPS_ALONE)
                    fail_msg("region %d, hot %d, after instruction %" PRIu64, region, is_hot,
                             number);
            }
        }
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
}

/* The hot path of an end does not check whether it is the last one. A report does. */
TEST(report_ends_the_state_in_which_ends_are_called_if_a_hot_end_was_the_last)
{
    static const int hot[] = {INSTANCE, SCOPE, FUNCTION};
    for (size_t i = 0; i < sizeof hot / sizeof hot[0]; i++) {
        int region = hot[i];
        uint64_t left = 0;
        bool is_stepped = true;
        for (uint64_t number = 1; is_stepped; number++) {
            eprof_enable(true);
            regions[region](NOTHING);
            is_stepped = switch_off_in(region, END, number);
            left += eprof_recording == STOPS_ALONE;
            eprof_snapshot_free(eprof_snapshot_take());
            if (eprof_recording == STOPS_ALONE)
                fail_msg("region %d, after instruction %" PRIu64, region, number);
        }
        print_message("region %d: left in %" PRIu64 " cases\n", region, left);
        assert_in_range(left, 1, 1000);
    }
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
}

TEST_EACH(begin, NULL)
