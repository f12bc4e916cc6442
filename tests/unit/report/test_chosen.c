/* Columns that a reader chooses, and names with locations, in table and tree. */
#include "report/chosen.h"
#include "support/made_snapshot.h"
#include "support/made_terminal.h"

static void make_small(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "pair", 2, 3 * US));
    made_scope(tree, 0, "main", 1, 2 * MS);
    made_scope(tree, 1, "half", 4, 2 * MS)->line = 7;
}

/* The text with one blank in place of several. */
static char *squeeze(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' || to == text || to[-1] != ' ')
            *to++ = *from;
    *to = '\0';
    return text;
}

static char *reported_small(const char *format)
{
    struct made_tree tree = {.rows = NULL};
    make_small(&tree);
    return squeeze(reported_tree(&tree, format));
}

TEST(tree_has_the_chosen_columns_in_their_order)
{
    char *text = reported_small("tree:columns=p50+calls+%parent+total");
    assert_text_has(text, "\nscope p50 calls %parent total\n");
    assert_text_has(text, "\nmain - 1 100 % 4.00 ms\n");
    assert_text_has(text, "\n`-half 500 us 4 50 % 2.00 ms\n");
    assert_text_has(text, "\ntop functions by self time p50 calls total\n");
}

TEST(table_has_the_chosen_columns_in_their_order)
{
    char *text = reported_small("table:columns=mean+self%+calls");
    assert_text_has(text, "\nID name mean calls\n");
    assert_text_has(text, "\n0: pair 3.00 us 2\n");
    assert_text_has(text, "\nscope mean self% calls\n");
    assert_text_has(text, "\nmain 4.00 ms 50 % 1\n");
    assert_text_has(text, "\n half 500 us 50 % 4\n");
}

TEST(thread_precedes_the_chosen_columns)
{
    struct made_tree tree = {.rows = NULL};
    make_thread_trees(&tree);
    assert_text_has(squeeze(reported_tree(&tree, "table:threads:columns=calls")),
                    "\nscope thread calls\n");
}

TEST(chosen_columns_are_shown_even_if_they_are_empty)
{
    char *text = reported_small("tree:columns=errors+cpu+outermost");
    assert_text_has(text, "\nscope errors cpu outermost\n");
    assert_text_has(text, "\nmain 0 - 1\n");
}

TEST(column_is_known_by_its_name_in_csv_and_shown_once)
{
    char *text = reported_small("tree:columns=total_ns,p999,usec/call+total");
    assert_text_has(text, "\nscope total p99.9 mean\n");
}

TEST(column_that_rows_are_sorted_by_is_added)
{
    struct made_tree tree = {.rows = NULL};
    make_small(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->order = ep_columns_find("max");
    assert_non_null(ep_report_find("tree:columns=self", 17, &snapshot->options));
    assert_text_has(squeeze(reported(snapshot, "tree")), "\nscope self max\n");
}

TEST(unknown_column_is_named_with_those_that_are_known)
{
    static const char *const texts[][2] = {{"tree:columns=calls+foo+total", "foo"},
                                           {"table:raw:columns=foo:ticks", "foo"},
                                           {"tree:columns=", ""},
                                           {"tree:columns=calls+", ""},
                                           {"tree:columns=calls,,self", ""},
                                           {"tree:columns=name", "name"},
                                           {"tree:columns=caller", "caller"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char line[512], expected[512];
        const char *text = texts[i][0];
        struct ep_snapshot_options options;
        assert_null(ep_report_find(text, strlen(text), &options));
        assert_true(ep_report_explain(text, strlen(text), line, sizeof line));
        snprintf(expected, sizeof expected, "no column \"%s\"; known are %s", texts[i][1],
                 EP_REPORT_CHOSEN_NAMES);
        assert_string_equal(line, expected);
    }
}

TEST(names_in_the_message_are_all_columns)
{
    struct ep_chosen_columns chosen;
    char names[] = EP_REPORT_CHOSEN_NAMES, text[sizeof names], *at = text;
    for (char *name = strtok(names, ", "); name; name = strtok(NULL, ", "))
        at += sprintf(at, "%s%s", at > text ? "+" : "", name);
    assert_null(ep_report_chosen_read(text, strlen(text), &chosen));
    assert_int_equal(chosen.count, EP_CHOSEN_COLUMNS);
    for (int i = 0; i < EP_CHOSEN_COLUMNS; i++)
        assert_int_equal(chosen.at[i], i);
    assert_text_has(reported_small("tree:columns=calls+timed+outermost+errors+open+total+%total+"
                                   "%parent+self+self%+cpu+wait+mean+stddev+min+p50+p90+p99+p99.9+"
                                   "max"),
                    " calls timed outermost errors open total %total %parent self self%"
                    " cpu wait mean stddev min p50 p90 p99 p99.9 max\n");
}

TEST(other_formats_have_no_columns_to_choose)
{
    static const char *const texts[] = {"csv:columns=calls", "json:where", "html:columns=calls"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char line[512];
        struct ep_snapshot_options options;
        assert_null(ep_report_find(texts[i], strlen(texts[i]), &options));
        assert_false(ep_report_explain(texts[i], strlen(texts[i]), line, sizeof line));
    }
}

TEST(names_have_file_and_line_on_request)
{
    char *tree = reported_small("tree:where");
    assert_text_has(tree, "\nmain (made.c:1) ");
    assert_text_has(tree, "\n`-half (made.c:7) ");
    assert_text_has(tree, "\nhalf (made.c:7) ");
    char *table = reported_small("table:where");
    assert_text_has(table, "\n0: pair ");
    assert_text_has(table, "\n half (made.c:7) ");
    assert_text_has_not(reported_small("tree"), "made.c");
}

TEST_EACH(clear_settings, NULL)
