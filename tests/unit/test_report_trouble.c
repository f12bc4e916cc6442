#include "made_tree.h"

enum { HEADER_LINE = 3, RULE_LINE };

static void assert_source_line(const struct made *made, const char *line)
{
    char *text = reported(&made->snapshot, "table");
    if (!has_line(text, line))
        assert_string_equal(text, line);
    free(text);
}

static void table_says_what_is_known_of_the_source(void **state)
{
    (void)state;
    struct made made;
    make_empty(&made);
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; the probe of a pair costs "
                       "21.3 ns, of which 10.4 ns would be read inside (taken off)");
    made.snapshot.options.raw = true;
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; the probe of a pair costs "
                       "21.3 ns, of which 10.4 ns are read inside (not taken off)");
    made.snapshot.inside_ns = 0;
    assert_source_line(&made,
                       "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns; the probe of a pair costs "
                       "21.3 ns");
    made.snapshot.pair_ns = 0;
    assert_source_line(&made, "source rdtsc: 2300.0 ticks/us, resolution 0.9 ns");
    made.snapshot.ticks_per_us = 0.001;
    made.snapshot.resolution_ns = 0;
    assert_source_line(&made, "source rdtsc: 1000.0 ticks/s");
    made.snapshot.ticks_per_us = 0;
    assert_source_line(&made, "source rdtsc");
    made.snapshot.resolution_ns = 1000;
    made.snapshot.inside_ns = 10;
    made.snapshot.options.raw = false;
    assert_source_line(&made,
                       "source rdtsc: resolution 1000.0 ns; of the probe of a pair 10.0 ns would be "
                       "read inside (taken off)");
}

/* Of the kinds of rows that there are. */
static void source_line_tells_what_functions_and_scopes_cost(void **state)
{
    (void)state;
    for (int scopes = 0; scopes <= 1; scopes++) {
        struct made_tree tree = {.count = 0};
        made_function(&tree, 0, "main", 1, 5);
        if (scopes)
            made_scope(&tree, 1, "parse", 1, 5);
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        snapshot->scope_pair_ns = 30;
        snapshot->scope_inside_ns = 10;
        snapshot->function_pair_ns = 40;
        snapshot->function_inside_ns = 20;
        snapshot->resolution_ns = 0;
        char *text = reported(snapshot, "tree");
        const char *line = strstr(text, "\nsource rdtsc: ");
        assert_non_null(line);
        assert_string_equal(
            line, scopes
                      ? "\nsource rdtsc: 2300.0 ticks/us; the probe of a scope costs 30.0 ns, of which "
                        "10.0 ns would be read inside (taken off); the probe of a function costs "
                        "40.0 ns, of which 20.0 ns would be read inside (taken off)\n"
                      : "\nsource rdtsc: 2300.0 ticks/us; the probe of a function costs 40.0 ns, of "
                        "which 20.0 ns would be read inside (taken off)\n");
        free(text);
        made_free(&tree);
    }
}

static void assert_trouble(const char *name, uint64_t count, const char *beginning)
{
    struct made made;
    made.rows[0] = trouble(name, count);
    make(&made, 0, 1);
    char *text = reported(&made.snapshot, "table");
    /* two lines of head, then header, rule, a blank line, the source */
    assert_line_begins(text, RULE_LINE + 3, beginning);
    free(text);
}

static void table_tells_each_trouble_in_words(void **state)
{
    (void)state;
    assert_trouble("unbalanced", 3, "3 stops without a start on their thread (unbalanced): ");
    assert_trouble("unbalanced", 1, "1 stop without a start on its thread (unbalanced): ");
    assert_trouble("bad_handles", 2, "2 calls with a handle of no instance (bad_handles): ");
    assert_trouble("unknown_labels", 1,
                   "1 call of eprof_free() with a label that is not there (unknown_labels): ");
    assert_trouble("lost", 5, "5 calls that could not be recorded (lost): ");
    assert_trouble("out_of_cells", 5,
                   "5 calls for which there was no more memory (out_of_cells): ");
    assert_trouble("forced_closes", 2, "2 regions whose end never came (forced_closes): ");
    assert_trouble("stray_keeps", 2,
                   "2 calls of eprof_keep() without an eprof_hold() (stray_keeps): ");
    assert_trouble("clock", 1, "1 pair with an impossible length (clock): ");
    assert_trouble("items_not_understood", 2,
                   "2 items of EPROF or eprof_setup() that were not "
                   "carried out (items_not_understood): ");
    assert_trouble("not_closed", 1,
                   "1 program that was killed, or ended by _exit() (not_closed): what was open is "
                   "shown without its last time");
    assert_trouble("not_closed", 3,
                   "3 programs that were killed, or ended by _exit() (not_closed): ");
    assert_trouble("cut_short", 1, "1 file that could not grow (cut_short): what was new after ");
    assert_trouble("cut_short", 2, "2 files that could not grow (cut_short): ");
    assert_trouble("something_new", UINT64_MAX, "18446744073709551615 something_new");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_says_what_is_known_of_the_source),
        cmocka_unit_test(source_line_tells_what_functions_and_scopes_cost),
        cmocka_unit_test(table_tells_each_trouble_in_words),
    };
    return cmocka_run_group_tests_name("report_trouble", tests, NULL, NULL);
}
