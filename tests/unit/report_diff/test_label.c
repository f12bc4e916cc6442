#include "support/made_diff.h"

#include "report_diff/format.h"

/* The label of the region with this path, in a comparison in which `make_one` makes both sides. */
static char *label_of(void (*make_one)(struct made_tree *tree), const char *path, size_t of)
{
    struct made_diff made = {.files = {1, 1}};
    char *found = NULL;
    make_one(&made.trees[EP_DIFF_BEFORE]);
    make_one(&made.trees[EP_DIFF_AFTER]);
    const struct ep_diff *diff = made_compare(&made);
    size_t count = of < diff->row_count ? of : diff->row_count;
    char **labels = ep_report_diff_format_labels_make(diff, count);
    assert_non_null(labels);
    for (size_t i = 0; i < count; i++) {
        char *its = ep_diff_path(diff, &diff->rows[i]);
        if (!found && strcmp(its, path) == 0)
            found = test_keep(strdup(labels[i]), free);
        free(its);
    }
    ep_report_diff_format_labels_free(labels, count);
    return found;
}

static void assert_label(void (*make_one)(struct made_tree *tree), const char *path,
                         const char *expected)
{
    char *label = label_of(make_one, path, SIZE_MAX);
    assert_non_null(label);
    assert_string_equal(label, expected);
}

static void make_namesakes(struct made_tree *tree)
{
    made_scope(tree, 0, "main", 1, MS);
    made_scope(tree, 1, "read", 1, MS);
    made_scope(tree, 2, "parse", 1, MS);
    made_scope(tree, 3, "lookup", 1, MS);
    made_scope(tree, 1, "write", 1, MS);
    made_scope(tree, 2, "parse", 1, MS);
    made_scope(tree, 3, "lookup", 1, MS);
    made_scope(tree, 1, "lookup", 1, MS);
    made_scope(tree, 0, "lookup", 1, MS);
}

TEST(label_is_the_shortest_unique_end_of_the_path)
{
    assert_label(make_namesakes, "main", "main");
    assert_label(make_namesakes, "main;read", "read");
    assert_label(make_namesakes, "main;read;parse", "read;parse");
    assert_label(make_namesakes, "main;write;parse", "write;parse");
    assert_label(make_namesakes, "main;read;parse;lookup", "read;parse;lookup");
    assert_label(make_namesakes, "main;write;parse;lookup", "write;parse;lookup");
    assert_label(make_namesakes, "main;lookup", "main;lookup");
    assert_label(make_namesakes, "lookup", "lookup");
}

/* A region that is not shown does not make another label longer. */
TEST(label_is_short_where_its_namesake_is_not_in_the_list)
{
    char *label = label_of(make_namesakes, "main;read;parse", 3);
    assert_non_null(label);
    assert_string_equal(label, "parse");
}

static void make_kinds(struct made_tree *tree)
{
    made_instance(tree, even_instance(0, "parse", 1, MS));
    made_instance(tree, even_instance(1, "write", 1, MS));
    made_scope(tree, 0, "parse", 1, MS);
}

TEST(label_has_the_kind_where_the_path_is_not_enough)
{
    struct made_diff made = {.files = {1, 1}};
    make_kinds(&made.trees[EP_DIFF_BEFORE]);
    make_kinds(&made.trees[EP_DIFF_AFTER]);
    const struct ep_diff *diff = made_compare(&made);
    char **labels = ep_report_diff_format_labels_make(diff, diff->row_count);
    assert_non_null(labels);
    for (size_t i = 0; i < diff->row_count; i++) {
        const struct eprof_row *row = ep_diff_row_of(diff, &diff->rows[i]);
        const char *expected = strcmp(row->name, "write") == 0      ? "write"
                               : strcmp(row->kind, "instance") == 0 ? "parse (instance)"
                                                                    : "parse (scope)";
        assert_string_equal(labels[i], expected);
    }
    ep_report_diff_format_labels_free(labels, diff->row_count);
}

static void make_deep(struct made_tree *tree)
{
    for (uint32_t depth = 0; depth < 300; depth++)
        made_scope(tree, depth, "deeper", 1, MS);
}

TEST(label_of_a_deep_recursion_ends)
{
    static const char path[] = "deeper;deeper;deeper";
    assert_label(make_deep, path, path);
    struct made_diff made = {.files = {1, 1}};
    make_deep(&made.trees[EP_DIFF_BEFORE]);
    make_deep(&made.trees[EP_DIFF_AFTER]);
    const struct ep_diff *diff = made_compare(&made);
    char **labels = ep_report_diff_format_labels_make(diff, diff->row_count);
    assert_non_null(labels);
    for (size_t i = 0; i < diff->row_count; i++)
        assert_in_range(strlen(labels[i]), strlen("deeper"), 16 * strlen("deeper;"));
    ep_report_diff_format_labels_free(labels, diff->row_count);
}
