/*
 * The metrics of all processes. The samples of a metric have to be together, and those of all
 * processes do not fit into memory. So the report of each process is written to a file, and its
 * lines are distributed to a file for each metric.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/output.h"
#include "base/platform.h"
#include "report/report.h"
#include "serve/serve.h"

enum { FAMILIES_MOST = 64, NAME_BYTES = 64 };

struct family {
    char name[NAME_BYTES];
    FILE *lines;
};

struct metrics {
    struct ep_serve_task *task;
    struct ep_serve_counters counters;
    struct family families[FAMILIES_MOST]; /* in the order in which they were found */
    size_t family_count;
    struct family *current; /* that of the lines that are read */
    bool is_new;            /* the lines before its samples are still to be written */
    FILE *report;           /* on one process */
    char *line;             /* of it */
    size_t room;
    char *labels; /* of the process: NAME="VALUE",... */
    size_t failed;
};

/* ---- the labels of a process ---- */

/* The last part of the path of its program. */
static void write_program(struct ep_output *out, const char *command)
{
    char program[NAME_MAX + 1];
    size_t bytes = strcspn(command, " ");
    const char *slash = memrchr(command, '/', bytes);
    const char *name = slash ? slash + 1 : command;
    snprintf(program, sizeof program, "%.*s", (int)(command + bytes - name), name);
    ep_escape_openmetrics(out, program);
}

/* `job` and `instance` are labels that Prometheus itself adds. */
static char *make_labels(const struct ep_serve_image *image, const struct eprof_snapshot *snapshot)
{
    struct ep_text_output text;
    if (ep_output_text_open(&text) != 0)
        return NULL;
    if (snapshot->process_id)
        ep_output_print(&text.out, "process_id=\"%" PRIu64 "\",", snapshot->process_id);
    if (*snapshot->command) {
        ep_output_text(&text.out, "program=");
        write_program(&text.out, snapshot->command);
        ep_output_text(&text.out, ",");
    }
    ep_output_text(&text.out, "file=");
    ep_escape_openmetrics(&text.out, image->name);
    return ep_output_text_close(&text);
}

/* ---- from the report of a process to the files of the metrics ---- */

/* 0, or -1 and errno. */
static int choose_family(struct metrics *metrics, const char *name)
{
    size_t bytes = strcspn(name, " \n"), i = 0;
    while (i < metrics->family_count && (strncmp(metrics->families[i].name, name, bytes) != 0 ||
                                         metrics->families[i].name[bytes]))
        i++;
    metrics->current = &metrics->families[i];
    metrics->is_new = i == metrics->family_count;
    if (!metrics->is_new)
        return 0;
    if (i == FAMILIES_MOST || bytes >= NAME_BYTES)
        return errno = EOVERFLOW, -1;
    metrics->current->lines = ep_serve_temporary();
    if (!metrics->current->lines)
        return -1;
    memcpy(metrics->current->name, name, bytes);
    metrics->family_count++;
    return 0;
}

/* A sample begins with the name of its metric, then its labels or a blank. */
static void write_sample(const struct metrics *metrics)
{
    FILE *to = metrics->current->lines;
    size_t bytes = strcspn(metrics->line, "{ ");
    const char *rest = metrics->line + bytes;
    bool has_labels = *rest == '{';
    fwrite(metrics->line, 1, bytes, to);
    fprintf(to, "{%s%s%s", metrics->labels, has_labels ? "," : "}", rest + has_labels);
}

static int distribute(struct metrics *metrics)
{
    static const char help[] = "# HELP ";
    int result = 0;
    metrics->current = NULL;
    rewind(metrics->report);
    while (result == 0 && getline(&metrics->line, &metrics->room, metrics->report) > 0) {
        if (strncmp(metrics->line, help, strlen(help)) == 0)
            result = choose_family(metrics, metrics->line + strlen(help));
        if (result != 0 || !metrics->current || strcmp(metrics->line, "# EOF\n") == 0)
            continue;
        if (*metrics->line != '#')
            write_sample(metrics);
        else if (metrics->is_new)
            fputs(metrics->line, metrics->current->lines);
    }
    return result != 0 || ferror(metrics->report) ? -1 : 0;
}

/* The process id is a label of all metrics already. */
static int write_report(struct metrics *metrics, const struct ep_report *report,
                        struct ep_serve_sight *sight)
{
    rewind(metrics->report);
    if (ftruncate(fileno(metrics->report), 0) != 0)
        return -1;
    fprintf(metrics->report,
            "# HELP eprof_running Whether the program still runs.\n"
            "# TYPE eprof_running gauge\neprof_running %d\n",
            sight->life == EP_LIFE_RUNNING);
    sight->snapshot->process_id = 0;
    return ep_report_write(report, sight->snapshot, metrics->report);
}

/* A process whose figures take too much memory is left out; the others are not. */
static int add_sight(struct metrics *metrics, const struct ep_report *report,
                     const struct ep_serve_image *image, struct ep_serve_sight *sight)
{
    int result = -1;
    metrics->labels = make_labels(image, sight->snapshot);
    if (metrics->labels && ep_serve_counters_raise(&metrics->counters, image, sight) == 0 &&
        write_report(metrics, report, sight) == 0) {
        result = distribute(metrics);
    } else if (errno == ENOMEM) {
        metrics->failed++;
        result = 0;
    }
    free(metrics->labels);
    return result;
}

/* An image that cannot be read leaves no hole but its own. */
static int add_image(struct metrics *metrics, const struct ep_serve_image *image)
{
    static const char name[] = "openmetrics";
    char why[EP_SERVE_WHY_BYTES];
    struct ep_serve_sight sight;
    struct ep_snapshot_options options;
    const struct ep_report *report = ep_report_find(name, strlen(name), &options);
    options.no_tops = true;
    if (image->fault || ep_serve_images_take(metrics->task, image, options, &sight, why) != 200) {
        metrics->failed++;
        return ep_serve_counters_keep(&metrics->counters, image);
    }
    int result = add_sight(metrics, report, image, &sight);
    int error = errno;
    ep_snapshot_free(sight.snapshot);
    errno = error;
    return result;
}

/* ---- the answer ---- */

static int write_all(const struct metrics *metrics)
{
    FILE *to = metrics->task->answer;
    for (size_t i = 0; i < metrics->family_count; i++)
        if (ep_serve_temporary_copy(metrics->families[i].lines, to) != 0)
            return -1;
    fprintf(to,
            "# HELP eprof_unreadable_images Files of profiles that cannot be read, and are not in "
            "these figures.\n# TYPE eprof_unreadable_images gauge\n"
            "eprof_unreadable_images %zu\n# EOF\n",
            metrics->failed);
    return fflush(to) == 0 && fflush(metrics->task->counted) == 0 ? 0 : -1;
}

static bool has_ended_long_ago(const struct ep_serve_settings *settings,
                               const struct ep_serve_image *image)
{
    return settings->ended_ns && image->life != EP_LIFE_RUNNING &&
           ep_platform_clock_ns(CLOCK_REALTIME) > image->modified_ns + settings->ended_ns;
}

static int add_all(struct metrics *metrics, const struct ep_serve_images *images)
{
    struct ep_serve_task *task = metrics->task;
    if (!metrics->report ||
        ep_serve_counters_open(&metrics->counters, task->counters, task->counted) != 0)
        return -1;
    int result = 0;
    for (size_t i = 0; i < images->count && result == 0; i++)
        if (!has_ended_long_ago(task->settings, &images->at[i]))
            result = add_image(metrics, &images->at[i]);
    return result == 0 ? write_all(metrics) : -1;
}

static void free_all(struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->family_count; i++)
        fclose(metrics->families[i].lines);
    if (metrics->report)
        fclose(metrics->report);
    free(metrics->line);
    ep_serve_counters_close(&metrics->counters);
}

int ep_serve_metrics(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    struct metrics metrics = {.task = task, .report = ep_serve_temporary()};
    int status = add_all(&metrics, images) == 0 ? 200 : 500;
    task->result->type = task->wants_openmetrics ? EP_SERVE_OPENMETRICS : EP_SERVE_PROMETHEUS;
    if (status != 200)
        snprintf(why, EP_SERVE_WHY_BYTES, "the metrics cannot be written: %s", strerror(errno));
    free_all(&metrics);
    return status;
}
