/*
 * The content of an image file after the program has ended, in any way: calls, and notes of a
 * report
 */
#include "report/report.h"
#include "report_line.h"
#include "scratch.h"
#include "stored.h"
#include "ways_to_end.h"

#include <sys/resource.h>

/* ---- ended and open calls ---- */

static void record_some(void)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    for (int i = 0; i < 3; i++)
        program_record(id);
    EPROF_BLOCK("outer")
    {
        hand_ticks += 5;
        program_enter("inner");
        program_enter("inner");
    }
    eprof_start(id); /* recursion counts as calls */
    program_record(id);
    eprof_stop(id);
}

static void record_and_end(void *way)
{
    record_some();
    ((const struct way *)way)->end();
}

static void assert_every_way(void (*act)(void *way), const char *rows)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct way way = ways[i];
        program_run(&program, "image=profile", act, &way);
        if (program.status != way.status)
            fail_msg("%s: status %d", way.name, program.status);
        const char *found = stored_text("profile");
        if (strcmp(found, rows) != 0)
            fail_msg("%s: \"%s\", and not \"%s\"", way.name, found, rows);
        assert_int_equal(stored_state("profile"), EP_STATE_RUNNING);
    }
}

TEST(ended_calls_are_there)
{
    assert_every_way(record_and_end, "instance a 5/4 40\n"
                                     "scope outer 1/1 25\n"
                                     "scope outer;inner 2/2 20\n"
                                     "diagnostic not_closed 1\n");
}

static void end_inside(void *way)
{
    hand_clock_use();
    int id = eprof_alloc("a");
    program_record(id);
    eprof_start(id);
    EPROF_SCOPE("outer");
    hand_ticks += 7;
    program_enter("inner");
    EPROF_SCOPE("not ended");
    hand_ticks += 100;
    ((const struct way *)way)->end();
}

/* An open call has the time of the calls that had ended inside it. */
TEST(open_calls_are_shown_as_open)
{
    assert_every_way(end_inside, "instance a 1/1 10 open 1\n"
                                 "scope outer 0/0 10 open 1\n"
                                 "scope outer;inner 1/1 10\n"
                                 "scope outer;not ended 0/0 0 open 1\n"
                                 "diagnostic not_closed 1\n");
}

static void end_in_holds(void *way)
{
    hand_clock_use();
    eprof_hold();
    program_enter("kept");
    eprof_keep(true);
    eprof_hold();
    program_enter("dropped");
    eprof_keep(false);
    eprof_hold();
    program_enter("kept"); /* in a hold that is never decided */
    program_enter("undecided");
    eprof_hold();
    program_enter("kept");
    eprof_keep(true);
    ((const struct way *)way)->end();
}

TEST(calls_in_an_undecided_hold_are_not_there)
{
    assert_every_way(end_in_holds, "scope kept 1/1 10\n"
                                   "diagnostic not_closed 1\n");
}

/* ---- notes ---- */

static void fork_a_child(void (*act)(void))
{
    pid_t child = fork();
    if (child == 0) {
        act();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void record_in_a_child(void)
{
    program_enter("in the child");
}

static void do_nothing(void)
{
}

/* Two regions that never end, one of three holds kept, two children. */
static void note_and_end(void *way)
{
    hand_clock_use();
    {
        EPROF_SCOPE("around");
        eprof_enter("second");
        eprof_enter("first");
    }
    for (int i = 0; i < 3; i++) {
        eprof_hold();
        program_enter("held");
        eprof_keep(i == 1);
    }
    eprof_hold(); /* not decided */
    program_enter("held");
    fork_a_child(record_in_a_child);
    fork_a_child(do_nothing);
    ((const struct way *)way)->end();
}

/* The report on a file; the caller frees it. */
static char *report_of_file(const char *path, const char *format)
{
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    struct stored stored;
    char *text = NULL;
    size_t bytes = 0;
    stored_open_with(&stored, path, options);
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_return_code(ep_report_write(report, stored.snapshot, out), errno);
    fclose(out);
    stored_close(&stored);
    return text;
}

static void assert_noted(const char *path, const char *children)
{
    char *text = report_of_file(path, "table");
    assert_string_equal(line_of_text(text, "(forced_closes)"),
                        "2 regions whose end never came (forced_closes): first, second; look for a "
                        "longjmp() out of it, or a missing eprof_leave()");
    assert_string_equal(line_of_text(text, "holds:"), "holds: 1 of 3 kept");
    assert_string_equal(line_of_text(text, " forked"), children);
    free(text);
}

static void remove_images_of_children(void)
{
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strncmp(entry->d_name, "profile.", 8) == 0)
            unlink(entry->d_name);
    closedir(here);
}

TEST(notes_are_there_after_every_way_to_end)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct program program;
        struct way way = ways[i];
        program_run(&program, "image=profile", note_and_end, &way);
        assert_int_equal(program.status, way.status);
        assert_noted("profile", "2 child processes were forked and are not in this report; each "
                                "that records has a profile of its own, which eprof merge adds");
        remove_images_of_children();
    }
}

static void save_and_end(void)
{
    _exit(eprof_save("saved"));
}

static void note_and_save(void *unused)
{
    struct way way = {"save", save_and_end, 0};
    (void)unused;
    note_and_end(&way);
}

TEST(notes_are_in_a_saved_file)
{
    struct program program;
    program_run(&program, NULL, note_and_save, NULL);
    assert_int_equal(program.status, 0);
    assert_noted("saved", "2 child processes were forked and are not in this report; image=PATH in "
                          "EPROF gives each that records a profile");
}

/* The number of children of the parent is not in the files of the children, either. */
TEST(child_has_notes_of_its_own)
{
    struct program program;
    struct way way = ways[0];
    char *text = NULL;
    program_run(&program, "image=profile", note_and_end, &way);
    DIR *here = opendir(".");
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strncmp(entry->d_name, "profile.", 8) == 0)
            text = report_of_file(entry->d_name, "table");
    closedir(here);
    assert_non_null(text);
    assert_string_not_equal(line_of_text(text, "in the child"), "no line");
    assert_string_equal(line_of_text(text, "forced_closes"), "no line");
    assert_string_equal(line_of_text(text, "holds:"), "no line");
    assert_string_equal(line_of_text(text, " forked"), "no line");
    free(text);
}

/* fork() fails if the program has reached its limit of processes. */
static void fork_in_vain(void *unused)
{
    const struct rlimit none = {0, 0};
    (void)unused;
    hand_clock_use();
    program_enter("before");
    errno = 77;
    fork_a_child(do_nothing);
    int kept = errno;
    if (setuid(65534) != 0 || setrlimit(RLIMIT_NPROC, &none) != 0)
        _exit(77);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    _exit(child > 0 ? 77 : kept == 77 ? 0 : 1);
}

TEST(fork_that_failed_made_no_child)
{
    struct program program;
    program_run(&program, "image=profile", fork_in_vain, NULL);
    if (program.status == 77)
        skip(); /* with a user id that no other process has, or as root without limits */
    char *text = report_of_file("profile", "table");
    assert_string_equal(line_of_text(text, " forked"),
                        "1 child process was forked and is not in this report; each that records "
                        "has a profile of its own, which eprof merge adds");
    free(text);
}

TEST_EACH(scratch_enter, scratch_leave)
