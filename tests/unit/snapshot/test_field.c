/* The columns of a row: rows can be sorted by each column, in each way to name it. */
#include <limits.h>

#include "snapshot/columns.h"
#include "snapshot/view.h"
#include "support/made_snapshot.h"

/* Three instances that differ in one column; `first` to `third` are its values. */
static void assert_sorts(const char *key, size_t offset, size_t bytes, const void *first,
                         const void *second, const void *third)
{
    const void *const values[3] = {third, first, second};
    struct made_tree tree = {.rows = NULL};
    for (int i = 0; i < 3; i++) {
        made_instance(&tree, instance(0, "same"));
        memcpy((char *)&tree.rows[i] + offset, values[i], bytes);
    }
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    const char *why;
    assert_return_code(ep_view_apply(snapshot, &(struct ep_view){.sort = key}, &why), errno);
    for (int i = 0; i < 3; i++)
        if (memcmp((const char *)&snapshot->rows[i] + offset, values[(i + 1) % 3], bytes) != 0)
            fail_msg("%s: row %d is not the one that comes there", key, i);
}

TEST(every_figure_sorts_the_largest_first)
{
    static const uint64_t large = UINT64_MAX, middle = UINT64_C(1) << 32, small = 7;
    for (size_t i = 0; i < EP_FIELDS; i++)
        if (!ep_columns[i].may_lack)
            assert_sorts(ep_columns[i].name, ep_columns[i].offset, sizeof large, &large, &middle,
                         &small);
}

TEST(figures_that_are_not_known_come_last)
{
    static const uint64_t large = UINT64_MAX - 1, none = 0, unknown = EPROF_UNKNOWN;
    size_t found = 0;
    for (size_t i = 0; i < EP_FIELDS; i++) {
        found += ep_columns[i].may_lack;
        if (ep_columns[i].may_lack)
            assert_sorts(ep_columns[i].name, ep_columns[i].offset, sizeof large, &large, &none,
                         &unknown);
    }
    assert_int_equal(found, 4);
}

TEST(every_word_sorts_by_its_bytes)
{
    static const char *const a = "A", *const b = "a", *const c = "\xC3\xA4";
    static const char *const words[] = {"kind", "name", "thread", "file", "unit"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_sorts(words[i], ep_columns_find(words[i])->offset, sizeof a, &a, &b, &c);
}

TEST(line_and_id_sort_the_lowest_first)
{
    static const unsigned lines[3] = {0, 9, UINT_MAX};
    static const int ids[3] = {0, 2, 10};
    assert_sorts("line", offsetof(struct eprof_row, line), sizeof lines[0], &lines[0], &lines[1],
                 &lines[2]);
    assert_sorts("ID", offsetof(struct eprof_row, id), sizeof ids[0], &ids[0], &ids[1], &ids[2]);
}

TEST(titles_of_table_and_tree_are_columns_too)
{
    static const char *const titles[][2] = {
        {"usec/call", "mean"}, {"ticks/call", "mean_ns"}, {"p99.9", "p999"},
        {"%total", "total"},   {"self%", "self"},         {"scope", "name"},
        {"function", "name"},  {"path", "name"},          {"id", "ID"}};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        assert_non_null(ep_columns_find(titles[i][0]));
        assert_ptr_equal(ep_columns_find(titles[i][0]), ep_columns_find(titles[i][1]));
    }
}
