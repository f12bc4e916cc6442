#include "made_trees.h"

static void csv_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "csv", "empty.csv");
    assert_golden(make_mixed, "csv", "mixed.csv");
    assert_golden(make_threads, "csv", "threads.csv");
    assert_golden(make_ticks, "csv", "ticks.csv");
    assert_golden(make_hostile, "csv", "hostile.csv");
    assert_golden_tree(make_both, "csv", "scopes.csv");
    assert_golden_tree(make_hostile_tree, "csv", "scopes-hostile.csv");
}

static void csv_of_a_4_kib_label_is_whole(void **state)
{
    (void)state;
    enum { LONG = 4095 };
    char name[LONG + 1], beginning[2 * LONG + 64];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    struct made made;
    made.rows[0] = even_instance(0, name, 1, 1);
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "csv");
    snprintf(beginning, sizeof beginning, "instance,%s,%s,*,,0,1,1,0,0,1,1,1,0,1,1,1,1,1,1", name,
             name);
    assert_line_begins(text, 1, beginning);
    free(text);
}

static void csv_has_every_figure_in_its_place(void **state)
{
    (void)state;
    struct made made;
    struct eprof_row row = instance(0, "a");
    row.file = "a.c", row.line = 17;
    row.calls = 1, row.timed = 2, row.errors = 3, row.open = 4, row.total_ns = 5, row.self_ns = 6;
    row.mean_ns = 7, row.stddev_ns = 8, row.min_ns = 9, row.p50_ns = 10, row.p90_ns = 11;
    row.p99_ns = 12, row.p999_ns = 13, row.max_ns = UINT64_MAX;
    made.rows[0] = row;
    make(&made, 1, 0);
    char *csv = reported(&made.snapshot, "csv");
    assert_string_equal(csv,
                        "kind,name,path,thread,file,line,calls,timed,errors,open,total_ns,"
                        "self_ns,mean_ns,stddev_ns,min_ns,p50_ns,p90_ns,p99_ns,p999_ns,max_ns\n"
                        "instance,a,a,*,a.c,17,1,2,3,4,5,6,7,8,9,10,11,12,13,"
                        "18446744073709551615\n");
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_is_as_its_golden_file),
        cmocka_unit_test(csv_of_a_4_kib_label_is_whole),
        cmocka_unit_test(csv_has_every_figure_in_its_place),
    };
    return cmocka_run_group_tests_name("report_csv", tests, NULL, NULL);
}
