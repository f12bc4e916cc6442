#include "made_trees.h"

static void callgrind_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "callgrind", "empty.callgrind");
    assert_golden_tree(make_both, "callgrind", "scopes.callgrind");
    assert_golden_tree(make_thread_trees, "callgrind:threads", "scopes-threads.callgrind");
    assert_golden_tree(make_hostile_tree, "callgrind", "scopes-hostile.callgrind");
}

static void assert_has(const struct eprof_snapshot *snapshot, const char *part)
{
    char *text = reported(snapshot, "callgrind");
    if (!strstr(text, part))
        fail_msg("there is no \"%s\" in:\n%s", part, text);
    free(text);
}

/* The format takes the cost of no calls for the caller's own. */
static void callgrind_has_one_call_at_least(void **state)
{
    (void)state;
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "begun before a reset", 0, 0);
    made_scope(&tree, 1, "in it", 1, 7);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    assert_has(snapshot, "begun before a reset\ncalls=1 1\n0 7\n");
    made_free(&tree);
}

static void callgrind_counts_calls_that_are_open(void **state)
{
    (void)state;
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "loop", 2, 5)->open = 1;
    assert_has(made_snapshot(&tree), "loop\ncalls=3 1\n0 5\n");
    made_free(&tree);
}

/* Of main, around, chosen, what was asked for is main and chosen. */
static void callgrind_passes_over_what_was_not_asked_for(void **state)
{
    (void)state;
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    made_scope(&tree, 1, "around", 1, 20);
    made_scope(&tree, 2, "chosen", 1, 300);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->places[1].is_around = true;
    assert_has(snapshot, "summary: 321\n\n"
                         "fl=(1) (thread)\nfn=(1) *\n"
                         "cfl=(2) src/made.c\ncfn=(2) main\ncalls=1 1\n0 321\n\n"
                         "fl=(2)\nfn=(2)\n1 1\n"
                         "cfn=(3) chosen\ncalls=1 1\n1 300\n\n"
                         "fl=(2)\nfn=(3)\n1 300\n");
    made_free(&tree);
}

static void callgrind_of_ticks_does_not_say_ns(void **state)
{
    (void)state;
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->unit = "ticks";
    assert_has(snapshot, "\nevent: ticks : Time in ticks\nevents: ticks\n");
    made_free(&tree);
}

static void callgrind_tells_command_and_process_of_a_stored_profile(void **state)
{
    (void)state;
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->command = "./server\nsummary: 1";
    snapshot->process_id = 4711;
    assert_has(snapshot, "\npid: 4711\ncmd: ./server\\x0asummary: 1\n");
    made_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callgrind_is_as_its_golden_file),
        cmocka_unit_test(callgrind_has_one_call_at_least),
        cmocka_unit_test(callgrind_counts_calls_that_are_open),
        cmocka_unit_test(callgrind_passes_over_what_was_not_asked_for),
        cmocka_unit_test(callgrind_of_ticks_does_not_say_ns),
        cmocka_unit_test(callgrind_tells_command_and_process_of_a_stored_profile),
    };
    return cmocka_run_group_tests_name("report_callgrind", tests, NULL, NULL);
}
