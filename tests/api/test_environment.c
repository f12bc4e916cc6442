/*
 * EPROF= and eprof_setup(): the items, their grammar, and which of both wins.
 */
#include "report_line.h"
#include "rerun.h"
#include "scratch.h"

#define ROW_OF_A "instance,a,a,*,,0,1,1,0,0,10,10,10,0,10,10,10,10,10,10,1,0,0,0,,,ns,,,,,,,\n"

static struct rerun run;

static void assert_silent(void)
{
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "");
}

/* A csv report of one pair on "a". */
static void assert_reports_a(const char *text)
{
    assert_memory_equal(text, "kind,name,", 10);
    assert_contains(text, "\n" ROW_OF_A);
}

static void assert_no_file(const char *path)
{
    if (access(path, F_OK) == 0)
        fail_msg("%s was written: %s", path, scratch_read(path));
}

/* --------------------------------------------------------------- formats -- */

TEST(format_goes_to_stderr_at_exit)
{
    RERUN(&run, "csv", "record");
    assert_string_equal(run.out, "");
    assert_reports_a(run.err);
    RERUN(&run, "table", "record");
    assert_memory_equal(run.err, "\neProf Result:\n\nID name ", 24);
    RERUN(&run, "json", "record");
    assert_memory_equal(run.err, "{\"format\":1,", 12);
}

TEST(format_with_a_path_goes_there)
{
    RERUN(&run, "csv=figures", "record");
    assert_silent();
    assert_reports_a(scratch_read("figures"));
    assert_int_equal(scratch_files(), 1); /* no other file was created */
}

TEST(columns_of_a_format_are_no_path)
{
    RERUN(&run, "table:columns=total+calls=figures,table:raw:columns=calls:ticks=-", "record");
    assert_string_equal(run.err, "");
    assert_contains(scratch_read("figures"), "\nID name          total  calls\n");
    assert_contains(run.out, "\nID name          calls\n");
    RERUN(&run, "table:columns=self", "record");
    assert_memory_equal(run.err, "\neProf Result:\n", 15);
    assert_int_equal(scratch_files(), 1);
    RERUN(&run, "table:columns=total+foo=figure", "record");
    assert_contains(run.err,
                    "\"table:columns=total+foo=figure\" in EPROF or eprof_setup(): no column "
                    "\"foo\"; known are calls, timed, ");
    assert_no_file("figure");
}

TEST(path_of_a_hyphen_is_stdout)
{
    RERUN(&run, "csv=-", "record", "say=the program's own");
    assert_string_equal(run.err, "");
    assert_memory_equal(run.out, "the program's own\nkind,name,", 28);
    assert_contains(run.out, ROW_OF_A);
    assert_int_equal(scratch_files(), 0);
}

TEST(options_stand_behind_the_format)
{
    RERUN(&run, "csv:threads=threads,json:ticks=ticks,table:raw:threads=raw", "record");
    assert_silent();
    assert_contains(scratch_read("threads"), "\ninstance,a,a,main,,0,1,1,");
    assert_contains(scratch_read("ticks"), "\"total_ticks\":10,");
    assert_contains(scratch_read("raw"), "thread");
}

/* One environment serves programs with and without MPI. */
TEST(items_of_mpi_are_known_and_have_no_effect_here)
{
    RERUN(&run, "mpi=job.eprof,mpi-calls=off,csv=figures", "record");
    assert_silent();
    assert_reports_a(scratch_read("figures"));
    assert_null(strstr(scratch_read("figures"), "diagnostic"));
    assert_no_file("job.eprof");
    RERUN(&run, "mpi=", "record");
    assert_contains(run.err, "needs a path");
    RERUN(&run, "mpi-calls=on", "record");
    assert_contains(run.err, "known is off");
}

TEST(each_item_is_carried_out)
{
    RERUN(&run, "csv=a,table=b,json", "record");
    assert_reports_a(scratch_read("a"));
    assert_contains(scratch_read("b"), "eProf Result");
    assert_contains(run.err, "{\"format\":1,");
}

/* Many users will want a merged file and a file by threads. */
TEST(one_format_may_go_to_several_paths)
{
    RERUN(&run, "csv=merged,csv:threads=threads,csv", "record");
    assert_reports_a(scratch_read("merged"));
    assert_contains(scratch_read("threads"), "instance,a,a,main,");
    assert_reports_a(run.err);
}

TEST(items_are_read_once_at_first_use)
{
    RERUN(&run, "csv=first", "record", "putenv=csv=second", "record");
    assert_contains(scratch_read("first"), "instance,a,a,*,,0,2,2,");
    assert_no_file("second");
    RERUN(&run, "csv=early", "putenv=csv=late", "record");
    assert_no_file("early");
    assert_reports_a(scratch_read("late"));
}

TEST(init_leaves_the_items)
{
    RERUN(&run, "csv=figures", "init", "record", "init");
    assert_memory_equal(scratch_read("figures"), "kind,name,", 10);
}

/* --------------------------------------------------------------- grammar -- */

TEST(empty_items_are_skipped)
{
    RERUN(&run, "", "record", "diagnostic");
    assert_string_equal(run.out, "diagnostic \n");
    assert_string_equal(run.err, "");
    RERUN(&run, ",,csv=figures,,,table=other,", "record", "diagnostic");
    assert_string_equal(run.out, "diagnostic \n");
    assert_string_equal(run.err, "");
    assert_reports_a(scratch_read("figures"));
    assert_contains(scratch_read("other"), "eProf Result");
}

TEST(backslash_takes_comma_and_backslash_as_they_are)
{
    RERUN(&run, "csv=a\\,b", "record");
    assert_reports_a(scratch_read("a,b"));
    RERUN(&run, "csv=a\\\\b", "record");
    assert_reports_a(scratch_read("a\\b"));
    RERUN(&run, "csv=c\\\\,json=d", "record");
    assert_reports_a(scratch_read("c\\"));
    RERUN(&run, "csv=\\,\\\\\\,", "record");
    assert_reports_a(scratch_read(",\\,"));
    assert_silent();
}

TEST(percent_p_is_the_process_id_and_percent_percent_a_percent_sign)
{
    char path[64];
    RERUN(&run, "csv=of-%p-and-%p", "record");
    snprintf(path, sizeof path, "of-%ld-and-%ld", (long)run.process_id, (long)run.process_id);
    assert_reports_a(scratch_read(path));
    RERUN(&run, "csv=100%%", "record");
    assert_reports_a(scratch_read("100%"));
    RERUN(&run, "csv=%%p", "record");
    assert_reports_a(scratch_read("%p"));
    RERUN(&run, "csv=%%%p%%", "record");
    snprintf(path, sizeof path, "%%%ld%%", (long)run.process_id);
    assert_reports_a(scratch_read(path));
    assert_silent();
}

TEST(relative_paths_are_from_the_directory_at_first_use)
{
    assert_int_equal(mkdir("below", 0777), 0);
    RERUN(&run, "csv=first", "use", "chdir=below", "record");
    assert_reports_a(scratch_read("first"));
    remove("first");
    RERUN(&run, NULL, "use", "chdir=below", "setup=csv=first", "record");
    assert_reports_a(scratch_read("first"));
    RERUN(&run, "csv=second", "chdir=below", "use", "chdir=/", "record");
    assert_reports_a(scratch_read("below/second"));
    remove("below/second");
    assert_int_equal(rmdir("below"), 0);
}

TEST(absolute_path_is_itself)
{
    char items[256];
    snprintf(items, sizeof items, "csv=%s/figures", (const char *)*state);
    RERUN(&run, items, "use", "chdir=/", "record");
    assert_reports_a(scratch_read("figures"));
}

TEST(items_may_be_very_long)
{
    static const char last[] = "csv=end";
    static char items[100001];
    memset(items, ',', sizeof items - sizeof last);
    memcpy(items + sizeof items - sizeof last, last, sizeof last);
    RERUN(&run, items, "record");
    assert_silent();
    assert_reports_a(scratch_read("end"));
}

/* -------------------------------------------------------- not understood -- */

static void assert_one_line(const char *text, const char *named, const char *known)
{
    const char *end = strchr(text, '\n');
    if (!end || end[1] != '\0')
        fail_msg("not one line: \"%s\"", text);
    assert_contains(text, named);
    assert_contains(text, known);
}

TEST(item_not_understood_is_named_on_one_line_and_the_program_runs_on)
{
    static const char *const items[] = {
        "nonsense", "tabel", "csv:nonsense", "csv:threads:=x", "csv:", "csv=", "=x",
        "off=1",    "offf",  " csv",         "csv ",           "Csv",  "\x1b", "%s%n",
        ":",        "=",     "cpu=",         "cpu=1",
    };
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        RERUN(&run, items[i], "record", "diagnostic", "say=ran on");
        assert_string_equal(run.out, "diagnostic items_not_understood 1\nran on\n");
        assert_one_line(run.err, items[i][0] == '\x1b' ? "" : items[i], "table, tree, csv, json");
        assert_contains(run.err, "source=");
        assert_contains(run.err, "off");
    }
    assert_int_equal(scratch_files(), 0);
}

/* Only at exit is it known that the program has not added the source. */
TEST(unknown_source_is_named_on_one_line_with_those_that_are_known)
{
    static const char *const items[] = {"source=", "source=sundial"};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        RERUN(&run, items[i], "record", "say=ran on");
        assert_string_equal(run.out, "ran on\n");
        assert_one_line(run.err, items[i], "clock_gettime");
        assert_contains(run.err, "rdtsc");
    }
}

TEST(item_of_several_lines_is_still_named_on_one)
{
    RERUN(&run, "two\nlines", "use");
    assert_one_line(run.err, "two", "table, tree, csv, json");
}

TEST(item_does_not_write_control_characters_to_the_terminal)
{
    RERUN(&run, "\x1b[2J", "use");
    assert_null(strchr(run.err, '\x1b'));
}

TEST(the_other_items_are_carried_out_all_the_same)
{
    RERUN(&run, "nonsense,csv=figures,tabel", "record", "diagnostic");
    assert_string_equal(run.out, "diagnostic items_not_understood 2\n");
    assert_reports_a(scratch_read("figures"));
    assert_contains(scratch_read("figures"), "\ndiagnostic,items_not_understood,");
}

/* ---------------------------------------------------------------- source -- */

TEST(source_is_in_use_from_the_start)
{
    RERUN(&run, "source=clock_gettime", "source");
    assert_string_equal(run.out, "source clock_gettime\n");
    RERUN(&run, "source=gettimeofday", "source");
    assert_string_equal(run.out, "source gettimeofday\n");
    RERUN(&run, "source=thread_cputime,table=figures", "source");
    assert_string_equal(run.out, "source thread_cputime\n");
    assert_contains(scratch_read("figures"), "source thread_cputime");
    assert_string_equal(run.err, "");
}

TEST(source_of_the_program_is_in_use_as_soon_as_it_is_added)
{
    RERUN(&run, "source=hand", "use", "add", "source");
    assert_string_equal(run.out, "source hand\n");
    assert_string_equal(run.err, "");
}

/* ----------------------------------------------------------------- limit -- */

/* A row of "a" up to its processor time, which is read from the real clock. */
#define ROW_WITH_CPU "\ninstance,a,a,*,,0,1,1,0,0,10,10,10,0,10,10,10,10,10,10,1,0,0,0,"

static void assert_has_cpu(const char *text)
{
    const char *row = strstr(text, ROW_WITH_CPU);
    if (!row || row[strlen(ROW_WITH_CPU)] < '0' || row[strlen(ROW_WITH_CPU)] > '9')
        fail_msg("no processor time: %s", text);
}

TEST(cpu_is_recorded_from_the_start)
{
    RERUN(&run, "cpu,csv=-", "record");
    assert_string_equal(run.err, "");
    assert_has_cpu(run.out);
}

TEST(cpu_is_recorded_from_its_setup_on)
{
    RERUN(&run, "csv=-", "setup=cpu", "record");
    assert_string_equal(run.err, "");
    assert_has_cpu(run.out);
}

TEST(limit_is_understood_in_bytes_and_powers_of_1024)
{
    static const char *const good[] = {"limit=65536", "limit=64K", "limit=1M", "limit=3G",
                                       "limit=18446744073709551615"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        RERUN(&run, good[i], "record");
        assert_silent();
    }
}

TEST(limit_that_is_none_is_named_on_one_line)
{
    static const char *const bad[] = {"limit=",
                                      "limit=0",
                                      "limit=63K",
                                      "limit=65535",
                                      "limit=1T",
                                      "limit=64k",
                                      "limit=1MB",
                                      "limit=-1",
                                      "limit= 1M",
                                      "limit=0x100000",
                                      "limit=18446744073709551616",
                                      "limit=18014398509482048K",
                                      "limit=M",
                                      "limit"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        RERUN(&run, bad[i], "record", "diagnostic");
        assert_one_line(run.err, bad[i],
                        i + 1 < sizeof bad / sizeof bad[0] ? "64K" : "limit=BYTES");
        assert_string_equal(run.out, "diagnostic items_not_understood 1\n");
    }
}

/* Makes 400 calls at different paths, and returns the number of those that found no room. */
static int calls_without_room(const char *items, const char *setup)
{
    RERUN(&run, items, setup, "paths=400");
    const char *other = strstr(scratch_read("figures"), "\nscope,(other),(other),*,,0,");
    return other ? atoi(other + strlen("\nscope,(other),(other),*,,0,")) : 0;
}

TEST(limit_bounds_the_call_tree_and_the_environments_wins)
{
    assert_int_equal(calls_without_room("csv=figures", "setup="), 0);
    int bound = calls_without_room("csv=figures,limit=64K", "setup=");
    assert_in_range(bound, 100, 399);
    assert_int_equal(calls_without_room("csv=figures", "setup=limit=64K"), bound);
    assert_int_equal(calls_without_room("csv=figures,limit=64K", "setup=limit=64M"), bound);
    assert_int_equal(calls_without_room("csv=figures,limit=64M", "setup=limit=64K"), 0);
}

/* ------------------------------------------------------------------- off -- */

TEST(off_records_nothing_and_wins_over_enable)
{
    RERUN(&run, "off", "record", "enable", "record", "report=csv", "diagnostic");
    assert_null(strstr(run.out, "instance,"));
    assert_memory_equal(run.out, "kind,name,", 10);
    assert_contains(run.out, "\ndiagnostic \n");
    assert_string_equal(run.err, "");
}

TEST(off_writes_no_report_at_exit_but_those_that_are_called_for)
{
    static const char *const items[] = {"off,csv=figures,table", "csv=figures,table,off"};
    for (size_t i = 0; i < 2; i++) {
        RERUN(&run, items[i], "record", "print");
        assert_contains(run.out, "\neProf Result:\n");
        assert_string_equal(run.err, "");
        assert_no_file("figures");
    }
}

/* ----------------------------------------------------------------- setup -- */

TEST(setup_takes_the_same_items)
{
    RERUN(&run, NULL, "setup=,csv=a\\,b,table:raw,source=clock_gettime,", "source", "record");
    assert_string_equal(run.out, "setup 0 \nsource clock_gettime\n");
    assert_reports_a(scratch_read("a,b"));
    assert_contains(run.err, "eProf Result");
    RERUN(&run, NULL, "setup=off", "record", "enable", "record", "report=csv");
    assert_null(strstr(run.out, "instance,"));
    RERUN(&run, NULL, "setup=");
    assert_string_equal(run.out, "setup 0 \n");
}

TEST(setup_adds_to_what_the_environment_names)
{
    RERUN(&run, "csv=figures", "setup=table=other", "record");
    assert_reports_a(scratch_read("figures"));
    assert_contains(scratch_read("other"), "eProf Result");
}

TEST(environment_wins_over_setup)
{
    RERUN(&run, "source=gettimeofday", "setup=source=clock_gettime", "source");
    assert_string_equal(run.out, "setup 0 \nsource gettimeofday\n");
    RERUN(&run, "off", "setup=csv=figures", "record");
    assert_no_file("figures");
    RERUN(&run, "csv=figures", "setup=csv=other", "record");
    assert_reports_a(scratch_read("figures"));
    assert_no_file("other");
    assert_string_equal(run.err, "");
}

TEST(setup_is_einval_and_one_line_where_an_item_is_not_understood)
{
    RERUN(&run, NULL, "setup=nonsense,csv=figures", "diagnostic", "record");
    assert_string_equal(run.out, "setup -1 EINVAL\ndiagnostic items_not_understood 1\n");
    assert_one_line(run.err, "nonsense", "table, tree, csv, json");
    assert_reports_a(scratch_read("figures"));
    RERUN(&run, NULL, "setup=source=sundial");
    assert_string_equal(run.out, "setup -1 EINVAL\n");
    assert_one_line(run.err, "sundial", "clock_gettime");
}

TEST(setup_of_null_is_einval)
{
    errno = 0;
    assert_int_equal(eprof_setup(NULL), -1);
    assert_int_equal(errno, EINVAL);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("environment", scratch_enter, scratch_leave);
}
