/* Functions of which a sample of the calls is timed: what reports say of them. */
#include <stdlib.h>

#include "made_tree.h"
#include "snapshot_view.h"

/* main, and parse in it, which is throttled, and get in that. */
static struct eprof_snapshot *make_throttled(struct made_tree *tree)
{
    *tree = (struct made_tree){.count = 0};
    made_function(tree, 0, "main", 1, 9000);
    made_function(tree, 1, "parse", 640, 5000);
    made_scope(tree, 2, "get", 640, 300);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    snapshot->places[1].mark.is_thinned = true;
    for (size_t top = 0; top < snapshot->top_count; top++)
        snapshot->top_marks[top].is_thinned = strcmp(snapshot->tops[top].name, "parse") == 0;
    snapshot->thinned_count = 1;
    return snapshot;
}

static const char one[] =
    "1 function was throttled: 1 in 64 of its calls timed, times are estimates (~)";

/* The line that begins with `name`, from its second column on, is like `expected`: each number of
 * blanks is one. */
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

static void tree_marks_estimates(void **state)
{
    (void)state;
    struct made_tree tree;
    char *text = reported(make_throttled(&tree), "tree");
    assert_columns(text, "main", "1 14.3 us 100 % 9.00 us ");
    assert_columns(text, "`-parse", "640 ~5.30 us 37 % ~5.00 us ");
    assert_columns(text, "  `-get", "640 300 ns 5.7 % 300 ns ");
    assert_columns(text, "parse", "640 ~5.30 us ~5.00 us ");
    assert_columns(text, "get", "640 300 ns 300 ns ");
    assert_true(has_line(text, one));
    free(text);
    made_free(&tree);
}

static void table_marks_estimates_behind_its_first_columns(void **state)
{
    (void)state;
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_throttled(&tree);
    char *text = reported(snapshot, "table");
    assert_columns(text, "main", "1 14.300 9.00 us 14.3 us ");
    assert_columns(text, "  parse",
                   "640 0.008 ~5.00 us ~5.30 us 4 ns 8 ns 16 ns 16 ns 24 ns 24 ns ");
    assert_true(has_line(text, one));
    free(text);
    made_free(&tree);
}

static void ticks_are_marked_too(void **state)
{
    (void)state;
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_throttled(&tree);
    snapshot->options.ticks = true;
    char *text = reported(snapshot, "tree");
    assert_columns(text, "`-parse", "640 ~5300 37 % ~5000 ");
    free(text);
    made_free(&tree);
}

static void several_are_counted(void **state)
{
    (void)state;
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_throttled(&tree);
    snapshot->thinned_count = 12;
    char *text = reported(snapshot, "tree");
    assert_true(has_line(text, "12 functions were throttled: 1 in 64 of their calls timed, times "
                               "are estimates (~)"));
    free(text);
    text = reported(snapshot, "json");
    assert_non_null(strstr(text, ",\"throttled\":12,\n\"rows\":"));
    free(text);
    made_free(&tree);
}

static void nothing_is_said_where_none_is(void **state)
{
    static const char *const formats[] = {"tree", "table", "json", "csv"};
    (void)state;
    struct made_tree tree = {.count = 0};
    made_function(&tree, 0, "main", 1, 1000);
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = reported(snapshot, formats[i]);
        assert_null(strstr(text, "throttled"));
        assert_null(strchr(text, '~'));
        free(text);
    }
    made_free(&tree);
}

/* Numbers stay numbers. */
static void csv_and_json_mark_no_figure(void **state)
{
    (void)state;
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_throttled(&tree);
    char *text = reported(snapshot, "csv");
    assert_null(strchr(text, '~'));
    assert_null(strstr(text, "throttled"));
    free(text);
    text = reported(snapshot, "json");
    assert_null(strchr(text, '~'));
    free(text);
    made_free(&tree);
}

/* With a focus the tops are added up anew; else they change places, or go away. */
static void views_keep_the_marks(void **state)
{
    static const struct ep_view views[] = {{.focus = "main;parse"},
                                           {.sort = "calls"},
                                           {.sort = "name"},
                                           {.filter = "parse"},
                                           {.top = 2, .sort = "calls"}};
    (void)state;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        struct made_tree tree;
        const char *why;
        struct eprof_snapshot *snapshot = make_throttled(&tree);
        assert_return_code(ep_view_apply(snapshot, &views[i], &why), errno);
        size_t found = 0;
        for (size_t row = 0; row < snapshot->trouble_first; row++)
            found += snapshot->places[row].mark.is_thinned &&
                     strcmp(snapshot->rows[row].name, "parse") == 0;
        for (size_t top = 0; top < snapshot->top_count; top++)
            found += snapshot->top_marks[top].is_thinned &&
                     strcmp(snapshot->tops[top].name, "parse") == 0;
        assert_int_equal(found, 2);
        made_free(&tree);
    }
}

static int in_ascii(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    unsetenv("CLICOLOR_FORCE");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(tree_marks_estimates, in_ascii),
        cmocka_unit_test_setup(table_marks_estimates_behind_its_first_columns, in_ascii),
        cmocka_unit_test_setup(ticks_are_marked_too, in_ascii),
        cmocka_unit_test_setup(several_are_counted, in_ascii),
        cmocka_unit_test_setup(nothing_is_said_where_none_is, in_ascii),
        cmocka_unit_test_setup(csv_and_json_mark_no_figure, in_ascii),
        cmocka_unit_test_setup(views_keep_the_marks, in_ascii),
    };
    return cmocka_run_group_tests_name("report_throttled", tests, NULL, NULL);
}
