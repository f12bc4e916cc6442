/*
 * The image when address space or memory is short. Each test runs in a forked child with its own
 * limits. Not built with a sanitizer, which needs much of both itself.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "child.h"
#include "image/image.h"
#include "support/test.h"

#define MIB (UINT64_C(1) << 20)

/* The size of the smallest image is 2 MiB. */
enum { SMALLEST_CELLS = (2 << 20) / EP_CELL_BYTES };

/* The result in the child. */
struct sight {
    int result, error;
    uint32_t reserved, committed, taken;
    int is_unharmed, goes_on;
};

static struct ep_image image;

/* The value in KiB, as the kernel counts it. */
static uint64_t status_bytes(const char *field)
{
    char line[256];
    unsigned long long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, field, strlen(field)) == 0)
            sscanf(line + strlen(field), ": %llu", &kibibytes);
    if (status)
        fclose(status);
    return kibibytes * 1024;
}

static void limit(int resource, uint64_t bytes)
{
    struct rlimit limit;
    getrlimit(resource, &limit);
    limit.rlim_cur = (rlim_t)bytes;
    setrlimit(resource, &limit);
}

static void limit_address_space_to(uint64_t more_bytes)
{
    limit(RLIMIT_AS, status_bytes("VmSize") + more_bytes);
}

/* The kernel counts private writable pages; a page that becomes one is added to the count. */
static void limit_memory_to(uint64_t more_bytes)
{
    limit(RLIMIT_DATA, status_bytes("VmData") + more_bytes);
}

static void try_create(struct sight *sight)
{
    errno = 0;
    sight->result = ep_image_create(&image);
    sight->error = errno;
    sight->reserved = image.reserved;
    sight->committed = image.committed;
}

/* Takes blocks until there are no more, and writes its number into each. */
static void take_all_blocks(struct sight *sight)
{
    ep_ref first = 0, block;
    errno = 0;
    while ((block = ep_image_take(&image, EP_BLOCK_CELLS))) {
        first = first ? first : block;
        image.cells[block].refs[0] = sight->taken++;
    }
    sight->error = errno;
    sight->committed = image.committed;
    sight->is_unharmed = 1;
    for (uint32_t i = 0; i < sight->taken; i++)
        sight->is_unharmed &= image.cells[first + i * EP_BLOCK_CELLS].refs[0] == i;
}

static struct sight in_child(void (*act)(void *sight))
{
    struct sight sight = {.result = 0};
    child_do(fork, act, &sight, sizeof sight);
    return sight;
}

/* ----------------------------------------------------------- address space -- */

enum { BOUND_MIB = 128 };

static void create_in_bounded_address_space(void *sight)
{
    limit(RLIMIT_AS, BOUND_MIB * MIB);
    try_create(sight);
    take_all_blocks(sight);
}

TEST(image_leaves_seven_eighths_of_the_address_space)
{
    struct sight sight = in_child(create_in_bounded_address_space);
    assert_int_equal(sight.result, 0);
    assert_int_equal(sight.reserved, BOUND_MIB / 8 * MIB / EP_CELL_BYTES);
    assert_int_equal(sight.committed, sight.reserved);
    assert_int_equal(sight.error, ENOMEM);
    assert_int_equal(sight.is_unharmed, 1);
    /* all but the header's block and the directory of instances */
    assert_int_equal(sight.taken, sight.reserved / EP_BLOCK_CELLS - 2);
}

/* The program already uses the rest of the address space. */
static void create_in_little_address_space(void *sight)
{
    limit_address_space_to(3 * MIB);
    try_create(sight);
}

TEST(image_is_as_small_as_the_address_space_that_is_left)
{
    struct sight sight = in_child(create_in_little_address_space);
    assert_int_equal(sight.result, 0);
    assert_int_equal(sight.reserved, SMALLEST_CELLS);
}

static void create_without_address_space(void *sight)
{
    limit_address_space_to(MIB);
    try_create(sight);
}

TEST(create_without_address_space_is_enomem)
{
    struct sight sight = in_child(create_without_address_space);
    assert_int_equal(sight.result, -1);
    assert_int_equal(sight.error, ENOMEM);
    assert_int_equal(sight.reserved, 0);
}

static void use_a_full_image(void *seen)
{
    struct sight *sight = seen;
    uint32_t cells;
    limit_address_space_to(3 * MIB);
    try_create(sight);
    ep_ref text = ep_image_text(&image, "kept", 4, &cells);
    ep_ref freed = ep_image_text(&image, "freed", 5, &cells);
    ep_image_text_free(&image, freed, cells);
    take_all_blocks(sight);
    sight->is_unharmed &= strcmp(ep_image_string(&image, text), "kept") == 0;
    sight->goes_on = ep_image_text(&image, "again", 5, &cells) == freed;
    errno = 0;
    sight->is_unharmed &= ep_image_take(&image, EP_BLOCK_CELLS) == 0 && errno == ENOMEM;
    errno = 0;
    sight->is_unharmed &= ep_image_instance_add(&image, 0) == -1 && errno == ENOMEM;
    sight->is_unharmed &= ep_image_instance(&image, 0) == NULL;
    static const char long_text[EP_LABEL_BYTES];
    errno = 0;
    sight->is_unharmed &=
        ep_image_text(&image, long_text, sizeof long_text, &cells) == 0 && errno == ENOMEM;
}

TEST(full_image_gives_enomem_and_is_unharmed)
{
    struct sight sight = in_child(use_a_full_image);
    assert_int_equal(sight.result, 0);
    assert_int_equal(sight.reserved, SMALLEST_CELLS);
    assert_int_equal(sight.error, ENOMEM);
    assert_int_equal(sight.is_unharmed, 1);
    assert_int_equal(sight.goes_on, 1);
}

/* ----------------------------------------------------------- locked memory -- */

static uint64_t lockable_bytes; /* passed to the child */

static bool may_be_limited_to(uint64_t bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && bytes <= limit.rlim_max;
}

/* The kernel does not limit a process that may lock any amount of memory. */
static void lock_all_that_is_mapped(void)
{
    limit(RLIMIT_MEMLOCK, status_bytes("VmLck") + lockable_bytes);
    if (geteuid() == 0 && setuid(65534) != 0)
        _exit(1);
    if (mlockall(MCL_FUTURE) != 0)
        _exit(2);
}

static void create_in_locked_memory(void *seen)
{
    struct sight *sight = seen;
    lock_all_that_is_mapped();
    try_create(sight);
    void *most = mmap(NULL, lockable_bytes / 8 * 7, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sight->goes_on = most != MAP_FAILED;
    if (sight->goes_on)
        munmap(most, lockable_bytes / 8 * 7);
    take_all_blocks(sight);
}

TEST(image_leaves_seven_eighths_of_the_memory_that_may_be_locked)
{
    static const uint64_t lockable[] = {6 * MIB, 7 * MIB, 100 * MIB, 1000 * MIB};
    for (size_t i = 0; i < sizeof lockable / sizeof lockable[0]; i++) {
        lockable_bytes = lockable[i];
        if (!may_be_limited_to(lockable_bytes))
            continue;
        struct sight sight = in_child(create_in_locked_memory);
        assert_int_equal(sight.result, 0);
        assert_in_range(sight.reserved, lockable[i] / 16 / EP_CELL_BYTES,
                        lockable[i] / 8 / EP_CELL_BYTES);
        assert_int_equal(sight.committed, sight.reserved);
        assert_int_equal(sight.goes_on, 1);
        assert_int_equal(sight.is_unharmed, 1);
        assert_int_equal(sight.taken, sight.reserved / EP_BLOCK_CELLS - 2);
    }
}

/* An eighth of this limit is less than the smallest useful image. */
TEST(image_is_small_where_little_memory_may_be_locked)
{
    lockable_bytes = MIB;
    if (!may_be_limited_to(lockable_bytes))
        skip();
    struct sight sight = in_child(create_in_locked_memory);
    assert_int_equal(sight.result, 0);
    assert_int_equal(sight.reserved, MIB / 4 / EP_CELL_BYTES);
    assert_int_equal(sight.committed, sight.reserved);
}

/* ------------------------------------------------------------------ memory -- */

enum { MORE_BLOCKS = 16 };

static void take_where_memory_ends(void *seen)
{
    struct sight *sight = seen;
    try_create(sight);
    uint32_t committed_at_first = image.committed;
    limit_memory_to(MORE_BLOCKS * EP_BLOCK_CELLS * EP_CELL_BYTES);
    take_all_blocks(sight);
    sight->reserved = image.committed - committed_at_first;
    limit(RLIMIT_DATA, RLIM_INFINITY);
    ep_ref block = ep_image_take(&image, EP_BLOCK_CELLS);
    sight->goes_on = block != 0 && image.cells[block].refs[0] == 0;
}

/* Memory is taken in steps of a MiB, but at the end block by block. */
TEST(image_takes_the_last_memory_there_is)
{
    struct sight sight = in_child(take_where_memory_ends);
    assert_int_equal(sight.result, 0);
    assert_int_equal(sight.error, ENOMEM);
    assert_int_equal(sight.is_unharmed, 1);
    assert_int_equal(sight.reserved, MORE_BLOCKS * EP_BLOCK_CELLS);
    assert_int_equal(sight.goes_on, 1);
}

static void create_without_memory(void *sight)
{
    limit_memory_to(0);
    try_create(sight);
}

TEST(create_without_memory_is_enomem)
{
    struct sight sight = in_child(create_without_memory);
    assert_int_equal(sight.result, -1);
    assert_int_equal(sight.error, ENOMEM);
    assert_int_equal(sight.reserved, 0);
}
