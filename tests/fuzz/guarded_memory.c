/*
 * guarded_memory.c - images that end at the end of accessible memory
 *
 * The linker replaces the functions of the platform (--wrap). The last cell of a copy is at the end
 * of accessible memory. It is followed by an inaccessible range as large as a reference can reach:
 * so each reference that was not checked stops the program, whatever else is in memory.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/platform.h"

/* 2^32 references to cells of 64 bytes. */
#define REACH_BYTES ((size_t)1 << 38)

void *__wrap_ep_platform_allocate(size_t bytes);
void __wrap_ep_platform_release(void *start, size_t bytes);
void __real_ep_platform_release(void *start, size_t bytes);

/* The memory that was handed out and not yet released. */
static struct guarded {
    void *start, *whole;
    size_t whole_bytes;
} guarded[64];

static struct guarded *find(const void *start)
{
    for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++)
        if (guarded[i].start == start)
            return &guarded[i];
    return NULL;
}

void *__wrap_ep_platform_allocate(size_t bytes)
{
    const size_t page = 4096; /* of x86; a larger page only finds a fault later */
    size_t touched = (bytes + page - 1) / page * page, whole_bytes = touched + REACH_BYTES;
    struct guarded *place = find(NULL);
    if (!place) {
        errno = ENOMEM;
        return NULL;
    }
    char *whole =
        mmap(NULL, whole_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED || mprotect(whole, touched, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    *place = (struct guarded){whole + (touched - bytes), whole, whole_bytes};
    return place->start;
}

void __wrap_ep_platform_release(void *start, size_t bytes)
{
    struct guarded *place = find(start);
    if (!place) {
        __real_ep_platform_release(start, bytes);
        return;
    }
    munmap(place->whole, place->whole_bytes);
    *place = (struct guarded){.start = NULL};
}
