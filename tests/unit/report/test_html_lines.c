#include "support/made_snapshot.h"

#include "report/tree_choice.h"

static struct ep_tree_choice choice;

/* Makes the lines of the whole tree, and frees the tree. */
static void make_lines(struct made_tree *tree, size_t most)
{
    const struct eprof_snapshot *snapshot = made_snapshot(tree);
    struct ep_part part = {.end = snapshot->scope_first};
    assert_true(ep_rows_part_next(snapshot, &part));
    ep_report_tree_choice_free(&choice);
    assert_return_code(ep_report_tree_choice_longest(&choice, snapshot, &part, most), errno);
}

/* "0:0 1:[3 more 30]": depth and row, or the number of rows that are left out and their ns. */
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

TEST(html_lines_are_all_rows_where_there_is_room)
{
    struct made_tree tree = {.rows = NULL};
    make_family(&tree);
    make_lines(&tree, 7);
    assert_lines("0:0 1:1 2:2 1:3 2:4 2:5 0:6");
    assert_int_equal(choice.whole_ns, 255);
}

TEST(html_lines_have_the_longest_and_count_the_others)
{
    struct made_tree tree = {.rows = NULL};
    make_family(&tree);
    make_lines(&tree, 3);
    assert_lines("0:0 1:1 2:[1 more 40] 1:3 2:[2 more 25] 0:[1 more 10]");
}

/* The count of rows left out includes all rows inside them, and their time counts once. */
TEST(html_lines_leave_out_whole_branches)
{
    struct made_tree tree = {.rows = NULL};
    make_family(&tree);
    make_lines(&tree, 1);
    assert_lines("0:0 1:[5 more 145] 0:[1 more 10]");
}

TEST(html_lines_of_equals_are_the_first)
{
    struct made_tree tree = {.rows = NULL};
    for (int i = 0; i < 5; i++)
        made_scope(&tree, 0, "same", 1, 10);
    make_lines(&tree, 2);
    assert_lines("0:0 0:1 0:[3 more 30]");
}

/* In an estimate a child may have more time than its parent. */
TEST(html_line_is_never_without_its_parent)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 100);
    made_scope(&tree, 0, "b", 1, 1);
    made_scope(&tree, 1, "c", 1, 1);
    made_snapshot(&tree);
    tree.rows[2].total_ns = 500;
    struct ep_part part = {.first = 0, .end = 3, .number = 1};
    ep_report_tree_choice_free(&choice);
    assert_return_code(ep_report_tree_choice_longest(&choice, tree.snapshot, &part, 2), errno);
    assert_lines("0:0 0:[2 more 2]");
}

static int free_choice(void **state)
{
    (void)state;
    ep_report_tree_choice_free(&choice);
    return 0;
}

TEST_ALL(NULL, free_choice)
