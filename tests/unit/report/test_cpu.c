/* Processor time and waiting in the reports for people, which show it only where it was recorded.
 */
#include "support/made_snapshot.h"

static void use_cpu(struct eprof_row *row, uint64_t cpu_ns)
{
    row->cpu_ns = cpu_ns;
    row->wait_ns = row->total_ns - cpu_ns;
}

/* main calls wait, of 8.25 us for 2 us, and old, whose processor time is not known. */
static struct eprof_snapshot *make_cpu(struct made_tree *tree)
{
    *tree = (struct made_tree){.count = 0};
    made_scope(tree, 0, "main", 1, 1000);
    made_scope(tree, 1, "waits", 10, 8250);
    made_scope(tree, 1, "old", 10, 100);
    struct eprof_snapshot *snapshot = made_snapshot(tree);
    use_cpu(&snapshot->rows[1], 6250);
    for (size_t i = 0; i < snapshot->top_count; i++)
        if (strcmp(snapshot->tops[i].name, "waits") == 0)
            use_cpu(&snapshot->tops[i], 6250);
    snapshot->conversion.has_cpu = true;
    snapshot->cpu_read_ns = 500;
    return snapshot;
}

static const char *const formats[] = {"table", "tree", "html"};

TEST(cpu_and_wait_are_columns_of_each_report)
{
    struct made_tree tree;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = reported(make_cpu(&tree), formats[i]);
        const char *cpu = strstr(text, "6.25 us");
        if (!strstr(text, "cpu") || !strstr(text, "wait") || !cpu || !strstr(cpu, "2.00 us"))
            fail_msg("%s without cpu and wait: %s", formats[i], text);
    }
}

TEST(cpu_of_a_row_that_has_none_is_a_dash)
{
    struct made_tree tree;
    char *text = strstr(reported(make_cpu(&tree), "table"), "old ");
    assert_non_null(text);
    *strchr(text, '\n') = '\0';
    assert_text_has(text, "100 ns   1.1 %        -        -");
}

TEST(cpu_of_estimates_is_marked)
{
    struct made_tree tree;
    struct eprof_snapshot *snapshot = make_cpu(&tree);
    snapshot->rows[1].estimated = 1;
    char *text = reported(snapshot, "table");
    assert_text_has(text, "~6.25 us  ~2.00 us");
}

TEST(cpu_is_no_column_if_it_was_not_recorded)
{
    struct made_tree tree = {.count = 0};
    made_scope(&tree, 0, "main", 1, 1000);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = reported(made_snapshot(&tree), formats[i]);
        const char *body = strcmp(formats[i], "html") == 0 ? strstr(text, "<body") : text;
        assert_non_null(body);
        if (strstr(body, "cpu") || strstr(body, "wait"))
            fail_msg("%s with cpu or wait: %s", formats[i], body);
    }
}

TEST(cost_of_cpu_is_that_of_all_readings)
{
    struct made_tree tree;
    char *text = reported(make_cpu(&tree), "tree"); /* 21 timed calls, of 2 readings each */
    assert_text_has(text, "processor time was read twice in each timed call, 500 ns a time, about "
                          "21.0 us in all");
    assert_text_has(reported(make_cpu(&tree), "json"), "\"cpu_read_ns\":500.000000,");
    tree = (struct made_tree){.count = 0};
    made_scope(&tree, 0, "main", 1, 1000);
    struct eprof_snapshot *without = made_snapshot(&tree);
    assert_null(strstr(reported(without, "tree"), "processor time"));
    assert_null(strstr(reported(without, "json"), "cpu_read_ns"));
}
