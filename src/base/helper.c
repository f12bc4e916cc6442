#include "base/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/file.h"
#include "base/platform.h"

/* ---- the path of the program ---- */

static char *set_path;

int ep_helper_program_set(const char *path)
{
    char *copy = strdup(path);
    if (!copy) {
        errno = ENOMEM;
        return -1;
    }
    ep_store_release(&set_path, copy); /* the former one is not freed: it may be in use */
    return 0;
}

bool ep_helper_is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* The path of `eprof` in the folder `folder`, of `bytes` bytes, and `below`. NULL: not there. */
static char *find_in(const char *folder, size_t bytes, const char *below)
{
    char *path;
    if (asprintf(&path, "%.*s%s/eprof", (int)bytes, folder, below) < 0)
        return NULL;
    if (ep_helper_is_program(path))
        return path;
    free(path);
    return NULL;
}

/* The file of this library according to the kernel: an absolute path, even if the program has
 * changed its folder. The dynamic loader is not asked, because it takes a lock. To be freed; NULL:
 * unknown. */
static char *file_of_library(void)
{
    uintptr_t address = (uintptr_t)ep_helper_program_find;
    char *line = NULL, *path = NULL;
    size_t room = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !path && getline(&line, &room, maps) > 0) {
        unsigned long begin, end;
        const char *slash = strchr(line, '/');
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2 && address >= begin && address < end)
            path = strndup(slash ? slash : "", slash ? strcspn(slash, "\n") : 0);
    }
    if (maps)
        fclose(maps);
    free(line);
    return path;
}

/* For lib/libeprof.so, lib/x86_64-linux-gnu/libeprof.so, and the build directory. */
static char *find_beside_library(void)
{
    static const char *const below[] = {"", "/bin", "/../bin", "/../../bin", "/cli"};
    char *file = file_of_library(), *path = NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    for (size_t i = 0; slash && !path && i < sizeof below / sizeof below[0]; i++)
        path = find_in(file, (size_t)(slash - file), below[i]);
    free(file);
    return path;
}

/* Only absolute folders: the program may have changed its folder since PATH was set. */
static char *find_on_path(void)
{
    const char *folders = secure_getenv("PATH");
    char *path = NULL;
    while (folders && *folders && !path) {
        size_t bytes = strcspn(folders, ":");
        if (*folders == '/')
            path = find_in(folders, bytes, "");
        folders += bytes + (folders[bytes] == ':');
    }
    return path;
}

char *ep_helper_program_find(void)
{
    const char *set = ep_load_acquire(&set_path); /* pairs with the release in _set() */
    if (set)
        return strdup(set);
    char *path = find_beside_library();
    return path ? path : find_on_path();
}

void ep_helper_program_forget(void)
{
    free(set_path);
    set_path = NULL;
}

/* ---- its request and its environment ---- */

/* A file and not a pipe: with two pipes, parent and child could wait for each other. */
static int file_of(const struct ep_fields *request)
{
    struct ep_write_signals signals;
    int file = memfd_create("eprof symbolizer request", MFD_CLOEXEC);
    if (file < 0) /* Linux before 3.17, or a sandbox */
        file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    ep_file_signals_hold(&signals);
    if (file >= 0 && ep_file_write_at_start(file, request->bytes, request->count) != 0) {
        ep_file_close(file);
        file = -1;
    }
    ep_file_signals_release(&signals);
    return file;
}

/* EPROF and LD_PRELOAD are meant for the program and would profile or change the helper as well;
 * DEBUGINFOD_URLS would make it use the network. */
static char **make_environment(void)
{
    static const char *const left_out[] = {"EPROF=", "LD_PRELOAD=", "DEBUGINFOD_URLS="};
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **variables = malloc((count + 1) * sizeof *variables);
    if (!variables)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        bool is_kept = true;
        for (size_t j = 0; j < sizeof left_out / sizeof left_out[0]; j++)
            is_kept = is_kept && strncmp(environ[i], left_out[j], strlen(left_out[j])) != 0;
        if (is_kept)
            variables[kept++] = environ[i];
    }
    variables[kept] = NULL;
    return variables;
}

/* ---- its start ---- */

/* Signals are reset to those of a program started at a terminal. Input before output: if the
 * program has closed its own, `input` may be 0 and `output` 1, and then neither is overwritten. An
 * error number or 0. */
static int spawn(pid_t *child, char *const *arguments, char *const *variables, int input,
                 int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error = posix_spawn_file_actions_init(&files);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&files);
        return error;
    }
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    if (!error) /* the program does not expect messages of the helper */
        error = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawn(child, arguments[0], &files, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

static int start(pid_t *child, char *const *arguments, int input, int output)
{
    char **variables = make_environment();
    int error = variables ? spawn(child, arguments, variables, input, output) : ENOMEM;
    free(variables);
    errno = error;
    return error ? -1 : 0;
}

/* ---- its answer ---- */

enum { PIECE_BYTES = 64 << 10 }; /* the capacity of a pipe */

/* For poll(): rounded up, so that the deadline has passed when poll() returns. */
static int left_ms(uint64_t deadline_ns)
{
    uint64_t now_ns = ep_platform_monotonic_ns();
    uint64_t ms = deadline_ns > now_ns ? (deadline_ns - now_ns + 999999) / 1000000 : 0;
    return ms < INT32_MAX ? (int)ms : INT32_MAX;
}

/* 1; 0 at the end; -1 and errno. */
static int read_piece(int file, const struct ep_symbolizer *symbolizer, struct ep_fields *answer)
{
    struct pollfd wait = {.fd = file, .events = POLLIN};
    int ms = left_ms(symbolizer->deadline_ns);
    if (ms == 0) {
        errno = ETIMEDOUT;
        return -1;
    }
    if (poll(&wait, 1, ms) <= 0)
        return 1; /* timeout or a signal: the next call checks the deadline */
    if (ep_strings_need(answer, PIECE_BYTES) != 0)
        return -1;
    ssize_t bytes = read(file, answer->bytes + answer->count, PIECE_BYTES);
    if (bytes < 0)
        return errno == EINTR ? 1 : -1;
    answer->count += (size_t)bytes;
    if (answer->count > symbolizer->most_bytes) {
        errno = EFBIG;
        return -1;
    }
    return bytes > 0;
}

/* ---- its end ---- */

/* It has closed its output and usually ends at once. If the program waits for all children, it may
 * have reaped this one already; waitpid() then fails, which is an end as well. */
static void wait_for(pid_t child, uint64_t deadline_ns)
{
    while (waitpid(child, NULL, WNOHANG) == 0) {
        if (left_ms(deadline_ns) == 0) {
            kill(child, SIGKILL);
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
                continue;
            return;
        }
        poll(NULL, 0, 1);
    }
}

/* Removes the SIGCHLD of a child that the program does not know of. The ends of several children
 * may share one signal: if another child has ended too, the signal is raised again. */
static void forget_end(const sigset_t *end)
{
    static const struct timespec at_once = {.tv_sec = 0};
    enum { ENDS = WEXITED | WSTOPPED | WCONTINUED };
    siginfo_t other = {.si_pid = 0};
    if (sigtimedwait(end, NULL, &at_once) == SIGCHLD &&
        waitid(P_ALL, 0, &other, ENDS | WNOHANG | WNOWAIT) == 0 && other.si_pid != 0)
        kill(getpid(), SIGCHLD);
}

static int run(const struct ep_symbolizer *symbolizer, int input, struct ep_fields *answer)
{
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int result = start(&child, symbolizer->arguments, input, ends[1]);
    ep_file_close(ends[1]);
    bool is_started = result == 0;
    if (is_started)
        do
            result = read_piece(ends[0], symbolizer, answer);
        while (result > 0);
    EP_KEEP_ERRNO;
    close(ends[0]);
    if (is_started)
        wait_for(child, result == 0 ? symbolizer->deadline_ns : 0);
    return result;
}

int ep_helper_ask(const struct ep_symbolizer *symbolizer, const struct ep_fields *request,
                  struct ep_fields *answer)
{
    sigset_t end, before;
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &end, &before);
    int input = file_of(request);
    int result = input < 0 ? -1 : run(symbolizer, input, answer);
    EP_KEEP_ERRNO;
    ep_file_close(input);
    forget_end(&end);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel_state, NULL);
    return result;
}
