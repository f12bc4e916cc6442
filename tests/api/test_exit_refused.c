/*
 * The reports at exit of a program whose exit handlers were refused by the C library for lack of
 * memory
 */
#include "report_line.h"
#include "rerun.h"
#include "scratch.h"

#include <dlfcn.h>

static struct rerun run;

/* atexit() calls this function in glibc. */
typedef int at_exit(void (*act)(void *), void *argument, void *object);
at_exit __cxa_atexit;

static int refused; /* the number of calls to refuse next */

int __cxa_atexit(void (*act)(void *), void *argument, void *object)
{
    if (refused > 0) {
        refused--;
        return -1;
    }
    at_exit *real = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "__cxa_atexit");
    return real(act, argument, object);
}

TEST(tree_comes_all_the_same)
{
    RERUN(&run, NULL, "2", "scope");
    assert_contains(run.err, "\neProf Tree: ");
    RERUN(&run, NULL, "1", "scope");
    assert_contains(run.err, "\neProf Tree: ");
}

TEST(reports_that_were_asked_for_come_all_the_same)
{
    RERUN(&run, "csv=figures", "2", "record");
    assert_string_equal(run.err, "");
    assert_contains(scratch_read("figures"), "\ninstance,a,a,");
    RERUN(&run, NULL, "2", "setup=csv=-", "record");
    assert_contains(run.out, "\ninstance,a,a,");
}

TEST(source_that_never_came_is_told_before_the_reports_that_count_it)
{
    RERUN(&run, "source=of nobody,csv=-", "1", "record");
    assert_contains(run.err, "source=of nobody");
    assert_contains(run.out, "diagnostic,items_not_understood,");
}

TEST(source_is_refused_where_nobody_could_tell_that_it_never_came)
{
    RERUN(&run, "source=of nobody,csv=-", "2", "record");
    assert_contains(run.err, "\"source=of nobody\" in EPROF or eprof_setup(): no memory");
    assert_contains(run.out, "diagnostic,items_not_understood,");
}

int main(int count, char **arguments)
{
    if (count > 1) {
        refused = atoi(arguments[1]);
        return rerun_main(arguments + 2);
    }
    return tests_run("exit_refused", scratch_enter, scratch_leave);
}
