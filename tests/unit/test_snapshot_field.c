/* The columns of a row: rows can be sorted by each, whoever names it. */
#include <limits.h>

#include "made_tree.h"
#include "snapshot_field.h"
#include "snapshot_view.h"

/* Of three instances that are told apart by one column; `first` to `third` are its values. */
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
    made_free(&tree);
}

static void every_figure_sorts_the_largest_first(void **state)
{
    static const uint64_t large = UINT64_MAX, middle = UINT64_C(1) << 32, small = 7;
    (void)state;
    for (size_t i = 0; i < EP_FIELDS; i++)
        assert_sorts(ep_fields[i].name, ep_fields[i].offset, sizeof large, &large, &middle, &small);
}

static void every_word_sorts_by_its_bytes(void **state)
{
    static const char *const a = "A", *const b = "a", *const c = "\xC3\xA4";
    static const char *const words[] = {"kind", "name", "thread", "file"};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_sorts(words[i], ep_field_find(words[i])->offset, sizeof a, &a, &b, &c);
}

static void line_and_id_sort_the_lowest_first(void **state)
{
    static const unsigned lines[3] = {0, 9, UINT_MAX};
    static const int ids[3] = {0, 2, 10};
    (void)state;
    assert_sorts("line", offsetof(struct eprof_row, line), sizeof lines[0], &lines[0], &lines[1],
                 &lines[2]);
    assert_sorts("ID", offsetof(struct eprof_row, id), sizeof ids[0], &ids[0], &ids[1], &ids[2]);
}

static void titles_of_table_and_tree_are_columns_too(void **state)
{
    static const char *const titles[][2] = {
        {"usec/call", "mean"}, {"ticks/call", "mean_ns"}, {"p99.9", "p999"}, {"share", "total"},
        {"scope", "name"},     {"function", "name"},      {"path", "name"},  {"id", "ID"}};
    (void)state;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        assert_non_null(ep_field_find(titles[i][0]));
        assert_ptr_equal(ep_field_find(titles[i][0]), ep_field_find(titles[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_sorts_the_largest_first),
        cmocka_unit_test(every_word_sorts_by_its_bytes),
        cmocka_unit_test(line_and_id_sort_the_lowest_first),
        cmocka_unit_test(titles_of_table_and_tree_are_columns_too),
    };
    return cmocka_run_group_tests_name("snapshot_field", tests, NULL, NULL);
}
