#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/platform.h"
#include "serve/serve.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_SECOND UINT64_C(1000000000)

enum {
    CONNECTIONS_MOST = 200,
    FILES_PER_CONNECTION = 3, /* its socket, an answer, the first moment of a profile */
    FILES_ELSE = 120,         /* of a renderer: one for each metric */
    HEADER_BYTES = 16 * 1024, /* of a request, with its answer's */
    IDLE_SECONDS = 30,        /* nothing is received or sent */
    SLOWEST_SECONDS = 60,     /* for a request, and for an answer of no length */
    SLOWEST_BYTES = 64 * 1024 /* of an answer in each further second */
};

/* A connection, from its start to its end. */
struct client {
    struct client *next;
    int socket;
    uint64_t deadline_ns;       /* when it is cut; UINT64_MAX: the server works for it */
    bool is_answered;           /* it has an answer that it may not have read to its end */
    struct exchange *suspended; /* its request, while that waits; NULL: none does */
};

struct server {
    struct MHD_Daemon *daemon;
    struct ep_serve_queue queue;
    struct client *clients;
};

/* A request of a client, while it is known to MHD. */
struct exchange {
    struct ep_serve_request request; /* first: the queue returns a pointer to it */
    struct MHD_Connection *connection;
    struct client *client;
    char *target;
    bool is_begun, is_queued, is_gone;
};

/* ---- answers ---- */

static const char *const types[] = {
    [EP_SERVE_TEXT] = "text/plain; charset=utf-8",
    [EP_SERVE_HTML] = "text/html; charset=utf-8",
    [EP_SERVE_JSON] = "application/json",
    [EP_SERVE_CSV] = "text/csv; charset=utf-8",
    [EP_SERVE_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
    [EP_SERVE_OPENMETRICS] = "application/openmetrics-text; version=1.0.0; charset=utf-8",
    [EP_SERVE_BYTES] = "application/octet-stream",
};

static void set_deadline(struct client *client, uint64_t bytes)
{
    client->deadline_ns =
        ep_platform_monotonic_ns() + (SLOWEST_SECONDS + bytes / SLOWEST_BYTES) * NS_PER_SECOND;
}

static void add_headers(struct MHD_Response *response, const struct ep_serve_request *request)
{
    MHD_add_response_header(response, "Content-Type", types[request->type]);
    MHD_add_response_header(response, "Cache-Control", "no-store");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (request->type == EP_SERVE_BYTES)
        MHD_add_response_header(response, "Content-Disposition",
                                "attachment; filename=\"profile.pb.gz\"");
    if (request->is_gzip)
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    if (request->status == 301)
        MHD_add_response_header(response, "Location", request->route.location);
    if (request->status == 405)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
    if (request->status == 503)
        MHD_add_response_header(response, "Retry-After", "1");
}

/* The response closes the file of the answer. */
static enum MHD_Result respond(struct exchange *exchange)
{
    struct ep_serve_request *request = &exchange->request;
    struct MHD_Response *response;
    if (request->why || request->answer < 0) {
        const char *text = request->why ? request->why : "";
        request->type = EP_SERVE_TEXT;
        response = MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text,
                                                   MHD_RESPMEM_PERSISTENT);
    } else {
        response = MHD_create_response_from_fd64(request->bytes, request->answer);
        if (response)
            request->answer = -1;
    }
    if (!response)
        return MHD_NO;
    add_headers(response, request);
    set_deadline(exchange->client, request->bytes);
    exchange->client->is_answered = true;
    enum MHD_Result result =
        MHD_queue_response(exchange->connection, (unsigned)request->status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct exchange *exchange, int status, const char *why)
{
    exchange->request.status = status;
    exchange->request.why = why;
    return respond(exchange);
}

/* ---- requests ---- */

/* A client on this machine would only have to undo the compression. */
static void look_at_accepted(const struct server *server, struct exchange *exchange)
{
    struct ep_serve_request *request = &exchange->request;
    const char *types_accepted =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, "Accept");
    request->wants_openmetrics =
        types_accepted && strstr(types_accepted, "application/openmetrics-text");
#ifdef EPROF_PPROF
    request->takes_gzip =
        !server->queue.settings->is_local &&
        ep_serve_gzip_is_accepted(MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND,
                                                              MHD_HTTP_HEADER_ACCEPT_ENCODING));
#else
    (void)server;
#endif
}

static enum MHD_Result enqueue(struct server *server, struct exchange *exchange)
{
    look_at_accepted(server, exchange);
    exchange->is_queued = true;
    exchange->client->deadline_ns = UINT64_MAX;
    exchange->client->suspended = exchange;
    ep_serve_queue_add(&server->queue, &exchange->request);
    MHD_suspend_connection(exchange->connection);
    return MHD_YES;
}

static enum MHD_Result decide(struct server *server, struct exchange *exchange, const char *method)
{
    const char *why = NULL;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return refuse(exchange, 405, "only GET and HEAD\n");
    const char *host =
        MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    if (server->queue.settings->is_local && host && !ep_serve_route_is_local(host))
        return refuse(exchange, 403,
                      "this server is only for its own machine: ask for localhost or 127.0.0.1\n");
    int status = ep_serve_route_read(exchange->target, &exchange->request.route, &why);
    return status == 200 ? enqueue(server, exchange) : refuse(exchange, status, why);
}

/* Called at the end of the header, then for a body, which is ignored, and at its end; and again
 * when the connection is resumed. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_bytes, void **memory)
{
    struct exchange *exchange = *memory;
    (void)connection, (void)url, (void)version, (void)upload;
    if (!exchange || exchange->is_gone)
        return MHD_NO;
    if (exchange->is_queued)
        return respond(exchange);
    if (!exchange->is_begun) {
        exchange->is_begun = true;
        return MHD_YES;
    }
    if (*upload_bytes) {
        *upload_bytes = 0;
        return MHD_YES;
    }
    return decide(context, exchange, method);
}

static struct client *client_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Called with the target as it was sent. Its result is the memory of the request. */
static void *begin_request(void *context, const char *target, struct MHD_Connection *connection)
{
    struct client *client = client_of(connection);
    struct exchange *exchange = client ? calloc(1, sizeof *exchange) : NULL;
    (void)context;
    if (!exchange)
        return NULL;
    exchange->request.answer = exchange->request.before = -1;
    exchange->connection = connection;
    exchange->client = client;
    exchange->target = strdup(target);
    if (exchange->target)
        return exchange;
    free(exchange);
    return NULL;
}

static void end_request(void *context, struct MHD_Connection *connection, void **memory,
                        enum MHD_RequestTerminationCode code)
{
    struct server *server = context;
    struct exchange *exchange = *memory;
    (void)connection, (void)code;
    if (!exchange)
        return;
    set_deadline(exchange->client, 0);
    exchange->client->is_answered = false;
    ep_serve_queue_drop(&server->queue, &exchange->request);
    free(exchange->target);
    free(exchange);
    *memory = NULL;
}

/* ---- connections ---- */

static void begin_client(struct server *server, struct MHD_Connection *connection, void **memory)
{
    struct client *client = calloc(1, sizeof *client);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!client)
        return;
    client->socket = info ? info->connect_fd : -1;
    client->next = server->clients;
    server->clients = client;
    set_deadline(client, 0);
    *memory = client;
}

static void end_client(struct server *server, struct client *client)
{
    struct client **at = &server->clients;
    if (!client)
        return;
    while (*at != client)
        at = &(*at)->next;
    *at = client->next;
    free(client);
}

static void watch_connection(void *context, struct MHD_Connection *connection, void **memory,
                             enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        begin_client(context, connection, memory);
    else
        end_client(context, *memory);
}

/* A client that sends its request, or reads its answer, too slowly. */
static void cut_slow(const struct server *server, uint64_t now_ns)
{
    for (struct client *client = server->clients; client; client = client->next)
        if (client->deadline_ns <= now_ns) {
            client->deadline_ns = UINT64_MAX;
            shutdown(client->socket, SHUT_RDWR);
        }
}

/* ---- the loop ---- */

static void resume(struct exchange *exchange)
{
    exchange->client->suspended = NULL;
    MHD_resume_connection(exchange->connection);
}

static void abandon(struct server *server, struct exchange *exchange)
{
    exchange->is_gone = true;
    ep_serve_queue_drop(&server->queue, &exchange->request);
    resume(exchange);
}

/*
 * MHD does not notice that a client has closed its connection while the connection is suspended,
 * nor if that arrives together with a request (0.9.75: it takes a short read for the last one
 * before the next event). So this server looks itself. A client that has only finished sending, and
 * reads on, looks the same; it gets its answer only if that has begun.
 */
static void drop_gone(struct server *server, const struct pollfd *polled, size_t count)
{
    struct client *client = server->clients;
    for (size_t i = 0; i < count; i++, client = client->next) {
        if (!polled[i].revents)
            continue;
        if (client->suspended)
            abandon(server, client->suspended);
        else
            shutdown(client->socket, SHUT_RDWR);
    }
}

static size_t list_clients(const struct server *server, struct pollfd *polled)
{
    size_t count = 0;
    for (const struct client *client = server->clients; client && count < CONNECTIONS_MOST;
         client = client->next)
        polled[count++] =
            (struct pollfd){.fd = client->is_answered ? -1 : client->socket, .events = POLLRDHUP};
    return count;
}

static void answer_all(struct server *server)
{
    struct ep_serve_request *request;
    while ((request = ep_serve_queue_step(&server->queue, ep_platform_monotonic_ns())))
        resume((struct exchange *)request);
}

static int wait_ms(const struct server *server, uint64_t now_ns)
{
    MHD_UNSIGNED_LONG_LONG most_ms = 0;
    uint64_t due_ns = ep_serve_queue_due_ns(&server->queue);
    bool has_most = MHD_get_timeout(server->daemon, &most_ms) == MHD_YES;
    for (const struct client *client = server->clients; client; client = client->next)
        due_ns = client->deadline_ns < due_ns ? client->deadline_ns : due_ns;
    uint64_t ms = due_ns <= now_ns ? 0 : (due_ns - now_ns) / NS_PER_MS + 1;
    if (has_most && most_ms < ms)
        ms = most_ms;
    return ms > 60000 ? 60000 : (int)ms;
}

/* Whether a signal has come that ends the server. */
static bool is_asked_to_end(int signals)
{
    struct signalfd_siginfo signal;
    bool is_asked = false;
    while (read(signals, &signal, sizeof signal) == (ssize_t)sizeof signal)
        is_asked |= signal.ssi_signo != SIGCHLD;
    return is_asked;
}

static int serve(struct server *server, int signals)
{
    const union MHD_DaemonInfo *info =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    struct pollfd polled[2 + CONNECTIONS_MOST] = {{.fd = info->epoll_fd, .events = POLLIN},
                                                  {.fd = signals, .events = POLLIN}};
    for (;;) {
        size_t count = list_clients(server, polled + 2);
        int ready = poll(polled, 2 + count, wait_ms(server, ep_platform_monotonic_ns()));
        if (ready < 0 && errno != EINTR)
            return -1;
        if (is_asked_to_end(signals))
            return 0;
        if (ready > 0)
            drop_gone(server, polled + 2, count);
        answer_all(server);
        cut_slow(server, ep_platform_monotonic_ns());
        if (MHD_run(server->daemon) != MHD_YES)
            return -1;
        answer_all(server); /* of requests that have just come */
    }
}

/* MHD must not be stopped while a connection is suspended. */
static void stop(struct server *server)
{
    while (server->queue.first)
        abandon(server, (struct exchange *)server->queue.first);
    MHD_run(server->daemon);
    MHD_stop_daemon(server->daemon);
    ep_serve_renderer_close(&server->queue.renderer);
}

/* As many as the limit of open files allows. */
static unsigned count_connections(void)
{
    struct rlimit files;
    rlim_t needed = CONNECTIONS_MOST * FILES_PER_CONNECTION + FILES_ELSE;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return CONNECTIONS_MOST;
    if (files.rlim_cur < needed) {
        files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (files.rlim_cur >= needed)
        return CONNECTIONS_MOST;
    rlim_t rest = files.rlim_cur > FILES_ELSE ? files.rlim_cur - FILES_ELSE : 0;
    return rest < FILES_PER_CONNECTION ? 1 : (unsigned)(rest / FILES_PER_CONNECTION);
}

int ep_serve_http_run(const struct ep_serve_settings *settings, int socket, int signals)
{
    struct server server = {.queue = {.settings = settings}};
    if (ep_serve_renderer_open(&server.queue.renderer) != 0)
        return -1;
    server.daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, &server,
        MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, count_connections(),
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)IDLE_SECONDS, MHD_OPTION_URI_LOG_CALLBACK, begin_request, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, &server, MHD_OPTION_NOTIFY_CONNECTION,
        watch_connection, &server, MHD_OPTION_END);
    if (!server.daemon) {
        ep_serve_renderer_close(&server.queue.renderer);
        return errno = errno ? errno : ENOMEM, -1;
    }
    int result = serve(&server, signals);
    int error = errno;
    stop(&server);
    errno = error;
    return result;
}
