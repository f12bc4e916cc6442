/* Reports on regions of which only a part of the calls is timed. */
#include <stdlib.h>

#include "snapshot/view.h"
#include "support/made_snapshot.h"

/* main calls parse, which is sampled, and parse calls get. */
static struct eprof_snapshot *make_sampled(struct made_tree *tree)
{
    *tree = (struct made_tree){.count = 0};
    made_function(tree, 0, "main", 1, 9000);
    made_function(tree, 1, "parse", 640, 5000);
    made_scope(tree, 2, "get", 640, 300);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    snapshot->rows[1].estimated = 1;
    snapshot->rows[1].mean_error_ns = snapshot->rows[1].total_error_ns = EPROF_UNKNOWN;
    for (size_t top = 0; top < snapshot->top_count; top++)
        snapshot->tops[top].estimated = strcmp(snapshot->tops[top].name, "parse") == 0;
    snapshot->sampled_count = 1;
    return snapshot;
}

static const char one[] =
    "1 region was sampled: each call counted, a part of them timed; times are estimates (~)";

/* The line that begins with `name` matches `expected` from its second column on; any number of
 * blanks counts as one. */
static void assert_columns(const char *text, const char *name, const char *expected)
{
    const char *line = text;
    while (line && strncmp(line, name, strlen(name)) != 0)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    assert_non_null(line);
    char squeezed[300] = "";
    size_t count = 0;
    for (const char *at = line + strlen(name); *at && *at != '\n' && count + 1 < 300; at++)
        if (*at != ' ' || (count && squeezed[count - 1] != ' '))
            squeezed[count++] = *at;
    if (strncmp(squeezed, expected, strlen(expected)) != 0)
        assert_string_equal(squeezed, expected);
}

TEST(tree_marks_estimates)
{
    struct made_tree tree;
    char *text = reported(make_sampled(&tree), "tree");
    assert_columns(text, "main", "1 14.3 us 100 % 9.00 us 63 % ");
    assert_columns(text, "`-parse", "640 ~5.30 us +-? 37 % ~5.00 us 35 % ~8 ns +-? 8 ns ");
    assert_columns(text, "  `-get", "640 300 ns 2.1 % 300 ns 2.1 % ");
    assert_columns(text, "parse", "640 ~5.30 us 37 % ~5.00 us 35 %");
    assert_columns(text, "get", "640 300 ns 2.1 % 300 ns 2.1 %");
    assert_true(has_line(text, one));
}

TEST(table_marks_estimates_after_its_first_columns)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_sampled(&tree);
    char *text = reported(snapshot, "table");
    assert_columns(text, "main", "1 14.300 9.00 us 63 % 14.3 us 100 % ");
    assert_columns(text, "  parse",
                   "640 0.008 ~5.00 us 35 % ~5.30 us +-? 37 % 4 ns 8 ns 16 ns 16 ns - 24 ns ");
    assert_true(has_line(text, one));
}

TEST(ticks_are_marked_too)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_sampled(&tree);
    snapshot->options.ticks = true;
    char *text = reported(snapshot, "tree");
    assert_columns(text, "`-parse", "640 ~5300 +-? 37 % ~5000 35 % ");
}

TEST(several_are_counted)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_sampled(&tree);
    snapshot->sampled_count = 12;
    char *text = reported(snapshot, "tree");
    assert_true(has_line(
        text, "12 regions were sampled: each call counted, a part of them timed; times are "
              "estimates (~)"));
    text = reported(snapshot, "json");
    assert_non_null(strstr(text, ",\"sampled\":12,\n\"rows\":"));
}

TEST(reports_without_samples_do_not_mention_samples)
{
    static const char *const formats[] = {"tree", "table", "json", "csv"};
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = reported(snapshot, formats[i]);
        assert_null(strstr(text, "sampled"));
        assert_null(strchr(text, '~'));
    }
}

/* Figures remain numbers in these formats. */
TEST(csv_and_json_mark_no_figure)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_sampled(&tree);
    char *text = reported(snapshot, "csv");
    assert_null(strchr(text, '~'));
    assert_null(strstr(text, "sampled"));
    text = reported(snapshot, "json");
    assert_null(strchr(text, '~'));
}

/* A focus adds up the top functions again; otherwise they may change places, or disappear. */
TEST(views_keep_the_marks)
{
    static const struct ep_view views[] = {{.focus = "main;parse"},
                                           {.sort = "calls"},
                                           {.sort = "name"},
                                           {.filter = "parse"},
                                           {.top = 2, .sort = "calls"}};
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct made_tree tree;
        const char *why;
        struct eprof_snapshot *snapshot = make_sampled(&tree);
        assert_return_code(ep_view_apply(snapshot, &views[i], &why), errno);
        size_t found = 0;
        for (size_t row = 0; row < snapshot->diagnostic_first; row++)
            found +=
                snapshot->rows[row].estimated && strcmp(snapshot->rows[row].name, "parse") == 0;
        for (size_t top = 0; top < snapshot->top_count; top++)
            found +=
                snapshot->tops[top].estimated && strcmp(snapshot->tops[top].name, "parse") == 0;
        assert_int_equal(found, 2);
    }
}

static int in_ascii(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    unsetenv("CLICOLOR_FORCE");
    return 0;
}

TEST_EACH(in_ascii, NULL)
