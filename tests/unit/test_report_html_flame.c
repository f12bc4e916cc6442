#include "made_trees.h"

#include "report_html_flame.h"
#include "snapshot_part.h"
#include "written.h"

enum { BOXES_MOST = 4000 };

/* The graph of the tree of that number, from 1; to be freed. */
static char *graph_of(const struct eprof_snapshot *snapshot, size_t number, const bool *is_shown)
{
    struct ep_part part = {.end = snapshot->scope_first};
    struct memory memory;
    while (part.number < number)
        assert_true(ep_part_next(snapshot, &part));
    memory_open(&memory);
    const struct ep_report_html_page page = {&memory.out, snapshot, 't'};
    ep_report_html_flame(&page, &part, is_shown, BOXES_MOST);
    memory_close(&memory);
    return memory.text;
}

static void assert_has(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        assert_string_equal(text, expected);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void flame_is_as_its_golden_file(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    make_server(&tree);
    char *text = graph_of(made_snapshot(&tree), 1, NULL), *expected = golden("flame.html");
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    made_free(&tree);
}

static void flame_of_hostile_names_is_as_its_golden_file(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    tree.thread = "</title><script>alert(1)</script>\"'";
    make_hostile_tree(&tree);
    made_scope(&tree, 0, "</text></svg><script>alert(1)</script>", 1, 300 * US);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.threads = true;
    char *text = graph_of(snapshot, 1, NULL), *expected = golden("flame-hostile.html");
    assert_string_equal(text, expected);
    assert_null(strstr(text, "<script"));
    free(expected);
    free(text);
    made_free(&tree);
}

static void flame_has_the_name_of_its_thread(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    make_thread_trees(&tree);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.threads = true;
    char *text = graph_of(snapshot, 2, NULL);
    assert_has(text, "aria-label=\"Flame graph of worker\"");
    assert_has(text, "<title>worker: 100 ms</title>");
    assert_has(text, "<a href=\"#t2\"><svg class=\"h5\" x=\"0.00000%\" width=\"100.00000%\" "
                     "y=\"18\" height=\"17\"><title>work\n");
    assert_null(strstr(text, "wait"));
    free(text);
    made_free(&tree);
}

static void box_leads_to_the_nearest_row_that_is_shown(void **state)
{
    static const bool is_shown[] = {true, false, false, true, false};
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_instance(&tree, even_instance(0, "instance", 1, 1));
    made_scope(&tree, 0, "a", 1, 10);
    made_scope(&tree, 1, "b", 1, 10);
    made_scope(&tree, 2, "c", 1, 10);
    made_scope(&tree, 2, "d", 1, 10);
    made_scope(&tree, 0, "e", 1, 10);
    char *text = graph_of(made_snapshot(&tree), 1, is_shown);
    assert_int_equal(count_of(text, "href="), 4);
    assert_int_equal(count_of(text, "<a href=\"#t1\">"), 3); /* a, b, c */
    assert_int_equal(count_of(text, "<a href=\"#t4\">"), 1); /* d; e has none */
    assert_has(text, "<title>e\n");
    assert_int_equal(count_of(text, "</a>"), 4);
    free(text);
    made_free(&tree);
}

static void narrow_box_is_no_stop_and_has_no_text(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "wide", 1, 9880);
    made_scope(&tree, 0, "narrow", 1, 101);
    made_scope(&tree, 0, "thin", 1, 19);
    char *text = graph_of(made_snapshot(&tree), 1, NULL);
    assert_has(text, "<a href=\"#t1\"><svg");
    assert_has(text, "<a href=\"#t2\" tabindex=\"-1\"><svg");
    assert_int_equal(count_of(text, "</text>"), 2); /* the whole, and the wide */
    free(text);
    made_free(&tree);
}

static void flame_says_what_it_leaves_out(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    for (uint32_t depth = 0; depth < 130; depth++)
        made_scope(&tree, depth, "deeper", 1, 1000);
    made_scope(&tree, 1, "nothing", 1, 1);
    made_scope(&tree, 2, "in it", 1, 1);
    char *text = graph_of(made_snapshot(&tree), 1, NULL);
    assert_has(text, " \u2026 2 narrower than 0.05 % of all. \u2026 30 below level 100.</figcap");
    assert_has(text, "height=\"1818\"");
    free(text);
    made_free(&tree);
}

static void flame_in_ticks_says_so(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "a", 1, 12345);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->options.ticks = true;
    snapshot->places[0].mark.is_thinned = true;
    char *text = graph_of(snapshot, 1, NULL);
    assert_has(text, "<title>a\n100 % of all: ~12345 ticks\nself ~12345 ticks (100 %), "
                     "total ~12345 ticks, 1 call</title>");
    free(text);
    made_free(&tree);
}

static void flame_of_no_time_is_nothing(void **state)
{
    struct made_tree tree = {.rows = NULL};
    (void)state;
    made_scope(&tree, 0, "a", 1, 0);
    char *text = graph_of(made_snapshot(&tree), 1, NULL);
    assert_string_equal(text, "");
    free(text);
    made_free(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flame_is_as_its_golden_file),
        cmocka_unit_test(flame_of_hostile_names_is_as_its_golden_file),
        cmocka_unit_test(flame_has_the_name_of_its_thread),
        cmocka_unit_test(box_leads_to_the_nearest_row_that_is_shown),
        cmocka_unit_test(narrow_box_is_no_stop_and_has_no_text),
        cmocka_unit_test(flame_says_what_it_leaves_out),
        cmocka_unit_test(flame_in_ticks_says_so),
        cmocka_unit_test(flame_of_no_time_is_nothing),
    };
    return cmocka_run_group_tests_name("report_html_flame", tests, NULL, NULL);
}
