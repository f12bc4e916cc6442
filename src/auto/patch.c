#include "patch.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/compiler.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* older kernels take the address as a hint */
#endif

enum { PAGE_BYTES = 4096, CALL = 0xe8 };

static uintptr_t page(uintptr_t address)
{
    return address & ~(uintptr_t)(PAGE_BYTES - 1);
}

/* ---- a target within reach ---- */

struct range {
    uintptr_t begin, end;
};

static struct range code_of(const struct dl_phdr_info *info)
{
    struct range code = {UINTPTR_MAX, 0};
    for (const ElfW(Phdr) *at = info->dlpi_phdr; at < info->dlpi_phdr + info->dlpi_phnum; at++) {
        uintptr_t begin = info->dlpi_addr + at->p_vaddr;
        if (at->p_type != PT_LOAD || !(at->p_flags & PF_X))
            continue;
        if (begin < code.begin)
            code.begin = begin;
        if (begin + at->p_memsz > code.end)
            code.end = begin + at->p_memsz;
    }
    return code;
}

/* From anywhere in the code: a call reaches 2 GiB in each direction. */
static bool is_reached(struct range code, uintptr_t target)
{
    return (int64_t)(target - code.begin) <= INT32_MAX && (int64_t)(code.end - target) <= INT32_MAX;
}

/* A jump to an address of 64 bits, `jmp *0(%rip)`. The call is direct, so no landing mark is
 * needed. It is never unmapped, since several modules may use it. */
struct stub {
    unsigned char jump[6];
    unsigned char routine[8];
};

enum { MOST_STUBS = 64, STEP_BYTES = 1 << 20 };

static struct {
    struct stub *at;
    void (*routine)(void);
} stubs[MOST_STUBS];

static void *map_at(uintptr_t address, struct range code)
{
    void *at = mmap((void *)address, PAGE_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (is_reached(code, (uintptr_t)at))
        return at;
    munmap(at, PAGE_BYTES);
    return NULL;
}

/* A page near the code. First below it, since malloc() extends the heap above a program; then as
 * far above it as possible. */
static void *map_near(struct range code)
{
    enum { LOWEST = 1 << 16 }; /* the usual vm.mmap_min_addr */
    void *at = NULL;
    uintptr_t begin = page(code.begin), end = page(code.end + PAGE_BYTES - 1);
    uintptr_t most = INT32_MAX - (uintptr_t)PAGE_BYTES;
    for (uintptr_t below = begin - PAGE_BYTES;
         !at && below >= LOWEST && below < begin && end - below <= most; below -= STEP_BYTES)
        at = map_at(below, code);
    for (uintptr_t above = page(begin + most); !at && above > end; above -= STEP_BYTES)
        at = map_at(above, code);
    return at;
}

static struct stub *make_stub(struct range code, void (*routine)(void))
{
    struct stub *stub = map_near(code);
    if (!stub) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(stub->jump, "\xff\x25\x00\x00\x00\x00", sizeof stub->jump);
    memcpy(stub->routine, &routine, sizeof stub->routine);
    if (mprotect(stub, PAGE_BYTES, PROT_READ | PROT_EXEC) == 0)
        return stub;
    int error = errno;
    munmap(stub, PAGE_BYTES);
    errno = error;
    return NULL;
}

uintptr_t ep_patch_target(const struct dl_phdr_info *info, void (*routine)(void))
{
    struct range code = code_of(info);
    if (is_reached(code, (uintptr_t)routine))
        return (uintptr_t)routine;
    int i = 0;
    for (; i < MOST_STUBS && stubs[i].at; i++)
        if (stubs[i].routine == routine && is_reached(code, (uintptr_t)stubs[i].at))
            return (uintptr_t)stubs[i].at;
    if (i == MOST_STUBS) {
        errno = ENOMEM;
        return 0;
    }
    stubs[i].routine = routine;
    stubs[i].at = make_stub(code, routine);
    return (uintptr_t)stubs[i].at;
}

/* ---- writing code ---- */

/* Where the system forbids that changed pages become executable (SELinux, PR_SET_MDWE, seccomp),
 * this fails, and it is known before the program's code has lost its protection. */
static int test_writing(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *copy = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
    int result = -1, error = errno;
    if (copy != MAP_FAILED) {
        *(volatile char *)copy = 0;
        result = mprotect(copy, PAGE_BYTES, PROT_READ | PROT_EXEC);
        error = errno;
        munmap(copy, PAGE_BYTES);
    }
    if (file >= 0)
        close(file);
    errno = error;
    return result;
}

/* Entries from the first to the last page of which the protection is changed. */
struct run {
    const uintptr_t *at;
    size_t count;
    uintptr_t begin, end;
    int during, after; /* the protection */
};

/* syscall() lies in the pages that are being written, if the program contains the C library. */
EP_INLINE long call_kernel(long number, long first, long second, long third, long fourth)
{
    long result = number;
    register long in_r10 __asm__("r10") = fourth;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(first), "S"(second), "d"(third), "r"(in_r10)
                     : "rcx", "r11", "memory");
    return result;
}

EP_INLINE void write_entry(uintptr_t entry, uintptr_t target)
{
    /* the compiler would call memcpy() without optimization */
    typedef int32_t __attribute__((aligned(1), may_alias)) unaligned;
    unsigned char *code = (unsigned char *)entry;
    if (target) {
        code[0] = CALL;
        *(unaligned *)(code + 1) = (int32_t)(target - (entry + EP_ENTRIES_BYTES));
    } else {
        *(unaligned *)code = 0x00441f0f;
        code[4] = 0;
    }
}

/* Calls no function, and lets no signal handler run, which might lie in these pages. Returns 0 or a
 * negative error number. */
static __attribute__((noinline)) long write_run(const struct run *run, uintptr_t target)
{
    uint64_t all = UINT64_MAX, before;
    long bytes = (long)(run->end - run->begin);
    call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, sizeof all);
    long result = call_kernel(SYS_mprotect, (long)run->begin, bytes, run->during, 0);
    if (result == 0) {
        for (size_t i = 0; i < run->count; i++)
            write_entry(run->at[i], target);
        result = call_kernel(SYS_mprotect, (long)run->begin, bytes, run->after, 0);
    }
    call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, sizeof before);
    return result;
}

/* The pages of write_run(), which is shorter than a page. */
static struct range own_pages(void)
{
    uintptr_t begin = page((uintptr_t)write_run);
    return (struct range){begin, begin + 2 * PAGE_BYTES};
}

enum side { BELOW_OWN_PAGES, IN_OWN_PAGES, ABOVE_OWN_PAGES };

static enum side side_of(uintptr_t entry)
{
    struct range own = own_pages();
    if (entry + EP_ENTRIES_BYTES <= own.begin)
        return BELOW_OWN_PAGES;
    return entry < own.end ? IN_OWN_PAGES : ABOVE_OWN_PAGES;
}

static int protection_of(const ElfW(Phdr) * segment)
{
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

/* The run that begins with the first of these entries: to the end of the segment, since the
 * protection of few large ranges changes faster than that of many small ones, or to own pages. */
static struct run run_of(const struct dl_phdr_info *info, const uintptr_t *at, size_t count)
{
    const ElfW(Phdr) *segment = ep_entries_segment(info, *at, PF_X);
    uintptr_t end = info->dlpi_addr + segment->p_vaddr + segment->p_filesz;
    enum side side = side_of(*at);
    struct run run = {.at = at, .begin = page(*at), .after = protection_of(segment)};
    while (run.count < count && at[run.count] < end && side_of(at[run.count]) == side)
        run.count++;
    run.end = page(at[run.count - 1] + EP_ENTRIES_BYTES - 1) + PAGE_BYTES;
    run.during = side == IN_OWN_PAGES ? PROT_READ | PROT_WRITE | PROT_EXEC : PROT_READ | PROT_WRITE;
    return run;
}

ssize_t ep_patch_write(const struct dl_phdr_info *info, const char *path,
                       const struct ep_entries *entries, uintptr_t target)
{
    ssize_t written = 0;
    if (!entries->count)
        return 0;
    if (test_writing(path) != 0)
        return -1;
    for (size_t i = 0; i < entries->count;) {
        struct run run = run_of(info, entries->at + i, entries->count - i);
        long error = write_run(&run, target);
        if (error != 0 && run.during != (PROT_READ | PROT_WRITE | PROT_EXEC)) {
            errno = (int)-error;
            return -1;
        }
        if (error == 0)
            written += (ssize_t)run.count;
        i += run.count;
    }
    return written;
}

#endif
