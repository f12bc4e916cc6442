/*
 * The reports at exit: when they are written, where they go, and where they must not be written.
 */
#include "report_line.h"
#include "rerun.h"
#include "scratch.h"

#include <sys/socket.h>
#include <sys/un.h>

static struct rerun run;

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

/* The process id that the forked child had. */
static long child_id(void)
{
    long id = 0;
    const char *line = strstr(run.out, "child ");
    if (!line || sscanf(line, "child %ld", &id) != 1)
        fail_msg("there was no child: %s", run.out);
    return id;
}

/* ------------------------------------------------------- what is asked for -- */

TEST(program_that_used_only_instances_prints_nothing_by_itself)
{
    RERUN(&run, NULL, "record");
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "record", "fork", "record");
    assert_null(strstr(run.out, "eProf"));
    assert_string_equal(run.err, "");
    assert_int_equal(scratch_files(), 0);
}

TEST(report_that_was_asked_for_comes_even_if_the_program_printed)
{
    RERUN(&run, "csv", "record", "print", "record");
    assert_contains(run.out, "eProf Result");
    assert_reports_calls(run.err, 2);
}

TEST(report_comes_behind_what_the_program_left_in_its_buffer)
{
    RERUN(&run, "csv=-", "record", "say=first", "say=second");
    assert_memory_equal(run.out, "first\nsecond\nkind,", 18);
}

TEST(exit_status_is_the_programs_own)
{
    static const char *const steps[] = {"record", "exit=42", NULL};
    rerun(&run, "csv=figures", steps);
    assert_int_equal(run.status, 42);
    assert_reports_calls(scratch_read("figures"), 1);
    rerun(&run, "csv=/nowhere/figures", steps);
    assert_int_equal(run.status, 42);
}

TEST(report_replaces_an_earlier_file)
{
    scratch_write("figures", "of the run before, and much longer than what comes now\n");
    RERUN(&run, "csv=figures", "record");
    assert_reports_calls(scratch_read("figures"), 1);
    assert_null(strstr(scratch_read("figures"), "the run before"));
    assert_int_equal(scratch_files(), 1);
}

/* ----------------------------------------------- the tree that nobody asked for -- */

/* Checks that this is a tree with `calls` calls of "s" and no other scope. */
static void assert_tree(const char *text, int calls)
{
    const char *row = strstr(text, "\ns ");
    if (!row || atoi(row + 3) != calls)
        fail_msg("there are not %d calls of s in \"%s\"", calls, text);
    assert_memory_equal(text, "\neProf Tree: ", 13);
    assert_null(strstr(text + 13, "eProf Tree"));
}

TEST(program_that_used_scopes_gets_the_tree_on_stderr)
{
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

TEST(tree_that_nobody_asked_for_recommends_items)
{
    RERUN(&run, NULL, "scope");
    const char *hint = strstr(run.err, "\nmore: EPROF=html=FILE, table; or eprof run PROGRAM");
    if (!hint || strchr(hint + 1, '\n')[1] != '\0')
        fail_msg("the last line is another in %s", run.err);
    assert_null(strstr(hint + 1, "\nmore: "));
    RERUN(&run, "tree", "scope");
    assert_null(strstr(run.err, "more: "));
}

TEST(tree_comes_after_exit_too_with_what_is_open)
{
    static const char *const steps[] = {"scope", "inside=3", NULL};
    rerun(&run, NULL, steps);
    assert_int_equal(run.status, 3);
    assert_string_equal(run.out, "");
    assert_tree(run.err, 1);
    assert_contains(run.err, "\nouter ");
    assert_contains(run.err, " open\n");
}

TEST(items_that_ask_for_no_report_leave_the_tree)
{
    RERUN(&run, "limit=1M", "scope");
    assert_tree(run.err, 1);
    RERUN(&run, NULL, "setup=source=clock_gettime", "scope");
    assert_tree(run.err, 1);
}

TEST(tree_does_not_come_where_something_else_was_asked_for)
{
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

TEST(quiet_program_writes_its_files_and_prints_nothing)
{
    RERUN(&run, "quiet", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "scope", "setup=quiet");
    assert_string_equal(run.err, "");
    RERUN(&run, "quiet,table,tree=-,csv=quiet", "scope");
    assert_string_equal(run.out, "");
    assert_string_equal(run.err, "");
    assert_contains(scratch_read("quiet"), "\nscope,s,s,*,");
    RERUN(&run, "quiet", "scope", "print"); /* the program prints what it wants to */
    assert_contains(run.out, "eProf Result");
    assert_string_equal(run.err, "");
    RERUN(&run, "quiet=1", "scope");
    assert_contains(run.err, "quiet=1");
}

TEST(tree_does_not_come_where_the_program_has_reported)
{
    RERUN(&run, NULL, "scope", "print", "scope");
    assert_contains(run.out, "eProf Result");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "report=csv", "scope");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "scope", "fail=csv"); /* that is none */
    assert_tree(run.err, 1);
}

TEST(tree_without_rows_is_none)
{
    RERUN(&run, NULL, "scope", "reset");
    assert_string_equal(run.err, "");
    RERUN(&run, NULL, "use");
    assert_string_equal(run.err, "");
}

TEST(forked_child_writes_no_tree)
{
    RERUN(&run, NULL, "scope", "scope", "fork", "scope");
    assert_tree(run.err, 2);
    RERUN(&run, NULL, "fork", "scope"); /* the library was loaded by the parent */
    assert_string_equal(run.err, "");
}

TEST(tree_is_not_written_to_another_file_behind_descriptor_2)
{
    RERUN(&run, NULL, "scope", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    RERUN(&run, NULL, "stderr=log", "scope");
    assert_tree(scratch_read("log"), 1);
}

TEST(recording_after_the_tree_does_no_harm)
{
    RERUN(&run, NULL, "late", "scope");
    assert_tree(run.err, 1);
    RERUN(&run, NULL, "scope", "late");
    assert_tree(run.err, 2);
}

/* ----------------------------------------------------------- stderr is not -- */

TEST(nothing_is_written_to_another_file_behind_descriptor_2)
{
    RERUN(&run, "csv", "record", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    assert_string_equal(run.err, "");
    RERUN(&run, "csv=/dev/stderr", "record", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    RERUN(&run, "csv=/nowhere/figures,source=sundial", "use", "stderr=database");
    assert_string_equal(scratch_read("database"), "");
    RERUN(&run, NULL, "use", "stderr=database", "setup=nonsense,source=sundial,csv=", "record",
          "diagnostic");
    assert_string_equal(run.out, "setup -1 EINVAL\ndiagnostic items_not_understood 3\n");
    assert_string_equal(scratch_read("database"), "");
}

TEST(nothing_is_written_to_a_file_opened_behind_a_closed_stderr)
{
    RERUN(&run, "csv", "stderr=", "use", "stderr=database", "record");
    assert_string_equal(scratch_read("database"), "");
}

TEST(stderr_that_is_closed_is_no_harm)
{
    RERUN(&run, "csv,table=figures", "record", "stderr=");
    assert_contains(scratch_read("figures"), "eProf Result");
}

TEST(stderr_that_is_a_file_from_the_start_is_written)
{
    RERUN(&run, "csv", "stderr=log", "record");
    assert_reports_calls(scratch_read("log"), 1);
}

/* ----------------------------------------------------------- stdout is not -- */

TEST(nothing_is_written_to_another_file_behind_descriptor_1)
{
    RERUN(&run, "csv=-", "record", "stdout=database");
    assert_string_equal(scratch_read("database"), "");
    assert_one_line(run.err, "csv: -: this stream is another file than at first use");
    static const char *const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char item[64], line[96];
        snprintf(item, sizeof item, "csv=%s", names[i]);
        snprintf(line, sizeof line, "csv: %s: this stream is another file than at first use",
                 names[i]);
        RERUN(&run, item, "record", "stdout=database");
        assert_string_equal(scratch_read("database"), "");
        assert_one_line(run.err, line);
    }
    RERUN(&run, "csv=-", "stdout=", "use", "stdout=database", "record");
    assert_string_equal(scratch_read("database"), "");
    assert_one_line(run.err, "csv: -: this stream is another file than at first use");
}

TEST(stdout_that_is_closed_is_one_line)
{
    RERUN(&run, "csv=-,table=figures", "record", "stdout=");
    assert_one_line(run.err, strerror(EBADF));
    assert_contains(scratch_read("figures"), "eProf Result");
}

TEST(stdout_that_is_a_file_from_the_start_is_written)
{
    RERUN(&run, "csv=-", "stdout=log", "record");
    assert_reports_calls(scratch_read("log"), 1);
    assert_string_equal(run.err, "");
}

/* The earlier output of the program stays. */
TEST(file_behind_a_name_of_descriptor_1_is_not_replaced)
{
    RERUN(&run, "csv=/proc/self/fd/1", "stdout=log", "say=before", "record");
    const char *log = scratch_read("log");
    assert_contains(log, "before\n");
    assert_contains(log, "\ninstance,a,");
    assert_string_equal(run.err, "");
}

/* ------------------------------------------------------------ a named pipe -- */

TEST(pipe_that_nobody_reads_does_not_keep_the_program_from_ending)
{
    assert_return_code(mkfifo("pipe", 0600), errno);
    RERUN(&run, "csv=pipe,table=figures", "alarm=60", "record");
    assert_one_line(run.err, "pipe: no program reads from this pipe");
    assert_contains(scratch_read("figures"), "eProf Result");
}

TEST(socket_is_not_taken_for_a_pipe)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_return_code(end, errno);
    assert_return_code(bind(end, (const struct sockaddr *)&address, sizeof address), errno);
    RERUN(&run, "csv=socket", "record");
    close(end);
    assert_one_line(run.err, strerror(ENXIO));
}

/* Starts a child that copies the bytes from the pipe. */
static pid_t start_reader(const char *pipe, const char *copy)
{
    char bytes[512];
    pid_t reader = fork();
    assert_return_code(reader, errno);
    if (reader != 0)
        return reader;
    int from = open(pipe, O_RDONLY), to = open(copy, O_WRONLY | O_CREAT, 0600);
    bool is_whole = from >= 0 && to >= 0;
    for (ssize_t got; is_whole && (got = read(from, bytes, sizeof bytes)) != 0;)
        is_whole = write(to, bytes, (size_t)got) == got;
    _exit(!is_whole);
}

TEST(pipe_with_a_reader_gets_the_whole_report)
{
    const int paths = 500; /* about 25 times the size of the pipe */
    char row[32];
    int status = -1;
    assert_return_code(mkfifo("pipe", 0600), errno);
    pid_t reader = start_reader("pipe", "copy");
    int end = open("pipe", O_WRONLY | O_CLOEXEC); /* waits until the reader has opened it */
    assert_return_code(end, errno);
    fcntl(end, F_SETPIPE_SZ, 4096);
    RERUN(&run, "csv=pipe", "alarm=60", "paths=500");
    assert_string_equal(run.err, "");
    close(end);
    assert_int_equal(waitpid(reader, &status, 0), reader);
    assert_int_equal(status, 0);
    const char *at = scratch_read("copy");
    assert_memory_equal(at, "kind,name,", 10);
    for (int i = 0; i < paths; i++) {
        snprintf(row, sizeof row, "\nscope,path %d,", i);
        assert_contains(at, row);
    }
}

/* ------------------------------------------------- where relative paths are -- */

TEST(percent_signs_of_the_directory_are_no_pattern)
{
    static const char *const names[] = {"a%pb", "100%", "%%", "%p"};
    char path[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char go[32];
        assert_return_code(mkdir(names[i], 0700), errno);
        snprintf(go, sizeof go, "chdir=%s", names[i]);
        RERUN(&run, "csv=of%%p,image=image", go, "setup=table=table-%p", "record", "fork",
              "record");
        assert_string_equal(run.err, "");
        assert_return_code(chdir(names[i]), errno);
        assert_reports_calls(scratch_read("of%p"), 1);
        snprintf(path, sizeof path, "table-%ld", (long)run.process_id);
        assert_contains(scratch_read(path), "eProf Result");
        assert_return_code(access("image", F_OK), errno);
        snprintf(path, sizeof path, "image.%ld", child_id());
        assert_return_code(access(path, F_OK), errno);
        assert_int_equal(scratch_files(), 6);
        assert_int_equal(system("rm -f ./*"), 0);
        assert_return_code(chdir(".."), errno);
    }
}

TEST(program_for_names_is_a_path_and_no_pattern)
{
    assert_return_code(mkdir("a%pb", 0700), errno);
    assert_return_code(symlink("/bin/sh", "a%pb/50%%"), errno);
    RERUN(&run, "symbolizer=50%%,csv=/dev/null", "chdir=a%pb", "record");
    assert_string_equal(run.err, "");
    assert_return_code(unlink("a%pb/50%%"), errno);
}

/* ------------------------------------------------------------------- fork -- */

TEST(forked_child_writes_its_own_figures_to_path_dot_pid)
{
    char path[64];
    RERUN(&run, "csv=figures", "record", "record", "fork", "record");
    assert_reports_calls(scratch_read("figures"), 2);
    snprintf(path, sizeof path, "figures.%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
    assert_int_equal(scratch_files(), 2);
    assert_string_equal(run.err, "");
}

TEST(forked_child_writes_to_path_where_it_has_the_process_id)
{
    char path[64];
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

TEST(relative_path_of_a_forked_child_is_from_the_first_directory)
{
    char path[64];
    RERUN(&run, "csv=figures", "use", "chdir=/", "record", "fork", "chdir=/dev", "record");
    snprintf(path, sizeof path, "figures.%ld", child_id());
    assert_reports_calls(scratch_read(path), 1);
}

/* The library was not used before the fork: each process is a program of its own. */
TEST(child_forked_before_the_first_use_writes_too)
{
    RERUN(&run, "csv=figures-%p", "fork", "record");
    assert_int_equal(scratch_files(), 1);
}

/* ------------------------------------------------------ what cannot be done -- */

TEST(full_disk_is_one_line_and_the_earlier_file_is_still_there)
{
    scratch_write("figures", "of the run before\n");
    RERUN(&run, "csv=figures", "record", "disk=100");
    assert_string_equal(run.out, "");
    assert_one_line(run.err, "figures");
    assert_contains(run.err, strerror(EFBIG));
    assert_string_equal(scratch_read("figures"), "of the run before\n");
    assert_int_equal(scratch_files(), 1); /* the file that was begun was removed */
}

TEST(full_disk_does_not_keep_the_others_from_being_written)
{
    RERUN(&run, "csv=/dev/full,json=/nowhere/figures,table=figures", "record");
    assert_contains(run.err, "/dev/full");
    assert_contains(run.err, strerror(ENOSPC));
    assert_contains(run.err, "/nowhere/figures");
    assert_contains(run.err, strerror(ENOENT));
    assert_contains(scratch_read("figures"), "eProf Result");
}

TEST(path_of_several_lines_is_still_named_on_one)
{
    RERUN(&run, "csv=/nowhere/two\nlines\x1b[2J", "record");
    assert_one_line(run.err, "/nowhere/two");
    assert_null(strchr(run.err, '\x1b'));
}

TEST(full_stdout_is_one_line)
{
    RERUN(&run, "csv=-", "stdout=/dev/full", "record");
    assert_one_line(run.err, strerror(ENOSPC));
}

int main(int count, char **arguments)
{
    if (count > 1)
        return rerun_main(arguments + 1);
    return tests_run("exit", scratch_enter, scratch_leave);
}
