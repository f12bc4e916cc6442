#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../emulated.h"
#include "../sanitizer.h"
#include "platform.h"

enum { ERRNO_OF_TOO_MUCH = VALGRIND ? EINVAL : ENOMEM }; /* of mmap(), which it looks at itself */
enum { NOT_AN_ERRNO = 12345 };

/* More than a program's address space, of 64 bits and of 32. */
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

/* As the kernel lists it: "first-end rw-p ..." */
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

static void reserve_gives_no_memory(void **state)
{
    size_t bytes = 16 * page_bytes();
    (void)state;
    char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_false(is_writable(start));
    assert_false(is_writable(start + bytes - 1));
    ep_platform_release(start, bytes);
}

static void reserve_of_too_much_is_null_and_enomem(void **state)
{
    (void)state;
    errno = 0;
    assert_null(ep_platform_reserve(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
}

static void commit_gives_zeroed_memory(void **state)
{
    size_t bytes = 16 * page_bytes();
    (void)state;
    unsigned char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_return_code(ep_platform_commit(start, 2 * page_bytes()), errno);
    assert_all_zero(start, 2 * page_bytes());
    memset(start, 1, 2 * page_bytes());
    assert_false(is_writable(start + 2 * page_bytes()));
    ep_platform_release(start, bytes);
}

static void commit_keeps_what_is_there(void **state)
{
    size_t bytes = 16 * page_bytes();
    (void)state;
    unsigned char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    assert_return_code(ep_platform_commit(start, page_bytes()), errno);
    start[0] = 7;
    assert_return_code(ep_platform_commit(start, bytes), errno);
    assert_int_equal(start[0], 7);
    assert_all_zero(start + 1, bytes - 1);
    ep_platform_release(start, bytes);
}

static void commit_of_parts_of_pages_takes_the_pages(void **state)
{
    size_t bytes = 4 * page_bytes();
    (void)state;
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
static void commit_of_what_is_not_reserved_is_enomem(void **state)
{
    size_t bytes = 4 * page_bytes();
    (void)state;
    char *start = ep_platform_reserve(bytes);
    assert_non_null(start);
    ep_platform_release(start, bytes);
    errno = 0;
    assert_int_equal(ep_platform_commit(start, bytes), -1);
    assert_int_equal(errno, ENOMEM);
}
#endif

static void allocate_gives_zeroed_memory(void **state)
{
    size_t bytes = 3 * page_bytes();
    (void)state;
    unsigned char *start = ep_platform_allocate(bytes);
    assert_non_null(start);
    assert_all_zero(start, bytes);
    memset(start, 1, bytes);
    ep_platform_release(start, bytes);
}

static void allocate_of_too_much_is_null_and_enomem(void **state)
{
    (void)state;
    errno = 0;
    assert_null(ep_platform_allocate(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
    errno = 0;
    assert_null(ep_platform_allocate_wiped(TOO_MUCH));
    assert_int_equal(errno, ERRNO_OF_TOO_MUCH);
}

static void release_gives_the_memory_back(void **state)
{
    size_t bytes = page_bytes();
    (void)state;
    char *start = ep_platform_allocate(bytes);
    assert_non_null(start);
    assert_true(is_writable(start));
    ep_platform_release(start, bytes);
    assert_false(is_writable(start));
}

/* What a forked child finds in a byte that was 7. */
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

static void child_finds_allocated_memory_as_it_was(void **state)
{
    (void)state;
    unsigned char *start = ep_platform_allocate(page_bytes());
    assert_non_null(start);
    start[0] = 7;
    assert_int_equal(byte_of_child(start), 7);
    ep_platform_release(start, page_bytes());
}

#if FORKS_WIPE_MEMORY
static void child_finds_wiped_memory_zeroed(void **state)
{
    (void)state;
    unsigned char *start = ep_platform_allocate_wiped(page_bytes());
    assert_non_null(start);
    start[0] = 7;
    assert_int_equal(byte_of_child(start), 0);
    assert_int_equal(start[0], 7);
    ep_platform_release(start, page_bytes());
}
#endif

/* The first one registers the process, which is first refused. */
static void barrier_is_had_where_the_kernel_has_it_and_keeps_errno(void **state)
{
    (void)state;
    long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    bool kernel_can = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_platform_barrier(), kernel_can);
    assert_int_equal(ep_platform_barrier(), kernel_can);
    assert_int_equal(errno, NOT_AN_ERRNO);
}

static void monotonic_lies_between_two_readings_of_the_clock(void **state)
{
    struct timespec before, after;
    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &before);
    uint64_t now_ns = ep_platform_monotonic_ns();
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_in_range(now_ns, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
}

static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/* As the kernel tells it; empty where it does not. */
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

static void kernel_keeps_time_by_its_current_clocksource_only(void **state)
{
    char current[64], longer[66];
    (void)state;
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

static void asking_for_the_clocksource_keeps_errno_and_closes_the_file(void **state)
{
    (void)state;
    int before = lowest_free_descriptor();
    errno = NOT_AN_ERRNO;
    ep_platform_keeps_time_by("tsc");
    assert_int_equal(errno, NOT_AN_ERRNO);
    assert_int_equal(lowest_free_descriptor(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reserve_gives_no_memory),
        cmocka_unit_test(reserve_of_too_much_is_null_and_enomem),
        cmocka_unit_test(commit_gives_zeroed_memory),
        cmocka_unit_test(commit_keeps_what_is_there),
        cmocka_unit_test(commit_of_parts_of_pages_takes_the_pages),
#if PAGES_ARE_MAPPED_FIRST
        cmocka_unit_test(commit_of_what_is_not_reserved_is_enomem),
#endif
        cmocka_unit_test(allocate_gives_zeroed_memory),
        cmocka_unit_test(allocate_of_too_much_is_null_and_enomem),
        cmocka_unit_test(release_gives_the_memory_back),
        cmocka_unit_test(child_finds_allocated_memory_as_it_was),
#if FORKS_WIPE_MEMORY
        cmocka_unit_test(child_finds_wiped_memory_zeroed),
#endif
        cmocka_unit_test(barrier_is_had_where_the_kernel_has_it_and_keeps_errno),
        cmocka_unit_test(monotonic_lies_between_two_readings_of_the_clock),
        cmocka_unit_test(kernel_keeps_time_by_its_current_clocksource_only),
        cmocka_unit_test(asking_for_the_clocksource_keeps_errno_and_closes_the_file),
    };
    return cmocka_run_group_tests_name("platform", tests, NULL, NULL);
}
