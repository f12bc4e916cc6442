#include "shelter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "status.h"

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define HAS_SANITIZER 1
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

enum {
    /* of all children; who asks is waiting */
    PROCESSOR_SECONDS = 10,
    WALL_SECONDS = 15, /* they may wait for a pipe that somebody has put there */
    ANSWER_BYTES = 256 << 20
};
/* A file's debug information is mapped whole: that of a browser is 2 GiB. */
#define ADDRESS_BYTES (UINT64_C(4) << 30)

struct times {
    unsigned processor_seconds, wall_seconds;
};

/* Whoever started this process may have set a lower one. */
static void limit(int resource, uint64_t most)
{
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0)
        return;
    rlim_t wanted = most < RLIM_INFINITY ? (rlim_t)most : RLIM_INFINITY;
    if (wanted < limits.rlim_max)
        limits.rlim_max = wanted;
    if (wanted < limits.rlim_cur)
        limits.rlim_cur = wanted;
    setrlimit(resource, &limits);
}

/* What the children before this one have left of the time: at least one second, which is enough
 * for most. */
static unsigned left(unsigned seconds, time_t used)
{
    return used < (time_t)seconds ? seconds - (unsigned)used : 1;
}

static time_t processor_seconds_used(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return used.ru_utime.tv_sec + used.ru_stime.tv_sec;
}

void ep_shelter_open(struct ep_shelter *shelter)
{
    clock_gettime(CLOCK_MONOTONIC, &shelter->begun);
    shelter->processor_seconds = processor_seconds_used();
}

static struct times times_left(const struct ep_shelter *shelter)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t used = processor_seconds_used() - shelter->processor_seconds;
    return (struct times){.processor_seconds = left(PROCESSOR_SECONDS, used),
                          .wall_seconds = left(WALL_SECONDS, now.tv_sec - shelter->begun.tv_sec)};
}

static void limit_self(const struct times *times)
{
    static const struct sigaction usual = {.sa_handler = SIG_DFL};
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, ANSWER_BYTES);
    limit(RLIMIT_CPU, times->processor_seconds);
    if (!HAS_SANITIZER) /* it reserves terabytes */
        limit(RLIMIT_AS, ADDRESS_BYTES);
    sigaction(SIGALRM, &usual, NULL);
    alarm(times->wall_seconds);
}

/* What libraries say of damaged files, and the allocator of damaged memory, is nobody's line. */
static void silence(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

_Noreturn static void become(ep_shelter_work *work, void *arg, int answer, pid_t parent,
                             const struct times *times)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EP_STATUS_FAILED); /* it has gone before it could have told */
    limit_self(times);
    if (!HAS_SANITIZER)
        silence();
    FILE *out = fdopen(answer, "w");
    if (!out)
        _exit(EP_STATUS_FAILED);
    work(arg, out);
    /* exit() would put the parent's stdin back to where its buffer has been read to */
    _exit(fclose(out) == 0 ? EP_STATUS_DONE : EP_STATUS_FAILED);
}

static bool copy(int from, FILE *out)
{
    char bytes[1 << 14];
    ssize_t count;
    if (lseek(from, 0, SEEK_SET) != 0)
        return false;
    while ((count = read(from, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)count, out); /* who closes it learns of errors */
    return count == 0;
}

static enum ep_shelter_end end_of(pid_t child, int answer, FILE *out)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended != child)
        return EP_SHELTER_CRASHED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EP_STATUS_DONE && copy(answer, out))
        return EP_SHELTER_DONE;
    /* SIGKILL is what the processor's limit sends where SIGXCPU is not heard */
    int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return by == SIGXCPU || by == SIGALRM || by == SIGKILL ? EP_SHELTER_LONG : EP_SHELTER_CRASHED;
}

enum ep_shelter_end ep_shelter_do(const struct ep_shelter *shelter, ep_shelter_work *work,
                                  void *arg, FILE *out)
{
    int answer = memfd_create("answer", MFD_CLOEXEC);
    if (answer < 0)
        return EP_SHELTER_NONE;
    fflush(out); /* else the child has it as well, and a sanitizer writes it at its end */
    const struct times times = times_left(shelter);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0)
        become(work, arg, answer, parent, &times);
    enum ep_shelter_end end = child > 0 ? end_of(child, answer, out) : EP_SHELTER_NONE;
    close(answer);
    return end;
}
