/*
 * fuzz_routes.c - takes bytes as the target of a request to `eprof serve`
 *
 * A target that is understood must be the same when its parts are written again as a browser writes
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "serve/serve.h"
#include "fuzz_target.h"
#include "require.h"

struct fuzz_counts fuzz_counts;

static bool ends(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

static void require_route(const struct ep_serve_route *route, int status)
{
    require(status == 200 || status == 301, "other targets have an error");
    require((status == 301) == (route->page == EP_SERVE_MOVED), "a page that has moved says so");
    require(ends(route->process, sizeof route->process), "the process has an end");
    require(ends(route->format, sizeof route->format), "and so has the format");
    require(route->page != EP_SERVE_REPORT || (*route->process && *route->format),
            "a report is of a process");
    require(route->seconds >= 1 && route->seconds <= EP_SERVE_MOST_SECONDS, "the seconds are few");
    if (route->page != EP_SERVE_MOVED)
        return;
    size_t bytes = strnlen(route->location, sizeof route->location);
    require(bytes > 3 && bytes < sizeof route->location, "the new place has an end");
    require(strncmp(route->location, "./", 2) == 0 && !strchr(route->location + 2, '/')[1],
            "it is beside the old one, and a folder");
}

/* Each byte is encoded. */
static char *write_bytes(char *to, const char *text)
{
    for (; *text; text++)
        to += sprintf(to, "%%%02X", (unsigned char)*text);
    return to;
}

static void write_target(char *to, const struct ep_serve_route *route)
{
    to += sprintf(to, "/");
    if (*route->process) {
        to = write_bytes(to + sprintf(to, "p/"), route->process);
        to += sprintf(to, "/");
    }
    if (route->page == EP_SERVE_METRICS)
        to += sprintf(to, "metrics");
    if (route->page == EP_SERVE_PROFILE)
        to += sprintf(to, "debug/pprof/profile");
    if (route->page == EP_SERVE_REPORT)
        to = write_bytes(to + sprintf(to, "report."), route->format);
    sprintf(to, "?seconds=%u&first=%u", route->seconds, route->first);
}

static void require_same(const struct ep_serve_route *route)
{
    char target[3 * (NAME_MAX + EP_SERVE_FORMAT_BYTES) + 128];
    struct ep_serve_route again;
    const char *why = NULL;
    write_target(target, route);
    require(ep_serve_route_read(target, &again, &why) == 200, "it is understood again");
    require(again.page == route->page && again.seconds == route->seconds &&
                again.first == route->first,
            "its page is the same");
    require(strcmp(again.process, route->process) == 0, "its process is the same");
    require(strcmp(again.format, route->format) == 0, "its format is the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ep_serve_route route;
    const char *why = NULL;
    char *target = malloc(size + 1);
    require(target != NULL, "there is memory");
    memcpy(target, data, size);
    target[size] = '\0';
    int status = ep_serve_route_read(target, &route, &why);
    if (why) {
        require(status == 400 || status == 404, "an error has a status");
        require(strlen(why) > 1 && strchr(why, '\n') == why + strlen(why) - 1, "and is one line");
        fuzz_counts.refused++;
    } else {
        require_route(&route, status);
        if (status == 200)
            require_same(&route);
        fuzz_counts.sound++;
    }
    free(target);
    return 0;
}
