#include "support/made_snapshot.h"

TEST(csv_is_as_its_golden_file)
{
    assert_golden(make_empty, "csv", "empty.csv");
    assert_golden(make_mixed, "csv", "mixed.csv");
    assert_golden(make_threads, "csv", "threads.csv");
    assert_golden(make_ticks, "csv", "ticks.csv");
    assert_golden(make_hostile, "csv", "hostile.csv");
    assert_golden_tree(make_both, "csv", "scopes.csv");
    assert_golden_tree(make_hostile_tree, "csv", "scopes-hostile.csv");
}

TEST(csv_of_a_4_kib_label_is_whole)
{
    enum { LONG = 4095 };
    char name[LONG + 1], beginning[2 * LONG + 64];
    memset(name, 'n', LONG);
    name[LONG] = '\0';
    struct made made;
    made.rows[0] = even_instance(0, name, 1, 1);
    make(&made, 1, 0);
    char *text = reported(&made.snapshot, "csv");
    snprintf(beginning, sizeof beginning,
             "instance,%s,%s,*,,0,1,1,0,0,1,1,1,0,1,1,1,1,1,1,1,0,0,0,,,ns,", name, name);
    assert_line_begins(text, 1, beginning);
}

TEST(csv_has_every_figure_in_its_place)
{
    struct made made;
    make_figures(&made);
    char *csv = reported(&made.snapshot, "csv");
    assert_string_equal(csv, "kind,name,path,thread,file,line,calls,timed,errors,open,total_ns,"
                             "self_ns,mean_ns,stddev_ns,min_ns,p50_ns,p90_ns,p99_ns,p999_ns,max_ns,"
                             "outermost,estimated,mean_error_ns,total_error_ns,cpu_ns,wait_ns,unit,"
                             "per_second,processes,process_min_ns,process_mean_ns,process_max_ns,"
                             "process_slowest,imbalance\n"
                             "instance,a,a,*,a.c,17,1,2,3,4,5,6,7,8,9,10,11,12,13,"
                             "18446744073709551615,14,1,15,16,17,18,\"a, b\",19,"
                             "20,21,22,23,24,1.025000\n");
}

TEST(csv_has_nothing_where_a_figure_is_not_known)
{
    struct made made;
    make_figures(&made);
    made.rows[0].mean_error_ns = made.rows[0].total_error_ns = EPROF_UNKNOWN;
    made.rows[0].cpu_ns = made.rows[0].wait_ns = EPROF_UNKNOWN;
    made.rows[0].unit = "";
    made.rows[0].per_second = EPROF_UNKNOWN;
    ep_rows_without_processes(&made.rows[0]);
    char *line = line_of(reported(&made.snapshot, "csv"), 1);
    assert_string_equal(strstr(line, ",18446744073709551615"),
                        ",18446744073709551615,14,1,,,,,,,,,,,,");
}
