#include "test.h"

#include <string.h>

#include "cli/top/top.h"

static enum ep_top_wish take(struct ep_top_view *view, const char *keys)
{
    return ep_top_keys_take(view, keys, strlen(keys));
}

/* ---- commands ---- */

TEST(q_quits)
{
    struct ep_top_view view = {.first = 0};
    assert_int_equal(take(&view, "q"), EP_TOP_WISH_QUIT);
    assert_int_equal(take(&view, "pq"), EP_TOP_WISH_QUIT);
}

TEST(p_and_blank_pause_and_go_on)
{
    struct ep_top_view view = {.first = 0};
    assert_int_equal(take(&view, "p"), EP_TOP_WISH_DRAW);
    assert_true(view.is_paused);
    take(&view, " ");
    assert_false(view.is_paused);
}

TEST(b_changes_between_regions_and_paths)
{
    struct ep_top_view view = {.first = 5};
    assert_int_equal(take(&view, "b"), EP_TOP_WISH_DRAW);
    assert_true(view.by_path);
    assert_int_equal(view.first, 0);
    take(&view, "b");
    assert_false(view.by_path);
}

TEST(angles_and_arrows_go_round_the_columns)
{
    struct ep_top_view view = {.sort = EP_TOP_SELF_RATE, .first = 3};
    take(&view, ">");
    assert_int_equal(view.sort, EP_TOP_TOTAL_RATE);
    assert_int_equal(view.first, 0);
    take(&view, "\033[C");
    assert_int_equal(view.sort, EP_TOP_CALLS_RATE);
    take(&view, "\033OC");
    assert_int_equal(view.sort, EP_TOP_NOW);
    take(&view, "<\033[D\033OD<");
    assert_int_equal(view.sort, EP_TOP_NAME);
    take(&view, ">");
    assert_int_equal(view.sort, EP_TOP_SELF_RATE);
}

TEST(others_do_nothing)
{
    static const char *const keys[] = {"x",         "\n",       "\033",     "\033[", "\033[1;5C",
                                       "\033[200~", "\xC3\xBC", "\033[15~", "\033O"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct ep_top_view view = {.sort = EP_TOP_MEAN, .first = 3}, before = view;
        assert_int_equal(take(&view, keys[i]), EP_TOP_WISH_NOTHING);
        /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): one was copied from the other */
        if (memcmp(&view, &before, sizeof view) != 0)
            fail_msg("key %zu does something", i);
    }
}

/* ---- scrolling ---- */

/* A list of 50 lines, 20 of which are visible. */
static size_t first_after(size_t first, const char *keys)
{
    struct ep_top_view view = {.first = first, .room = 20};
    assert_int_equal(take(&view, keys), EP_TOP_WISH_DRAW);
    ep_top_lines_view_fit(&view, 50);
    return view.first;
}

TEST(arrows_scroll_by_lines_and_pages)
{
    assert_int_equal(first_after(0, "\033[B"), 1);
    assert_int_equal(first_after(0, "\033[B\033OB"), 2);
    assert_int_equal(first_after(5, "\033[A"), 4);
    assert_int_equal(first_after(0, "\033[A"), 0);
    assert_int_equal(first_after(0, "\033[6~"), 19);
    assert_int_equal(first_after(25, "\033[5~"), 6);
    assert_int_equal(first_after(3, "\033[5~"), 0);
    assert_int_equal(first_after(25, "\033[H"), 0);
    assert_int_equal(first_after(0, "\033[F"), 30);
    assert_int_equal(first_after(0, "\033[4~\033[A"), 30); /* one above the last position */
}

TEST(nothing_is_scrolled_away_for_nothing)
{
    assert_int_equal(first_after(29, "\033[6~"), 30);
    struct ep_top_view view = {.first = 7, .room = 20};
    ep_top_lines_view_fit(&view, 20);
    assert_int_equal(view.first, 0);
    view.first = 7;
    ep_top_lines_view_fit(&view, 25);
    assert_int_equal(view.first, 5);
}

/* ---- the filter ---- */

TEST(filter_holds_while_it_is_typed)
{
    struct ep_top_view view = {.first = 9};
    take(&view, "/par");
    assert_true(view.is_typing);
    assert_string_equal(view.filter, "par");
    assert_int_equal(view.first, 0);
    take(&view, "sq\r");
    assert_false(view.is_typing);
    assert_string_equal(view.filter, "parsq"); /* there q is a letter */
    assert_false(view.is_paused);
}

TEST(backspace_takes_a_character_back)
{
    struct ep_top_view view = {.first = 0};
    take(&view, "/a\xC3\xBC\x7F");
    assert_string_equal(view.filter, "a");
    take(&view, "\b\b\x7F");
    assert_string_equal(view.filter, "");
    take(&view, "abc\x15xy\n");
    assert_string_equal(view.filter, "xy");
}

TEST(escape_has_the_one_before_back)
{
    struct ep_top_view view = {.filter = "parse"};
    take(&view, "/\x15write");
    assert_string_equal(view.filter, "write");
    take(&view, "\033");
    assert_string_equal(view.filter, "parse");
    assert_false(view.is_typing);
}

TEST(filter_takes_no_controls_and_no_keys)
{
    struct ep_top_view view = {.first = 0};
    take(&view, "/a\t\033[A\033[5~\001b");
    assert_string_equal(view.filter, "ab");
    assert_true(view.is_typing);
}

TEST(filter_that_is_too_long_ends_where_it_must)
{
    struct ep_top_view view = {.first = 0};
    take(&view, "/");
    for (int i = 0; i < 2 * EP_TOP_FILTER_BYTES; i++)
        take(&view, "x");
    assert_int_equal(strlen(view.filter), EP_TOP_FILTER_BYTES - 1);
}

TEST(filter_is_a_part_or_a_pattern)
{
    static const struct {
        const char *filter, *name;
        bool has;
    } cases[] = {{"", "parse", true},         {"ars", "parse", true},   {"Ars", "parse", false},
                 {"par*", "parse", true},     {"ars*", "parse", false}, {"par?e", "parse", true},
                 {"[pq]arse", "parse", true}, {"*x", "parse", false},   {"::", "a::b", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ep_top_view view = {.first = 0};
        strcpy(view.filter, cases[i].filter);
        if (ep_top_lines_view_has(&view, cases[i].name) != cases[i].has)
            fail_msg("%s of %s is %d", cases[i].filter, cases[i].name, !cases[i].has);
    }
}
