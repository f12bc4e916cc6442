#include "made_trees.h"

#include "snapshot_view.h"

static void folded_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden_tree(make_server, "folded", "server.folded");
    assert_golden_tree(make_thread_trees, "folded:threads", "threads.folded");
    assert_golden_tree(make_hostile_tree, "folded", "hostile.folded");
}

static void folded_has_scopes_alone(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_instance(&tree, even_instance(0, "instance", 3, 100));
    made_scope(&tree, 0, "scope", 1, 7);
    made_function(&tree, 1, "function", 1, 5);
    made_trouble(&tree, "lost", 1);
    char *text = reported(made_snapshot(&tree), "folded");
    assert_string_equal(text, "scope 7\nscope;function 5\n");
    free(text);
    made_free(&tree);
}

static void folded_without_scopes_is_empty(void **state)
{
    struct made made;
    (void)state;
    make_mixed(&made);
    char *text = reported(&made.snapshot, "folded");
    assert_string_equal(text, "");
    free(text);
}

static void folded_leaves_out_what_has_no_time_of_its_own(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "a", 1, 0);
    made_scope(&tree, 1, "b", 1, 0);
    made_scope(&tree, 2, "c", 1, UINT64_MAX);
    made_scope(&tree, 0, "d", 1, 0);
    char *text = reported(made_snapshot(&tree), "folded");
    assert_string_equal(text, "a;b;c 18446744073709551615\n");
    free(text);
    made_free(&tree);
}

/* A focus is all there is; what is around the rows that a filter found was not asked for. */
static void folded_has_what_a_view_asked_for(void **state)
{
    static const struct {
        struct ep_view view;
        const char *expected;
    } views[] = {
        {{.focus = "main;serve;accept"}, "accept 9000000\n"},
        {{.filter = "format_time"}, "main;serve;handle_request;log;format_time 300000\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct made_tree tree = {.rows = NULL};
        const char *why;
        make_server(&tree);
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        assert_return_code(ep_view_apply(snapshot, &views[i].view, &why), errno);
        char *text = reported(snapshot, "folded");
        assert_string_equal(text, views[i].expected);
        free(text);
        made_free(&tree);
    }
}

static void folded_of_a_4_kib_name_is_whole(void **state)
{
    enum { LONG = 4095 };
    char name[LONG + 1], expected[LONG + 8];
    struct made_tree tree = {.rows = NULL};
    (void)state;
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    snprintf(expected, sizeof expected, "%s 1\n", name);
    made_scope(&tree, 0, name, 1, 1);
    char *text = reported(made_snapshot(&tree), "folded");
    assert_string_equal(text, expected);
    free(text);
    made_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_is_as_its_golden_file),
        cmocka_unit_test(folded_has_scopes_alone),
        cmocka_unit_test(folded_without_scopes_is_empty),
        cmocka_unit_test(folded_leaves_out_what_has_no_time_of_its_own),
        cmocka_unit_test(folded_has_what_a_view_asked_for),
        cmocka_unit_test(folded_of_a_4_kib_name_is_whole),
    };
    return cmocka_run_group_tests_name("report_folded", tests, NULL, NULL);
}
