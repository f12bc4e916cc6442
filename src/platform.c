#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *map(size_t bytes, int protection, int flags)
{
    void *start = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

uint64_t ep_platform_address_space(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

void *ep_platform_reserve(size_t bytes)
{
    return map(bytes, PROT_NONE, MAP_NORESERVE);
}

int ep_platform_commit(void *start, size_t bytes)
{
    size_t before = (uintptr_t)start % (size_t)sysconf(_SC_PAGESIZE);
    return mprotect((char *)start - before, before + bytes, PROT_READ | PROT_WRITE);
}

void *ep_platform_allocate(size_t bytes)
{
    return map(bytes, PROT_READ | PROT_WRITE, 0);
}

void *ep_platform_allocate_wiped(size_t bytes)
{
    void *start = ep_platform_allocate(bytes);
    if (start)
        madvise(start, bytes, MADV_WIPEONFORK);
    return start;
}

void ep_platform_release(void *start, size_t bytes)
{
    munmap(start, bytes);
}

static bool membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool ep_platform_barrier(void)
{
    int saved_errno = errno;
    /* The first one is refused: a process has to register. exec undoes that, fork does not. */
    bool done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
                (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
                 membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
    errno = saved_errno;
    return done;
}

/* The variables, each with its NUL, and a NUL behind them. To be freed. */
static char *read_environment(void)
{
    char *text = NULL;
    size_t count = 0, room = 0;
    int file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
    for (ssize_t bytes = 1; file >= 0 && bytes > 0; count += bytes > 0 ? (size_t)bytes : 0) {
        char *larger = room - count > 1 ? text : realloc(text, room += 4096);
        if (!larger)
            break;
        text = larger;
        bytes = read(file, text + count, room - count - 1);
    }
    if (file >= 0)
        close(file);
    if (text)
        text[count] = '\0';
    return text;
}

char *ep_platform_first_environment(const char *name)
{
    size_t bytes = strlen(name);
    char *text = getauxval(AT_SECURE) ? NULL : read_environment(), *value = NULL;
    for (const char *at = text; at && *at && !value; at += strlen(at) + 1)
        if (strncmp(at, name, bytes) == 0 && at[bytes] == '=')
            value = strdup(at + bytes + 1);
    free(text);
    return value;
}

void ep_platform_hold_cancel(int *state, int *type)
{
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, state);
}

void ep_platform_release_cancel(int state, int type)
{
    pthread_setcancelstate(state, NULL);
    pthread_setcanceltype(type, NULL);
}

uint64_t ep_platform_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool ep_platform_keeps_time_by(const char *clocksource)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char current[64];
    size_t length = strlen(clocksource);
    int saved_errno = errno;
    bool is_current = false;

    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        /* A line: the name and a newline. */
        is_current = read(file, current, sizeof current) == (ssize_t)length + 1 &&
                     memcmp(current, clocksource, length) == 0;
        close(file);
    }
    errno = saved_errno;
    return is_current;
}
