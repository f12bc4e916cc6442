/* EPROF=limit= bounds the memory of call trees; calls that do not fit are counted as "(other)". */
#include "rerun.h"
#include "resident.h"
#include "sanitizer.h"
#include "tree_text.h"

#include <sys/wait.h>

enum { OUTER = 400, INNER = 250, ROUNDS = 3 }; /* 100,400 paths */

/* ---------------------------------------------------- the program, and its sums -- */

static void enter(const char *kind, int number)
{
    char label[16];
    snprintf(label, sizeof label, "%s%d", kind, number);
    eprof_enter(label);
    hand_ticks += 1;
}

static void make_paths(void)
{
    for (int outer = 0; outer < OUTER; outer++) {
        enter("outer", outer);
        for (int inner = 0; inner < INNER; inner++) {
            enter("inner", inner);
            eprof_leave();
        }
        eprof_leave();
    }
}

struct sums {
    uint64_t rows, calls, self_ns, other_rows, other_calls, total_ns;
};

/* The total_ns of all roots. */
static struct sums add_up(void)
{
    struct sums sums = {.rows = 0};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, "scope") != 0)
            continue;
        bool is_other = strcmp(row.name, "(other)") == 0;
        sums.rows++;
        sums.calls += row.calls;
        sums.self_ns += row.self_ns;
        sums.other_rows += is_other;
        sums.other_calls += is_other ? row.calls : 0;
        sums.total_ns += strchr(row.path, ';') ? 0 : row.total_ns;
    }
    eprof_snapshot_free(snapshot);
    return sums;
}

/* There is room for "held" in the hold, but not in the place that it gets when the hold ends. */
static void hold_what_has_no_room(void)
{
    enter("known", 0);
    eprof_leave();
    eprof_hold();
    enter("held", 0);
    for (int i = 0; !strstr(diagnostic_text(), "out_of_cells"); i++) {
        enter("inner", i);
        eprof_leave();
    }
}

/* These are nested, while "held" and "known" are not. */
static void enter_what_was_held(void)
{
    enter("known", 0);
    enter("held", 0);
    eprof_leave();
    eprof_leave();
}

/* Creates so many paths that there is no room for "B" below "A39", not even as "(other)"; "C" is
 * there already. */
static void leave_no_room_below_a39(void)
{
    for (int i = 0; i < 40; i++) {
        enter("A", i);
        eprof_enter("C");
        eprof_leave();
        eprof_leave();
    }
    for (int i = 0; i < 2000; i++) {
        enter("f", i);
        eprof_leave();
    }
    for (int i = 0; i < 39; i++) { /* "(other)" takes the room that is kept for it */
        enter("A", i);
        eprof_enter("B");
        eprof_leave();
        eprof_leave();
    }
    eprof_reset();
}

static void enter_without_room(void)
{
    eprof_enter("A39");
    eprof_enter("B"); /* it is lost */
    hand_ticks += 10;
    eprof_enter("C");
    hand_ticks += 1;
    eprof_leave();
    hand_ticks += 100;
    eprof_leave();
    hand_ticks += 1000;
    eprof_leave();
    hand_ticks += 10000;
}

/* Runs as a program of its own, because the limit is read once and used room is never released. */
static int run_program(const char *what)
{
    hand_clock_use();
    eprof_reset();
    long before_bytes = resident_bytes();
    if (strcmp(what, "recursion") == 0) {
        for (int i = 0; i < 100000; i++)
            enter("same", 0);
        for (int i = 0; i < 100000; i++)
            eprof_leave();
    } else if (strcmp(what, "fork") == 0) {
        hold_what_has_no_room();
        pid_t child = fork();
        if (child == 0) {
            enter_what_was_held();
            eprof_leave();
            fputs(tree_text(), stdout);
            fflush(stdout);
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        printf("child %d\n", status);
        return 0;
    } else if (strcmp(what, "lost") == 0) {
        leave_no_room_below_a39();
        enter_without_room();
        printf("%sdiagnostic %s\n", tree_text(), diagnostic_text());
        return 0;
    } else if (strcmp(what, "hold") == 0) {
        hold_what_has_no_room();
        eprof_keep(true);
        eprof_leave();
        enter_what_was_held();
        fputs(strstr(tree_text(), "known0 "), stdout); /* the last of its lines */
        printf("diagnostic %s\n", diagnostic_text());
        return 0;
    } else {
        for (int round = 0; round < ROUNDS; round++)
            make_paths();
    }
    long grown_bytes = resident_bytes() - before_bytes;
    struct sums sums = add_up();
    printf("rows %" PRIu64 " calls %" PRIu64 " self %" PRIu64 " total %" PRIu64 " other %" PRIu64
           " of %" PRIu64 " calls, kibibytes %ld, diagnostics %s\n",
           sums.rows, sums.calls, sums.self_ns, sums.total_ns, sums.other_rows, sums.other_calls,
           grown_bytes / 1024, diagnostic_text());
    return 0;
}

/* ---------------------------------------------------------------- the tests -- */

struct outcome {
    struct sums sums;
    long kibibytes;
    char diagnostics[256];
};

static struct rerun run;

static struct outcome run_with(const char *items, const char *what)
{
    struct outcome outcome = {.kibibytes = 0};
    rerun(&run, items, (const char *const[]){what, NULL});
    if (run.status != 0)
        fail_msg("status %d: %s%s", run.status, run.out, run.err);
    int fields =
        sscanf(run.out,
               "rows %" SCNu64 " calls %" SCNu64 " self %" SCNu64 " total %" SCNu64
               " other %" SCNu64 " of %" SCNu64 " calls, kibibytes %ld, diagnostics %255[^\n]",
               &outcome.sums.rows, &outcome.sums.calls, &outcome.sums.self_ns,
               &outcome.sums.total_ns, &outcome.sums.other_rows, &outcome.sums.other_calls,
               &outcome.kibibytes, outcome.diagnostics);
    if (fields < 7)
        fail_msg("%s%s", run.out, run.err);
    return outcome;
}

static const uint64_t all_calls = (uint64_t)ROUNDS * OUTER * (INNER + 1);

TEST(all_paths_are_there_within_the_limit)
{
    struct outcome outcome = run_with("limit=256M", "paths");
    assert_int_equal(outcome.sums.rows, OUTER * (INNER + 1));
    assert_int_equal(outcome.sums.calls, all_calls);
    assert_ns(outcome.sums.self_ns, all_calls);
    assert_int_equal(outcome.sums.other_rows, 0);
    assert_string_equal(outcome.diagnostics, "");
}

/* Calls that exceed the limit are still in the sums, to the last call and ns. */
TEST(paths_beyond_the_limit_are_other)
{
    static const char *const limits[] = {"limit=64K", "limit=1M", "limit=4M"};
    uint64_t rows_before = 0;
    for (int i = 0; i < 3; i++) {
        struct outcome outcome = run_with(limits[i], "paths");
        assert_int_equal(outcome.sums.calls, all_calls);
        assert_ns(outcome.sums.self_ns, all_calls);
        assert_ns(outcome.sums.total_ns, all_calls);
        assert_in_range(outcome.sums.other_rows, 1, OUTER + 1);
        assert_in_range(outcome.sums.other_calls, 1, all_calls - 1);
        assert_in_range(outcome.sums.rows, rows_before + 1, OUTER * (INNER + 1) - 1);
        rows_before = outcome.sums.rows;
    }
}

/* A sanitizer has memory of its own in addition. */
#if !ANY_SANITIZER
TEST(memory_is_bounded_by_the_limit)
{
    struct outcome small = run_with("limit=1M", "paths");
    struct outcome large = run_with("limit=256M", "paths");
    /* the trees, as much again for tables, and the labels of 650 sites */
    assert_in_range(small.kibibytes, 0, 2 * 1024);
    assert_in_range(large.kibibytes, 10 * 1024, 256 * 1024);
}
#endif

TEST(diagnostic_says_that_paths_are_beyond_it)
{
    struct outcome outcome = run_with("limit=1M", "paths");
    assert_memory_equal(outcome.diagnostics, "out_of_cells ", 13);
    assert_null(strchr(outcome.diagnostics, ',')); /* and nothing else */
}

TEST(recursion_is_not_bounded_by_it)
{
    struct outcome outcome = run_with("limit=64K", "recursion");
    assert_int_equal(outcome.sums.rows, 1);
    assert_int_equal(outcome.sums.calls, 100000);
    assert_ns(outcome.sums.total_ns, 100000);
    assert_string_equal(outcome.diagnostics, "");
}

/* "held" is lost and reported as lost, and once more inside "known": "known" is not taken for
 * it. */
TEST(open_scope_that_is_kept_without_room_is_lost_and_forgotten)
{
    rerun(&run, "limit=64K", (const char *const[]){"hold", NULL});
    if (!strstr(run.out, "known0 2/2 3 3\ndiagnostic lost 2, out_of_cells "))
        fail_msg("status %d: %s%s", run.status, run.out, run.err);
}

TEST(lost_enter_takes_its_own_leave_and_no_other)
{
    rerun(&run, "limit=64K", (const char *const[]){"lost", NULL});
    static const char begin[] =
        "A39 1/1 1111 1110\nA39;C 1/1 1 1\ndiagnostic lost 1, out_of_cells ";
    if (strncmp(run.out, begin, strlen(begin)) != 0)
        fail_msg("status %d: %s%s", run.status, run.out, run.err);
}

/* Its child has no open scopes, but continues inside it. */
TEST(child_of_a_hold_without_room_goes_on)
{
    rerun(&run, "limit=64K", (const char *const[]){"fork", NULL});
    if (!strstr(run.out, "known0 1/1 2 1\n") || !strstr(run.out, "child 0\n"))
        fail_msg("status %d: %s%s", run.status, run.out, run.err);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return run_program(arguments[1]);
    return tests_run("scope_limit", NULL, NULL);
}
