/*
 * host_results.c - the calls that return the recorded data, and processes that fork
 */
#include <eprof.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "host_check.h"
#include "host_expect.h"
#include "host_made.h"

/* Some calls of each kind. */
static void record(void)
{
    int id = host_allocate("instance");
    for (int i = 0; i < 3 && id >= 0; i++) {
        eprof_start(id);
        eprof_stop(id);
        host_made.instances++;
    }
    for (int i = 0; i < 3 && id >= 0; i++) {
        eprof_enter("outer");
        eprof_enter("inner");
        eprof_leave();
        eprof_leave();
        host_made.scopes += 2;
    }
}

/* ---- immediate results ---- */

static void read_rows(eprof_snapshot *snapshot, const char *call)
{
    if (host_expect_pointer(snapshot, call) != 0)
        return;
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        EXPECT(eprof_snapshot_row(snapshot, i, &row));
    }
    eprof_snapshot_free(snapshot);
}

static void snapshots(void)
{
    record();
    read_rows(eprof_snapshot_take(), "eprof_snapshot_take()");
    read_rows(eprof_snapshot_take_threads(), "eprof_snapshot_take_threads()");
}

/* The stream belongs to the program, and none of its calls fail. */
static void report(const char *format)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    EXPECT(eprof_report(stream, format));
    fclose(stream);
    free(text);
}

#define REPORT(format)                                                                             \
    static void report_##format(void)                                                              \
    {                                                                                              \
        record();                                                                                  \
        report(#format);                                                                           \
    }
REPORT(table)
REPORT(tree)
REPORT(csv)
REPORT(json)
REPORT(html)
REPORT(folded)
REPORT(speedscope)
REPORT(callgrind)
REPORT(openmetrics)

static void openmetrics_again(void)
{
    record();
    report("openmetrics");
    record();
    report("openmetrics:threads");
}

static void print(void)
{
    record();
    eprof_print();
    clearerr(stdout);
    fflush(stdout);
    putchar('\n'); /* the report may have ended in the middle of this line */
}

static void save(void)
{
    record();
    if (EXPECT(eprof_save("out")) == 0)
        EXPECT(eprof_save("new"));
}

/* ---- results at exit, requested by the environment or by default ---- */

static void at_exit(void)
{
    record();
}

/* With `off` in the environment: if there is no memory for reading it, this is not known, and a
 * message says so. */
static void at_exit_off(void)
{
    record();
    host_made.is_counted = false;
}

static void setup(void)
{
    record();
    host_expect_setup(eprof_setup("csv=out,limit=1M"));
    host_expect_setup(eprof_setup("image=new"));
    record();
}

static void grow(void)
{
    record();
    for (int i = 0; i < 400; i++) {
        char label[300];
        snprintf(label, sizeof label, "%0250d", i);
        int id = host_allocate(label);
        if (id < 0)
            continue;
        eprof_start(id);
        eprof_stop(id);
        host_made.instances++;
    }
}

/* ---- processes ---- */

static void forks(void)
{
    record();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        host_begin_child();
        record();
        host_check();
        exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        host_complain("the child's status is %d", status);
    record();
}

const struct host_chapter host_results[] = {{"snapshots", snapshots, false},
                                            {"table", report_table, false},
                                            {"tree", report_tree, false},
                                            {"csv", report_csv, false},
                                            {"json", report_json, false},
                                            {"html", report_html, false},
                                            {"folded", report_folded, false},
                                            {"speedscope", report_speedscope, false},
                                            {"callgrind", report_callgrind, false},
                                            {"openmetrics", report_openmetrics, false},
                                            {"openmetrics_again", openmetrics_again, false},
                                            {"print", print, false},
                                            {"save", save, false},
                                            {"at_exit", at_exit, true},
                                            {"at_exit_off", at_exit_off, true},
                                            {"setup", setup, true},
                                            {"grow", grow, false},
                                            {"forks", forks, true},
                                            {NULL, NULL, false}};
