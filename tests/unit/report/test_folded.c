#include "support/made_snapshot.h"

#include "snapshot/view.h"

TEST(folded_is_as_its_golden_file)
{
    assert_golden_tree(make_server_tree, "folded", "server.folded");
    assert_golden_tree(make_thread_trees, "folded:threads", "threads.folded");
    assert_golden_tree(make_hostile_tree, "folded", "hostile.folded");
}

TEST(folded_has_scopes_alone)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "instance", 3, 100));
    made_scope(&tree, 0, "scope", 1, 7);
    made_function(&tree, 1, "function", 1, 5);
    made_diagnostics(&tree, "lost", 1);
    assert_string_equal(reported(made_snapshot(&tree), "folded"), "scope 7\nscope;function 5\n");
}

TEST(folded_without_scopes_is_empty)
{
    struct made made;
    make_mixed(&made);
    assert_string_equal(reported(&made.snapshot, "folded"), "");
}

TEST(folded_leaves_out_rows_without_self_time)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 0);
    made_scope(&tree, 1, "b", 1, 0);
    made_scope(&tree, 2, "c", 1, UINT64_MAX);
    made_scope(&tree, 0, "d", 1, 0);
    assert_string_equal(reported(made_snapshot(&tree), "folded"), "a;b;c 18446744073709551615\n");
}

/* With a focus there is nothing else; rows around those that a filter found were not requested. */
TEST(folded_has_the_rows_of_a_view)
{
    static const struct {
        struct ep_view view;
        const char *expected;
    } views[] = {
        {{.focus = "main;serve;accept"}, "accept 9000000\n"},
        {{.filter = "format_time"}, "main;serve;handle_request;log;format_time 300000\n"},
    };
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        const char *why;
        make_server_tree(&tree);
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        assert_return_code(ep_view_apply(snapshot, &views[i].view, &why), errno);
        char *text = reported(snapshot, "folded");
        assert_string_equal(text, views[i].expected);
    }
}

TEST(folded_of_a_4_kib_name_is_whole)
{
    enum { LONG = 4095 };
    char name[LONG + 1], expected[LONG + 8];
    struct made_tree tree = {.rows = NULL};
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    snprintf(expected, sizeof expected, "%s 1\n", name);
    made_scope(&tree, 0, name, 1, 1);
    assert_string_equal(reported(made_snapshot(&tree), "folded"), expected);
}
