/*
 * The reports at exit: when there are any, where they go, and where they must not.
 */
#include "rerun.h"
#include "scratch.h"

static struct rerun run;

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* A csv report of so many pairs on "a". */
static void assert_reports_calls(const char *text, int calls)
{
    char row[64];
    snprintf(row, sizeof row, "\ninstance,a,a,*,,0,%d,%d,0,0,%d,", calls, calls, calls * 10);
    assert_memory_equal(text, "kind,name,", 10);
    assert_contains(text, row);
}

static void assert_one_line(const char *text, const char *part)
{
    const char *end = strchr(text, '\n');
    if (!end || end[1] != '\0')
        fail_msg("not one line: \"%s\"", text);
    assert_contains(text, part);
}

/* ------------------------------------------------------- what is asked for -- */

static void program_that_used_only_instances_prints_nothing_by_itself(void **state)
{
    (void)state;
    RERUN(&run, NULL, "record");
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "record", "fork", "record");
    assert_null(strstr(run.out, "eProf"));
    assert_string_equal(run.err, "");
    assert_int_equal(scratch_files(), 0);
}

static void report_that_was_asked_for_comes_even_if_the_program_printed(void **state)
{
    (void)state;
    RERUN(&run, "csv", "record", "print", "record");
    assert_contains(run.out, "eProf Result");
    assert_reports_calls(run.err, 2);
}

static void report_comes_behind_what_the_program_left_in_its_buffer(void **state)
{
    (void)state;
    RERUN(&run, "csv=-", "record", "say=first", "say=second");
    assert_memory_equal(run.out, "first\nsecond\nkind,", 18);
}

static void exit_status_is_the_programs_own(void **state)
{
    static const char *const steps[] = {"record", "exit=42", NULL};
    (void)state;
    rerun(&run, "csv=figures", steps);
    assert_int_equal(run.status, 42);
    assert_reports_calls(scratch_read("figures"), 1);
    rerun(&run, "csv=/nowhere/figures", steps);
    assert_int_equal(run.status, 42);
}

static void report_replaces_an_earlier_file(void **state)
{
    (void)state;
    scratch_write("figures", "of the run before, and much longer than what comes now\n");
    RERUN(&run, "csv=figures", "record");
    assert_reports_calls(scratch_read("figures"), 1);
    assert_null(strstr(scratch_read("figures"), "the run before"));
    assert_int_equal(scratch_files(), 1);
}

/* ----------------------------------------------- the tree that nobody asked for -- */

/* A tree with so many calls of "s", and nothing else but one. */
static void assert_tree(const char *text, int calls)
{
    const char *row = strstr(text, "\ns ");
    if (!row || atoi(row + 3) != calls)
        fail_msg("there are not %d calls of s in \"%s\"", calls, text);
    assert_memory_equal(text, "\neProf Tree: ", 13);
    assert_null(strstr(text + 13, "eProf Tree"));
}

static void program_that_used_scopes_gets_the_tree_on_stderr(void **state)
{
    (void)state;
    RERUN(&run, NULL, "scope", "scope", "say=the program's own");
    assert_string_equal(run.out, "the program's own\n");
    assert_tree(run.err, 2);
    RERUN(&run, NULL, "record", "scope");
    assert_tree(run.err, 1);
    assert_contains(run.err, "1 row of instances: see the table");
    RERUN(&run, "", "scope");
    assert_tree(run.err, 1);
    assert_int_equal(scratch_files(), 0);
}

static void tree_comes_after_exit_too_with_what_is_open(void **state)
{
    static const char *const steps[] = {"scope", "inside=3", NULL};
    (void)state;
    rerun(&run, NULL, steps);
    assert_int_equal(run.status, 3);
    assert_string_equal(run.out, "");
    assert_tree(run.err, 1);
    assert_contains(run.err, "\nouter ");
    assert_contains(run.err, " open\n");
}

static void items_that_ask_for_no_report_leave_the_tree(void **state)
{
    (void)state;
    RERUN(&run, "limit=1M", "scope");
    assert_tree(run.err, 1);
    RERUN(&run, NULL, "setup=source=clock_gettime", "scope");
    assert_tree(run.err, 1);
}

static void tree_does_not_come_where_something_else_was_asked_for(void **state)
{
    (void)state;
    RERUN(&run, "csv=figures", "scope");
    assert_string_equal(run.err, "");
    assert_contains(scratch_read("figures"), "\nscope,s,s,*,");
    RERUN(&run, NULL, "setup=csv=figures", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, "off", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "scope", "setup=off");
    assert_string_equal(run.err, "");
    RERUN(&run, "tree", "scope");
    assert_tree(run.err, 1);
    RERUN(&run, "tree=-", "scope");
    assert_tree(run.out, 1);
    assert_string_equal(run.err, "");
}

static void tree_does_not_come_where_the_program_has_reported(void **state)
{
    (void)state;
    RERUN(&run, NULL, "scope", "print", "scope");
    assert_contains(run.out, "eProf Result");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "report=csv", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "scope", "fail=csv"); /* that is none */
    assert_tree(run.err, 1);
}

static void tree_without_rows_is_none(void **state)
{
    (void)state;
    RERUN(&run, NULL, "scope", "reset");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "use");
    assert_string_equal(run.err, "");
}

static void forked_child_writes_no_tree(void **state)
{
    (void)state;
    RERUN(&run, NULL, "scope", "scope", "fork", "scope");
    assert_tree(run.err, 2);
    RERUN(&run, NULL, "fork", "scope"); /* the library was loaded by the parent */
    assert_string_equal(run.err, "");
}

static void tree_is_not_written_to_another_file_behind_descriptor_2(void **state)
{
    (void)state;
    RERUN(&run, NULL, "scope", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    RERUN(&run, NULL, "stderr=log", "scope");
    assert_tree(scratch_read("log"), 1);
}

static void recording_after_the_tree_does_no_harm(void **state)
{
    (void)state;
    RERUN(&run, NULL, "late", "scope");
    assert_tree(run.err, 1);
    RERUN(&run, NULL, "scope", "late");
    assert_tree(run.err, 2);
}

/* ----------------------------------------------------------- stderr is not -- */

static void nothing_is_written_to_another_file_behind_descriptor_2(void **state)
{
    (void)state;
    RERUN(&run, "csv", "record", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    assert_string_equal(run.err, "");
    RERUN(&run, "csv=/nowhere/figures,source=sundial", "use", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    RERUN(&run, NULL, "use", "stderr=database", "setup=nonsense,source=sundial,csv=", "record",
          "trouble");
    assert_string_equal(run.out, "setup -1 EINVAL\ntrouble items_not_understood 3\n");
    assert_string_equal(scratch_read("database"), "");
}

static void nothing_is_written_to_a_file_opened_behind_a_closed_stderr(void **state)
{
    (void)state;
    RERUN(&run, "csv", "stderr=", "use", "stderr=database", "record");
    assert_string_equal(scratch_read("database"), "");
}

static void stderr_that_is_closed_is_no_harm(void **state)
{
    (void)state;
    RERUN(&run, "csv,table=figures", "record", "stderr=");
    assert_contains(scratch_read("figures"), "eProf Result");
}

static void stderr_that_is_a_file_from_the_start_is_written(void **state)
{
    (void)state;
    RERUN(&run, "csv", "stderr=log", "record");
    assert_reports_calls(scratch_read("log"), 1);
}

/* ------------------------------------------------------------------- fork -- */

/* The id that the forked child had. */
static long child_id(void)
{
    long id = 0;
    const char *line = strstr(run.out, "child ");
    if (!line || sscanf(line, "child %ld", &id) != 1)
        fail_msg("there was no child: %s", run.out);
    return id;
}

static void forked_child_writes_its_own_figures_to_path_dot_pid(void **state)
{
    char path[64];
    (void)state;
    RERUN(&run, "csv=figures", "record", "record", "fork", "record");
    assert_reports_calls(scratch_read("figures"), 2);
    snprintf(path, sizeof path, "figures.%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
    assert_int_equal(scratch_files(), 2);
    assert_string_equal(run.err, "");
}

static void forked_child_writes_to_path_where_it_has_the_process_id(void **state)
{
    char path[64];
    (void)state;
    RERUN(&run, "csv=figures-%p", "record", "record", "fork", "record");
    snprintf(path, sizeof path, "figures-%ld", (long)run.process_id);
    assert_reports_calls(scratch_read(path), 2);
    snprintf(path, sizeof path, "figures-%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
    assert_int_equal(scratch_files(), 2);
    RERUN(&run, "csv=of%%p", "record", "fork", "record"); /* that is none */
    snprintf(path, sizeof path, "of%%p.%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
}

static void relative_path_of_a_forked_child_is_from_the_first_directory(void **state)
{
    char path[64];
    (void)state;
    RERUN(&run, "csv=figures", "use", "chdir=/", "record", "fork", "chdir=/dev", "record");
    snprintf(path, sizeof path, "figures.%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
}

/* The library was not used before the fork: each is a program of its own. */
static void child_forked_before_the_first_use_writes_too(void **state)
{
    (void)state;
    RERUN(&run, "csv=figures-%p", "fork", "record");
    assert_int_equal(scratch_files(), 1);
}

/* ------------------------------------------------------ what cannot be done -- */

static void full_disk_is_one_line_and_the_earlier_file_is_still_there(void **state)
{
    (void)state;
    scratch_write("figures", "of the run before\n");
    RERUN(&run, "csv=figures", "record", "disk=100");
    assert_string_equal(run.out, "");
    assert_one_line(run.err, "figures");
    assert_contains(run.err, strerror(EFBIG));
    assert_string_equal(scratch_read("figures"), "of the run before\n");
    assert_int_equal(scratch_files(), 1); /* what was begun is away again */
}

static void full_disk_does_not_keep_the_others_from_being_written(void **state)
{
    (void)state;
    RERUN(&run, "csv=/dev/full,json=/nowhere/figures,table=figures", "record");
    assert_contains(run.err, "/dev/full");
    assert_contains(run.err, strerror(ENOSPC));
    assert_contains(run.err, "/nowhere/figures");
    assert_contains(run.err, strerror(ENOENT));
    assert_contains(scratch_read("figures"), "eProf Result");
}

static void path_of_several_lines_is_still_named_on_one(void **state)
{
    (void)state;
    RERUN(&run, "csv=/nowhere/two\nlines\x1b[2J", "record");
    assert_one_line(run.err, "/nowhere/two");
    assert_null(strchr(run.err, '\x1b'));
}

static void full_stdout_is_one_line(void **state)
{
    (void)state;
    RERUN(&run, "csv=-", "record", "stdout=/dev/full");
    assert_one_line(run.err, strerror(ENOSPC));
}

int main(int count, char **arguments)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_enter, scratch_leave)
    const struct CMUnitTest tests[] = {
        TEST(program_that_used_only_instances_prints_nothing_by_itself),
        TEST(report_that_was_asked_for_comes_even_if_the_program_printed),
        TEST(report_comes_behind_what_the_program_left_in_its_buffer),
        TEST(exit_status_is_the_programs_own),
        TEST(report_replaces_an_earlier_file),
        TEST(program_that_used_scopes_gets_the_tree_on_stderr),
        TEST(tree_comes_after_exit_too_with_what_is_open),
        TEST(items_that_ask_for_no_report_leave_the_tree),
        TEST(tree_does_not_come_where_something_else_was_asked_for),
        TEST(tree_does_not_come_where_the_program_has_reported),
        TEST(tree_without_rows_is_none),
        TEST(forked_child_writes_no_tree),
        TEST(tree_is_not_written_to_another_file_behind_descriptor_2),
        TEST(recording_after_the_tree_does_no_harm),
        TEST(nothing_is_written_to_another_file_behind_descriptor_2),
        TEST(nothing_is_written_to_a_file_opened_behind_a_closed_stderr),
        TEST(stderr_that_is_closed_is_no_harm),
        TEST(stderr_that_is_a_file_from_the_start_is_written),
        TEST(forked_child_writes_its_own_figures_to_path_dot_pid),
        TEST(forked_child_writes_to_path_where_it_has_the_process_id),
        TEST(relative_path_of_a_forked_child_is_from_the_first_directory),
        TEST(child_forked_before_the_first_use_writes_too),
        TEST(full_disk_is_one_line_and_the_earlier_file_is_still_there),
        TEST(full_disk_does_not_keep_the_others_from_being_written),
        TEST(path_of_several_lines_is_still_named_on_one),
        TEST(full_stdout_is_one_line),
    };
    if (count > 1)
        return rerun_main(arguments + 1);
    return cmocka_run_group_tests_name("exit", tests, NULL, NULL);
}
