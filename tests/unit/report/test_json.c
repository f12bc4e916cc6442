#include "support/made_snapshot.h"

TEST(json_is_as_its_golden_file)
{
    assert_golden(make_empty, "json", "empty.json");
    assert_golden(make_mixed, "json", "mixed.json");
    assert_golden(make_threads, "json", "threads.json");
    assert_golden(make_ticks, "json", "ticks.json");
    assert_golden(make_hostile, "json", "hostile.json");
    assert_golden_tree(make_both, "json", "scopes.json");
    assert_golden_tree(make_hostile_tree, "json", "scopes-hostile.json");
}

TEST(json_has_every_figure_in_its_place)
{
    struct made made;
    make_figures(&made);
    char *json = reported(&made.snapshot, "json");
    assert_non_null(strstr(json,
                           "{\"kind\":\"instance\",\"name\":\"a\",\"path\":\"a\",\"thread\":\"*\","
                           "\"file\":\"a.c\",\"line\":17,\"calls\":1,\"timed\":2,\"errors\":3,"
                           "\"open\":4,\"total_ns\":5,\"self_ns\":6,\"mean_ns\":7,"
                           "\"stddev_ns\":8,\"min_ns\":9,\"p50_ns\":10,\"p90_ns\":11,"
                           "\"p99_ns\":12,\"p999_ns\":13,\"max_ns\":18446744073709551615,"
                           "\"outermost\":14,\"estimated\":1,\"mean_error_ns\":15,"
                           "\"total_error_ns\":16,\"cpu_ns\":17,\"wait_ns\":18,"
                           "\"unit\":\"a, b\",\"per_second\":19,\"processes\":20,"
                           "\"process_min_ns\":21,\"process_mean_ns\":22,"
                           "\"process_max_ns\":23,\"process_slowest\":24,"
                           "\"imbalance\":1.025000}"));
}

TEST(json_has_null_where_a_figure_is_not_known)
{
    struct made made;
    make_figures(&made);
    made.rows[0].mean_error_ns = made.rows[0].total_error_ns = EPROF_UNKNOWN;
    made.rows[0].cpu_ns = made.rows[0].wait_ns = EPROF_UNKNOWN;
    assert_text_has(reported(&made.snapshot, "json"),
                    "\"estimated\":1,\"mean_error_ns\":null,\"total_error_ns\":null,"
                    "\"cpu_ns\":null,\"wait_ns\":null,\"unit\":");
}

TEST(json_leaves_out_unknown_figures)
{
    struct made made;
    make_empty(&made);
    made.snapshot.ticks_per_us = made.snapshot.resolution_ns = 0;
    made.snapshot.pair_ns = made.snapshot.inside_ns = 0;
    char *text = reported(&made.snapshot, "json");
    assert_non_null(strstr(text, "\"ticks_per_us\":null,\"resolution_ns\":null,\"pair_ns\":null,"
                                 "\"inside_ns\":null"));
}

static void make_noted(struct made *made)
{
    make_empty(made);
    made->snapshot.notes = (struct ep_notes){.holds_kept = 12,
                                             .holds_ended = 3401,
                                             .forked = 5,
                                             .missing = 3,
                                             .unended = {{"a \"b\"", "src/a.c", 4}, {"c", "", 0}},
                                             .unended_count = 2};
}

TEST(json_has_notes_where_there_are_any)
{
    struct made made;
    make_empty(&made);
    char *text = reported(&made.snapshot, "json");
    assert_null(strstr(text, "holds"));
    assert_null(strstr(text, "forked"));
    assert_null(strstr(text, "unended"));
    assert_golden(make_noted, "json", "notes.json");
}
