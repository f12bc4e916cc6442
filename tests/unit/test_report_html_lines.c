#include "made_trees.h"

#include "report_html_lines.h"

static struct ep_tree_choice choice;

/* Of the whole tree, which is freed. */
static void make_lines(struct made_tree *tree, size_t most)
{
    const struct eprof_snapshot *snapshot = made_snapshot(tree);
    struct ep_part part = {.end = snapshot->scope_first};
    assert_true(ep_part_next(snapshot, &part));
    ep_report_tree_choice_free(&choice);
    assert_return_code(ep_report_html_lines_make(&choice, snapshot, &part, most), errno);
    made_free(tree);
}

/* "0:0 1:[3 more 30]": depth and row, or how many were left out with how many ns. */
static void assert_lines(const char *expected)
{
    char text[4096] = "", *at = text;
    for (size_t i = 0; i < choice.count; i++) {
        const struct ep_tree_line *line = &choice.lines[i];
        at += sprintf(at, "%s%u:", i ? " " : "", line->depth);
        if (line->kind == EP_TREE_ROW)
            at += sprintf(at, "%zu", line->row);
        else
            at += sprintf(at, "[%zu more %u]", line->left_out, (unsigned)line->part_ns);
    }
    assert_string_equal(text, expected);
}

static void make_family(struct made_tree *tree)
{
    made_scope(tree, 0, "a", 1, 100);
    made_scope(tree, 1, "b", 1, 50);
    made_scope(tree, 2, "c", 1, 40);
    made_scope(tree, 1, "d", 1, 30);
    made_scope(tree, 2, "e", 1, 20);
    made_scope(tree, 2, "f", 1, 5);
    made_scope(tree, 0, "g", 1, 10);
}

static void html_lines_are_all_rows_where_there_is_room(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    make_family(&tree);
    make_lines(&tree, 7);
    assert_lines("0:0 1:1 2:2 1:3 2:4 2:5 0:6");
    assert_int_equal(choice.whole_ns, 255);
}

static void html_lines_have_the_longest_and_count_the_others(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    make_family(&tree);
    make_lines(&tree, 3);
    assert_lines("0:0 1:1 2:[1 more 40] 1:3 2:[2 more 25] 0:[1 more 10]");
}

/* What is left out is counted with all that is in it, and its time once. */
static void html_lines_leave_out_whole_branches(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    make_family(&tree);
    make_lines(&tree, 1);
    assert_lines("0:0 1:[5 more 145] 0:[1 more 10]");
}

static void html_lines_of_equals_are_the_first(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    for (int i = 0; i < 5; i++)
        made_scope(&tree, 0, "same", 1, 10);
    make_lines(&tree, 2);
    assert_lines("0:0 0:1 0:[3 more 30]");
}

/* In an estimate a child may have more than its parent. */
static void html_line_is_never_without_its_parent(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "a", 1, 100);
    made_scope(&tree, 0, "b", 1, 1);
    made_scope(&tree, 1, "c", 1, 1);
    made_snapshot(&tree);
    tree.rows[2].total_ns = 500;
    struct ep_part part = {.first = 0, .end = 3, .number = 1};
    ep_report_tree_choice_free(&choice);
    assert_return_code(ep_report_html_lines_make(&choice, &tree.snapshot, &part, 2), errno);
    assert_lines("0:0 0:[2 more 2]");
    made_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_lines_are_all_rows_where_there_is_room),
        cmocka_unit_test(html_lines_have_the_longest_and_count_the_others),
        cmocka_unit_test(html_lines_leave_out_whole_branches),
        cmocka_unit_test(html_lines_of_equals_are_the_first),
        cmocka_unit_test(html_line_is_never_without_its_parent),
    };
    int result = cmocka_run_group_tests_name("report_html_lines", tests, NULL, NULL);
    ep_report_tree_choice_free(&choice);
    return result;
}
