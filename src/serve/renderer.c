#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/platform.h"
#include "cli/deliver.h"
#include "serve/serve.h"

/* ---- in the renderer ---- */

#define MIB ((rlim_t)1 << 20)

/* What the server itself takes at most; the rest is for the renderer, and for the process that
 * looks up functions for it, half each. */
enum { SERVER_MIB = 12 };

/* The largest file of an answer. */
#define FILE_BYTES (256 * MIB)

static void limit(int resource, rlim_t most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0 || limits.rlim_cur <= most)
        return;
    limits.rlim_cur = limits.rlim_max = most;
    setrlimit(resource, &limits);
}

/* The memory of a sanitizer is far more than that of the program. */
static void limit_memory(const struct ep_serve_settings *settings)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    (void)settings;
#else
    limit(RLIMIT_DATA, (settings->memory_mib - SERVER_MIB) / 2 * MIB);
#endif
}

/* The sockets of the clients would stay open as long as this process runs. */
static void close_others(const int *kept, size_t count)
{
    struct rlimit files;
    int end = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 65536 ? (int)files.rlim_cur
                                                                              : 65536;
    for (int file = STDERR_FILENO + 1; file < end; file++) {
        bool is_kept = false;
        for (size_t i = 0; i < count; i++)
            is_kept |= kept[i] == file;
        if (!is_kept)
            close(file);
    }
}

static void become_renderer(const struct ep_serve_settings *settings)
{
    sigset_t none;
    setpgid(0, 0); /* to be killed with the process that it asks for names */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    ep_deliver_signals_survive_size_limit();
    limit_memory(settings);
    limit(RLIMIT_FSIZE, FILE_BYTES);
    limit(RLIMIT_CORE, 0);
}

_Noreturn static void render(const struct ep_serve_renderer *renderer,
                             const struct ep_serve_settings *settings,
                             const struct ep_serve_request *request)
{
    const int files[] = {request->answer, request->before, renderer->counters, renderer->counted};
    become_renderer(settings);
    close_others(files, sizeof files / sizeof files[0]);
    struct ep_serve_task task = {.settings = settings,
                                 .route = &request->route,
                                 .wants_openmetrics = request->wants_openmetrics,
                                 .takes_gzip = request->takes_gzip,
                                 .answer = ep_serve_temporary_stream(request->answer),
                                 .before = ep_serve_temporary_stream(request->before),
                                 .counters = ep_serve_temporary_stream(renderer->counters),
                                 .counted = ep_serve_temporary_stream(renderer->counted),
                                 .left_out = renderer->left_out,
                                 .left_out_count = renderer->left_out_count,
                                 .result = renderer->result,
                                 .look_up = {.debug_directory = settings->debug_directory}};
    if (task.answer)
        ep_serve_answer(&task);
    FILE *const streams[] = {task.answer, task.before, task.counters, task.counted};
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        if (streams[i])
            fclose(streams[i]);
    exit(0);
}

/* ---- in the server ---- */

int ep_serve_renderer_open(struct ep_serve_renderer *renderer)
{
    *renderer = (struct ep_serve_renderer){.counters = -1, .counted = -1};
    int file = ep_serve_temporary_file();
    if (file < 0)
        return -1;
    close(file);
    void *result = mmap(NULL, sizeof *renderer->result, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED)
        return -1;
    renderer->result = result;
    return 0;
}

void ep_serve_renderer_close(struct ep_serve_renderer *renderer)
{
    ep_serve_renderer_kill(renderer);
    ep_file_close(renderer->counters);
    munmap(renderer->result, sizeof *renderer->result);
    free(renderer->left_out);
}

/* An earlier try may have written to the file. */
static int clear(int file)
{
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0 ? 0 : -1;
}

int ep_serve_renderer_start(struct ep_serve_renderer *renderer,
                            const struct ep_serve_settings *settings,
                            const struct ep_serve_request *request)
{
    if (clear(request->answer) != 0)
        return -1;
    if (request->route.page == EP_SERVE_METRICS) {
        renderer->counted = ep_serve_temporary_file();
        if (renderer->counted < 0)
            return -1;
    }
    *renderer->result = (struct ep_serve_result){.status = 0};
    renderer->begun_seen = 0;
    renderer->seen_ns = ep_platform_monotonic_ns();
    renderer->process = fork();
    if (renderer->process == 0)
        render(renderer, settings, request);
    if (renderer->process > 0)
        return 0;
    renderer->process = 0;
    ep_file_close(renderer->counted);
    renderer->counted = -1;
    return -1;
}

/* Figures in an answer that failed do not count as reported. */
static void take_counters(struct ep_serve_renderer *renderer)
{
    if (renderer->counted < 0)
        return;
    if (renderer->result->status == 200) {
        ep_file_close(renderer->counters);
        renderer->counters = renderer->counted;
    } else {
        close(renderer->counted);
    }
    renderer->counted = -1;
}

/* Its process group exists from the moment when it has run; before that there is only itself. */
static void kill_now(pid_t process)
{
    kill(process, SIGKILL);
    kill(-process, SIGKILL);
}

void ep_serve_renderer_kill(struct ep_serve_renderer *renderer)
{
    if (!renderer->process)
        return;
    kill_now(renderer->process);
    while (waitpid(renderer->process, NULL, 0) < 0 && errno == EINTR) {
    }
    renderer->process = 0;
    renderer->result->status = 0;
    take_counters(renderer);
}

bool ep_serve_renderer_has_ended(struct ep_serve_renderer *renderer, uint64_t now_ns)
{
    const uint64_t patience_ns = UINT64_C(30000000000); /* more than EP_SYMBOL_DEADLINE_NS */
    int status = 0;
    if (!renderer->process)
        return false;
    if (renderer->result->images_begun != renderer->begun_seen) {
        renderer->begun_seen = renderer->result->images_begun;
        renderer->seen_ns = now_ns;
    }
    pid_t ended = waitpid(renderer->process, &status, WNOHANG);
    if (ended == 0 && now_ns - renderer->seen_ns > patience_ns) {
        ep_serve_renderer_kill(renderer);
        return true;
    }
    if (ended == 0)
        return false;
    if (ended != renderer->process || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        renderer->result->status = 0;
    renderer->process = 0;
    take_counters(renderer);
    return true;
}

static struct ep_serve_version *next_left_out(struct ep_serve_renderer *renderer)
{
    if (renderer->left_out_count < EP_SERVE_LEFT_OUT_MOST) {
        struct ep_serve_version *grown =
            ep_memory_room(renderer->left_out, renderer->left_out_count, &renderer->left_out_room,
                           sizeof *renderer->left_out);
        if (!grown)
            return NULL;
        renderer->left_out = grown;
        return &grown[renderer->left_out_count++];
    }
    struct ep_serve_version *oldest = &renderer->left_out[renderer->left_out_next];
    renderer->left_out_next = (renderer->left_out_next + 1) % EP_SERVE_LEFT_OUT_MOST;
    return oldest;
}

bool ep_serve_renderer_leave_out(struct ep_serve_renderer *renderer)
{
    struct ep_serve_version *place;
    if (!renderer->result->reading.inode || !(place = next_left_out(renderer)))
        return false;
    *place = renderer->result->reading;
    return true;
}
