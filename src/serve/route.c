#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/options.h"
#include "serve/serve.h"

/* ---- the parts of a target ---- */

/* Bytes of the target, still escaped. */
struct part {
    const char *at, *end;
};

static int digit_of(char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = byte ? strchr(digits, byte >= 'A' && byte <= 'F' ? byte + 32 : byte) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Decodes %XX (RFC 3986, 2.1). False: too long, not encoded right, or a NUL. */
static bool decode(struct part part, char *to, size_t room)
{
    size_t count = 0;
    for (const char *at = part.at; at < part.end; at++) {
        char byte = *at;
        if (byte == '%') {
            int high = part.end - at > 2 ? digit_of(at[1]) : -1;
            int low = high >= 0 ? digit_of(at[2]) : -1;
            if (low < 0 || high + low == 0)
                return false;
            byte = (char)(high * 16 + low);
            at += 2;
        }
        if (count + 1 >= room)
            return false;
        to[count++] = byte;
    }
    to[count] = '\0';
    return true;
}

static bool is_text(struct part part, const char *text)
{
    size_t bytes = (size_t)(part.end - part.at);
    return strlen(text) == bytes && memcmp(part.at, text, bytes) == 0;
}

/* Takes `text` off the start, if the part begins with it. */
static bool skip(struct part *part, const char *text)
{
    size_t bytes = strlen(text);
    if ((size_t)(part->end - part->at) < bytes || memcmp(part->at, text, bytes) != 0)
        return false;
    part->at += bytes;
    return true;
}

/* The bytes up to `byte`, which are taken off the start. */
static struct part take_until(struct part *part, char byte)
{
    const char *found = memchr(part->at, byte, (size_t)(part->end - part->at));
    struct part taken = {part->at, found ? found : part->end};
    part->at = taken.end;
    return taken;
}

/* ---- the query ---- */

static bool read_number(struct part part, unsigned least, unsigned most, unsigned *number)
{
    char text[16], *end;
    if (!decode(part, text, sizeof text) || !*text || text[strspn(text, "0123456789")])
        return false;
    unsigned long read = strtoul(text, &end, 10);
    if (read < least || read > most)
        return false;
    *number = (unsigned)read;
    return true;
}

/* Others that a client adds are ignored. */
static const char *read_query(struct part query, struct ep_serve_route *route)
{
    while (query.at < query.end) {
        query.at += *query.at == '?' || *query.at == '&';
        struct part value = take_until(&query, '&');
        if (skip(&value, "seconds=") &&
            !read_number(value, 1, EP_SERVE_MOST_SECONDS, &route->seconds))
            return "seconds: a whole number from 1 to 3600\n";
        if (skip(&value, "first=") && !read_number(value, 0, 1000000000, &route->first))
            return "first: a whole number\n";
    }
    return NULL;
}

/* ---- the path ---- */

static int refuse(const char **why, int status, const char *line)
{
    *why = line;
    return status;
}

/* Whether the format is known, as `eprof report --format` knows it. */
static bool read_format(struct part part, struct ep_serve_route *route)
{
    struct ep_snapshot_options options;
    static const struct ep_report pprof = {.name = "pprof"};
    return decode(part, route->format, sizeof route->format) &&
           (ep_report_find(route->format, strlen(route->format), &options) ||
            ep_report_is(&pprof, route->format, strlen(route->format), &options));
}

/* Reads the rest of a path, after "/p/PROCESS/" or, for all processes, after "/". */
static int read_page(struct part path, struct ep_serve_route *route, const char **why)
{
    bool is_of_one = *route->process;
    if (is_text(path, "debug/pprof/profile"))
        route->page = EP_SERVE_PROFILE;
    else if (!is_of_one && is_text(path, ""))
        route->page = EP_SERVE_LIST;
    else if (!is_of_one && is_text(path, "metrics"))
        route->page = EP_SERVE_METRICS;
    else if (is_of_one && is_text(path, ""))
        strcpy(route->format, "html");
    else if (!is_of_one || !skip(&path, "report."))
        return refuse(why, 404, "no such page; / lists the processes\n");
    else if (!read_format(path, route))
        return refuse(why, 404, "no such format; known are " EP_REPORT_NAMES ", pprof\n");
    return 200;
}

/* "/p/12" is not "/p/12/": links in a page are relative to the slash at its end. The location stays
 * escaped; it begins by "./" since a name may contain a colon. */
static int move(struct part process, struct ep_serve_route *route, const char **why)
{
    size_t bytes = (size_t)(process.end - process.at);
    if (bytes + sizeof ".//" > sizeof route->location)
        return refuse(why, 404, "no such process; / lists them\n");
    route->page = EP_SERVE_MOVED;
    memcpy(route->location, "./", 2);
    memcpy(route->location + 2, process.at, bytes);
    strcpy(route->location + 2 + bytes, "/");
    return 301;
}

static int read_path(struct part path, struct ep_serve_route *route, const char **why)
{
    if (!skip(&path, "/"))
        return refuse(why, 400, "a target that does not begin with a slash\n");
    if (!skip(&path, "p/"))
        return read_page(path, route, why);
    struct part process = take_until(&path, '/');
    if (!decode(process, route->process, sizeof route->process) || !*route->process)
        return refuse(why, 404, "no such process; / lists them\n");
    if (!skip(&path, "/"))
        return move(process, route, why);
    return read_page(path, route, why);
}

/* A proxy may send the whole address (RFC 9112, 3.2.2). */
static void skip_authority(struct part *target)
{
    if (!skip(target, "http://"))
        return;
    take_until(target, '/');
}

bool ep_serve_route_is_local(const char *host)
{
    struct part rest = {host, host + strlen(host)};
    if (*host == '[')
        return true;
    struct part name = take_until(&rest, ':');
    size_t bytes = (size_t)(name.end - name.at);
    bool is_numeric = strspn(name.at, "0123456789.") >= bytes;
    return is_numeric ||
           (bytes == strlen("localhost") && strncasecmp(name.at, "localhost", bytes) == 0);
}

int ep_serve_route_read(const char *target, struct ep_serve_route *route, const char **why)
{
    enum { DEFAULT_SECONDS = 30 }; /* as net/http/pprof of Go has it */
    struct part rest = {target, target + strlen(target)};
    *route = (struct ep_serve_route){.page = EP_SERVE_REPORT, .seconds = DEFAULT_SECONDS};
    skip_authority(&rest);
    struct part path = take_until(&rest, '?');
    int status = read_path(path, route, why);
    const char *fault = status == 200 ? read_query(rest, route) : NULL;
    return fault ? refuse(why, 400, fault) : status;
}
