#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/platform.h"
#include "serve/serve.h"

#define NS_PER_SECOND UINT64_C(1000000000)

enum {
    TRIES_MOST = 8,  /* with another image left out each time */
    PAUSES_MOST = 20 /* profiles may take an hour; the other connections are for other requests */
};

/* Of all answers that wait for their clients, and first moments of profiles: four of the
 * largest. */
#define STORED_MOST ((uint64_t)1 << 30)

/* ---- the list ---- */

void ep_serve_queue_add(struct ep_serve_queue *queue, struct ep_serve_request *request)
{
    struct ep_serve_request **end = &queue->first;
    while (*end)
        end = &(*end)->next;
    request->next = NULL;
    request->state = EP_SERVE_WAITS;
    *end = request;
}

static bool remove_from_list(struct ep_serve_queue *queue, struct ep_serve_request *request)
{
    struct ep_serve_request **at = &queue->first;
    while (*at && *at != request)
        at = &(*at)->next;
    if (!*at)
        return false;
    *at = request->next;
    return true;
}

static size_t count_pauses(const struct ep_serve_queue *queue)
{
    size_t count = 0;
    for (const struct ep_serve_request *at = queue->first; at; at = at->next)
        count += at->state == EP_SERVE_PAUSES;
    return count;
}

static struct ep_serve_request *find(const struct ep_serve_queue *queue, enum ep_serve_state state)
{
    struct ep_serve_request *request = queue->first;
    while (request && request->state != state)
        request = request->next;
    return request;
}

void ep_serve_queue_drop(struct ep_serve_queue *queue, struct ep_serve_request *request)
{
    if (remove_from_list(queue, request) && request->state == EP_SERVE_RENDERS)
        ep_serve_renderer_kill(&queue->renderer);
    ep_file_close(request->answer);
    ep_file_close(request->before);
    request->answer = request->before = -1;
    queue->stored_bytes -= request->bytes + request->before_bytes;
    request->bytes = request->before_bytes = 0;
}

/* ---- the end of a rendering ---- */

static void finish(struct ep_serve_request *request, int status, const char *why)
{
    request->state = EP_SERVE_DONE;
    request->status = status;
    request->why = why;
}

static bool is_first_moment(const struct ep_serve_request *request)
{
    return request->route.page == EP_SERVE_PROFILE && request->before < 0;
}

/* The answer is kept as the first moment of a profile. */
static void pause_request(struct ep_serve_queue *queue, struct ep_serve_request *request,
                          uint64_t now_ns)
{
    struct stat status;
    if (fstat(request->answer, &status) != 0) {
        finish(request, 500, "the first moment of the profile is lost\n");
        return;
    }
    request->before_bytes = (uint64_t)status.st_size;
    queue->stored_bytes += request->before_bytes;
    request->before = request->answer;
    request->answer = -1;
    request->state = EP_SERVE_PAUSES;
    request->due_ns = now_ns + request->route.seconds * NS_PER_SECOND;
}

static void take_answer(struct ep_serve_queue *queue, struct ep_serve_request *request)
{
    struct stat status;
    if (fstat(request->answer, &status) != 0) {
        finish(request, 500, "the answer is lost\n");
        return;
    }
    request->bytes = (uint64_t)status.st_size;
    request->type = queue->renderer.result->type;
    request->is_gzip = queue->renderer.result->is_gzip;
    queue->stored_bytes += request->bytes;
    finish(request, queue->renderer.result->status, NULL);
}

/* A page of all processes is tried again without the image that ended the renderer. */
static void end_rendering(struct ep_serve_queue *queue, struct ep_serve_request *request,
                          uint64_t now_ns)
{
    int status = queue->renderer.result->status;
    if (status == 200 && is_first_moment(request)) {
        pause_request(queue, request, now_ns);
    } else if (status != 0) {
        take_answer(queue, request);
    } else if (ep_serve_renderer_leave_out(&queue->renderer) && !*request->route.process &&
               ++request->tries < TRIES_MOST) {
        request->state = EP_SERVE_WAITS;
    } else {
        finish(request, 500, "the profile cannot be read: a try has crashed or taken too long\n");
    }
}

/* ---- the start ---- */

static void start(struct ep_serve_queue *queue, struct ep_serve_request *request)
{
    if (queue->stored_bytes > STORED_MOST) {
        finish(request, 503, "too many answers wait for their clients; try again\n");
        return;
    }
    if (is_first_moment(request) && count_pauses(queue) >= PAUSES_MOST) {
        finish(request, 503, "too many profiles are being taken; try again\n");
        return;
    }
    if (request->answer < 0)
        request->answer = ep_serve_temporary_file();
    if (request->answer < 0)
        finish(request, 500, "no folder for a temporary file; TMPDIR names one\n");
    else if (ep_serve_renderer_start(&queue->renderer, queue->settings, request) != 0)
        finish(request, 503, "no process can be started; try again\n");
    else
        request->state = EP_SERVE_RENDERS;
}

static void end_pauses(struct ep_serve_queue *queue, uint64_t now_ns)
{
    for (struct ep_serve_request *at = queue->first; at; at = at->next)
        if (at->state == EP_SERVE_PAUSES && at->due_ns <= now_ns)
            at->state = EP_SERVE_WAITS;
}

struct ep_serve_request *ep_serve_queue_step(struct ep_serve_queue *queue, uint64_t now_ns)
{
    struct ep_serve_request *request = find(queue, EP_SERVE_RENDERS);
    if (request && ep_serve_renderer_has_ended(&queue->renderer, now_ns))
        end_rendering(queue, request, now_ns);
    end_pauses(queue, now_ns);
    while (!find(queue, EP_SERVE_RENDERS) && (request = find(queue, EP_SERVE_WAITS)))
        start(queue, request);
    request = find(queue, EP_SERVE_DONE);
    if (request)
        remove_from_list(queue, request);
    return request;
}

/* A renderer that hangs is looked at each second. */
uint64_t ep_serve_queue_due_ns(const struct ep_serve_queue *queue)
{
    uint64_t due_ns = UINT64_MAX;
    for (const struct ep_serve_request *at = queue->first; at; at = at->next) {
        uint64_t its_ns = UINT64_MAX;
        if (at->state == EP_SERVE_PAUSES)
            its_ns = at->due_ns;
        else if (at->state == EP_SERVE_RENDERS)
            its_ns = ep_platform_monotonic_ns() + NS_PER_SECOND;
        due_ns = its_ns < due_ns ? its_ns : due_ns;
    }
    return due_ns;
}
