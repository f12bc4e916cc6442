#include "environment.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "eprof.h"
#include "process.h"
#include "replace.h"
#include "report.h"

#define KNOWN_ITEMS                                                                                \
    EP_REPORT_NAMES " (each with :threads, :raw, :ticks, and =PATH), source=NAME, off"

/* A report that was asked for. */
struct output {
    struct output *next;
    const struct ep_report *report;
    bool is_of_environment;
    char *format; /* the report's name with its options */
    char *path;   /* absolute, or "-"; `%p` and `%%` still in it; NULL: stderr */
};

/* What was said in EPROF= and eprof_setup(), and what is needed to carry it out
 * when the program ends. */
static struct {
    struct output *outputs;  /* in the order in which they were named */
    bool has_source;         /* EPROF named it */
    char *awaited_source;    /* EPROF named it, and the program has not added it yet */
    pid_t process_id;        /* of the process that loaded the library */
    char *directory;         /* at first use; relative paths are from there */
    struct stat stderr_file; /* at first use */
} settings;

/* ---- one item ---- */

/* A program may have closed descriptor 2 and opened its database under that number. */
static bool stderr_is_the_same(void)
{
    struct stat now;
    return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == settings.stderr_file.st_dev &&
           now.st_ino == settings.stderr_file.st_ino;
}

/* "eprof: NAME: WHY" on stderr: one line whatever bytes the name has, and in
 * one piece, so that lines of several processes do not mix. */
static void say(const char *before, const char *name, const char *after, const char *why)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *stream = stderr_is_the_same() ? open_memstream(&line, &bytes) : NULL;
    if (!stream)
        return;
    struct ep_output out;
    ep_output_open(&out, stream);
    ep_output_print(&out, "eprof: %s", before);
    ep_output_name(&out, name);
    ep_output_print(&out, "%s: %s\n", after, why);
    ep_output_close(&out);
    if (fclose(stream) == 0) {
        ssize_t written = write(STDERR_FILENO, line, bytes);
        (void)written; /* there is nobody else to tell */
    }
    free(line);
}

static void complain(const char *item, const char *why)
{
    struct ep_identity_cell *identity = &ep_process.image.cells[EP_CELL_IDENTITY].identity;
    ep_store(&identity->items_not_understood, identity->items_not_understood + 1);
    say("\"", item, "\" in EPROF or eprof_setup()", why);
}

static char *absolute(const char *path)
{
    if (path[0] == '/' || strcmp(path, "-") == 0 || !settings.directory)
        return strdup(path);
    size_t bytes = strlen(settings.directory) + strlen(path) + 2;
    char *whole = malloc(bytes);
    if (whole)
        snprintf(whole, bytes, "%s/%s", settings.directory, path);
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
    struct output **link = &settings.outputs;
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

static int carry_out_report(const char *item, bool is_of_environment)
{
    size_t name_bytes = strcspn(item, "=");
    bool has_path = item[name_bytes] == '=';
    struct ep_snapshot_options options = {.threads = false};
    const struct ep_report *report = ep_report_find(item, name_bytes, &options);
    if (!report || (has_path && !item[name_bytes + 1])) {
        complain(item, "not understood; known are " KNOWN_ITEMS);
        return -1;
    }
    struct output *output = calloc(1, sizeof *output);
    if (output) {
        output->report = report;
        output->is_of_environment = is_of_environment;
        output->format = strndup(item, name_bytes);
        output->path = has_path ? absolute(item + name_bytes + 1) : NULL;
    }
    if (!output || !output->format || (has_path && !output->path)) {
        free_output(output);
        complain(item, "no memory");
        return -1;
    }
    add_output(output);
    return 0;
}

static void complain_of_source(const char *item, int error)
{
    complain(item, error == ENOTSUP ? "this machine has no such counter"
                                    : "no such source; known are auto, rdtsc, clock_gettime, "
                                      "gettimeofday, thread_cputime and those the program adds");
}

static void forget_awaited_source(void)
{
    free(settings.awaited_source);
    settings.awaited_source = NULL;
}

static int carry_out_source(const char *item, bool is_of_environment)
{
    if (settings.has_source && !is_of_environment)
        return 0;
    const char *name = item + strlen("source=");
    const struct ep_source *source = ep_source_find(name);
    if (!source && errno == EINVAL && is_of_environment && *name) {
        /* EPROF is read before the program can have added a source of its own */
        forget_awaited_source();
        settings.awaited_source = strdup(name);
        settings.has_source = settings.awaited_source != NULL;
        if (settings.has_source)
            return 0;
        complain(item, "no memory");
        return -1;
    }
    if (!source) {
        complain_of_source(item, errno);
        return -1;
    }
    if (is_of_environment)
        forget_awaited_source(); /* of several, the last stands */
    settings.has_source = is_of_environment;
    ep_control_use_source(source);
    return 0;
}

void ep_environment_source_added(const char *name)
{
    if (!settings.awaited_source || strcmp(settings.awaited_source, name) != 0)
        return;
    ep_control_use_source(ep_source_find(name));
    forget_awaited_source();
}

static void complain_of_awaited_source(void)
{
    char item[64];
    if (!settings.awaited_source || ep_process_lock() != 0)
        return;
    snprintf(item, sizeof item, "source=%s", settings.awaited_source);
    complain_of_source(item, EINVAL);
    ep_process_unlock();
}

static int carry_out(const char *item, bool is_of_environment)
{
    if (strcmp(item, "off") == 0) {
        ep_control_turn_off_for_good();
        return 0;
    }
    if (strncmp(item, "source=", strlen("source=")) == 0)
        return carry_out_source(item, is_of_environment);
    return carry_out_report(item, is_of_environment);
}

/* ---- items ---- */

/* Copies the next item without its backslashes; returns what is behind its comma. */
static const char *next_item(const char *items, char *item)
{
    for (; *items && *items != ','; items++) {
        if (*items == '\\' && (items[1] == ',' || items[1] == '\\'))
            items++;
        *item++ = *items;
    }
    *item = '\0';
    return *items ? items + 1 : items;
}

static int carry_out_all(const char *items, bool is_of_environment)
{
    int failed = 0;
    char *item = malloc(strlen(items) + 1);
    if (!item)
        return -1;
    while (*items) {
        items = next_item(items, item);
        if (*item && carry_out(item, is_of_environment) != 0)
            failed = EINVAL;
    }
    free(item);
    if (failed)
        errno = failed;
    return failed ? -1 : 0;
}

int ep_environment_setup(const char *items)
{
    return carry_out_all(items, false);
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
        result = stderr_is_the_same() ? eprof_report(stderr, output->format) : 0;
    else if (strcmp(output->path, "-") == 0)
        result = eprof_report(stdout, output->format);
    else
        result = path ? write_file(output->format, path) : -1;
    if (result == 0)
        return;
    const char *why = strerror(errno);
    char before[64];
    snprintf(before, sizeof before, "%s: ", output->format);
    say(before, path ? path : "stderr", "", why);
}

static void write_at_exit(void)
{
    /* a forked child that recorded nothing has nothing to say */
    if (!ep_process_is_ready() || ep_process.is_off)
        return;
    bool is_child = getpid() != settings.process_id;
    if (!is_child)
        complain_of_awaited_source();
    for (const struct output *output = settings.outputs; output; output = output->next) {
        char *path = output->path ? expand(output->path, is_child) : NULL;
        write_output(output, path);
        free(path);
    }
}

/* ---- first use ---- */

void ep_process_first_use(void)
{
    settings.process_id = getpid();
    settings.directory = getcwd(NULL, 0);
    fstat(STDERR_FILENO, &settings.stderr_file);
    atexit(write_at_exit);
    const char *items = secure_getenv("EPROF");
    if (items && carry_out_all(items, true) != 0 && errno == ENOMEM)
        complain(items, "no memory");
}
