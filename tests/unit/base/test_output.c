#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "support/test.h"
#include "support/written.h"

enum { NOT_AN_ERRNO = 12345 };

/* ------------------------------------------------------------ plain text -- */

TEST(output_writes_in_order)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_text(&memory.out, "one ");
    ep_output_bytes(&memory.out, "two and more", 3);
    ep_output_print(&memory.out, " %d %s", 3, "four");
    ep_output_repeat(&memory.out, '.', 3);
    memory_close(&memory);
    assert_string_equal(memory.text, "one two 3 four...");
}

TEST(print_of_any_length_is_whole)
{
    for (size_t count = 200; count < 600; count++) {
        struct memory memory;
        char words[600], whole[610];
        memset(words, 'x', count);
        words[count] = '\0';
        snprintf(whole, sizeof whole, "%s %d.", words, 42);
        memory_open(&memory);
        ep_output_print(&memory.out, "%s %d.", words, 42);
        memory_close(&memory);
        assert_string_equal(memory.text, whole);
    }
}

TEST(repeat_writes_exactly_so_many)
{
    for (size_t count = 0; count < 200; count++) {
        struct memory memory;
        memory_open(&memory);
        ep_output_repeat(&memory.out, '-', count);
        memory_close(&memory);
        assert_int_equal(memory.kept.bytes, count);
        assert_int_equal(strspn(memory.text, "-"), count);
    }
}

static void assert_decimal(double value, unsigned places, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_decimal(&memory.out, value, places);
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
}

TEST(decimal_rounds_to_the_places_asked_for)
{
    assert_decimal(0, 0, "0");
    assert_decimal(0, 1, "0.0");
    assert_decimal(2300, 1, "2300.0");
    assert_decimal(0.9, 1, "0.9");
    assert_decimal(21.34, 1, "21.3");
    assert_decimal(21.36, 1, "21.4");
    assert_decimal(9.96, 1, "10.0");
    assert_decimal(2394.374123, 6, "2394.374123");
    assert_decimal(0.000001, 6, "0.000001");
    assert_decimal(1.007, 3, "1.007");
    assert_decimal(0.5, 0, "1");
}

TEST(decimal_of_no_ordinary_number_is_harmless)
{
    assert_decimal(-1, 1, "0.0");
    assert_decimal((double)NAN, 1, "0.0");
    assert_decimal((double)INFINITY, 0, "18446744073709551615");
    assert_decimal(1e300, 1, "1844674407370955161.5");
}

TEST(error_of_the_writer_is_the_outputs)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_fail(&memory.out, ENOMEM);
    ep_output_fail(&memory.out, EIO);
    ep_output_text(&memory.out, "nothing");
    assert_int_equal(ep_output_close(&memory.out), -1);
    assert_int_equal(errno, ENOMEM);
    assert_string_equal(test_text_end(&memory.kept), "");
}

/* ---------------------------------------------------------------- errors -- */

/* More bytes than the buffer of any stream. */
static void write_much(struct ep_output *out)
{
    for (int i = 0; i < 1000; i++) {
        ep_output_repeat(out, 'x', 500);
        ep_output_print(out, "%d\n", i);
    }
}

static void assert_fails(FILE *stream, void (*write)(struct ep_output *out), int error)
{
    struct ep_output out;
    ep_output_open(&out, stream);
    write(&out);
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_output_close(&out), -1);
    assert_int_equal(errno, error);
}

static void write_little(struct ep_output *out)
{
    ep_output_text(out, "x");
}

TEST(full_disk_is_enospc)
{
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_little, ENOSPC);
    fclose(stream);
    stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_much, ENOSPC);
    fclose(stream);
}

TEST(closed_descriptor_is_ebadf)
{
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    close(fileno(stream));
    assert_fails(stream, write_little, EBADF);
    fclose(stream);
}

TEST(stream_for_reading_is_ebadf)
{
    FILE *stream = fopen("/dev/null", "r");
    assert_non_null(stream);
    assert_fails(stream, write_little, EBADF);
    fclose(stream);
}

/* Only some of the text fits. libc reports no more than that: the short write sets no errno. */
TEST(memory_too_small_is_an_error)
{
    char room[16];
    FILE *stream = fmemopen(room, sizeof room, "w");
    assert_non_null(stream);
    assert_fails(stream, write_much, EIO);
    fclose(stream);
}

static ssize_t refuse(void *cookie, const char *bytes, size_t count)
{
    (void)cookie, (void)bytes, (void)count;
    return 0;
}

TEST(stream_that_fails_without_a_word_is_eio)
{
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = refuse});
    assert_non_null(stream);
    errno = NOT_AN_ERRNO;
    assert_fails(stream, write_little, EIO);
    fclose(stream);
}

/* First the disk is full; then the descriptor is closed, which would give EBADF. */
TEST(first_error_is_reported)
{
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    struct ep_output out;
    ep_output_open(&out, stream);
    write_much(&out);
    close(fileno(stream));
    write_much(&out);
    assert_int_equal(ep_output_close(&out), -1);
    assert_int_equal(errno, ENOSPC);
    fclose(stream);
}

TEST(nothing_is_written_after_an_error)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_text(&memory.out, "before");
    memory.out.error = EIO;
    ep_output_text(&memory.out, "after");
    ep_output_print(&memory.out, "after");
    ep_output_repeat(&memory.out, 'b', 100);
    assert_int_equal(ep_output_close(&memory.out), -1);
    assert_int_equal(errno, EIO);
    assert_string_equal(test_text_end(&memory.kept), "before");
}

TEST(output_keeps_errno_where_nothing_fails)
{
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    struct ep_output out;
    errno = NOT_AN_ERRNO;
    ep_output_open(&out, stream);
    write_much(&out);
    assert_int_equal(ep_output_close(&out), 0);
    assert_int_equal(errno, NOT_AN_ERRNO);
    fclose(stream);
}

/* ------------------------------------------------------------------ lock -- */

static void *try_lock(void *stream)
{
    if (ftrylockfile(stream) != 0)
        return NULL;
    funlockfile(stream);
    return stream;
}

static bool another_thread_gets_in(FILE *stream)
{
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, try_lock, stream), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    return result != NULL;
}

TEST(stream_is_locked_from_open_to_close)
{
    struct memory memory;
    memory_open(&memory);
    assert_false(another_thread_gets_in(memory.out.stream));
    ep_output_text(&memory.out, "x");
    assert_false(another_thread_gets_in(memory.out.stream));
    assert_int_equal(ep_output_close(&memory.out), 0);
    assert_true(another_thread_gets_in(memory.out.stream));
    test_text_end(&memory.kept);
}

TEST(failed_output_gives_the_lock_back)
{
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_much, ENOSPC);
    assert_true(another_thread_gets_in(stream));
    fclose(stream);
}

TEST(text_of_an_output_that_failed_is_none)
{
    struct ep_text_output output;
    assert_return_code(ep_output_text_open(&output), errno);
    ep_output_text(&output.out, "half of it");
    ep_output_fail(&output.out, ENOSPC);
    errno = 0;
    assert_null(ep_output_text_close(&output));
    assert_int_equal(errno, ENOSPC);
}
