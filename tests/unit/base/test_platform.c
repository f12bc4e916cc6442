#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/platform.h"
#include "emulated.h"
#include "sanitizer.h"
#include "support/test.h"

enum { ERRNO_OF_TOO_MUCH = VALGRIND ? EINVAL : ENOMEM }; /* for mmap(), which reports it itself */
enum { NOT_AN_ERRNO = 12345 };

/* More than the address space of a program, for 64 bits and for 32. */
#define TOO_MUCH (SIZE_MAX / 16 * 15)

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void assert_all_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            fail_msg("byte %zu is %d", i, bytes[i]);
}

/* The line is in the format of the kernel: "first-end rw-p ..." */
static bool is_writable(const void *byte)
{
    char line[4096], write_permission;
    uintmax_t first, end;
    bool writable = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%jx-%jx %*c%c", &first, &end, &write_permission) == 3 &&
            first <= (uintptr_t)byte && (uintptr_t)byte < end)
            writable = write_permission == 'w';
    fclose(maps);
    return writable;
}

TEST(reserve_gives_no_memory)
{
    size_t bytes = 16 * page_bytes();
    char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_false(is_writable(start));
    assert_false(is_writable(start + bytes - 1));
    ep_platform_release(start, bytes);
}

TEST(reserve_of_too_much_is_null_and_enomem)
{
    errno = 0;
    assert_null(ep_platform_reserve(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
}

TEST(commit_gives_zeroed_memory)
{
    size_t bytes = 16 * page_bytes();
    unsigned char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_return_code(ep_platform_commit(start, 2 * page_bytes()), errno);
    assert_all_zero(start, 2 * page_bytes());
    memset(start, 1, 2 * page_bytes());
    assert_false(is_writable(start + 2 * page_bytes()));
    ep_platform_release(start, bytes);
}

TEST(commit_keeps_existing_content)
{
    size_t bytes = 16 * page_bytes();
    unsigned char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_return_code(ep_platform_commit(start, page_bytes()), errno);
    start[0] = 7;
    assert_return_code(ep_platform_commit(start, bytes), errno);
    assert_int_equal(start[0], 7);
    assert_all_zero(start + 1, bytes - 1);
    ep_platform_release(start, bytes);
}

TEST(commit_of_parts_of_pages_takes_the_pages)
{
    size_t bytes = 4 * page_bytes();
    char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_return_code(ep_platform_commit(start + 2 * page_bytes() - 1, 2), errno);
    assert_false(is_writable(start));
    assert_true(is_writable(start + page_bytes()));
    assert_true(is_writable(start + 3 * page_bytes() - 1));
    assert_false(is_writable(start + 3 * page_bytes()));
    ep_platform_release(start, bytes);
}

#if PAGES_ARE_MAPPED_FIRST
TEST(commit_of_unreserved_memory_is_enomem)
{
    size_t bytes = 4 * page_bytes();
    char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    ep_platform_release(start, bytes);
    errno = 0;
    assert_int_equal(ep_platform_commit(start, bytes), -1);
    assert_int_equal(errno, ENOMEM);
}
#endif

TEST(allocate_gives_zeroed_memory)
{
    size_t bytes = 3 * page_bytes();
    unsigned char *start = ep_platform_allocate(bytes);
    assert_non_null(start);
    assert_all_zero(start, bytes);
    memset(start, 1, bytes);
    ep_platform_release(start, bytes);
}

TEST(allocate_of_too_much_is_null_and_enomem)
{
    errno = 0;
    assert_null(ep_platform_allocate(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
    errno = 0;
    assert_null(ep_platform_allocate_wiped(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
}

TEST(release_gives_the_memory_back)
{
    size_t bytes = page_bytes();
    char *start = ep_platform_allocate(bytes);
    assert_non_null(start);
    assert_true(is_writable(start));
    ep_platform_release(start, bytes);
    assert_false(is_writable(start));
}

/* The value that a forked child finds in a byte that was 7. */
static int byte_of_child(const unsigned char *byte)
{
    int status;
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0)
        _exit(*byte);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(forget_empties_whole_pages_up_to_the_end_and_keeps_errno)
{
    const size_t bytes = 8 << 20, begin = 100, end = (6 << 20) + 100;
    char *start = ep_platform_allocate(bytes), *done = start + begin;
    assert_non_null(start);
    memset(start, 'x', bytes);
    errno = NOT_AN_ERRNO;
    ep_platform_forget(&done, start + end);
    assert_int_equal(errno, NOT_AN_ERRNO);
    assert_true(done <= start + end && start + end - done < 1 << 20);
    for (size_t i = 0; i < bytes; i++)
        if (i < begin || i >= end)
            assert_int_equal(start[i], 'x');
    assert_int_equal(start[3 << 20], 0);
    ep_platform_release(start, bytes);
}

TEST(forget_leaves_less_than_a_step)
{
    const size_t bytes = 1 << 20;
    char *start = ep_platform_allocate(bytes), *done = start;
    assert_non_null(start);
    memset(start, 'x', bytes);
    ep_platform_forget(&done, start + bytes - 1);
    assert_ptr_equal(done, start);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(start[i], 'x');
    ep_platform_release(start, bytes);
}

TEST(child_finds_allocated_memory_as_it_was)
{
    unsigned char *start = ep_platform_allocate(page_bytes());
    assert_non_null(start);
    start[0] = 7;
    assert_int_equal(byte_of_child(start), 7);
    ep_platform_release_kept(start, page_bytes());
}

#if FORKS_WIPE_MEMORY
TEST(child_finds_wiped_memory_zeroed)
{
    unsigned char *start = ep_platform_allocate_wiped(page_bytes());
    assert_non_null(start);
    start[0] = 7;
    assert_int_equal(byte_of_child(start), 0);
    assert_int_equal(start[0], 7);
    ep_platform_release(start, page_bytes());
}
#endif

/* The first call registers the process; here it is refused first. */
TEST(barrier_works_if_the_kernel_has_it_and_keeps_errno)
{
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    bool kernel_can = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_platform_barrier(), kernel_can);
    assert_int_equal(ep_platform_barrier(), kernel_can);
    assert_int_equal(errno, NOT_AN_ERRNO);
}

TEST(monotonic_lies_between_two_readings_of_the_clock)
{
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    uint64_t now_ns = ep_platform_monotonic_ns();
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_in_range(now_ns, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
}

static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/* The clock source that the kernel reports; empty if it reports none. */
static void read_current(char current[64])
{
    current[0] = '\0';
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    if (!fgets(current, 64, file))
        current[0] = '\0';
    fclose(file);
    current[strcspn(current, "\n")] = '\0';
}

TEST(kernel_keeps_time_by_its_current_clocksource_only)
{
    char current[64], longer[66];
    read_current(current);
    snprintf(longer, sizeof longer, "%s2", current);

    assert_int_equal(ep_platform_keeps_time_by(current), current[0] != '\0');
    assert_false(ep_platform_keeps_time_by(longer));
    assert_false(ep_platform_keeps_time_by("no such clocksource"));
    assert_false(ep_platform_keeps_time_by(""));
    if (current[0]) {
        char *last = &current[strlen(current) - 1];
        ++*last;
        assert_false(ep_platform_keeps_time_by(current));
        *last = '\0';
        assert_false(ep_platform_keeps_time_by(current));
    }
}

static int lowest_free_descriptor(void)
{
    int file = open("/dev/null", O_RDONLY);
    assert_return_code(file, errno);
    close(file);
    return file;
}

TEST(asking_for_the_clocksource_keeps_errno_and_closes_the_file)
{
    int before = lowest_free_descriptor();
    errno = NOT_AN_ERRNO;
    ep_platform_keeps_time_by("tsc");
    assert_int_equal(errno, NOT_AN_ERRNO);
    assert_int_equal(lowest_free_descriptor(), before);
}

/* ------------------------------------------- values that are kept until the end -- */

enum { KEPT = 1000, THREADS = 4 };

static void *kept[THREADS][KEPT];

static void *allocate_many(void *place)
{
    void **at = place;
    for (int i = 0; i < KEPT; i++)
        at[i] = i % 2 ? ep_platform_allocate_wiped(page_bytes())
                      : ep_platform_allocate_kept(2 * page_bytes());
    return NULL;
}

static bool is_mapped(void *page)
{
    unsigned char is_resident;
    return mincore(page, 1, &is_resident) == 0;
}

/* Several threads at the same time; some of them find no free place. */
static void allocate_on_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_many, kept[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

TEST(kept_memory_is_released_at_once)
{
    for (int round = 0; round < 2; round++) {
        allocate_on_threads();
        for (int i = 0; i < THREADS; i++)
            for (int j = 0; j < KEPT; j++)
                assert_true(is_mapped(kept[i][j]));
        ep_platform_release_all_kept();
        for (int i = 0; i < THREADS; i++)
            for (int j = 0; j < KEPT; j++)
                if (is_mapped(kept[i][j]))
                    fail_msg("%d of thread %d is still there", j, i);
    }
}

TEST(kept_memory_that_was_released_is_not_released_again)
{
    size_t bytes = page_bytes();
    for (int i = 0; i < 3; i++)
        kept[0][i] = ep_platform_allocate_wiped(bytes);
    ep_platform_release_kept(kept[0][1], bytes);
    void *another = mmap(kept[0][1], bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_equal(another, kept[0][1]);
    ep_platform_release_all_kept();
    assert_true(is_mapped(another));
    assert_false(is_mapped(kept[0][0]));
    assert_false(is_mapped(kept[0][2]));
    munmap(another, bytes);
}

/* A forked child finds it zeroed, but can release it too. */
TEST(child_releases_kept_memory)
{
    int status = -1;
    for (int i = 0; i < KEPT; i++)
        kept[0][i] = ep_platform_allocate_wiped(page_bytes());
    pid_t child = fork();
    if (child == 0) {
        ep_platform_release_all_kept();
        for (int i = 0; i < KEPT; i++)
            if (is_mapped(kept[0][i]))
                _exit(1);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    ep_platform_release_all_kept();
}
