#include "support/made_snapshot.h"

enum { HEADER_LINE = 3, RULE_LINE };

static void assert_source_line(const struct made *made, const char *line)
{
    char *text = reported(&made->snapshot, "table");
    if (!has_line(text, line))
        assert_string_equal(text, line);
}

TEST(table_describes_the_source)
{
    struct made made;
    make_empty(&made);
    assert_source_line(
        &made, "source rdtsc: 2300.0 ticks/us, resolution 0.87 ns; the probe of a pair costs "
               "21.3 ns, 10.4 ns of it inside the measured time (subtracted)");
    made.snapshot.options.raw = true;
    assert_source_line(
        &made, "source rdtsc: 2300.0 ticks/us, resolution 0.87 ns; the probe of a pair costs "
               "21.3 ns, 10.4 ns of it inside the measured time (not subtracted)");
    made.snapshot.inside_ns = 0;
    assert_source_line(
        &made, "source rdtsc: 2300.0 ticks/us, resolution 0.87 ns; the probe of a pair costs "
               "21.3 ns, 0 ns of it inside the measured time (not subtracted)");
    made.snapshot.pair_ns = 0;
    assert_source_line(&made, "source rdtsc: 2300.0 ticks/us, resolution 0.87 ns");
    made.snapshot.ticks_per_us = 0.001;
    made.snapshot.resolution_ns = 0;
    assert_source_line(&made, "source rdtsc: 1000.0 ticks/s");
    made.snapshot.ticks_per_us = 0;
    assert_source_line(&made, "source rdtsc");
    made.snapshot.resolution_ns = 1000;
    made.snapshot.inside_ns = 10;
    made.snapshot.options.raw = false;
    assert_source_line(&made,
                       "source rdtsc: resolution 1.00 us; the probe of a pair costs 10.0 ns inside "
                       "the measured time (subtracted)");
}

/* The lines for the kinds of rows that exist. */
TEST(source_line_has_the_cost_of_functions_and_scopes)
{
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
            line,
            scopes
                ? "\nsource rdtsc: 2300.0 ticks/us; the probe of a scope costs 30.0 ns, 10.0 ns of "
                  "it inside the measured time (subtracted); the probe of a function costs "
                  "40.0 ns, 20.0 ns of it inside the measured time (subtracted)\n"
                : "\nsource rdtsc: 2300.0 ticks/us; the probe of a function costs 40.0 ns, "
                  "20.0 ns of it inside the measured time (subtracted)\n");
    }
}

static void assert_diagnostics(const char *name, uint64_t count, const char *beginning)
{
    struct made made;
    made.rows[0] = diagnostics(name, count);
    make(&made, 0, 1);
    char *text = reported(&made.snapshot, "table");
    /* two lines of head, then header, rule, a blank line, the source */
    assert_line_begins(text, RULE_LINE + 3, beginning);
}

TEST(table_explains_each_diagnostic_in_words)
{
    assert_diagnostics("unbalanced", 3, "3 stops without a start on their thread (unbalanced): ");
    assert_diagnostics("unbalanced", 1, "1 stop without a start on its thread (unbalanced): ");
    assert_diagnostics("bad_handles", 2, "2 calls with a handle of no instance (bad_handles): ");
    assert_diagnostics("unknown_labels", 1,
                       "1 call of eprof_free() with a label that is not there (unknown_labels): ");
    assert_diagnostics("lost", 5, "5 calls that could not be recorded (lost): ");
    assert_diagnostics("out_of_cells", 5,
                       "5 calls for which there was no more memory (out_of_cells): ");
    assert_diagnostics("forced_closes", 2, "2 regions whose end never came (forced_closes): ");
    assert_diagnostics("unmatched_keeps", 2,
                       "2 calls of eprof_keep() without an eprof_hold() (unmatched_keeps): ");
    assert_diagnostics("clock", 1, "1 pair with an impossible length (clock): ");
    assert_diagnostics("items_not_understood", 2,
                       "2 items of EPROF or eprof_setup() that were not "
                       "carried out (items_not_understood): ");
    assert_diagnostics(
        "not_closed", 1,
        "1 program that was killed, or ended by _exit() (not_closed): what was open is "
        "shown without its last time");
    assert_diagnostics("not_closed", 3,
                       "3 programs that were killed, or ended by _exit() (not_closed): ");
    assert_diagnostics("interrupted", 1,
                       "1 thread that was killed while it moved figures (interrupted): ");
    assert_diagnostics("interrupted", 2,
                       "2 threads that were killed while they moved figures (interrupted): ");
    assert_diagnostics("cut_short", 1,
                       "1 file that could not grow (cut_short): what was new after ");
    assert_diagnostics("cut_short", 2, "2 files that could not grow (cut_short): ");
    assert_diagnostics("something_new", UINT64_MAX, "18446744073709551615 something_new");
}

static void assert_noted(const struct ep_notes *notes, const char *line)
{
    static const char *const formats[] = {"table", "tree", "html"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct made made;
        make_empty(&made);
        made.snapshot.notes = *notes;
        char *text = reported(&made.snapshot, formats[i]);
        if (!strstr(text, line))
            fail_msg("%s: \"%s\" is not in: %s", formats[i], line, text);
    }
}

TEST(report_counts_kept_holds)
{
    assert_noted(&(struct ep_notes){.holds_kept = 12, .holds_ended = 3401},
                 "holds: 12 of 3401 kept");
    assert_noted(&(struct ep_notes){.holds_ended = 1}, "holds: 0 of 1 kept");
}

TEST(report_counts_children_that_are_not_in_it)
{
    assert_noted(&(struct ep_notes){.forked = 3, .missing = 3},
                 "3 child processes were forked and are not in this report; image=PATH in EPROF "
                 "gives each that records a profile");
    assert_noted(&(struct ep_notes){.forked = 1, .missing = 1, .children_have_file = true},
                 "1 child process was forked and is not in this report; each that records has a "
                 "profile of its own, which eprof merge adds");
    assert_noted(&(struct ep_notes){.forked = 5, .missing = 2, .is_sum = true},
                 "2 of 5 child processes that were forked are not in this sum: they recorded "
                 "nothing, or their profiles were not added");
    assert_noted(&(struct ep_notes){.forked = 1, .missing = 1, .is_sum = true},
                 "1 of 1 child processes that were forked is not in this sum: it recorded nothing, "
                 "or its profile was not added");
}

TEST(report_names_regions_that_never_ended)
{
    struct made made;
    made.rows[0] = diagnostics("forced_closes", 200);
    make(&made, 0, 1);
    made.snapshot.notes = (struct ep_notes){
        .unended = {{"compute", "src/partial.c", 4}, {"by\nhand", "", 0}, {"f", "b.c", 7}},
        .unended_count = 3};
    for (int more = 0; more <= 1; more++) {
        made.snapshot.notes.has_more_unended = more;
        char *text = reported(&made.snapshot, "table");
        assert_line_begins(
            text, RULE_LINE + 3,
            more ? "200 regions whose end never came (forced_closes): compute (partial.c:4), "
                   "by\\x0ahand, f (b.c:7) and others; look for a longjmp() out of it, "
                   "or a missing eprof_leave()"
                 : "200 regions whose end never came (forced_closes): compute (partial.c:4), "
                   "by\\x0ahand, f (b.c:7); look for a longjmp() out of it, or a "
                   "missing eprof_leave()");
    }
}
