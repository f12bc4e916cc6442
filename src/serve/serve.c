#include "serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/commands.h"
#include "cli/usage.h"

/* ---- the command line of `eprof serve` ---- */

/* The letters EPRO of a telephone's keys. */
#define DEFAULT_PORT "3776"

#define NS_PER_SECOND 1e9

enum { LEAST_MIB = 32, DEFAULT_MIB = 64 };

static void read_memory(void *to, const char *name, char *text)
{
    size_t mib;
    ep_usage_number(&mib, name, text);
    if (mib < LEAST_MIB || mib > 1 << 20)
        ep_usage_fail(text, "no number for --%s; it takes %d and more", name, LEAST_MIB);
    *(size_t *)to = mib;
}

static void read_ended(void *to, const char *name, char *text)
{
    *(uint64_t *)to = (uint64_t)(ep_usage_decimal(name, text, 1, 1e9) * NS_PER_SECOND);
}

static void take_root(void *to, char *argument, struct argp_state *state)
{
    struct ep_serve_settings *settings = to;
    (void)state;
    if (ep_serve_images_add_root(&settings->roots, argument) == 0)
        return;
    if (errno == EINVAL)
        ep_complain(argument, "neither a folder nor a regular file");
    else
        ep_complain_of_error(argument, errno);
    exit(EP_STATUS_FAILED);
}

#define AT(field) offsetof(struct ep_serve_settings, field)

static const struct ep_option known_options[] = {
    {"listen", 'l', "ADDR:PORT", "an address other than 127.0.0.1, or a port", AT(listen),
     ep_usage_text},
    {"ended", 0, "SECONDS", "/metrics has no processes that ended longer ago", AT(ended_ns),
     read_ended},
    {"memory", 0, "MIB", "the limit of its memory, by default 64", AT(memory_mib), read_memory},
    {EP_OPTION_DEBUG_DIRECTORY(AT(debug_directory))},
    {0},
};

static const struct ep_command_line line = {
    .options = known_options,
    .args_doc = "DIR|FILE...",
    .doc = "Serves the profiles in DIR over HTTP, for browsers, Prometheus and `go tool pprof': of "
           "programs that run, and of those that have ended. The programs are not contacted.",
    .missing = "serve: no DIR or FILE; name the folder of the profiles",
    .take = take_root,
};

/* ---- the address ---- */

struct address {
    char host[INET6_ADDRSTRLEN + 1];
    char port[8];
};

_Noreturn static void refuse(const char *text)
{
    ep_usage_fail(text, "no address to listen at; it takes PORT, ADDR:PORT or [ADDR]:PORT, such as "
                        "0.0.0.0:" DEFAULT_PORT);
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 5 && !text[digits] && strtoul(text, NULL, 10) <= 65535;
}

/* A port without an address is one of the loopback address: other machines are let in only if an
 * address is named. */
static struct address read_address(const char *text)
{
    struct address address = {.host = "127.0.0.1", .port = DEFAULT_PORT};
    const char *colon = text ? strrchr(text, ':') : NULL;
    const char *port = colon ? colon + 1 : text;
    if (!text)
        return address;
    bool is_bracketed = *text == '[' && colon && colon > text + 1 && colon[-1] == ']';
    size_t bytes = colon ? (size_t)(colon - text) - 2 * is_bracketed : 0;
    if (!is_port(port) || (colon && bytes == 0) || bytes >= sizeof address.host)
        refuse(text);
    strcpy(address.port, port);
    if (colon) {
        memcpy(address.host, text + is_bracketed, bytes);
        address.host[bytes] = '\0';
        if (strcmp(address.host, "localhost") == 0)
            strcpy(address.host, "127.0.0.1");
        else if (strchr(address.host, ':') && !is_bracketed)
            refuse(text);
    }
    return address;
}

/* Answers are larger than the buffer of a socket, so it may be small: 200 clients that never read
 * must not fill the kernel's memory. */
static void set_options(int file)
{
    enum { SEND_BYTES = 64 * 1024 };
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &(int){SEND_BYTES}, sizeof(int));
}

/* Of IPv4 also as IPv6 has it, ::ffff:127.0.0.1. */
static bool is_loopback(const struct sockaddr *address)
{
    const struct in6_addr *v6 = &((const struct sockaddr_in6 *)address)->sin6_addr;
    struct in_addr v4 = ((const struct sockaddr_in *)address)->sin_addr;
    bool is_v4 = address->sa_family == AF_INET;
    if (!is_v4 && IN6_IS_ADDR_LOOPBACK(v6))
        return true;
    if (!is_v4 && IN6_IS_ADDR_V4MAPPED(v6)) {
        memcpy(&v4, &v6->s6_addr[12], sizeof v4);
        is_v4 = true;
    }
    return is_v4 && ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* -1 and errno. */
static int listen_at(const struct address *address, bool *is_local)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                             .ai_socktype = SOCK_STREAM},
                    *found;
    if (getaddrinfo(address->host, address->port, &hints, &found) != 0)
        return errno = EINVAL, -1;
    *is_local = is_loopback(found->ai_addr);
    int file = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file >= 0)
        set_options(file);
    if (file >= 0 &&
        (bind(file, found->ai_addr, found->ai_addrlen) != 0 || listen(file, SOMAXCONN) != 0)) {
        ep_file_close(file);
        file = -1;
    }
    freeaddrinfo(found);
    return file;
}

/* The address where a browser finds it: the port may have been chosen by the kernel. */
static int show_address(int file)
{
    struct sockaddr_storage address = {.ss_family = AF_INET};
    socklen_t bytes = sizeof address;
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (getsockname(file, (struct sockaddr *)&address, &bytes) != 0 ||
        getnameinfo((struct sockaddr *)&address, bytes, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return -1;
    bool is_v6 = address.ss_family == AF_INET6;
    printf("http://%s%s%s:%s/\n", is_v6 ? "[" : "", host, is_v6 ? "]" : "", port);
    return fflush(stdout);
}

/* ---- the command ---- */

static int open_signals(void)
{
    static const int awaited[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof awaited / sizeof awaited[0]; i++)
        sigaddset(&set, awaited[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGCHLD, SIG_DFL); /* where it is ignored the end of a renderer would be lost */
    signal(SIGPIPE, SIG_IGN);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The signals are blocked first: a program that has read the address may send one. */
static int run(const struct ep_serve_settings *settings, int file)
{
    int signals = open_signals(), status = EP_STATUS_DONE;
    if (signals >= 0 && show_address(file) != 0)
        status = ep_complain_of_error("stdout", errno);
    else if (signals < 0 || ep_serve_http_run(settings, file, signals) != 0)
        status = ep_complain_of_error("serve", errno);
    ep_file_close(signals);
    return status;
}

int ep_serve_command(int argc, char **argv)
{
    struct ep_serve_settings settings = {.memory_mib = DEFAULT_MIB};
    ep_usage_parse(&line, argc, argv, &settings);
    if (settings.roots.count == 0)
        ep_usage_fail(NULL, "%s", line.missing);
    struct address address = read_address(settings.listen);
    int file = listen_at(&address, &settings.is_local), status;
    if (file < 0 && errno == EINVAL)
        refuse(settings.listen ? settings.listen : address.host);
    if (file < 0)
        status = ep_complain_of_error(settings.listen ? settings.listen : address.host, errno);
    else
        status = run(&settings, file);
    ep_serve_images_free_roots(&settings.roots);
    return status;
}
