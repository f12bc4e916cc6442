#include "support/made_snapshot.h"

#include "report/tree_choice.h"

static struct ep_tree_choice choice;

/* Chooses the lines of the whole tree, and frees the tree. */
static void choose(struct made_tree *tree, size_t most)
{
    const struct eprof_snapshot *snapshot = made_snapshot(tree);
    struct ep_part part = {.end = snapshot->scope_first};
    assert_true(ep_rows_part_next(snapshot, &part));
    ep_report_tree_choice_free(&choice);
    assert_return_code(ep_report_tree_choice_make(&choice, snapshot, &part, most), errno);
}

/* The lines in short form: "0:main 1:[3 more] 1:{7} 2:b>d 3:last", with the number of a row as its
 * name. */
static void assert_lines(const char *expected)
{
    char text[4096] = "", *at = text;
    for (size_t i = 0; i < choice.count; i++) {
        static const char *const forms[] = {"%u:%zu", "%u:[%zu more]", "%u:{%zu}"};
        const struct ep_tree_line *line = &choice.lines[i];
        size_t number = line->kind == EP_TREE_ROW ? line->row : line->left_out;
        at += sprintf(at, forms[line->kind], line->depth, number);
        if (line->last > line->row)
            at += sprintf(at, ">%zu", line->last);
        at += sprintf(at, "%s%s", line->is_last ? "." : "", i + 1 < choice.count ? " " : "");
    }
    assert_string_equal(text, expected);
}

TEST(all_of_a_small_tree_is_chosen)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 10);
    made_scope(&tree, 1, "b", 1, 10);
    made_scope(&tree, 2, "c", 1, 10);
    made_scope(&tree, 1, "d", 1, 10);
    made_scope(&tree, 0, "e", 1, 10);
    choose(&tree, 100);
    assert_lines("0:0 1:1 2:2. 1:3. 0:4.");
    assert_int_equal(choice.whole_ns, 50);
}

TEST(rows_are_counted_from_the_start_of_the_snapshot)
{
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, instance(0, "i"));
    made_scope(&tree, 0, "a", 1, 10);
    made_scope(&tree, 1, "b", 1, 10);
    choose(&tree, 100);
    assert_lines("0:1. 1:2.");
}

TEST(part_is_of_the_parent_and_of_the_whole_for_a_root)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 10);
    made_scope(&tree, 1, "b", 1, 30);
    made_scope(&tree, 0, "c", 1, 20);
    choose(&tree, 100);
    static const uint64_t expected[][2] = {{40, 60}, {30, 40}, {20, 60}};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(choice.lines[i].part_ns, expected[i][0]);
        assert_int_equal(choice.lines[i].parent_ns, expected[i][1]);
    }
}

/* 0.5 % of 1,000 is 5. */
TEST(rows_below_half_a_percent_are_summed_up)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 980);
    made_scope(&tree, 1, "b", 1, 5);
    made_scope(&tree, 1, "c", 1, 4);
    made_scope(&tree, 1, "d", 1, 2);
    made_scope(&tree, 2, "e", 1, 1);
    made_scope(&tree, 1, "f", 1, 3);
    made_scope(&tree, 0, "g", 1, 4);
    made_scope(&tree, 0, "h", 1, 1);
    choose(&tree, 100);
    assert_lines("0:0 1:1 1:[4 more]. 0:[2 more].");
    assert_int_equal(choice.lines[2].part_ns, 10);
    assert_int_equal(choice.lines[2].parent_ns, 995);
    assert_int_equal(choice.lines[3].part_ns, 5);
}

TEST(single_small_row_is_shown_itself)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 1000);
    made_scope(&tree, 1, "b", 1, 1);
    choose(&tree, 100);
    assert_lines("0:0. 1:1.");
    struct made_tree with_child = {.rows = NULL};
    made_scope(&with_child, 0, "a", 1, 1000);
    made_scope(&with_child, 1, "b", 1, 1);
    made_scope(&with_child, 2, "c", 1, 1);
    choose(&with_child, 100);
    assert_lines("0:0. 1:[2 more].");
}

TEST(parent_has_twenty_children_at_most)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 0);
    for (int i = 0; i < 30; i++)
        made_scope(&tree, 1, "b", 1, 100);
    choose(&tree, 100);
    assert_int_equal(choice.count, 22);
    assert_int_equal(choice.lines[20].kind, EP_TREE_ROW);
    assert_int_equal(choice.lines[21].kind, EP_TREE_REST);
    assert_int_equal(choice.lines[21].left_out, 10);
    assert_int_equal(choice.lines[21].part_ns, 1000);
}

/* A small child of the first one has less time than the second parent, and is the last to be
 * chosen. */
TEST(longest_are_chosen_where_there_is_no_room_for_all)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 500);
    made_scope(&tree, 1, "b", 1, 40);
    made_scope(&tree, 1, "c", 1, 30);
    made_scope(&tree, 0, "d", 1, 50);
    made_scope(&tree, 1, "e", 1, 45);
    made_scope(&tree, 1, "f", 1, 10);
    choose(&tree, 3);
    assert_lines("0:0 1:[2 more]. 0:3. 1:4 1:5.");
    assert_int_equal(choice.lines[1].part_ns, 70);
}

TEST(long_chain_without_time_of_its_own_is_one_line)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 100; depth++)
        made_scope(&tree, depth, "link", 1 + depth, 0);
    made_scope(&tree, 100, "b", 1, 100);
    made_scope(&tree, 100, "c", 1, 50);
    choose(&tree, 100);
    assert_lines("0:0. 1:1. 2:2. 3:3. 4:4. 5:5. 6:{93}. 7:99. 8:100 8:101.");
    assert_int_equal(choice.lines[7].parent_ns, 150);
}

TEST(chain_with_time_of_its_own_is_shown)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 40; depth++)
        made_scope(&tree, depth, "a", 1, 10);
    choose(&tree, 100);
    assert_int_equal(choice.count, 40);
}

TEST(short_chain_is_shown)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 11; depth++)
        made_scope(&tree, depth, "link", 1 + depth, 0);
    made_scope(&tree, 11, "b", 1, 100);
    choose(&tree, 100);
    assert_int_equal(choice.count, 12);
}

TEST(only_children_with_the_same_figures_share_a_line)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "main", 1, 4);
    made_scope(&tree, 1, "run", 1, 1);
    made_scope(&tree, 2, "loop", 1, 100);
    made_scope(&tree, 3, "step", 9, 0);
    made_scope(&tree, 4, "work", 9, 800);
    made_scope(&tree, 3, "rest", 1, 100);
    made_scope(&tree, 4, "inner", 1, 100);
    choose(&tree, 100);
    assert_lines("0:0>2. 1:3>4 1:5. 2:6.");
    assert_int_equal(choice.lines[1].parent_ns, 1100);
}

/* 0.5 % of 1,000 is 5: the rows of a line differ by so much at most, however many there are. */
TEST(rows_of_one_line_have_next_to_no_time_of_their_own)
{
    struct made_tree at_limit = {.rows = NULL}, above = {.rows = NULL}, many = {.rows = NULL};
    made_scope(&at_limit, 0, "a", 1, 5);
    made_scope(&at_limit, 1, "b", 1, 995);
    choose(&at_limit, 100);
    assert_lines("0:0>1.");
    made_scope(&above, 0, "a", 1, 6);
    made_scope(&above, 1, "b", 1, 994);
    choose(&above, 100);
    assert_lines("0:0. 1:1.");
    for (uint32_t depth = 0; depth < 10; depth++)
        made_scope(&many, depth, "a", 1, 2);
    made_scope(&many, 10, "b", 1, 980);
    choose(&many, 100);
    assert_lines("0:0>2. 1:3>5. 2:6>8. 3:9>10.");
}

TEST(row_with_something_of_its_own_shares_no_line)
{
    for (int of_parent = 0; of_parent < 2; of_parent++)
        for (int what = 0; what < 6; what++) {
            struct made_tree tree = {.rows = NULL};
            struct eprof_row *rows[2];
            made_scope(&tree, 0, "a", 2, 0);
            made_scope(&tree, 1, "b", 2, 1000);
            rows[0] = &tree.rows[0], rows[1] = &tree.rows[1];
            struct eprof_row *row = rows[!of_parent];
            row->calls += what == 0;
            row->outermost -= what == 1;
            row->open += what == 2;
            row->errors += what == 3;
            row->timed = what == 4 ? 0 : row->timed;
            row->estimated += what == 5;
            choose(&tree, 100);
            assert_lines("0:0. 1:1.");
        }
}

TEST(rows_that_were_asked_for_share_no_line)
{
    for (int what = 0; what < 4; what++) {
        struct made_tree tree = {.rows = NULL};
        made_scope(&tree, 0, "a", 2, 0);
        made_scope(&tree, 1, "b", 2, 1000);
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        struct ep_part part = {.end = snapshot->scope_first};
        assert_true(ep_rows_part_next(snapshot, &part));
        snapshot->is_chosen = what == 1;
        snapshot->is_filtered = what == 2;
        snapshot->order = what == 3 ? ep_columns_find("total") : NULL;
        ep_report_tree_choice_free(&choice);
        assert_return_code(ep_report_tree_choice_make(&choice, snapshot, &part, 100), errno);
        assert_lines(what ? "0:0. 1:1." : "0:0>1.");
    }
}

/* A chain with a fork after every 20 links, so that there are lines of each kind. */
TEST(no_tree_has_more_lines_than_there_is_room_for)
{
    enum { FORKS = 100, LINKS = 20 };
    struct made_tree tree = {.rows = NULL};
    uint32_t depth = 0;
    for (int fork = 0; fork < FORKS; fork++) {
        for (int link = 0; link < LINKS; link++)
            made_scope(&tree, depth++, "link", 1 + (uint64_t)link % 2, 0);
        made_scope(&tree, depth++, "fork", 1, 100);
    }
    for (int fork = FORKS; fork > 0; fork--)
        for (int leaf = 0; leaf < 2; leaf++)
            made_scope(&tree, (uint32_t)(fork * (LINKS + 1)), "leaf", 1, 0);
    choose(&tree, EP_TREE_MOST_ROWS);
    assert_in_range(choice.count, EP_TREE_MOST_ROWS + 20, 3 * EP_TREE_MOST_ROWS + 1);
}

/* Each row is shown, or is counted in a line that represents several rows. */
TEST(no_row_is_lost)
{
    for (size_t most = 1; most <= 100; most++) {
        struct made_tree tree = {.rows = NULL};
        make_shapes(&tree);
        size_t rows = tree.count, counted = 0;
        choose(&tree, most);
        for (size_t i = 0; i < choice.count; i++)
            counted += choice.lines[i].kind == EP_TREE_ROW
                           ? 1 + choice.lines[i].last - choice.lines[i].row
                           : choice.lines[i].left_out;
        assert_int_equal(counted, rows);
    }
}
