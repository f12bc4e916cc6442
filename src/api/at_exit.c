#include "api/at_exit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/path_pattern.h"
#include "api/profile.h"
#include "api/results.h"
#include "api/stderr_line.h"
#include "base/file.h"
#include "base/helper.h"
#include "clock/source.h"
#include "image/names.h"
#include "instrument/function_filter.h"
#include "instrument/function_table.h"
#include "instrument/module.h"
#include "record/process_life.h"

/* ---- names of functions: the program eprof looks them up, since the library has no reader of
 * debug information ---- */

static struct ep_image_names image_names;
static bool was_program_found;
static int names_error; /* why names are missing; 0: none is */

static struct ep_image *merged; /* that reports are of; NULL: of this process */

static int locked(int (*step)(struct ep_image_names *names, struct ep_image *image))
{
    if (merged)
        return step(&image_names, merged);
    if (ep_process_lock() != 0)
        return -1;
    int result = step(&image_names, &ep_process.image);
    ep_process_unlock();
    return result;
}

static int collect(struct ep_image_names *names, struct ep_image *image)
{
    return ep_image_names_add(names, image);
}

static int fill(struct ep_image_names *names, struct ep_image *image)
{
    if (merged && ep_image_extend(image, ep_image_names_cells(names)) != 0)
        return -1;
    return ep_image_names_fill(names, image);
}

static const struct ep_tree_cell *tree_of_image(void)
{
    return ep_image_tree(merged ? merged : &ep_process.image);
}

/* Names that arrived before an error are used. */
static void find_names(void)
{
    if (!ep_load_acquire(&tree_of_image()->modules))
        return; /* there are no functions */
    char *program = ep_helper_program_find();
    char *arguments[] = {program, (char[]){"symbolize"}, NULL};
    was_program_found = program != NULL;
    if (locked(collect) != 0 || (program && ep_image_names_ask(&image_names, arguments) != 0))
        names_error = errno;
    else if (!program)
        names_error = ENOENT;
    if (locked(fill) != 0 && !names_error)
        names_error = errno;
    free(program);
}

static void explain_failure(void)
{
    const char *why = strerror(names_error);
    if (!was_program_found)
        why = "those of no dynamic symbol are missing, since the program eprof was not found: run "
              "this program by `eprof run`, or name it by symbolizer=PATH in EPROF";
    else if (names_error == EPROTO)
        why = "some are missing, since symbolizer=PATH in EPROF, or the eprof that was found, is "
              "another program, or broke off: run this program by `eprof run`";
    ep_stderr_line("", "names of functions", "", why);
}

/* Says after a report on stderr why functions in it have no names. A fault is escaped like the
 * name, since another program wrote it. */
static void explain_names(void)
{
    if (names_error)
        explain_failure();
    for (size_t i = 0; i < image_names.count; i++) {
        const struct ep_names_module *module = &image_names.modules[i];
        char *what;
        if (!*module->fault || asprintf(&what, "%s %s", module->path, module->fault) < 0)
            continue;
        ep_stderr_line("", what, "", "its functions are shown by dynamic symbol, or address");
        free(what);
    }
}

/* ---- the call tree that is written by default ---- */

static bool is_reported, is_quiet;

void ep_at_exit_tree_reported(void)
{
    ep_store(&is_reported, true);
}

void ep_at_exit_be_quiet(void)
{
    is_quiet = true;
}

/* Whether there are scopes, and the program has not reported by itself. */
static bool is_tree_wanted(void)
{
    bool has_scopes = ep_load(&tree_of_image()->site_count) >= EP_SITE_FIRST;
    return has_scopes && !is_quiet && !ep_load(&is_reported) &&
           getpid() == ep_stderr_line_loader_id() && ep_stderr_line_is_same();
}

/* Returns whether there were rows to write. */
static bool write_tree(void)
{
    static const char format[] = "tree";
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(format, strlen(format), &options);
    eprof_snapshot *snapshot =
        merged ? ep_snapshot_take_stored(merged, options) : ep_results_take(options, false);
    bool has_rows =
        snapshot && (snapshot->scope_first < snapshot->diagnostic_first || snapshot->value_count);
    if (has_rows) {
        snapshot->hint = merged ? EP_HINT_OPTIONS : EP_HINT_ITEMS;
        ep_report_write(report, snapshot, stderr); /* nowhere to report an error on stderr */
    }
    ep_snapshot_free(snapshot);
    return has_rows;
}

/* ---- the requested reports ---- */

struct output {
    struct output *next;
    const struct ep_report *report;
    bool is_of_environment;
    pid_t owner;  /* of the path */
    char *format; /* the report's name with its options */
    char *path;   /* absolute, or "-", as a pattern; NULL: stderr */
};

static struct output *outputs; /* in the order in which they were named */
static uint64_t of_rank;       /* 0, or of a job whose processes could not merge: added to paths */
static struct stat stdout_at_first;
static bool is_begun; /* write_at_exit() is registered */
static void (*forget_settings)(void);
static bool has_run; /* write_at_exit() has been called */

static void free_output(struct output *output)
{
    if (output) {
        free(output->format);
        free(output->path);
        free(output);
    }
}

/* Keeps the order in which the reports were named, each once. A format that the environment names
 * cannot be redirected by the program. */
static void add_output(struct output *added)
{
    struct output **link = &outputs;
    for (; *link; link = &(*link)->next) {
        const struct output *old = *link;
        bool wins =
            old->report == added->report && old->is_of_environment && !added->is_of_environment;
        bool has_same_path = old->path && added->path ? strcmp(old->path, added->path) == 0
                                                      : old->path == added->path;
        if (wins || (strcmp(old->format, added->format) == 0 && has_same_path)) {
            free_output(added);
            return;
        }
    }
    *link = added;
}

int ep_at_exit_report_add(const struct ep_report *report, const char *format, size_t format_bytes,
                          const char *path, bool is_of_environment)
{
    struct output *output = calloc(1, sizeof *output);
    if (output) {
        output->report = report;
        output->is_of_environment = is_of_environment;
        output->owner = ep_path_pattern_owner(is_of_environment);
        output->format = strndup(format, format_bytes);
        output->path = path ? ep_path_pattern_absolute(path, true) : NULL;
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

/* Fails with ENXIO if nobody reads the pipe, since the end of the program must not wait for a
 * reader. Once the pipe is open, writing waits for it. */
static int open_pipe(struct ep_replace *file, const char *path)
{
    int descriptor = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    *file = (struct ep_replace){.stream = NULL};
    if (fcntl(descriptor, F_SETFL, O_APPEND) == 0)
        file->stream = fdopen(descriptor, "a");
    if (file->stream)
        return 0;
    ep_file_close(descriptor);
    return -1;
}

static bool is_pipe(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
}

static int write_file(const char *format, const char *path)
{
    struct ep_replace file;
    if ((is_pipe(path) ? open_pipe(&file, path) : ep_file_replace_open(&file, path)) != 0)
        return -1;
    int error = ep_results_write(file.stream, format, merged) != 0 ? errno : 0;
    if (ep_file_replace_close(&file, !error) != 0 && !error)
        error = errno;
    errno = error;
    return error ? -1 : 0;
}

/* The descriptor of the standard stream that a path names; -1: none. */
static int stream_of(const char *path)
{
    static const char *const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
                                        "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"};
    for (size_t i = 0; i < 6; i++)
        if (strcmp(path, names[i]) == 0)
            return i < 3 ? STDOUT_FILENO : STDERR_FILENO;
    return -1;
}

/* Whether the standard stream at a path is another file than at first use: the program may have
 * closed descriptor 1 and opened its database under that number. A program that gives `stdout`
 * another descriptor, or none, does so on purpose. If the stream is closed, the write reports the
 * error. */
static bool is_taken(const char *path)
{
    struct stat now;
    bool is_stdout = strcmp(path, "-") == 0;
    int stream = is_stdout ? fileno(stdout) : stream_of(path);
    if (stream == STDERR_FILENO && !is_stdout)
        return !ep_stderr_line_is_same();
    return stream == STDOUT_FILENO && fstat(STDOUT_FILENO, &now) == 0 &&
           (now.st_dev != stdout_at_first.st_dev || now.st_ino != stdout_at_first.st_ino);
}

static void complain(const char *format, const char *where, const char *why)
{
    char before[64];
    snprintf(before, sizeof before, "%s: ", format);
    ep_stderr_line(before, where, "", why);
}

/* Returns whether it was written to stderr. */
static bool write_output(const struct output *output)
{
    static char path[PATH_MAX]; /* too long for the smallest stack of a thread */
    const char *where = output->path ? output->path : "stderr";
    bool is_file = output->path && strcmp(output->path, "-") != 0;
    int error = 0, result = 0;
    if (!is_file && is_quiet)
        return false;
    if (is_file && ep_path_pattern_expand(output->path, output->owner, of_rank, path) != 0)
        error = errno;
    else if (is_file)
        where = path;
    if (is_taken(where)) {
        complain(output->format, where, "this stream is another file than at first use");
        return false;
    }
    if (is_file)
        result = error ? 0 : write_file(output->format, path);
    else if (output->path)
        result = ep_results_write(stdout, output->format, merged);
    else if (ep_stderr_line_is_same())
        result = ep_results_write(stderr, output->format, merged);
    if (result != 0)
        error = errno;
    if (error)
        complain(output->format, where,
                 error == ENXIO && is_file && is_pipe(path) ? "no program reads from this pipe"
                                                            : strerror(error));
    return !error && !output->path;
}

/* Returns whether one of them was written to stderr. */
static bool write_outputs(void)
{
    bool is_any_on_stderr = false;
    for (const struct output *output = outputs; output; output = output->next)
        is_any_on_stderr |= write_output(output);
    return is_any_on_stderr;
}

/* All reports are of one moment. */
static void set_moment(void (*set)(void))
{
    if (ep_process_lock() == 0) {
        set();
        ep_process_unlock();
    }
}

static void write_reports(void)
{
    if (!outputs && (ep_profile_is_whole() || !is_tree_wanted()))
        return;
    find_names();
    if (outputs ? write_outputs() : write_tree())
        explain_names();
}

/* ---- a process of a job (eprof/job.h) ---- */

static pid_t job_process, reported_process; /* 0: none; not those of forked children */

void ep_at_exit_job_begin(void)
{
    job_process = getpid();
}

void ep_at_exit_job_end(struct ep_image *image)
{
    struct ep_write_signals signals;
    reported_process = getpid();
    if (!image)
        return;
    ep_file_signals_hold(&signals);
    merged = image;
    write_reports();
    fflush(stdout); /* the program may end without it, after MPI_Finalize() */
    merged = NULL;
    ep_file_signals_release(&signals);
}

void ep_at_exit_job_fail(uint64_t of_rank_here)
{
    of_rank = of_rank_here;
}

static void write_at_end(void)
{
    /* a forked child that recorded nothing reports nothing */
    if (!ep_process_is_ready() || ep_process.is_off)
        return;
    struct ep_write_signals signals;
    ep_profile_close();
    if (reported_process == getpid())
        return;
    ep_file_signals_hold(&signals);
    set_moment(ep_results_moment_begin);
    write_reports();
    set_moment(ep_results_moment_end);
    ep_file_signals_release(&signals);
}

static bool is_late; /* write_at_exit() left the reports to the last destructor */

static void write_at_exit(void)
{
    has_run = true;
    is_late = job_process == getpid() && reported_process != job_process;
    if (!is_late)
        write_at_end();
}

void ep_at_exit_begin(void (*forget)(void))
{
    forget_settings = forget;
    fstat(STDOUT_FILENO, &stdout_at_first);
    is_begun = atexit(write_at_exit) == 0;
}

/* ---- unloaded: dlclose() of a plug-in that contains the static library ---- */

/*
 * Its code and variables are unmapped, so the library releases its memory, files and handlers. At
 * the end of the process it releases nothing: other threads still run, and destructors follow.
 *
 * exit() calls all handlers of atexit() and then the destructors of all modules. dlclose() calls
 * the destructors of one module, and the last of those without a priority, which is the compiler's
 * own, calls the module's handlers. So a destructor that runs before any handler was called means
 * that the module is being unloaded. A destructor of the program may still record after that, so
 * everything is released in the very last destructor, whose priority puts it after the handlers.
 *
 * Some handlers run after the destructors at exit(), too: those that were registered before the C
 * library registered the destructors (at a first use in a constructor of a library that the program
 * starts with, or in .preinit_array). Modules that the program starts with are never unloaded, so
 * they are excluded. A module that is linked with -z nodelete, as libeprof.so is, is not unloaded
 * either.
 */
static bool may_be_unloaded, is_unloading;

/* Before the program can change its environment. */
__attribute__((constructor)) static void look_whether_of_start(void)
{
    may_be_unloaded = !ep_module_is_of_start((uintptr_t)&may_be_unloaded);
}

/* atexit() needs memory after the first 32 handlers, and may have failed: then the reports are
 * written after all handlers. */
__attribute__((destructor)) static void end_late(void)
{
    is_unloading = is_begun && !has_run && may_be_unloaded;
    if (!is_begun || is_late)
        write_at_end();
}

__attribute__((destructor(101))) static void give_back(void)
{
    if (!is_unloading)
        return;
    while (outputs) {
        struct output *next = outputs->next;
        free_output(outputs);
        outputs = next;
    }
    ep_image_names_free(&image_names);
    forget_settings();
    ep_profile_forget();
    ep_helper_program_forget();
    ep_results_forget();
    ep_module_release_all();
    ep_function_filter_release();
    ep_function_release();
    ep_process_release();
    ep_source_release_all(); /* the image is of one of them until then */
}
