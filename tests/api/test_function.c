/* Functions recorded by the calls of the hooks' library, with the made-up stack of hook_calls.h. */
#include "function_calls.h"
#include "hook_calls.h"
#include "tree_text.h"

#include <pthread.h>
#include <signal.h>

/* ---- balanced ---- */

TEST(functions_build_the_call_tree)
{
    enter(main_call);
    for (int i = 0; i < 3; i++) {
        enter(f_call);
        pass(10);
        enter(g_call);
        pass(5);
        leave(g_call);
        leave(f_call);
    }
    leave(main_call);
    assert_tree("0x10 1/1 45 0\n0x10;0x20 3/3 45 30\n0x10;0x20;0x30 3/3 15 15\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(inlined_function_is_a_child)
{
    enter(f_call);
    for (int i = 0; i < 2; i++) {
        enter(inlined(g_call, f_call));
        pass(5);
        leave(inlined(g_call, f_call));
    }
    leave(f_call);
    assert_tree("0x20 1/1 10 0\n0x20;0x30 2/2 10 10\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(function_inlined_into_itself_is_recursion)
{
    enter(f_call);
    pass(1);
    enter(by_token(f_call, 0x26));
    pass(10);
    leave(by_token(f_call, 0x26));
    leave(f_call);
    assert_tree("0x20 2/1 11 11\n");
    assert_string_equal(diagnostic_text(), "");
}

/* The set of the tokens of a frame has 32 bits: 0x31 and 0x431 have the same one. */
TEST(inlined_functions_are_told_apart_where_their_bits_are_the_same)
{
    struct call inner = by_token(inlined(g_call, f_call), 0x421);
    enter(f_call);
    for (int i = 0; i < 3; i++) {
        enter(inner);
        pass(5);
        leave(inner);
    }
    leave(f_call);
    assert_tree("0x20 1/1 15 0\n0x20;0x30 3/3 15 15\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(exit_without_an_enter_is_nothing)
{
    enter(main_call);
    eprof_enable(false);
    enter(f_call);
    eprof_enable(true);
    pass(3);
    leave(f_call);
    leave(g_call);
    leave(main_call);
    assert_tree("0x10 1/1 3 3\n");
    assert_string_equal(diagnostic_text(), "");
}

/* ---- left without an exit ---- */

TEST(exit_closes_what_was_left_inside)
{
    enter(main_call);
    enter(f_call);
    enter(g_call);
    pass(5);
    leave(main_call);
    assert_tree("0x10 1/1 5 0\n0x10;0x20 1/1 5 0\n0x10;0x20;0x30 1/1 5 5\n");
    assert_string_equal(diagnostic_text(), "forced_closes 2");
}

TEST(enter_at_the_same_place_closes_the_one_that_was_left)
{
    enter(main_call);
    for (int i = 0; i < 3; i++) {
        enter(f_call);
        pass(5);
    }
    leave(main_call);
    assert_tree("0x10 1/1 15 0\n0x10;0x20 3/3 15 15\n");
    assert_string_equal(diagnostic_text(), "forced_closes 3");
}

TEST(enter_of_a_sibling_closes_the_one_that_was_left)
{
    enter(main_call);
    enter(f_call);
    pass(5);
    enter(in_frame(call_from(g_call, 0x14), f_call.frame));
    pass(7);
    leave(in_frame(call_from(g_call, 0x14), f_call.frame));
    leave(main_call);
    assert_tree("0x10 1/1 12 0\n0x10;0x20 1/1 5 5\n0x10;0x30 1/1 7 7\n");
    assert_string_equal(diagnostic_text(), "forced_closes 1");
}

/* Three levels that the same instruction has called: the frame shows which one is left. */
TEST(jump_over_a_recursion_goes_back_to_the_right_level)
{
    struct call first = f_call, second = call_from(in_frame(f_call, 0x7800), 0x23);
    struct call third = in_frame(second, 0x7600), fourth = in_frame(second, 0x7400);
    enter(first);
    enter(second);
    enter(third);
    enter(fourth);
    pass(1);
    leave(second); /* where third and fourth have jumped to */
    assert_string_equal(diagnostic_text(), "forced_closes 2");
    pass(10);
    leave(first);
    assert_tree("0x20 4/1 11 11\n");
    assert_string_equal(diagnostic_text(), "forced_closes 2");
}

/* ---- frames that are not known ---- */

/* The exit jumps to the hook from a frame that no longer exists, and is recognised by that. */
TEST(jumped_exit_finds_a_frame_that_was_estimated)
{
    enter(in_frame(main_call, 0x8F0F));
    for (int i = 0; i < 2; i++) {
        enter(in_frame(f_call, 0x7FEF));
        pass(5);
        leave(in_frame(f_call, 0x8000));
    }
    leave(in_frame(main_call, 0x8F0F));
    assert_tree("0x10 1/1 10 0\n0x10;0x20 2/2 10 10\n");
    assert_string_equal(diagnostic_text(), "");
}

/* The hook of f was called while arguments were on the stack, which are gone when f calls g. */
TEST(jumped_exit_finds_an_estimate_inside_a_lower_one)
{
    enter(in_frame(main_call, 0x8F0F));
    enter(inlined(f_call, in_frame(main_call, 0x8EFF)));
    enter(in_frame(g_call, 0x8EEF));
    pass(5);
    leave(in_frame(g_call, 0x8F00));
    pass(1);
    leave(inlined(f_call, in_frame(main_call, 0x8F0F)));
    leave(in_frame(main_call, 0x8F0F));
    assert_tree("0x10 1/1 6 0\n0x10;0x20 1/1 6 1\n0x10;0x20;0x30 1/1 5 5\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(exit_out_of_a_frame_that_has_grown_finds_its_entry)
{
    enter(in_frame(main_call, 0x8F0F));
    enter(in_frame(f_call, 0x7FEF));
    pass(5);
    leave(in_frame(f_call, 0x7EEF));
    enter(in_frame(g_call, 0x7FDF));
    pass(1);
    leave(in_frame(g_call, 0x7FDF));
    leave(in_frame(main_call, 0x8F0F));
    assert_tree("0x10 1/1 6 0\n0x10;0x20 1/1 5 5\n0x10;0x30 1/1 1 1\n");
    assert_string_equal(diagnostic_text(), "");
}

/* ---- settings ---- */

TEST(functions_below_the_depth_are_not_recorded)
{
    assert_int_equal(eprof_setup("depth=1"), 0);
    enter(main_call);
    for (int i = 0; i < 3; i++) {
        enter(f_call);
        pass(5);
        leave(f_call);
    }
    leave(main_call);
    assert_int_equal(eprof_setup("depth=65535"), 0);
    assert_tree("0x10 1/1 15 15\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(functions_after_a_jump_are_as_deep_as_the_function_that_it_went_to)
{
    assert_int_equal(eprof_setup("depth=2"), 0);
    enter(main_call);
    enter(f_call); /* is left by a jump to main */
    pass(3);
    enter(in_frame(g_call, f_call.frame));
    pass(5);
    leave(in_frame(g_call, f_call.frame));
    leave(main_call);
    assert_int_equal(eprof_setup("depth=65535"), 0);
    assert_tree("0x10 1/1 8 0\n0x10;0x20 1/1 3 3\n0x10;0x30 1/1 5 5\n");
}

/* The recursive call is folded into a node that is less deep than its caller. */
TEST(functions_after_a_jump_out_of_a_recursive_call_are_not_less_deep)
{
    assert_int_equal(eprof_setup("depth=2"), 0);
    enter(main_call);
    enter(f_call);
    enter(in_frame(main_call, 0x6000)); /* is left by a jump to f */
    pass(3);
    enter(g_call); /* is deeper than the limit, so it does not end the call before it */
    pass(5);
    leave(g_call);
    leave(f_call);
    leave(main_call);
    assert_int_equal(eprof_setup("depth=65535"), 0);
    assert_tree("0x10 2/1 8 8\n0x10;0x20 1/1 8 0\n");
}

/* Each read of the clock takes ten ticks, so a function that does nothing takes ten. */
static uint64_t step(void *context)
{
    (void)context;
    hand_ticks += 10;
    return hand_ticks;
}

enum { BRIEF_CALLS = 1000000, SAMPLED = 64 };

/* Uses a source of which each read takes ten ticks. */
static void use_steps(void)
{
    clock_take("steps", step, 1000000000);
}

/* Total and self time in a row of csv:raw, by its path. */
static void raw_times(const char *path, unsigned long long *total_ns, unsigned long long *self_ns)
{
    char *text = NULL;
    size_t bytes = 0;
    unsigned long long skip;
    FILE *file = open_memstream(&text, &bytes);
    assert_int_equal(eprof_report(file, "csv:raw"), 0);
    fclose(file);
    const char *line = strstr(text, path);
    assert_non_null(line);
    assert_int_equal(sscanf(line + strlen(path), ",*,,0,%llu,%llu,%llu,%llu,%llu,%llu,", &skip,
                            &skip, &skip, &skip, total_ns, self_ns),
                     6);
    free(text);
}

TEST(sampled_function_has_all_its_calls_and_its_time_on_the_average)
{
    use_steps();
    assert_int_equal(eprof_setup("budget=1/64"), 0);
    enter(main_call);
    for (int i = 0; i < BRIEF_CALLS; i++) {
        enter(f_call);
        leave(f_call);
    }
    uint64_t read_ticks = hand_ticks;
    leave(main_call);
    struct eprof_row row = {.size = sizeof row};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_row(snapshot, 1, &row), 0);
    assert_int_equal(row.calls, BRIEF_CALLS);
    /* without a budget there would be two reads for each call */
    assert_in_range(read_ticks, 0, 20 * (BRIEF_CALLS / SAMPLED) * 11ULL / 10);
    assert_int_equal(row.outermost, BRIEF_CALLS);
    assert_int_equal(row.estimated, 1);
    assert_in_range(row.timed, BRIEF_CALLS / SAMPLED, BRIEF_CALLS / SAMPLED + 1);
    assert_in_range(row.max_ns, 0, 10); /* without the probe's cost, which is all that they take */
    eprof_snapshot_free(snapshot);
    unsigned long long total_ns, self_ns;
    raw_times("0x10;0x20", &total_ns, &self_ns);
    assert_int_equal(total_ns, 10ULL * BRIEF_CALLS); /* each timed call takes ten ticks */
}

/* Calls of a function by itself are never timed: their time stays in it. */
TEST(sampled_recursion_has_its_time)
{
    struct call inner = call_from(in_frame(f_call, 0x7800), 0x23);
    use_steps();
    assert_int_equal(eprof_setup("budget=1/64"), 0);
    enter(main_call);
    for (int i = 0; i < BRIEF_CALLS / 2; i++) {
        enter(f_call);
        enter(inner);
        leave(inner);
        leave(f_call);
    }
    leave(main_call);
    unsigned long long total_ns, self_ns;
    raw_times("0x10;0x20", &total_ns, &self_ns);
    assert_int_equal(total_ns, 10ULL * (BRIEF_CALLS / 2));
    assert_int_equal(self_ns, total_ns);
}

/* f calls g, and g calls f: calls of f inside g are timed too, for the self times. */
TEST(sampled_mutual_recursion_has_its_self_times)
{
    struct call inner = call_from(in_frame(f_call, 0x6000), 0x33);
    const unsigned long long calls = BRIEF_CALLS / 2;
    assert_int_equal(eprof_setup("budget=1/64"), 0);
    enter(main_call);
    for (unsigned i = 0; i < calls; i++) {
        enter(f_call);
        pass(10);
        enter(g_call);
        pass(5);
        enter(inner);
        pass(3);
        leave(inner);
        leave(g_call);
        leave(f_call);
    }
    leave(main_call);
    unsigned long long total_ns, self_ns;
    raw_times("0x10;0x20", &total_ns, &self_ns);
    assert_int_equal(total_ns, 18 * calls);
    assert_in_range(self_ns, 13 * calls * 99 / 100, 13 * calls * 101 / 100);
    raw_times("0x10;0x20;0x30", &total_ns, &self_ns);
    assert_int_equal(total_ns, 8 * calls);
    assert_in_range(self_ns, 5 * calls * 99 / 100, 5 * calls * 101 / 100);
}

TEST(child_of_vfork_records_nothing)
{
    enter(main_call);
    eprof_function_vfork(1);
    enter(f_call);
    eprof_function_vfork(1); /* its own child */
    enter(g_call);
    eprof_function_vfork(0);
    leave(g_call);
    leave(main_call);
    eprof_function_vfork(0);
    pass(5);
    enter(f_call);
    leave(f_call);
    leave(main_call);
    assert_tree("0x10 1/1 5 5\n0x10;0x20 1/1 0 0\n");
    assert_string_equal(diagnostic_text(), "");
}

/* This frame is above the other one, so frames do not show which call is inside which. */
static void call_on_another_stack(int signal)
{
    struct call inner = in_frame(g_call, 0xA000);
    (void)signal;
    leave(inner);
    enter(inner);
    pass(3);
    leave(call_from(in_frame(f_call, 0xA000), g_call.caller));
    pass(1);
    leave(inner);
    leave(inner);
}

TEST(exit_on_another_stack_without_an_enter_is_nothing)
{
    size_t bytes = 64 * 1024;
    stack_t another = {.ss_sp = malloc(bytes), .ss_size = bytes}, old;
    struct sigaction action = {.sa_handler = call_on_another_stack, .sa_flags = SA_ONSTACK};
    assert_non_null(another.ss_sp);
    assert_return_code(sigaltstack(&another, &old), errno);
    assert_return_code(sigaction(SIGUSR1, &action, NULL), errno);
    enter(main_call);
    enter(f_call);
    leave(f_call);
    raise(SIGUSR1);
    pass(5);
    leave(main_call);
    assert_return_code(sigaltstack(&old, NULL), errno);
    free(another.ss_sp);
    assert_tree("0x10 1/1 9 5\n0x10;0x20 1/1 0 0\n0x10;0x30 1/1 4 4\n");
    assert_string_equal(diagnostic_text(), "");
}

static void *fork_by_vfork_first(void *unused)
{
    eprof_function_vfork(1);
    enter(main_call);
    eprof_function_vfork(1); /* its own child */
    enter(f_call);
    eprof_function_vfork(0);
    leave(f_call);
    eprof_function_vfork(0);
    enter(g_call);
    leave(g_call);
    return unused;
}

/* A thread that has recorded nothing yet. */
TEST(first_that_a_thread_does_may_be_a_vfork)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, fork_by_vfork_first, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_tree("0x30 1/1 0 0\n");
    assert_string_equal(diagnostic_text(), "");
}

TEST(there_may_be_any_number_of_functions)
{
    enum { FUNCTIONS = 3000 };
    for (int round = 0; round < 2; round++)
        for (uintptr_t i = 1; i <= FUNCTIONS; i++) {
            struct call call = {0x10000 + 0x10 * i, 0x901, 0x9000, 0x10001 + 0x10 * i};
            enter(call);
            leave(call);
        }
    size_t rows;
    assert_int_equal(function_calls(&rows), 2 * FUNCTIONS);
    assert_int_equal(rows, FUNCTIONS);
    assert_string_equal(diagnostic_text(), "");
}

/* This is the last test, because patterns cannot be removed. Code that is in no module has no name
 * that a pattern could match. */
TEST(functions_that_are_open_end_when_they_are_left_out)
{
    enter(main_call);
    enter(g_call);
    assert_int_equal(eprof_setup("auto=nothing"), 0);
    for (int i = 0; i < 2; i++) { /* of calls that contain calls which are left out */
        struct call inner = in_frame(call_from(g_call, i ? 0x33 : g_call.caller), 0x6F00);
        enter(inner);
        leave(inner);
    }
    pass(5);
    leave(g_call);
    for (int i = 0; i < 3; i++) {
        enter(g_call);
        pass(2);
        leave(g_call);
    }
    leave(main_call);
    enter(main_call);
    leave(main_call);
    assert_tree("0x10 1/1 11 6\n0x10;0x30 1/1 5 5\n");
    assert_string_equal(diagnostic_text(), "");
}

static int end_budget(void **state)
{
    (void)state;
    return eprof_setup("budget=off");
}

TEST_EACH(hand_clock_begin, end_budget)
