/*
 * Signal handlers in the midst of what else records: spans, instances, functions, slow scopes.
 *
 * What is interrupted is exact; of the handler's calls, those that could not be recorded are
 * counted as lost. By the trap flag of x86-64.
 */
#include "../trap_flag.h"
#include "function_calls.h"
#include "hand_clock.h"
#include "tree_text.h"

#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#define AT(number) ((void *)(uintptr_t)(number))

static uint64_t steps; /* instructions so far */
static void (*in_handler)(void);
static uint64_t only_step; /* the handler acts behind this one alone; 0: behind each */

/* Behind the only one there is no more to be stepped through. */
static void step(int signal, siginfo_t *news, void *context)
{
    ucontext_t *interrupted = context;
    (void)signal;
    (void)news;
    steps++;
    if (only_step && steps != only_step)
        return;
    if (only_step)
        interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    in_handler();
}

/* Runs `act`, with `by` behind its instruction of this number. false: it has no more so many. */
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
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_RESTART | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    hand_clock_begin(state);
    id = eprof_alloc("instance");
    steps = only_step = 0;
    return sigaction(SIGTRAP, &action, NULL);
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

static void shortest_and_longest_span_are_found_at_each_instruction(void **state)
{
    (void)state;
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
    assert_int_equal(count_rows("trouble"), 0);
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

/* Twice as long as the process has run, which it has to look at. */
static void record_a_long_pair(void)
{
    eprof_start(id);
    hand_ticks += hand_ticks + 1000;
    eprof_stop(id);
}

static void long_pair_in_a_handler_counts_at_each_instruction(void **state)
{
    enum { STRIDE = 61, ROUNDS = 40 };
    uint64_t handlers = 0;
    (void)state;
    hand_ticks = 1000;
    record_a_long_pair();
    for (uint64_t i = 0; i < ROUNDS; i++)
        handlers += step_into(enter_something_new, 1 + i * STRIDE, record_a_long_pair);
    struct eprof_row row = instance_row("instance");
    assert_int_equal(row.calls, handlers + 1);
    assert_int_equal(row.timed, row.calls - row.errors);
    assert_int_equal(row.errors, trouble("lost")); /* that its clock could not be looked at */
    assert_in_range(row.errors, 1, handlers / 2);
    assert_int_equal(row.open, 0);
    assert_int_equal(calls_of("scope"), ROUNDS);
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

static void slow_scope_in_a_handler_counts_or_is_lost_at_each_instruction(void **state)
{
    (void)state;
    enter_slow();
    interrupt_each_instruction_of_something_new(enter_slow);
    uint64_t lost = trouble("lost");
    assert_in_range(lost, 1, steps);
    assert_int_equal(calls_of("scope") + lost, 1 + steps + 1);
}

static uint64_t functions;

/* It has never been called before. */
static void call_a_function(void)
{
    uintptr_t function = 0x10000 + 0x10 * (uintptr_t)functions++;
    eprof_function_enter(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
    eprof_function_leave(AT(function), AT(0x901), AT(0x9000), AT(function + 1));
}

static void function_in_a_handler_counts_or_is_lost_at_each_instruction(void **state)
{
    (void)state;
    interrupt_each_instruction_of_something_new(call_a_function);
    uint64_t lost = trouble("lost");
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

static void handler_that_is_switched_off_leaves_all_in_balance_at_each_instruction(void **state)
{
    enum { STRIDE = 97 };
    uint64_t rounds = 0;
    (void)state;
    while (step_into(enter_something_new, 1 + rounds * STRIDE, enter_by_hand_switched_off))
        rounds++;
    assert_in_range(rounds, 5, 100000);
    assert_int_equal(calls_of("scope"), rounds + 1);
    assert_int_equal(trouble("unbalanced"), 0);
    assert_int_equal(trouble("forced_closes"), 0);
}

/* ---- what is interrupted is what the handler does ---- */

static uintptr_t same_function;

static void call_same_function(void)
{
    eprof_function_enter(AT(same_function), AT(0x901), AT(0x9000), AT(same_function + 1));
    eprof_function_leave(AT(same_function), AT(0x901), AT(0x9000), AT(same_function + 1));
}

static void function_that_a_handler_makes_known_counts_at_each_instruction(void **state)
{
    enum { ROUNDS = 250 };
    (void)state;
    for (uint64_t number = 1; number <= ROUNDS; number++) {
        same_function = 0x1000000 + 0x10 * (uintptr_t)number;
        assert_true(step_into(call_same_function, number, call_same_function));
    }
    uint64_t calls = calls_of("function"), lost = trouble("lost");
    assert_in_range(calls, ROUNDS, 2 * ROUNDS);
    assert_in_range(calls + lost, 2 * ROUNDS, 3 * ROUNDS);
}

/* ---- a handler that makes the thread's record larger ---- */

enum { MANY = 1000 }; /* more than a record has room for at first */

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

/* Of a name of its own, so that it has not the record of one that has ended. */
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

static void record_may_grow_in_a_handler_at_each_instruction(void **state)
{
    (void)state;
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
    assert_int_equal(trouble("forced_closes"), 0);
    assert_int_equal(calls_of("instance") + trouble("lost"), threads - 1);
}

/* ---- a handler that switches recording off ---- */

static void switch_off(void)
{
    eprof_thread_enable(false);
}

static void scope_that_a_handler_switches_off_in_is_whole_or_nothing(void **state)
{
    enum { STRIDE = 17 };
    bool is_stepped = true;
    (void)state;
    for (uint64_t number = 1; is_stepped; number += STRIDE) {
        eprof_reset(); /* so that it is opened by the cold path */
        is_stepped = step_into(scope, number, switch_off);
        eprof_thread_enable(true);
        assert_in_range(calls_of("scope"), 0, 1);
        assert_int_equal(count_rows("trouble"), 0);
    }
    scope();
    assert_in_range(calls_of("scope"), 1, 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, begin)
    const struct CMUnitTest tests[] = {
        TEST(shortest_and_longest_span_are_found_at_each_instruction),
        TEST(long_pair_in_a_handler_counts_at_each_instruction),
        TEST(slow_scope_in_a_handler_counts_or_is_lost_at_each_instruction),
        TEST(function_in_a_handler_counts_or_is_lost_at_each_instruction),
        TEST(handler_that_is_switched_off_leaves_all_in_balance_at_each_instruction),
        TEST(function_that_a_handler_makes_known_counts_at_each_instruction),
        TEST(record_may_grow_in_a_handler_at_each_instruction),
        TEST(scope_that_a_handler_switches_off_in_is_whole_or_nothing),
    };
    return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
