#include "exit_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "eprof.h"
#include "exit_tree.h"
#include "process.h"
#include "replace.h"
#include "stderr_line.h"

/* A report that was asked for. */
struct output {
    struct output *next;
    const struct ep_report *report;
    bool is_of_environment;
    char *format; /* the report's name with its options */
    char *path;   /* absolute, or "-"; `%p` and `%%` still in it; NULL: stderr */
};

static struct output *outputs; /* in the order in which they were named */
static pid_t process_id;       /* of the process that first used the library */
static char *directory;        /* at first use; relative paths are from there */

/* ---- what is asked for ---- */

static char *absolute(const char *path)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || !directory)
        return strdup(path);
    size_t bytes = strlen(directory) + strlen(path) + 2;
    char *whole = malloc(bytes);
    if (whole)
        snprintf(whole, bytes, "%s/%s", directory, path);
    return whole;
}

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
        output->format = strndup(format, format_bytes);
        output->path = path ? absolute(path) : NULL;
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

/* The path of this process: `%p` is its id, and a forked child's that has none
 * gets it behind a dot. */
static char *expand(const char *path, bool is_child)
{
    char *expanded;
    size_t bytes;
    FILE *text = open_memstream(&expanded, &bytes);
    if (!text)
        return NULL;
    for (const char *c = path; *c; c++) {
        if (c[0] == '%' && c[1] == 'p') {
            fprintf(text, "%ld", (long)getpid());
            is_child = false;
            c++;
        } else {
            c += c[0] == '%' && c[1] == '%';
            fputc(*c, text);
        }
    }
    if (is_child)
        fprintf(text, ".%ld", (long)getpid());
    if (fclose(text) == 0)
        return expanded;
    free(expanded);
    return NULL;
}

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

static void write_output(const struct output *output, const char *path)
{
    int result;
    if (!output->path)
        result = ep_stderr_line_is_same() ? eprof_report(stderr, output->format) : 0;
    else if (strcmp(output->path, "-") == 0)
        result = eprof_report(stdout, output->format);
    else
        result = path ? write_file(output->format, path) : -1;
    if (result == 0)
        return;
    const char *why = strerror(errno);
    char before[64];
    snprintf(before, sizeof before, "%s: ", output->format);
    const char *place = output->path ? output->path : "stderr";
    ep_stderr_line(before, path ? path : place, "", why);
}

static void write_outputs(void)
{
    bool is_child = getpid() != process_id;
    for (const struct output *output = outputs; output; output = output->next) {
        bool is_file = output->path && strcmp(output->path, "-") != 0;
        char *path = is_file ? expand(output->path, is_child) : NULL;
        write_output(output, path);
        free(path);
    }
}

static void write_at_exit(void)
{
    /* a forked child that recorded nothing has nothing to say */
    if (!ep_process_is_ready() || ep_process.is_off)
        return;
    if (outputs)
        write_outputs();
    else
        ep_exit_tree_write();
}

void ep_exit_report_begin(void)
{
    process_id = getpid();
    directory = getcwd(NULL, 0);
    atexit(write_at_exit);
}
