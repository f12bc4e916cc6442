/* A comparison as a page: its table, and the flame graphs of both sides on one scale. */
#include "support/made_diff.h"
#include "support/written.h"

/* The whole page. */
static const char *page_of(const struct ep_diff *diff, const struct ep_report_diff_options *options)
{
    struct memory memory;
    memory_open(&memory);
    ep_report_diff_html(&memory.out, diff, options,
                        ep_report_diff_shown(ep_report_diff_find("html"), diff, options));
    memory_close(&memory);
    return memory.text;
}

/* The page from its body on, without the style, which may be different in each version. */
static const char *body_of(const struct ep_diff *diff, size_t top)
{
    struct ep_report_diff_options options = {.top = top};
    if (diff->files[EP_DIFF_BEFORE] == 1)
        options.names[EP_DIFF_BEFORE] = "old.eprof";
    if (diff->files[EP_DIFF_AFTER] == 1)
        options.names[EP_DIFF_AFTER] = "new.eprof";
    const char *page = page_of(diff, &options);
    const char *body = strstr(page, "<body>");
    assert_non_null(body);
    return body;
}

/* The report on a comparison made by hand; its numbers come from `made`. */
static const char *body_of_made(struct made_diff *made, size_t top)
{
    return body_of(made_compare(made), top);
}

/* The row of the table that begins with this text, up to its end. */
static char *row_of(const char *body, const char *begin)
{
    const char *row = strstr(body, begin);
    if (!row)
        fail_msg("there is no %s", begin);
    while (row[-1] != '\n')
        row--;
    return test_keep(strndup(row, strcspn(row, "\n")), free);
}

/* The box of a graph whose title begins with this name, from its link on; the caller frees it. The
 * graph of the side after comes first. */
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
    return test_keep(strndup(box, (size_t)(strstr(title, "</svg>") - box)), free);
}

static void assert_box(const char *body, const char *name, int number, const char *expected)
{
    assert_text_has(box_of(body, name, number), expected);
}

/* ---- the whole page ---- */

TEST(page_of_many_files_is_as_its_golden_file)
{
    struct made_diff made;
    make_servers(&made);
    assert_string_equal(body_of(&made.diff, 0), golden("diff.html"));
}

TEST(page_of_one_file_each_has_no_verdicts)
{
    struct made_diff made;
    make_server_pair(&made);
    const char *text = body_of(&made.diff, 0);
    assert_text_has(text, "<h1>old.eprof \u2192 new.eprof</h1>");
    assert_text_has(text, "13 regions on both sides, 1 new, 2 gone");
    assert_text_has_not(text, "<dt>confidence</dt>");
    assert_text_has_not(text, "slower</span></td>");
    assert_text_has_not(text, "no evidence");
}

TEST(page_without_regions_says_so)
{
    struct made_diff made = {.files = {1, 1}};
    const char *text = body_of_made(&made, 0);
    assert_text_has(text, "<p class=\"found\">no regions</p>");
    assert_text_has_not(text, "<table");
    assert_text_has_not(text, "<figure");
}

TEST(page_of_hostile_names_has_no_elements_of_theirs)
{
    static const char hostile[] = "</title><style></style><script>alert(1)</script>\"'";
    static const char *const parts[] = {"</title><style></", "<script", "\"'", "\x1b", "\xFF",
                                        "\xE2\x80\xAE"};
    struct made_diff made = {.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        make_hostile_tree(&made.trees[side]);
        made_scope(&made.trees[side], 0, hostile, 1, 300 * US);
        made_scope(&made.trees[side], 1, side ? "new <b>" : "gone <b>", 1, 300 * US);
    }
    made_compare(&made);
    made.diff.sides[EP_DIFF_AFTER]->command = hostile;
    made.diff.options.filter = hostile;
    const char *text =
        page_of(&made.diff, &(struct ep_report_diff_options){.names = {hostile, hostile}});
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_text_has_not(text, parts[i]);
    assert_int_equal(count_of(text, "<b>"), made.diff.row_count); /* the changes */
}

TEST(head_shows_the_options)
{
    struct made_diff made;
    make_servers(&made);
    made.diff.options.by = ep_columns_find("self");
    made.diff.options.filter = "p*";
    made.diff.options.is_raw = true;
    made.diff.options.error = 0.01;
    const char *text = body_of(&made.diff, 0);
    assert_text_has(text, "<dt>compared</dt><dd>self time of a run</dd>");
    assert_text_has(text, "<dt>filter</dt><dd>p*</dd>");
    assert_text_has(text, "<dt>probes</dt><dd>not subtracted</dd>");
    assert_text_has(text, "<dt>confidence</dt><dd>99 %</dd>");
    assert_text_has(text, "<th scope=\"col\" class=\"judged\">self</th>");
}

/* ---- the table ---- */

TEST(row_has_both_sides_and_leads_to_its_box)
{
    struct made_diff made;
    make_servers(&made);
    const char *text = body_of(&made.diff, 0), *row = row_of(text, "<bdi>query</bdi></a>");
    assert_text_has(row, "<tr id=\"d0\" class=\"f4\"><th scope=\"row\"><a href=\"#a0\">");
    assert_text_has(row, "<small>in <bdi>main</bdi> \u203A <bdi>serve</bdi> \u203A "
                         "<bdi>handle_request</bdi></small>");
    assert_text_has(row, "<td class=\"change\"><b>-58.0 %</b><span>faster</span></td>");
    assert_text_has(row, "<data value=\"-12480000\">-12.5 ms</data><span>-59.0 to -56.7 %</span>");
    assert_text_has(row, "<td class=\"judged\"><data value=\"21500000\">21.5 ms</data>"
                         "<data value=\"9020000\">9.02 ms</data></td>");
    assert_text_has(
        row, "<td class=\"wide\"><data value=\"201\">201</data><data value=\"201\">201</data>");
}

TEST(row_of_one_side_has_dashes_for_the_other)
{
    struct made_diff made;
    make_servers(&made);
    const char *text = body_of(&made.diff, 0),
               *new = row_of(text, "<th scope=\"row\"><bdi>validate</bdi>"),
               *gone = row_of(text, "<bdi>log</bdi></a>");
    assert_text_has(new, "<td class=\"change\"><b>new</b></td>");
    assert_text_has(
        new, "<td class=\"judged\"><span>\u2013</span><data value=\"26000\">26.0 us</data></td>");
    assert_text_has(gone, "<a href=\"#b");
    assert_text_has(gone, "<td class=\"change\"><b>gone</b></td>");
    assert_text_has(
        gone, "<td class=\"judged\"><data value=\"100000\">100 us</data><span>\u2013</span></td>");
}

TEST(rows_that_were_not_asked_for_are_counted)
{
    struct made_diff made;
    make_servers(&made);
    const char *text = body_of(&made.diff, 3);
    assert_int_equal(count_of(text, "<tr id="), 3);
    assert_int_equal(made.diff.row_count, 17);
    assert_text_has(text, "<p class=\"rest\">\u2026 14 more</p>");
    assert_text_has_not(text, "<details");
    assert_text_has_not(text, "href=\"#d3\""); /* a box without a row has no link */
    assert_text_has(text, "<svg class=\"h0\" id=\"a3\"");
}

TEST(many_rows_are_shown_on_request)
{
    enum { REGIONS = 2100, SEEN = 25, MOST = 2000 };
    static char names[REGIONS][16];
    struct made_diff made = {.files = {1, 1}};
    for (int i = 0; i < REGIONS; i++) {
        snprintf(names[i], sizeof names[i], "region %d", i);
        made_scope(&made.trees[EP_DIFF_AFTER], 0, names[i], 1, (uint64_t)i);
    }
    const char *text = body_of_made(&made, 0);
    const char *rest = strstr(text, "<details class=\"more\"><summary>1975 more</summary>");
    assert_non_null(rest);
    assert_int_equal(count_of(text, "<tr id="), MOST);
    assert_int_equal(count_of(rest, "<tr id="), MOST - SEEN);
    assert_text_has(rest, "</details>\n<p class=\"rest\">\u2026 100 more</p>");
}

TEST(row_names_its_nearest_parents)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct made_diff made = {.files = {1, 1}};
    for (uint32_t depth = 0; depth < 8; depth++)
        made_scope(&made.trees[EP_DIFF_AFTER], depth, names[depth], 1, 100);
    const char *text = body_of_made(&made, 0), *g = row_of(text, "<bdi>g</bdi></a>"),
               *h = row_of(text, "<bdi>h</bdi></a>");
    assert_text_has(g, "<small>in <bdi>a</bdi> \u203A <bdi>b</bdi>");
    assert_text_has(h, "<small>in \u2026 \u203A <bdi>b</bdi> \u203A <bdi>c</bdi>");
    assert_text_has(h, "<bdi>g</bdi></small>");
}

TEST(times_of_a_sampled_region_are_estimates)
{
    struct made_diff made = {.files = {1, 1}};
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 1, 100);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 1, 100);
    made_compare(&made);
    made.diff.rows[0].figures[EP_DIFF_AFTER].is_estimate = true;
    const char *text = body_of(&made.diff, 0);
    assert_text_has(text, "<data value=\"100\">100 ns</data><data value=\"100\">~100 ns</data>");
    assert_box(text, "f", 0, "\nsampled: times are estimates</title>");
}

/* ---- the graphs ---- */

TEST(graphs_have_one_scale)
{
    struct made_diff made = {.files = {2, 3}}; /* of 400 ns and 300 ns a run */
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 2, 600);
    made_scope(&made.trees[EP_DIFF_BEFORE], 1, "g", 2, 200);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 3, 600);
    made_scope(&made.trees[EP_DIFF_AFTER], 1, "g", 3, 300);
    const char *text = body_of_made(&made, 0);
    assert_text_has(text,
                    "x=\"0.00000%\" width=\"75.00000%\" y=\"0\" height=\"17\"><title>after: 300 "
                    "ns on average<");
    assert_text_has(text,
                    "x=\"0.00000%\" width=\"100.00000%\" y=\"0\" height=\"17\"><title>before: 400 "
                    "ns on average<");
    assert_box(text, "f", 0, "width=\"75.00000%\"");
    assert_box(text, "g", 0, "width=\"25.00000%\"");
    assert_box(text, "f", 1, "width=\"100.00000%\"");
    assert_box(text, "g", 1, "width=\"25.00000%\"");
}

TEST(box_has_all_figures_exactly)
{
    struct made_diff made;
    make_servers(&made);
    const char *text = body_of(&made.diff, 0);
    assert_box(text, "query", 1,
               "<title>query\ntotal -58.0 % (-59.0 to -56.7 %): faster\n"
               "total 21500000 \u2192 9020000 ns: -12480000\n"
               "self 18000000 \u2192 9000000 ns: -9000000\n"
               "mean 106965 \u2192 44875 ns: -62090\n"
               "p99 213930 \u2192 89750 ns: -124180\n"
               "calls 201 \u2192 201</title>");
    assert_box(text, "log", 0, "<title>log\ngone\ntotal 100000 ns\nself 70000 ns\n");
}

TEST(changed_regions_are_coloured_but_not_their_parents)
{
    struct made_diff made = {.files = {1, 1}};
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        made_scope(&made.trees[side], 0, "main", 1, 100);
        made_scope(&made.trees[side], 1, "slow", 1, side ? 7000 : 5000);
        made_scope(&made.trees[side], 1, "slower", 1, side ? 1100 : 1000);
        made_scope(&made.trees[side], 1, "same", 1, side ? 1019 : 1000);
        made_scope(&made.trees[side], 1, "fast", 1, side ? 480 : 1000);
    }
    const char *text = body_of_made(&made, 0); /* the width represents 9,699 ns */
    assert_box(text, "main", 0, "<svg class=\"h0\"");
    assert_box(text, "slow", 0, "<svg class=\"s4\"");
    assert_box(text, "slow", 0, "aria-hidden=\"true\">\u25B2 slow");
    assert_box(text, "slower", 1, "<svg class=\"s2\"");
    assert_box(text, "same", 0, "<svg class=\"h0\"");
    assert_box(text, "same", 0, "aria-hidden=\"true\">same");
    assert_box(text, "fast", 1, "<svg class=\"f3\"");
    assert_box(text, "fast", 1, "aria-hidden=\"true\">\u25BC fast");
}

TEST(unconfirmed_changes_have_no_colour)
{
    static const struct made_interval intervals[] = {{"grown", 0.9, 1.9},
                                                     {"grown, faster", 0.2, 0.9},
                                                     {"grown, slower", 1.1, 1.9},
                                                     {NULL, 0, 0}};
    struct made_diff made = {.files = {9, 9}, .intervals = intervals};
    for (int side = 0; side < EP_DIFF_SIDES; side++) {
        made_scope(&made.trees[side], 0, "grown", 1, side ? 6000 : 5000);
        made_scope(&made.trees[side], 0, "grown, faster", 1, side ? 6000 : 5000);
        made_scope(&made.trees[side], 0, "grown, slower", 1, side ? 6000 : 5000);
    }
    const char *text = body_of_made(&made, 0);
    assert_box(text, "grown", 0, "<svg class=\"h0\"");
    assert_box(text, "grown, faster", 0, "<svg class=\"h0\"");
    assert_box(text, "grown, slower", 0, "<svg class=\"s3\"");
    assert_text_has(text, "A region without a confirmed change has no colour.");
}

TEST(regions_of_one_side_are_hatched)
{
    struct made_diff made = {.files = {1, 1}};
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "stays", 1, 100000);
    made_scope(&made.trees[EP_DIFF_BEFORE], 1, "goes", 1, 5000);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "stays", 1, 100000);
    made_scope(&made.trees[EP_DIFF_AFTER], 1, "comes", 1, 100); /* else too short for a colour */
    const char *text = body_of_made(&made, 0);
    assert_box(text, "comes", 0, "<svg class=\"s1\"");
    assert_box(text, "comes", 0, "<rect width=\"100%\" height=\"100%\" class=\"hatch\"/>");
    assert_box(text, "goes", 0, "<svg class=\"f3\"");
    assert_box(text, "goes", 0, "class=\"hatch edge\"/>");
    assert_box(text, "goes", 0, "aria-hidden=\"true\">gone goes");
    assert_int_equal(count_of(text, "class=\"hatch"), 2);
}

TEST(box_that_was_not_asked_for_has_its_name_alone)
{
    struct made_diff made = {.files = {1, 1}};
    made_scope(&made.trees[EP_DIFF_BEFORE], 0, "f", 1, 100);
    made_scope(&made.trees[EP_DIFF_AFTER], 0, "f", 1, 200);
    made_compare(&made);
    made.diff.row_of[EP_DIFF_AFTER][0] = UINT32_MAX;
    const char *text = body_of(&made.diff, 0);
    assert_text_has(
        text, "\n<svg class=\"h0\" x=\"0.00000%\" width=\"100.00000%\" y=\"18\" height=\"17\">"
              "<title>f</title>");
}

TEST(instances_alone_have_no_graphs)
{
    struct made_diff made = {.files = {1, 1}};
    made_instance(&made.trees[EP_DIFF_BEFORE], even_instance(0, "read", 1, 100));
    made_instance(&made.trees[EP_DIFF_AFTER], even_instance(0, "read", 1, 200));
    const char *text = body_of_made(&made, 0);
    assert_text_has(text, "<th scope=\"row\"><bdi>read</bdi> <em>instance</em></th>");
    assert_text_has(text, "<b>+100 %</b>");
    assert_text_has_not(text, "Flame graph");
}
