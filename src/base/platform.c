#include "base/platform.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"

/* ---- memory ---- */

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

void ep_platform_release(void *start, size_t bytes)
{
    munmap(start, bytes);
}

/* ---- memory that is kept until the end ---- */

enum { KEPT_SLOTS = 126 }; /* half a page, or a quarter on 32 bits */

/* Not a list through the kept memory itself, which a forked child finds zeroed. */
struct kept {
    struct kept *before;
    uint32_t count; /* slots that were taken; may exceed KEPT_SLOTS */
    struct {
        void *start; /* NULL: not written yet, or released */
        size_t bytes;
    } at[KEPT_SLOTS];
};

static struct kept kept_first;
static struct kept *kept_last = &kept_first;

/* If several threads find the last one full, one of them adds the next. */
static bool add_slots(struct kept *full)
{
    struct kept *fresh = ep_platform_allocate(sizeof *fresh);
    if (!fresh)
        return false;
    fresh->before = full;
    if (!__atomic_compare_exchange_n(&kept_last, &full, fresh, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        ep_platform_release(fresh, sizeof *fresh);
    return true;
}

/* Without memory for the note, `start` stays mapped until the process ends. */
static void note(void *start, size_t bytes)
{
    struct kept *last;
    uint32_t slot;
    do {
        last = ep_load_acquire(&kept_last); /* pairs with the exchange in add_slots() */
        slot = __atomic_fetch_add(&last->count, 1, __ATOMIC_RELAXED);
        if (slot < KEPT_SLOTS) {
            last->at[slot].bytes = bytes;
            ep_store_release(&last->at[slot].start, start); /* pairs with release_all_kept() */
            return;
        }
        ep_store(&last->count, KEPT_SLOTS); /* so that it does not overflow */
    } while (add_slots(last));
}

void *ep_platform_allocate_kept(size_t bytes)
{
    void *start = ep_platform_allocate(bytes);
    if (start)
        note(start, bytes);
    return start;
}

void *ep_platform_allocate_wiped(size_t bytes)
{
    void *start = ep_platform_allocate_kept(bytes);
    if (start)
        ep_platform_wipe_on_fork(start, bytes);
    return start;
}

void ep_platform_wipe_on_fork(void *start, size_t bytes)
{
    madvise(start, bytes, MADV_WIPEONFORK);
}

/* Pages that are given back read as zero. It is refused if the program has locked its memory. */
void ep_platform_clear(void *start, size_t bytes)
{
    enum { GIVE_BACK_BYTES = 1 << 16 };
    EP_KEEP_ERRNO;
    if (bytes < GIVE_BACK_BYTES || madvise(start, bytes, MADV_DONTNEED) != 0)
        memset(start, 0, bytes);
}

void ep_platform_release_kept(void *start, size_t bytes)
{
    for (struct kept *kept = ep_load_acquire(&kept_last); kept; kept = kept->before)
        for (size_t i = 0; i < KEPT_SLOTS; i++)
            if (ep_load(&kept->at[i].start) == start)
                ep_store(&kept->at[i].start, NULL);
    munmap(start, bytes); /* last: another mapping may get the address as soon as it is free */
}

void ep_platform_release_all_kept(void)
{
    struct kept *kept = ep_load_acquire(&kept_last), *before;
    kept_last = &kept_first;
    for (; kept; kept = before) {
        before = kept->before;
        for (size_t i = 0; i < KEPT_SLOTS; i++)
            if (kept->at[i].start)
                munmap(kept->at[i].start, kept->at[i].bytes);
        if (before)
            munmap(kept, sizeof *kept);
    }
    kept_first = (struct kept){.count = 0};
}

/* A step is large, so that the system calls cost little compared to reading the contents. */
void ep_platform_forget(char **done, const char *end)
{
    enum { STEP_BYTES = 1 << 20 };
    if (end - *done < STEP_BYTES)
        return;
    EP_KEEP_ERRNO;
    size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)*done + page_bytes - 1) / page_bytes * page_bytes;
    uintptr_t last = (uintptr_t)end / page_bytes * page_bytes;
    /* refused if the program has locked its memory: then the pages stay */
    madvise(*done + (first - (uintptr_t)*done), last - first, MADV_DONTNEED);
    *done += last - (uintptr_t)*done;
}

/* ---- memory barrier ---- */

static bool membarrier(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool ep_platform_barrier(void)
{
    EP_KEEP_ERRNO;
    /* Refused until the process has registered. exec undoes the registration, fork does not. */
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
            membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

/* ---- environment, cancellation, time ---- */

/* The variables, each with its NUL, and a final NUL. To be freed. */
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
    ep_file_close(file);
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

uint64_t ep_platform_clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t ep_platform_monotonic_ns(void)
{
    return ep_platform_clock_ns(CLOCK_MONOTONIC);
}

uint64_t ep_platform_process_cpu_ns(void)
{
    return ep_platform_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

bool ep_platform_keeps_time_by(const char *clocksource)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char current[64];
    EP_KEEP_ERRNO;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t bytes = file < 0 ? -1 : read(file, current, sizeof current); /* and a newline */
    ep_file_close(file);
    return bytes == (ssize_t)strlen(clocksource) + 1 &&
           memcmp(current, clocksource, strlen(clocksource)) == 0;
}
