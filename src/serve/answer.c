#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "serve/serve.h"

/* ---- a report on one process ---- */

static enum ep_serve_type type_of(const char *format)
{
    static const struct {
        const char *format;
        enum ep_serve_type type;
    } known[] = {{"html", EP_SERVE_HTML},
                 {"csv", EP_SERVE_CSV},
                 {"json", EP_SERVE_JSON},
                 {"speedscope", EP_SERVE_JSON},
                 {"openmetrics", EP_SERVE_OPENMETRICS},
                 {"pprof", EP_SERVE_BYTES}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].format, format) == 0)
            return known[i].type;
    return EP_SERVE_TEXT;
}

static const char without_pprof[] = "this eprof was built without pprof";

/* NULL: it is pprof, and this program was built without it. */
static const struct ep_report *report_of(const char *format, struct ep_snapshot_options *options)
{
    const struct ep_report *report = ep_report_find(format, strlen(format), options);
#ifdef EPROF_PPROF
    if (!report && ep_report_is(&ep_pprof_report, format, strlen(format), options))
        report = &ep_pprof_report;
#endif
    return report;
}

static int write_report(struct ep_serve_task *task, const struct ep_serve_image *image, char *why)
{
    struct ep_snapshot_options options = {.threads = false};
    struct ep_serve_sight sight;
    const struct ep_report *report = report_of(task->route->format, &options);
    if (!report) {
        strcpy(why, without_pprof);
        return 501;
    }
    int status = ep_serve_images_take(task, image, options, &sight, why);
    if (status != 200)
        return status;
    task->result->type = type_of(report->name);
    int result = ep_report_write(report, sight.snapshot, task->answer);
    if (result != 0)
        snprintf(why, EP_SERVE_WHY_BYTES, "the report cannot be written: %s", strerror(errno));
    ep_snapshot_free(sight.snapshot);
    return result == 0 ? 200 : 500;
}

/* ---- the answer ---- */

static int write_page(struct ep_serve_task *task, const struct ep_serve_images *images, char *why)
{
    switch (task->route->page) {
    case EP_SERVE_LIST:
        return ep_serve_list(task, images, why);
    case EP_SERVE_METRICS:
        return ep_serve_metrics(task, images, why);
    case EP_SERVE_PROFILE:
#ifdef EPROF_PPROF
        return ep_serve_profile(task, images, why);
#else
        strcpy(why, without_pprof);
        return 501;
#endif
    default:
        return write_report(task, images->at, why);
    }
}

/* A page of one process is made of its image alone. */
static int choose(const struct ep_serve_task *task, struct ep_serve_images *images, char *why)
{
    const char *process = task->route->process;
    if (!*process)
        return 200;
    const struct ep_serve_image *image = ep_serve_images_of(images, process);
    if (!image) {
        snprintf(why, EP_SERVE_WHY_BYTES, "no such process; / lists them");
        return 404;
    }
    if (image->fault) {
        snprintf(why, EP_SERVE_WHY_BYTES, "%s", image->fault);
        return 500;
    }
    images->at[0] = *image;
    images->count = 1;
    return 200;
}

/* Replaces the output before an error by a line about the error. */
static void write_error(struct ep_serve_task *task, const char *why)
{
    task->result->type = EP_SERVE_TEXT;
    task->result->is_gzip = false;
    rewind(task->answer);
    if (ftruncate(fileno(task->answer), 0) == 0)
        fprintf(task->answer, "%s\n", why);
}

/* Flushes it. A profile has its own compression, and its first moment goes to no client. */
static int finish(struct ep_serve_task *task)
{
    if (fflush(task->answer) != 0)
        return -1;
#ifdef EPROF_PPROF
    if (task->takes_gzip && task->route->page != EP_SERVE_PROFILE &&
        task->result->type != EP_SERVE_BYTES)
        return ep_serve_gzip(task->answer, &task->result->is_gzip) == 0 ? fflush(task->answer) : -1;
#endif
    return 0;
}

void ep_serve_answer(struct ep_serve_task *task)
{
    struct ep_serve_images images = {.at = NULL};
    char why[EP_SERVE_WHY_BYTES] = "too many images for --memory";
    int status = 500;
    if (ep_serve_images_find(&images, &task->settings->roots) == 0)
        status = choose(task, &images, why);
    if (status == 200)
        status = write_page(task, &images, why);
    if (status == 200 && finish(task) != 0) {
        snprintf(why, sizeof why, "a temporary file: %s", strerror(errno));
        status = 500;
    }
    if (status != 200)
        write_error(task, why);
    ep_serve_images_free(&images);
    ep_load_look_up_free(&task->look_up);
    fflush(task->answer);
    task->result->status = status;
}
