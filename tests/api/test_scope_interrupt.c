/*
 * Signal handlers with scopes, at every instruction of an enter and a leave
 *
 * The processor's trap flag raises SIGTRAP after each instruction, and the handler records. The
 * figures of the interrupted calls are exact; those of the handler's calls that could not be
 * recorded are counted as lost. On x86-64, where each counter is raised by a single instruction.
 * Under a budget this interrupts the inline parts too (tests/api/CMakeLists.txt).
 */
#include "hand_clock.h"
#include "trap_flag.h"
#include "tree_text.h"

#include <pthread.h>

static int instance;
static uint64_t steps;   /* instructions that were interrupted */
static uint64_t only_at; /* the one at which the handler records; 0: at each */
static void (*in_handler)(void);

static void step(ucontext_t *interrupted)
{
    (void)interrupted;
    if (++steps == only_at || !only_at)
        in_handler();
}

/* "hand" or another: a counter that is read inline takes other paths. */
static const char *source;

static int begin(void **state)
{
    hand_clock_begin(state);
    assert_int_equal(eprof_source_use(source), 0);
    instance = eprof_alloc("by the handler");
    steps = only_at = 0;
    return trap_flag_call(step);
}

/* ----------------------------------------------------- what a handler does -- */

static void enter_and_leave(void)
{
    EPROF_SCOPE("handler");
}

static void nest_by_hand(void)
{
    EPROF_SCOPE("handler");
    eprof_enter("by hand");
    eprof_leave();
}

static void record_an_instance(void)
{
    EPROF_SCOPE("handler");
    eprof_start(instance);
    eprof_stop(instance);
}

static __attribute__((noinline)) void recurse(int depth);

static void enter_what_is_interrupted(void)
{
    recurse(0);
}

static uint64_t new_paths;

/* A path that is new at first: only the cold path records it. */
static void enter_something_new(void)
{
    char label[32];
    snprintf(label, sizeof label, "new %" PRIu64, new_paths++ % 1000);
    eprof_enter(label);
    eprof_leave();
}

static void hold_and_drop(void)
{
    eprof_hold();
    enter_and_leave();
    eprof_keep(false);
}

static void hold_and_keep(void)
{
    eprof_hold();
    enter_and_leave();
    eprof_keep(true);
}

static __attribute__((noinline)) void record_values(void)
{
    EPROF_VALUE("value", 3);
    EPROF_VALUE("negative", -3);
}

static void record_values_and_a_scope(void)
{
    EPROF_SCOPE("handler");
    record_values();
}

static void record_a_frame(void)
{
    EPROF_FRAME("handler", 0);
}

static void enter_slow(void)
{
    EPROF_SLOW("handler", 0);
    enter_and_leave();
}

/* ----------------------------------------------------- what is interrupted -- */

static __attribute__((noinline)) void pair(void)
{
    EPROF_SCOPE("pair");
}

static __attribute__((noinline)) void nested(void)
{
    EPROF_SCOPE("outer");
    EPROF_BLOCK("first") pair();
    EPROF_BLOCK("second") pair();
}

static __attribute__((noinline)) void recurse(int depth)
{
    EPROF_SCOPE("recursive");
    if (depth)
        recurse(depth - 1);
}

static void recurse_twice(void)
{
    recurse(2);
}

static void by_hand(void)
{
    eprof_enter("entered by hand");
    eprof_leave();
}

static __attribute__((noinline)) void pair_with_values(void)
{
    EPROF_SCOPE("around");
    record_values();
    pair();
}

static __attribute__((noinline)) void frame(void)
{
    EPROF_FRAME("frame", 0);
    pair();
}

static struct eprof_site *site;

static void by_site(void)
{
    eprof_enter_site(site);
    pair();
    eprof_leave();
}

static void held(void)
{
    eprof_hold();
    pair();
    eprof_keep(true);
}

static uint64_t calls_of(const char *name)
{
    uint64_t calls = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "diagnostic") != 0 && strcmp(row.name, name) == 0)
            calls += row.calls;
        if (row.open)
            fail_msg("%s is open %" PRIu64 " times", row.path, row.open);
    }
    eprof_snapshot_free(snapshot);
    return calls;
}

enum { ROUNDS = 6 };

/* The first time it is cold, after a reset, the other times hot. */
static void interrupt_each_instruction_of(void (*act)(void), void (*by)(void))
{
    in_handler = by;
    for (int i = 0; i < ROUNDS; i++) {
        if (i == ROUNDS / 2) {
            eprof_reset();
            steps = 0;
        }
        trap_flag_set();
        act();
        trap_flag_clear();
    }
    assert_true(steps > 100);
}

/* Of the rounds since the reset. */
static void assert_rounds(const char *name, uint64_t each)
{
    uint64_t calls = calls_of(name);
    if (calls != each * ROUNDS / 2)
        fail_msg("%s: %" PRIu64 " calls, not %" PRIu64, name, calls, each * ROUNDS / 2);
}

/* A handler that interrupts a cold path finds no cells: calls are lost, or their percentiles. */
static void assert_no_diagnostic_but_for_want_of_cells(void)
{
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
    assert_int_equal(diagnostic_count("clock"), 0);
    assert_int_equal(diagnostic_count("bad_handles"), 0);
    assert_int_equal(diagnostic_count("unmatched_keeps"), 0);
}

enum { LONGEST_PERIOD = 4096 }; /* under a budget, of so many calls one is timed */

/* Once everything is known, no call waits. A time of a new order of magnitude takes a cell: so the
 * clock is moved by hand, and each scope was timed before. */
static void assert_nothing_lost_when_all_is_known(void (*act)(void))
{
    assert_int_equal(eprof_source_use("hand"), 0);
    for (int i = 0; i < LONGEST_PERIOD; i++)
        act();
    enter_and_leave();
    for (int i = 0; i < 2; i++) {
        trap_flag_set();
        act();
        trap_flag_clear();
    }
    assert_diagnostics("");
}

/* Every call is counted or lost. */
static void assert_handlers(uint64_t each, const char *const *names)
{
    uint64_t calls = 0, lost = diagnostic_count("lost"), due = each * steps;
    for (; *names; names++)
        calls += calls_of(*names);
    assert_no_diagnostic_but_for_want_of_cells();
    if (calls + lost != due)
        fail_msg("%" PRIu64 " calls and %" PRIu64 " lost, of %" PRIu64, calls, lost, due);
}

static const char *const handler[] = {"handler", NULL};

TEST(pair_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(pair, enter_and_leave);
    assert_rounds("pair", 1);
    assert_handlers(1, handler);
    assert_nothing_lost_when_all_is_known(pair);
}

static void *step_through_the_first_scopes(void *unused)
{
    in_handler = enter_and_leave;
    trap_flag_set();
    pair();
    trap_flag_clear();
    return unused;
}

/* The handler may be the first to enter the scope. */
TEST(first_scope_of_a_thread_is_exact_at_each_instruction)
{
    pthread_t thread;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        assert_int_equal(pthread_create(&thread, NULL, step_through_the_first_scopes, NULL), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(calls_of("pair"), i);
    }
    assert_handlers(1, handler);
}

TEST(nested_pairs_are_exact_at_each_instruction)
{
    interrupt_each_instruction_of(nested, enter_and_leave);
    assert_rounds("outer", 1);
    assert_rounds("first", 1);
    assert_rounds("second", 1);
    assert_rounds("pair", 2);
    assert_handlers(1, handler);
}

TEST(recursion_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(recurse_twice, enter_and_leave);
    assert_rounds("recursive", 3);
    assert_handlers(1, handler);
}

TEST(recursion_through_the_handler_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(recurse_twice, enter_what_is_interrupted);
    assert_int_equal(calls_of("recursive") + diagnostic_count("lost"), 3 * ROUNDS / 2 + steps);
    assert_no_diagnostic_but_for_want_of_cells();
}

TEST(pair_of_a_site_is_exact_at_each_instruction)
{
    site = eprof_site_for("site");
    interrupt_each_instruction_of(by_site, enter_and_leave);
    assert_rounds("site", 1);
    assert_rounds("pair", 1);
    assert_handlers(1, handler);
    assert_nothing_lost_when_all_is_known(by_site);
}

TEST(values_are_exact_at_each_instruction)
{
    interrupt_each_instruction_of(pair_with_values, enter_and_leave);
    assert_rounds("around", 1);
    assert_rounds("value", 1);
    assert_rounds("negative", 1);
    assert_rounds("pair", 1);
    assert_handlers(1, handler);
    assert_nothing_lost_when_all_is_known(pair_with_values);
}

TEST(values_of_handlers_are_recorded_or_lost_at_each_instruction)
{
    interrupt_each_instruction_of(pair_with_values, record_values_and_a_scope);
    uint64_t calls = calls_of("value") + calls_of("negative") + calls_of("handler");
    uint64_t due = 3 * steps + 2 * ROUNDS / 2;
    if (calls + diagnostic_count("lost") != due)
        fail_msg("%" PRIu64 " calls and %" PRIu64 " lost, of %" PRIu64, calls,
                 diagnostic_count("lost"), due);
    assert_no_diagnostic_but_for_want_of_cells();
    assert_rounds("around", 1);
}

TEST(frame_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(frame, enter_and_leave);
    assert_rounds("frame", 1);
    assert_rounds("pair", 1);
    assert_handlers(1, handler);
}

TEST(frames_of_handlers_leave_the_frame_exact_at_each_instruction)
{
    interrupt_each_instruction_of(frame, record_a_frame);
    assert_rounds("frame", 1);
    assert_handlers(1, handler);
}

TEST(pair_by_hand_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(by_hand, enter_and_leave);
    assert_rounds("entered by hand", 1);
    assert_handlers(1, handler);
    assert_nothing_lost_when_all_is_known(by_hand);
}

TEST(held_pair_is_exact_at_each_instruction)
{
    interrupt_each_instruction_of(held, enter_and_leave);
    assert_rounds("pair", 1);
    assert_handlers(1, handler);
}

TEST(handlers_that_enter_by_hand_are_exact_at_each_instruction)
{
    static const char *const names[] = {"handler", "by hand", NULL};
    interrupt_each_instruction_of(nested, nest_by_hand);
    assert_rounds("pair", 2);
    assert_handlers(2, names);
}

TEST(handlers_that_record_an_instance_are_exact_at_each_instruction)
{
    static const char *const names[] = {"handler", "by the handler", NULL};
    interrupt_each_instruction_of(nested, record_an_instance);
    assert_rounds("pair", 2);
    assert_handlers(2, names);
}

TEST(handlers_on_new_paths_leave_the_pair_exact_at_each_instruction)
{
    interrupt_each_instruction_of(nested, enter_something_new);
    assert_rounds("outer", 1);
    assert_rounds("pair", 2);
    assert_no_diagnostic_but_for_want_of_cells();
}

TEST(handlers_that_hold_and_drop_leave_the_pair_exact_at_each_instruction)
{
    interrupt_each_instruction_of(nested, hold_and_drop);
    assert_rounds("outer", 1);
    assert_rounds("pair", 2);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
}

/* Of nested(), without the rows of the handler. */
static void assert_paths(uint64_t calls)
{
    enum { PATHS = 5 };
    static const char *const expected[PATHS] = {"outer", "outer;first", "outer;first;pair",
                                                "outer;second", "outer;second;pair"};
    int found = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "scope") != 0 || strstr(row.path, "hand"))
            continue;
        int k = 0;
        while (k < PATHS && strcmp(row.path, expected[k]) != 0)
            k++;
        if (k == PATHS || row.calls != calls || row.open)
            fail_msg("handler at instruction %" PRIu64 ": %s: %" PRIu64 " calls, not %" PRIu64,
                     only_at, row.path, row.calls, calls);
        found++;
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(found, PATHS);
}

/* Some 0.4 s. Where calls are inline, there are few instructions, and the handler records at each.
 */
enum { MOST_STEPS = 60000 };

static void interrupt_one_instruction(void (*by)(void), uint64_t earlier_calls)
{
    uint64_t stride = 1;
    in_handler = by;
    for (only_at = 1; only_at == 1 || steps >= only_at; only_at += stride) {
        eprof_reset();
        for (uint64_t i = 0; i < earlier_calls; i++)
            nested();
        steps = 0;
        trap_flag_set();
        nested();
        trap_flag_clear();
        assert_paths(earlier_calls + 1);
        stride = 1 + steps * steps / MOST_STEPS;
    }
    assert_true(only_at > 50);
}

TEST(handler_at_one_instruction_leaves_all_paths_right)
{
    static void (*const all[])(void) = {enter_and_leave, nest_by_hand, hold_and_drop,
                                        hold_and_keep,   enter_slow,   NULL};
    /* with one earlier call, an inline part is still to learn the paths */
    uint64_t earlier_calls = strcmp(source, "hand") == 0 ? 1 : 3;
    for (void (*const *by)(void) = all; *by; by++) {
        (*by)(); /* it has its memory now */
        interrupt_one_instruction(*by, earlier_calls);
    }
}

TEST_RUN()
{
    source = "hand";
    int failed = tests_run("by a function", begin, NULL);
    source = "auto";
    return failed + tests_run("by a counter", begin, NULL);
}
