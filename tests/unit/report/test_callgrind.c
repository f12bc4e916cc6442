#include "support/made_snapshot.h"

TEST(callgrind_is_as_its_golden_file)
{
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
}

/* The format adds the cost of zero calls to the self cost of the caller. */
TEST(callgrind_has_one_call_at_least)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "begun before a reset", 0, 0);
    made_scope(&tree, 1, "in it", 1, 7);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    assert_has(snapshot, "begun before a reset\ncalls=1 1\n0 7\n");
}

TEST(callgrind_counts_calls_that_are_open)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "loop", 2, 5)->open = 1;
    assert_has(made_snapshot(&tree), "loop\ncalls=3 1\n0 5\n");
}

/* The rows are main, around and chosen; main and chosen were requested. */
TEST(callgrind_leaves_out_rows_that_are_not_chosen)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    made_scope(&tree, 1, "around", 1, 20);
    made_scope(&tree, 2, "chosen", 1, 300);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->positions[1].is_around = true;
    assert_has(snapshot, "summary: 321\n\n"
                         "fl=(1) (thread)\nfn=(1) *\n"
                         "cfl=(2) src/made.c\ncfn=(2) main\ncalls=1 1\n0 321\n\n"
                         "fl=(2)\nfn=(2)\n1 1\n"
                         "cfn=(3) chosen\ncalls=1 1\n1 300\n\n"
                         "fl=(2)\nfn=(3)\n1 300\n");
}

TEST(callgrind_of_ticks_does_not_mention_ns)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->unit = "ticks";
    assert_has(snapshot, "\nevent: ticks : Time in ticks\nevents: ticks\n");
}

TEST(callgrind_names_command_and_process_of_a_stored_profile)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 1);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->command = "./server\nsummary: 1";
    snapshot->process_id = 4711;
    assert_has(snapshot, "\npid: 4711\ncmd: ./server\\x0asummary: 1\n");
}
