/* A comparison as a page: its table, and the flame graphs of both sides on one scale. */
#include "made_diff.h"
#include "written.h"

/* The whole page; to be freed. */
static char *page_of(const struct ep_diff *diff, const struct ep_report_diff_options *options)
{
    struct memory memory;
    memory_open(&memory);
    ep_report_diff_html(&memory.out, diff, options);
    memory_close(&memory);
    return memory.text;
}

/* From its body on, without what is different in each version of it: the style; to be freed. */
static char *body_of(const struct ep_diff *diff, size_t top)
{
    struct ep_report_diff_options options = {.top = top};
    if (diff->files[EP_DIFF_BEFORE] == 1)
        options.names[EP_DIFF_BEFORE] = "old.eprof";
    if (diff->files[EP_DIFF_AFTER] == 1)
        options.names[EP_DIFF_AFTER] = "new.eprof";
    char *page = page_of(diff, &options);
    const char *body = strstr(page, "<body>");
    assert_non_null(body);
    char *copy = strdup(body);
    assert_non_null(copy);
    free(page);
    return copy;
}

static void assert_has(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        assert_string_equal(text, expected);
}

static void assert_has_not(const char *text, const char *unwanted)
{
    const char *found = strstr(text, unwanted);
    if (found)
        fail_msg("there is %.200s", found);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

/* Of a made comparison, whose numbers are `made`'s; to be freed. */
static char *body_of_made(struct made_diff *made, size_t top)
{
    return body_of(made_compare(made), top);
}

/* The row of the table that begins with this, up to its end; to be freed. */
static char *row_of(const char *body, const char *begin)
{
    const char *row = strstr(body, begin);
    if (!row)
        fail_msg("there is no %s", begin);
    while (row[-1] != '\n')
        row--;
    return strndup(row, strcspn(row, "\n"));
}

/* The box of a graph whose title begins with this name, from its link on; to be freed. The first is
 * that of after. */
static char *box_of(const char *body, const char *name, int number)
{
    char begin[256];
    snprintf(begin, sizeof begin, "<title>%s\n", name);
    const char *title = body - 1;
    for (; number >= 0; number--) {
        title = strstr(title + 1, begin);
        assert_non_null(title);
    }
    const char *box = title;
    while (box[-1] != '\n')
        box--;
    return strndup(box, (size_t)(strstr(title, "</svg>") - box));
}

static void assert_box(const char *body, const char *name, int number, const char *expected)
{
    char *box = box_of(body, name, number);
    assert_has(box, expected);
    free(box);
}

/* ---- as a whole ---- */

static void page_of_many_files_is_as_its_golden_file(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    char *text = body_of(&made.diff, 0), *expected = golden("diff.html");
    assert_string_equal(text, expected);
    free(expected);
    free(text);
    made_diff_free(&made);
}

static void page_of_one_file_each_has_no_verdicts(void **state)
{
    struct made_diff made;
    (void)state;
    make_server_pair(&made);
    char *text = body_of(&made.diff, 0);
    assert_has(text, "<h1>old.eprof \u2192 new.eprof</h1>");
    assert_has(text, "13 regions on both sides, 1 new, 2 gone");
    assert_has_not(text, "<dt>confidence</dt>");
    assert_has_not(text, "slower</span></td>");
    assert_has_not(text, "no evidence");
    free(text);
    made_diff_free(&made);
}

static void page_of_nothing_says_so(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    char *text = body_of_made(&made, 0);
    assert_has(text, "<p class=\"found\">no regions</p>");
    assert_has_not(text, "<table");
    assert_has_not(text, "<figure");
    free(text);
    made_diff_free(&made);
}

static void page_of_hostile_names_has_no_elements_of_theirs(void **state)
{
    static const char hostile[] = "</title><style></style><script>alert(1)</script>\"'";
    static const char *const parts[] = {"</title><style></", "<script", "\"'", "\x1b", "\xFF",
                                        "\xE2\x80\xAE"};
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        make_hostile_tree(&made.trees[side]);
        made_scope(&made.trees[side], 0, hostile, 1, 300 * US);
        made_scope(&made.trees[side], 1, side ? "new <b>" : "gone <b>", 1, 300 * US);
    }
    made_compare(&made);
    made.diff.sides[EP_DIFF_AFTER]->command = hostile;
    made.diff.options.filter = hostile;
    char *text = page_of(&made.diff, &(struct ep_report_diff_options){.names = {hostile, hostile}});
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_has_not(text, parts[i]);
    assert_int_equal(count_of(text, "<b>"), made.diff.row_count); /* the changes */
    free(text);
    made_diff_free(&made);
}

static void head_says_what_was_asked_for(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    made.diff.options.by = ep_field_find("self");
    made.diff.options.filter = "p*";
    made.diff.options.is_raw = true;
    made.diff.options.error = 0.01;
    char *text = body_of(&made.diff, 0);
    assert_has(text, "<dt>compared</dt><dd>self time of a run</dd>");
    assert_has(text, "<dt>filter</dt><dd>p*</dd>");
    assert_has(text, "<dt>probes</dt><dd>not taken off</dd>");
    assert_has(text, "<dt>confidence</dt><dd>99 %</dd>");
    assert_has(text, "<th scope=\"col\" class=\"judged\">self</th>");
    free(text);
    made_diff_free(&made);
}

/* ---- the table ---- */

static void row_has_both_sides_and_leads_to_its_box(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    char *text = body_of(&made.diff, 0), *row = row_of(text, "<bdi>query</bdi></a>");
    assert_has(row, "<tr id=\"d0\" class=\"f4\"><th scope=\"row\"><a href=\"#a0\">");
    assert_has(row, "<small>in <bdi>main</bdi> \u203A <bdi>serve</bdi> \u203A "
                    "<bdi>handle_request</bdi></small>");
    assert_has(row, "<td class=\"change\"><b>-58.0 %</b><span>faster</span></td>");
    assert_has(row, "<data value=\"-12480000\">-12.5 ms</data><span>-59.0 to -56.7 %</span>");
    assert_has(row, "<td class=\"judged\"><data value=\"21500000\">21.5 ms</data>"
                    "<data value=\"9020000\">9.02 ms</data></td>");
    assert_has(row,
               "<td class=\"wide\"><data value=\"201\">201</data><data value=\"201\">201</data>");
    free(row);
    free(text);
    made_diff_free(&made);
}

static void row_of_one_side_has_dashes_for_the_other(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    char *text = body_of(&made.diff, 0),
         *new = row_of(text, "<th scope=\"row\"><bdi>validate</bdi>"),
         *gone = row_of(text, "<bdi>log</bdi></a>");
    assert_has(new, "<td class=\"change\"><b>new</b></td>");
    assert_has(new,
               "<td class=\"judged\"><span>\u2013</span><data value=\"26000\">26.0 us</data></td>");
    assert_has(gone, "<a href=\"#b");
    assert_has(gone, "<td class=\"change\"><b>gone</b></td>");
    assert_has(gone,
               "<td class=\"judged\"><data value=\"100000\">100 us</data><span>\u2013</span></td>");
    free(gone);
    free(new);
    free(text);
    made_diff_free(&made);
}

static void rows_that_were_not_asked_for_are_counted(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    char *text = body_of(&made.diff, 3);
    assert_int_equal(count_of(text, "<tr id="), 3);
    assert_int_equal(made.diff.row_count, 17);
    assert_has(text, "<p class=\"rest\">\u2026 14 more</p>");
    assert_has_not(text, "<details");
    assert_has_not(text, "href=\"#d3\""); /* a box without a row leads nowhere */
    assert_has(text, "<svg class=\"h0\" id=\"a3\"");
    free(text);
    made_diff_free(&made);
}

static void many_rows_are_seen_where_they_are_asked_for(void **state)
{
    enum { REGIONS = 2100, SEEN = 25, MOST = 2000 };
    static char names[REGIONS][16];
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    for (int i = 0; i < REGIONS; i++) {
        snprintf(names[i], sizeof names[i], "region %d", i);
        made_scope(&made.trees[EP_DIFF_AFTER], 0, names[i], 1, (uint64_t)i);
    }
    char *text = body_of_made(&made, 0);
    const char *rest = strstr(text, "<details class=\"more\"><summary>1975 more</summary>");
    assert_non_null(rest);
    assert_int_equal(count_of(text, "<tr id="), MOST);
    assert_int_equal(count_of(rest, "<tr id="), MOST - SEEN);
    assert_has(rest, "</details>\n<p class=\"rest\">\u2026 100 more</p>");
    free(text);
    made_diff_free(&made);
}

static void row_names_the_nearest_that_it_is_in(void **state)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    for (uint32_t depth = 0; depth < 8; depth++)
        made_scope(&made.trees[EP_DIFF_AFTER], depth, names[depth], 1, 100);
    char *text = body_of_made(&made, 0), *g = row_of(text, "<bdi>g</bdi></a>"),
         *h = row_of(text, "<bdi>h</bdi></a>");
    assert_has(g, "<small>in <bdi>a</bdi> \u203A <bdi>b</bdi>");
    assert_has(h, "<small>in \u2026 \u203A <bdi>b</bdi> \u203A <bdi>c</bdi>");
    assert_has(h, "<bdi>g</bdi></small>");
    free(h);
    free(g);
    free(text);
    made_diff_free(&made);
}

static void times_of_a_throttled_function_are_estimates(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 1, 100);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 1, 100);
    made_compare(&made);
    made.diff.rows[0].figures[EP_DIFF_AFTER].is_estimate = true;
    char *text = body_of(&made.diff, 0);
    assert_has(text, "<data value=\"100\">100 ns</data><data value=\"100\">~100 ns</data>");
    assert_box(text, "f", 0, "\nthrottled: times are estimates of 1 call in 64</title>");
    free(text);
    made_diff_free(&made);
}

/* ---- the graphs ---- */

static void graphs_have_one_scale(void **state)
{
    struct made_diff made = {.files = {2, 3}}; /* of 400 ns a run, and 300 */
    (void)state;
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 2, 600);
    made_scope(&made.trees[EP_DIFF_BEFORE], 1, "g", 2, 200);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 3, 600);
    made_scope(&made.trees[EP_DIFF_AFTER], 1, "g", 3, 300);
    char *text = body_of_made(&made, 0);
    assert_has(text, "x=\"0.00000%\" width=\"75.00000%\" y=\"0\" height=\"17\"><title>after: 300 "
                     "ns on average<");
    assert_has(text, "x=\"0.00000%\" width=\"100.00000%\" y=\"0\" height=\"17\"><title>before: 400 "
                     "ns on average<");
    assert_box(text, "f", 0, "width=\"75.00000%\"");
    assert_box(text, "g", 0, "width=\"25.00000%\"");
    assert_box(text, "f", 1, "width=\"100.00000%\"");
    assert_box(text, "g", 1, "width=\"25.00000%\"");
    free(text);
    made_diff_free(&made);
}

static void box_says_all_figures_exactly(void **state)
{
    struct made_diff made;
    (void)state;
    make_servers(&made);
    char *text = body_of(&made.diff, 0);
    assert_box(text, "query", 1,
               "<title>query\ntotal -58.0 % (-59.0 to -56.7 %): faster\n"
               "total 21500000 \u2192 9020000 ns: -12480000\n"
               "self 18000000 \u2192 9000000 ns: -9000000\n"
               "mean 106965 \u2192 44875 ns: -62090\n"
               "p99 213930 \u2192 89750 ns: -124180\n"
               "calls 201 \u2192 201</title>");
    assert_box(text, "log", 0, "<title>log\ngone\ntotal 100000 ns\nself 70000 ns\n");
    free(text);
    made_diff_free(&made);
}

static void culprit_is_coloured_and_not_all_around_it(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        made_scope(&made.trees[side], 0, "main", 1, 100);
        made_scope(&made.trees[side], 1, "slow", 1, side ? 7000 : 5000);
        made_scope(&made.trees[side], 1, "slower", 1, side ? 1100 : 1000);
        made_scope(&made.trees[side], 1, "same", 1, side ? 1019 : 1000);
        made_scope(&made.trees[side], 1, "fast", 1, side ? 480 : 1000);
    }
    char *text = body_of_made(&made, 0); /* 9,699 ns are the width */
    assert_box(text, "main", 0, "<svg class=\"h0\"");
    assert_box(text, "slow", 0, "<svg class=\"s4\"");
    assert_box(text, "slow", 0, "aria-hidden=\"true\">\u25B2 slow");
    assert_box(text, "slower", 1, "<svg class=\"s2\"");
    assert_box(text, "same", 0, "<svg class=\"h0\"");
    assert_box(text, "same", 0, "aria-hidden=\"true\">same");
    assert_box(text, "fast", 1, "<svg class=\"f3\"");
    assert_box(text, "fast", 1, "aria-hidden=\"true\">\u25BC fast");
    free(text);
    made_diff_free(&made);
}

static void what_was_not_found_has_no_colour(void **state)
{
    static const struct made_interval intervals[] = {{"grown", 0.9, 1.9},
                                                     {"grown, faster", 0.2, 0.9},
                                                     {"grown, slower", 1.1, 1.9},
                                                     {NULL, 0, 0}};
    struct made_diff made = {.files = {9, 9}, .intervals = intervals};
    (void)state;
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        made_scope(&made.trees[side], 0, "grown", 1, side ? 6000 : 5000);
        made_scope(&made.trees[side], 0, "grown, faster", 1, side ? 6000 : 5000);
        made_scope(&made.trees[side], 0, "grown, slower", 1, side ? 6000 : 5000);
    }
    char *text = body_of_made(&made, 0);
    assert_box(text, "grown", 0, "<svg class=\"h0\"");
    assert_box(text, "grown, faster", 0, "<svg class=\"h0\"");
    assert_box(text, "grown, slower", 0, "<svg class=\"s3\"");
    assert_has(text, "What is not found to have changed has no colour.");
    free(text);
    made_diff_free(&made);
}

static void what_one_side_alone_has_is_hatched(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "stays", 1, 100000);
    made_scope(&made.trees[EP_DIFF_BEFORE], 1, "goes", 1, 5000);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "stays", 1, 100000);
    made_scope(&made.trees[EP_DIFF_AFTER], 1, "comes", 1, 100); /* too short for a colour, else */
    char *text = body_of_made(&made, 0);
    assert_box(text, "comes", 0, "<svg class=\"s1\"");
    assert_box(text, "comes", 0, "<rect width=\"100%\" height=\"100%\" class=\"hatch\"/>");
    assert_box(text, "goes", 0, "<svg class=\"f3\"");
    assert_box(text, "goes", 0, "class=\"hatch edge\"/>");
    assert_box(text, "goes", 0, "aria-hidden=\"true\">gone goes");
    assert_int_equal(count_of(text, "class=\"hatch"), 2);
    free(text);
    made_diff_free(&made);
}

static void box_that_was_not_asked_for_has_its_name_alone(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 1, 100);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 1, 200);
    made_compare(&made);
    made.diff.row_of[EP_DIFF_AFTER][0] = UINT32_MAX;
    char *text = body_of(&made.diff, 0);
    assert_has(text,
               "\n<svg class=\"h0\" x=\"0.00000%\" width=\"100.00000%\" y=\"18\" height=\"17\">"
               "<title>f</title>");
    free(text);
    made_diff_free(&made);
}

static void instances_alone_have_no_graphs(void **state)
{
    struct made_diff made = {.files = {1, 1}};
    (void)state;
    made_instance(&made.trees[EP_DIFF_BEFORE], even_instance(0, "read", 1, 100));
    made_instance(&made.trees[EP_DIFF_AFTER], even_instance(0, "read", 1, 200));
    char *text = body_of_made(&made, 0);
    assert_has(text, "<th scope=\"row\"><bdi>read</bdi> <em>instance</em></th>");
    assert_has(text, "<b>+100 %</b>");
    assert_has_not(text, "Flame graph");
    free(text);
    made_diff_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_of_many_files_is_as_its_golden_file),
        cmocka_unit_test(page_of_one_file_each_has_no_verdicts),
        cmocka_unit_test(page_of_nothing_says_so),
        cmocka_unit_test(page_of_hostile_names_has_no_elements_of_theirs),
        cmocka_unit_test(head_says_what_was_asked_for),
        cmocka_unit_test(row_has_both_sides_and_leads_to_its_box),
        cmocka_unit_test(row_of_one_side_has_dashes_for_the_other),
        cmocka_unit_test(rows_that_were_not_asked_for_are_counted),
        cmocka_unit_test(many_rows_are_seen_where_they_are_asked_for),
        cmocka_unit_test(row_names_the_nearest_that_it_is_in),
        cmocka_unit_test(times_of_a_throttled_function_are_estimates),
        cmocka_unit_test(graphs_have_one_scale),
        cmocka_unit_test(box_says_all_figures_exactly),
        cmocka_unit_test(culprit_is_coloured_and_not_all_around_it),
        cmocka_unit_test(what_was_not_found_has_no_colour),
        cmocka_unit_test(what_one_side_alone_has_is_hatched),
        cmocka_unit_test(box_that_was_not_asked_for_has_its_name_alone),
        cmocka_unit_test(instances_alone_have_no_graphs),
    };
    return cmocka_run_group_tests_name("report_diff_html", tests, NULL, NULL);
}
