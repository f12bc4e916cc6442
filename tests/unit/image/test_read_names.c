/*
 * The file of a program is read while a thread of it takes names and ends without pause, at any
 * speed
 *
 * Reader and program run on one thread: for each reading the program gets as much time as the
 * reading would take if each had its own processor. So no clock is needed, and the load of the
 * machine does not matter.
 */
#include <eprof.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "image/read.h"
#include "snapshot/snapshot.h"
#include "support/random.h"
#include "support/test.h"
#include "wrapped.h"

/* The times on a processor of 2.3 GHz (2026-11-23). CELL_NS includes the check of a cell. */
enum { CALL_NS = 300, CELL_NS = 13, LOOK_NS = 12, SLEEP_NS = 50000, PART_BYTES = 4096 };

static char path[] = P_tmpdir "/eprof-names-XXXXXX";
static int instance;
static uint64_t calls;
static uint64_t round_ns, left_ns;
static bool is_reading;

static void call_at_random(void)
{
    for (uint64_t count = random_next() % 6; count; count--, calls++) {
        EPROF_BLOCK("work")
        {
        }
        eprof_start(instance);
        eprof_stop(instance);
    }
}

static void take_a_name_and_end(void)
{
    static const char *const names[] = {"worker", "worker", "other"};
    call_at_random();
    eprof_thread_enter(names[random_next() % 3]);
    call_at_random();
    eprof_thread_exit();
}

/* Runs the program for the time that the reader takes. */
static void pass(uint64_t ns)
{
    int saved_errno = errno;
    if (!is_reading)
        return;
    is_reading = false;
    for (left_ns += ns; left_ns >= round_ns; left_ns -= round_ns)
        take_a_name_and_end();
    is_reading = true;
    errno = saved_errno;
}

/* ---- replacements of the real functions (--wrap) ---- */

static ssize_t read_in_parts(int file, uint64_t from, void *to, size_t bytes)
{
    size_t done = 0;
    pass(CALL_NS);
    while (done < bytes) {
        size_t part = bytes - done < PART_BYTES ? bytes - done : PART_BYTES;
        ssize_t got = __real_ep_file_read_at(file, from + done, (char *)to + done, part);
        if (got <= 0)
            return got < 0 ? got : (ssize_t)done;
        done += (size_t)got;
        pass((uint64_t)got / EP_CELL_BYTES * CELL_NS);
    }
    return (ssize_t)done;
}

bool __real_ep_file_map_read(const struct ep_mapped_file *mapped, uint64_t offset, void *to,
                             size_t bytes);
bool __wrap_ep_file_map_read(const struct ep_mapped_file *mapped, uint64_t offset, void *to,
                             size_t bytes);
bool __wrap_ep_file_map_read(const struct ep_mapped_file *mapped, uint64_t offset, void *to,
                             size_t bytes)
{
    bool is_read = __real_ep_file_map_read(mapped, offset, to, bytes);
    pass(LOOK_NS + bytes / EP_CELL_BYTES * CELL_NS / 2);
    return is_read;
}

int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    if (!is_reading)
        return __real_nanosleep(time, left);
    assert_int_equal(time->tv_sec, 0);
    pass((uint64_t)time->tv_nsec + SLEEP_NS);
    return 0;
}

/* ---- read ---- */

static uint64_t count_calls(const struct ep_image *image, const char *kind)
{
    uint64_t sum = 0;
    struct eprof_snapshot *snapshot =
        ep_snapshot_take_stored(image, (struct ep_snapshot_options){.raw = true});
    assert_non_null(snapshot);
    for (size_t i = 0; i < snapshot->diagnostic_first; i++)
        if (strcmp(snapshot->rows[i].name, "work") == 0 &&
            strcmp(snapshot->rows[i].kind, kind) == 0)
            sum += snapshot->rows[i].calls;
    ep_snapshot_free(snapshot);
    return sum;
}

/* Returns whether the file was read; if it was, the figures must be right. */
static bool read_once(void)
{
    struct ep_image image;
    struct ep_image_file_state state;
    const char *why = NULL;
    uint64_t least = calls;
    is_reading = true;
    int result = ep_image_read(path, &image, &state, &why);
    is_reading = false;
    if (result != 0) {
        assert_string_equal(
            why, "its program changes it faster than it can be read, or is stopped in the "
                 "midst of a change: try again");
        return false;
    }
    uint64_t of_instance = count_calls(&image, "instance"), of_scope = count_calls(&image, "scope");
    ep_image_destroy(&image);
    if (of_instance < least || of_instance > calls || of_scope < least || of_scope > calls)
        fail_msg("%llu and %llu calls, of %llu to %llu", (unsigned long long)of_instance,
                 (unsigned long long)of_scope, (unsigned long long)least,
                 (unsigned long long)calls);
    return true;
}

TEST(file_is_read_while_names_are_taken_without_pause)
{
    static const uint64_t rounds_ns[] = {1000, 1500, 2500, 4000, 10000, 50000};
    enum { READS = 30 };
    for (size_t i = 0; i < sizeof rounds_ns / sizeof rounds_ns[0]; i++) {
        unsigned refused = 0;
        round_ns = rounds_ns[i];
        for (unsigned reads = 0; reads < READS; reads++) {
            refused += !read_once();
            take_a_name_and_end();
        }
        if (refused)
            fail_msg("a name each %llu ns: %u of %u reads were refused",
                     (unsigned long long)round_ns, refused, (unsigned)READS);
    }
}

static int begin(void **state)
{
    char item[sizeof path + 10];
    (void)state;
    wrapped_reader = read_in_parts;
    close(mkstemp(path));
    unlink(path);
    snprintf(item, sizeof item, "image=%s", path);
    instance = eprof_setup(item) == 0 ? eprof_alloc("work") : -1;
    return instance < 0 ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    return unlink(path);
}

TEST_ALL(begin, end)
