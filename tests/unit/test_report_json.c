#include "made_trees.h"

static void json_is_as_its_golden_file(void **state)
{
    (void)state;
    assert_golden(make_empty, "json", "empty.json");
    assert_golden(make_mixed, "json", "mixed.json");
    assert_golden(make_threads, "json", "threads.json");
    assert_golden(make_ticks, "json", "ticks.json");
    assert_golden(make_hostile, "json", "hostile.json");
    assert_golden_tree(make_both, "json", "scopes.json");
    assert_golden_tree(make_hostile_tree, "json", "scopes-hostile.json");
}

static void json_has_every_figure_in_its_place(void **state)
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
    char *json = reported(&made.snapshot, "json");
    assert_non_null(strstr(json,
                           "{\"kind\":\"instance\",\"name\":\"a\",\"path\":\"a\",\"thread\":\"*\","
                           "\"file\":\"a.c\",\"line\":17,\"calls\":1,\"timed\":2,\"errors\":3,"
                           "\"open\":4,\"total_ns\":5,\"self_ns\":6,\"mean_ns\":7,"
                           "\"stddev_ns\":8,\"min_ns\":9,\"p50_ns\":10,\"p90_ns\":11,"
                           "\"p99_ns\":12,\"p999_ns\":13,\"max_ns\":18446744073709551615}"));
    free(json);
}

static void json_does_not_invent_what_is_not_known(void **state)
{
    (void)state;
    struct made made;
    make_empty(&made);
    made.snapshot.ticks_per_us = made.snapshot.resolution_ns = 0;
    made.snapshot.pair_ns = made.snapshot.inside_ns = 0;
    char *text = reported(&made.snapshot, "json");
    assert_non_null(strstr(text, "\"ticks_per_us\":null,\"resolution_ns\":null,\"pair_ns\":null,"
                                 "\"inside_ns\":null"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_as_its_golden_file),
        cmocka_unit_test(json_has_every_figure_in_its_place),
        cmocka_unit_test(json_does_not_invent_what_is_not_known),
    };
    return cmocka_run_group_tests_name("report_json", tests, NULL, NULL);
}
