#include "support/made_snapshot.h"

#include "report/walk.h"

static void assert_paths(struct made_tree *tree, const char *const *expected)
{
    const struct eprof_snapshot *snapshot = made_snapshot(tree);
    struct ep_report_path path = {.text = NULL};
    for (size_t row = 0; row < snapshot->row_count; row++)
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): there are as many rows */
        assert_string_equal(ep_report_walk_path_of(&path, snapshot, row), expected[row]);
    ep_report_walk_path_free(&path);
}

TEST(path_has_the_names_from_the_root)
{
    static const char *const expected[] = {"a", "a;b", "a;b;c", "a;d", "e", "e;f"};
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 1, 1);
    made_scope(&tree, 2, "c", 1, 1);
    made_scope(&tree, 1, "d", 1, 1);
    made_scope(&tree, 0, "e", 1, 1);
    made_scope(&tree, 1, "f", 1, 1);
    assert_paths(&tree, expected);
}

TEST(path_escapes_semicolon_and_backslash)
{
    static const char *const expected[] = {"a\\;b", "a\\;b;\\\\", "a\\;b;\\\\;\\;\\;\\;",
                                           "a\\;b;\\\\;\\;\\;\\;;"};
    struct made_tree tree = {.rows = NULL};
    made_scope(&tree, 0, "a;b", 1, 1);
    made_scope(&tree, 1, "\\", 1, 1);
    made_scope(&tree, 2, ";;;", 1, 1);
    made_scope(&tree, 3, "", 1, 1);
    assert_paths(&tree, expected);
}

TEST(path_of_an_instance_is_that_of_its_row)
{
    static const char *const expected[] = {"one\\;two", "a", "clock"};
    struct made_tree tree = {.rows = NULL};
    struct eprof_row row = instance(0, "one;two");
    row.path = "one\\;two";
    made_instance(&tree, row);
    made_scope(&tree, 0, "a", 1, 1);
    made_diagnostics(&tree, "clock", 1);
    assert_paths(&tree, expected);
}

/* The paths of this chain have 1.4 GB together. */
TEST(path_of_a_deep_chain_takes_the_memory_of_one)
{
    enum { DEPTH = 20000, NAME_BYTES = 6 };
    struct made_tree tree = {.rows = NULL};
    struct ep_report_path path = {.text = NULL};
    for (uint32_t depth = 0; depth < DEPTH; depth++)
        made_scope(&tree, depth, "deeper", 1, 1);
    const struct eprof_snapshot *snapshot = made_snapshot(&tree);
    for (size_t row = 0; row < DEPTH; row++)
        assert_non_null(ep_report_walk_path_of(&path, snapshot, row));
    assert_int_equal(strlen(path.text), DEPTH * (NAME_BYTES + 1) - 1);
    assert_in_range(path.room, path.bytes, 4 * path.bytes);
    ep_report_walk_path_free(&path);
}
