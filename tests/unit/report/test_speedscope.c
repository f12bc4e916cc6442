#include "support/made_snapshot.h"

#include "snapshot/view.h"

TEST(speedscope_is_as_its_golden_file)
{
    assert_golden_tree(make_server_tree, "speedscope", "server.speedscope");
    assert_golden_tree(make_thread_trees, "speedscope:threads", "threads.speedscope");
    assert_golden_tree(make_hostile_tree, "speedscope", "hostile.speedscope");
}

TEST(event_begins_after_the_self_times_of_earlier_rows)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "instance", 3, 100));
    made_scope(&tree, 0, "a", 2, 7);
    made_scope(&tree, 1, "b", 30, 11);
    made_scope(&tree, 0, "b", 500, 13);
    made_diagnostics(&tree, "lost", 1);
    char *text = reported(made_snapshot(&tree), "speedscope");
    assert_text_has(text,
                    "\"name\":\"time\",\"unit\":\"nanoseconds\",\"startValue\":0,\"events\":[\n"
                    "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
                    "{\"type\":\"O\",\"frame\":1,\"at\":7},\n"
                    "{\"type\":\"C\",\"frame\":1,\"at\":18},\n"
                    "{\"type\":\"C\",\"frame\":0,\"at\":18},\n"
                    "{\"type\":\"O\",\"frame\":1,\"at\":18},\n"
                    "{\"type\":\"C\",\"frame\":1,\"at\":31}],\n"
                    "\"endValue\":31}");
    assert_text_has(text, "\"name\":\"calls\",\"unit\":\"none\",\"startValue\":0,\"events\":[\n"
                          "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
                          "{\"type\":\"O\",\"frame\":1,\"at\":2},\n"
                          "{\"type\":\"C\",\"frame\":1,\"at\":32},\n"
                          "{\"type\":\"C\",\"frame\":0,\"at\":32},\n"
                          "{\"type\":\"O\",\"frame\":1,\"at\":32},\n"
                          "{\"type\":\"C\",\"frame\":1,\"at\":532}],\n"
                          "\"endValue\":532}");
    assert_null(strstr(text, "instance"));
    assert_null(strstr(text, "lost"));
}

TEST(speedscope_in_ticks_has_no_unit)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 2, 7);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.ticks = true;
    char *text = reported(snapshot, "speedscope");
    assert_text_has(text, "\"name\":\"time\",\"unit\":\"none\"");
    assert_null(strstr(text, "nanoseconds"));
}

TEST(speedscope_has_the_command_for_a_name)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 2, 7);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->command = "./server \"--port\" 80";
    char *text = reported(snapshot, "speedscope");
    assert_text_has(text, "\"name\":\"./server \\\"--port\\\" 80\",\"activeProfileIndex\"");
}

TEST(speedscope_without_scopes_has_empty_profiles)
{
    static const char expected[] =
        "\"shared\":{\"frames\":[]},\n\"profiles\":[\n"
        "{\"type\":\"evented\",\"name\":\"time\",\"unit\":\"nanoseconds\",\"startValue\":0,"
        "\"events\":[],\n\"endValue\":0},\n"
        "{\"type\":\"evented\",\"name\":\"calls\",\"unit\":\"none\",\"startValue\":0,"
        "\"events\":[],\n\"endValue\":0}]}\n";
    struct made made;
    make_mixed(&made);
    for (int threads = 0; threads < 2; threads++) {
        made.snapshot.options.threads = threads;
        char *text = reported(&made.snapshot, "speedscope");
        assert_text_has(text, expected);
    }
}

TEST(speedscope_has_the_time_that_a_view_asked_for)
{
    static const struct ep_view view = {.filter = "format_time"};
    struct made_tree tree = {.rows = NULL};
    const char *why;
    make_server_tree(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    assert_return_code(ep_view_apply(snapshot, &view, &why), errno);
    char *text = reported(snapshot, "speedscope");
    assert_text_has(text, "{\"type\":\"O\",\"frame\":4,\"at\":0},\n"
                          "{\"type\":\"C\",\"frame\":4,\"at\":300000}");
    assert_text_has(text, "\"endValue\":300000}");
}

TEST(events_never_go_back)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, UINT64_MAX - 5);
    made_scope(&tree, 1, "b", 1, 10);
    made_scope(&tree, 0, "c", 1, 10);
    char *text = reported(made_snapshot(&tree), "speedscope");
    assert_text_has(text, "{\"type\":\"O\",\"frame\":1,\"at\":18446744073709551610},\n"
                          "{\"type\":\"C\",\"frame\":1,\"at\":18446744073709551615}");
    assert_text_has(text, "\"endValue\":18446744073709551615}");
}

/* As samples, these calls would have 5,000,000,000 frames. */
TEST(speedscope_of_a_deep_chain_has_two_events_a_row)
{
    enum { DEPTH = 100000, EVENT = sizeof "{\"type\":\"O\",\"frame\":0,\"at\":100000},\n" };
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < DEPTH; depth++)
        made_scope(&tree, depth, "deeper", 1, 1);
    char *text = reported(made_snapshot(&tree), "speedscope");
    assert_in_range(strlen(text), DEPTH, (size_t)2 * 2 * DEPTH * EVENT);
    assert_text_has(text, "{\"type\":\"O\",\"frame\":0,\"at\":99999},\n"
                          "{\"type\":\"C\",\"frame\":0,\"at\":100000},\n");
}
