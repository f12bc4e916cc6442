#include "exit_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "eprof.h"
#include "exit_moment.h"
#include "exit_names.h"
#include "exit_tree.h"
#include "path_pattern.h"
#include "process.h"
#include "profile.h"
#include "replace.h"
#include "stderr_line.h"
#include "write_signals.h"

/* A report that was asked for. */
struct output {
    struct output *next;
    const struct ep_report *report;
    bool is_of_environment;
    pid_t owner;  /* of the path */
    char *format; /* the report's name with its options */
    char *path;   /* absolute, or "-", as a pattern; NULL: stderr */
};

static struct output *outputs; /* in the order in which they were named */

/* ---- what is asked for ---- */

static void free_output(struct output *output)
{
    if (output) {
        free(output->format);
        free(output->path);
        free(output);
    }
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Reports stand in the order in which they were named, each once. A format that
 * the environment names is the environment's, whatever the program says of it. */
static void add_output(struct output *added)
{
    struct output **link = &outputs;
    for (; *link; link = &(*link)->next) {
        const struct output *old = *link;
        bool wins =
            old->report == added->report && old->is_of_environment && !added->is_of_environment;
        if (wins || (is_same(old->format, added->format) && is_same(old->path, added->path))) {
            free_output(added);
            return;
        }
    }
    *link = added;
}

int ep_exit_report_add(const struct ep_report *report, const char *format, size_t format_bytes,
                       const char *path, bool is_of_environment)
{
    struct output *output = calloc(1, sizeof *output);
    if (output) {
        output->report = report;
        output->is_of_environment = is_of_environment;
        output->owner = ep_path_pattern_owner(is_of_environment);
        output->format = strndup(format, format_bytes);
        output->path = path ? ep_path_pattern_absolute(path) : NULL;
    }
    if (!output || !output->format || (path && !output->path)) {
        free_output(output);
        errno = ENOMEM;
        return -1;
    }
    add_output(output);
    return 0;
}

/* ---- at exit ---- */

static int write_file(const char *format, const char *path)
{
    struct ep_replace file;
    if (ep_replace_open(&file, path) != 0)
        return -1;
    int error = eprof_report(file.stream, format) != 0 ? errno : 0;
    if (ep_replace_close(&file, !error) != 0 && !error)
        error = errno;
    errno = error;
    return error ? -1 : 0;
}

/* Whether it stands on stderr now. */
static bool write_output(const struct output *output, const char *path)
{
    int result;
    if (!output->path)
        result = ep_stderr_line_is_same() ? eprof_report(stderr, output->format) : 0;
    else if (strcmp(output->path, "-") == 0)
        result = eprof_report(stdout, output->format);
    else
        result = path ? write_file(output->format, path) : -1;
    if (result == 0)
        return !output->path;
    const char *why = strerror(errno);
    char before[64];
    snprintf(before, sizeof before, "%s: ", output->format);
    const char *place = output->path ? output->path : "stderr";
    ep_stderr_line(before, path ? path : place, "", why);
    return false;
}

/* Whether one of them stands on stderr now. */
static bool write_outputs(void)
{
    bool is_any_on_stderr = false;
    for (const struct output *output = outputs; output; output = output->next) {
        bool is_file = output->path && strcmp(output->path, "-") != 0;
        char path[PATH_MAX];
        errno = 0;
        is_file = is_file && ep_path_pattern_expand(output->path, output->owner, path) == 0;
        is_any_on_stderr |= write_output(output, is_file ? path : NULL);
    }
    return is_any_on_stderr;
}

static void write_reports(void)
{
    ep_exit_names_find();
    if (outputs ? write_outputs() : ep_exit_tree_write())
        ep_exit_names_explain();
}

/* They are of one moment. */
static void set_moment(void (*set)(void))
{
    if (ep_process_lock() == 0) {
        set();
        ep_process_unlock();
    }
}

static void write_at_exit(void)
{
    /* a forked child that recorded nothing has nothing to say */
    if (!ep_process_is_ready() || ep_process.is_off)
        return;
    struct ep_write_signals signals;
    ep_profile_close();
    ep_write_signals_hold(&signals);
    set_moment(ep_exit_moment_begin);
    if (outputs || (!ep_profile_is_whole() && ep_exit_tree_is_wanted()))
        write_reports();
    set_moment(ep_exit_moment_end);
    ep_write_signals_release(&signals);
}

static bool is_begun; /* the C library knows of write_at_exit() */

void ep_exit_report_begin(void)
{
    is_begun = atexit(write_at_exit) == 0;
}

/* Beyond the first 32 handlers of a program each takes memory, and there may have been none: then
 * it is done behind all of them, and nobody misses a report. */
__attribute__((destructor)) static void write_late(void)
{
    if (!is_begun)
        write_at_exit();
}
