#include "support/made_snapshot.h"

#include "report/html/html.h"
#include "snapshot/part.h"
#include "support/written.h"

enum { BOXES_MOST = 4000 };

/* The graph of the tree with this number, counted from 1; the caller frees it. */
static const char *graph_of(const struct eprof_snapshot *snapshot, size_t number,
                            const bool *is_shown)
{
    struct ep_part part = {.end = snapshot->scope_first};
    struct memory memory;
    while (part.number < number)
        assert_true(ep_rows_part_next(snapshot, &part));
    memory_open(&memory);
    const struct ep_page page = {&memory.out, snapshot, 't'};
    ep_report_html_flame(&page, &part, is_shown, BOXES_MOST);
    memory_close(&memory);
    return memory.text;
}

TEST(flame_is_as_its_golden_file)
{
    struct made_tree tree = {.rows = NULL};
    make_server_tree(&tree);
    assert_string_equal(graph_of(made_snapshot(&tree), 1, NULL), golden("flame.html"));
}

TEST(flame_of_hostile_names_is_as_its_golden_file)
{
    struct made_tree tree = {.rows = NULL};
    tree.thread = "</title><script>alert(1)</script>\"'";
    make_hostile_tree(&tree);
    made_scope(&tree, 0, "</text></svg><script>alert(1)</script>", 1, 300 * US);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.threads = true;
    const char *text = graph_of(snapshot, 1, NULL);
    assert_string_equal(text, golden("flame-hostile.html"));
    assert_null(strstr(text, "<script"));
}

TEST(flame_has_the_name_of_its_thread)
{
    struct made_tree tree = {.rows = NULL};
    make_thread_trees(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.threads = true;
    const char *text = graph_of(snapshot, 2, NULL);
    assert_text_has(text, "aria-label=\"Flame graph of worker\"");
    assert_text_has(text, "<title>worker: 100 ms</title>");
    assert_text_has(text, "<a href=\"#t2\"><svg class=\"h5\" x=\"0.00000%\" width=\"100.00000%\" "
                          "y=\"18\" height=\"17\"><title>work\n");
    assert_null(strstr(text, "wait"));
}

TEST(box_leads_to_the_nearest_row_that_is_shown)
{
    static const bool is_shown[] = {true, false, false, true, false};
    struct made_tree tree = {.rows = NULL};
    made_instance(&tree, even_instance(0, "instance", 1, 1));
    made_scope(&tree, 0, "a", 1, 10);
    made_scope(&tree, 1, "b", 1, 10);
    made_scope(&tree, 2, "c", 1, 10);
    made_scope(&tree, 2, "d", 1, 10);
    made_scope(&tree, 0, "e", 1, 10);
    const char *text = graph_of(made_snapshot(&tree), 1, is_shown);
    assert_int_equal(count_of(text, "href="), 4);
    assert_int_equal(count_of(text, "<a href=\"#t1\">"), 3); /* a, b, c */
    assert_int_equal(count_of(text, "<a href=\"#t4\">"), 1); /* d; e has none */
    assert_text_has(text, "<title>e\n");
    assert_int_equal(count_of(text, "</a>"), 4);
}

TEST(narrow_box_is_no_stop_and_has_no_text)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "wide", 1, 9880);
    made_scope(&tree, 0, "narrow", 1, 101);
    made_scope(&tree, 0, "thin", 1, 19);
    const char *text = graph_of(made_snapshot(&tree), 1, NULL);
    assert_text_has(text, "<a href=\"#t1\"><svg");
    assert_text_has(text, "<a href=\"#t2\" tabindex=\"-1\"><svg");
    assert_int_equal(count_of(text, "</text>"), 2); /* the root, and the wide one */
}

TEST(flame_counts_the_rows_that_it_leaves_out)
{
    struct made_tree tree = {.rows = NULL};
    for (uint32_t depth = 0; depth < 130; depth++)
        made_scope(&tree, depth, "deeper", 1, 1000);
    made_scope(&tree, 1, "nothing", 1, 1);
    made_scope(&tree, 2, "in it", 1, 1);
    const char *text = graph_of(made_snapshot(&tree), 1, NULL);
    assert_text_has(text,
                    " \u2026 2 narrower than 0.05 % of all. \u2026 30 below level 100.</figcap");
    assert_text_has(text, "height=\"1818\"");
}

TEST(flame_in_ticks_says_so)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 12345);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.ticks = true;
    snapshot->rows[0].estimated = 1;
    const char *text = graph_of(snapshot, 1, NULL);
    assert_text_has(text, "<title>a\n100 % of all: ~12345 ticks\nself ~12345 ticks (100 %), "
                          "total ~12345 ticks, 1 call</title>");
}

TEST(flame_without_time_is_empty)
{
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 0);
    assert_string_equal(graph_of(made_snapshot(&tree), 1, NULL), "");
}
