#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "text_output.h"
#include "written.h"

enum { NOT_AN_ERRNO = 12345 };

/* ------------------------------------------------------------ plain text -- */

static void output_writes_in_order(void **state)
{
    (void)state;
    struct memory memory;
    memory_open(&memory);
    ep_output_text(&memory.out, "one ");
    ep_output_bytes(&memory.out, "two and more", 3);
    ep_output_print(&memory.out, " %d %s", 3, "four");
    ep_output_repeat(&memory.out, '.', 3);
    memory_close(&memory);
    assert_string_equal(memory.text, "one two 3 four...");
    free(memory.text);
}

static void repeat_writes_exactly_so_many(void **state)
{
    (void)state;
    for (size_t count = 0; count < 200; count++) {
        struct memory memory;
        memory_open(&memory);
        ep_output_repeat(&memory.out, '-', count);
        memory_close(&memory);
        assert_int_equal(memory.bytes, count);
        assert_int_equal(strspn(memory.text, "-"), count);
        free(memory.text);
    }
}

static void assert_decimal(double value, unsigned places, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_decimal(&memory.out, value, places);
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
    free(memory.text);
}

static void decimal_rounds_to_the_places_asked_for(void **state)
{
    (void)state;
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

static void decimal_of_no_ordinary_number_is_harmless(void **state)
{
    (void)state;
    assert_decimal(-1, 1, "0.0");
    assert_decimal((double)NAN, 1, "0.0");
    assert_decimal((double)INFINITY, 0, "18446744073709551615");
    assert_decimal(1e300, 1, "1844674407370955161.5");
}

static void error_of_the_writer_is_the_outputs(void **state)
{
    (void)state;
    struct memory memory;
    memory_open(&memory);
    ep_output_fail(&memory.out, ENOMEM);
    ep_output_fail(&memory.out, EIO);
    ep_output_text(&memory.out, "nothing");
    assert_int_equal(ep_output_close(&memory.out), -1);
    assert_int_equal(errno, ENOMEM);
    fclose(memory.out.stream);
    assert_string_equal(memory.text, "");
    free(memory.text);
}

/* ---------------------------------------------------------------- errors -- */

/* More than any buffer of a stream. */
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

static void full_disk_is_enospc(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_little, ENOSPC);
    fclose(stream);
    stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_much, ENOSPC);
    fclose(stream);
}

static void closed_descriptor_is_ebadf(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    close(fileno(stream));
    assert_fails(stream, write_little, EBADF);
    fclose(stream);
}

static void stream_for_reading_is_ebadf(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/null", "r");
    assert_non_null(stream);
    assert_fails(stream, write_little, EBADF);
    fclose(stream);
}

/* Some of it fits, and libc says no more than that: the short write has no errno. */
static void memory_too_small_is_an_error(void **state)
{
    (void)state;
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

static void stream_that_fails_without_a_word_is_eio(void **state)
{
    (void)state;
    FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = refuse});
    assert_non_null(stream);
    errno = NOT_AN_ERRNO;
    assert_fails(stream, write_little, EIO);
    fclose(stream);
}

/* First the disk is full; then the descriptor is gone, which would be EBADF. */
static void first_error_is_the_one_told(void **state)
{
    (void)state;
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

static void nothing_is_written_behind_an_error(void **state)
{
    (void)state;
    struct memory memory;
    memory_open(&memory);
    ep_output_text(&memory.out, "before");
    memory.out.error = EIO;
    ep_output_text(&memory.out, "behind");
    ep_output_print(&memory.out, "behind");
    ep_output_repeat(&memory.out, 'b', 100);
    assert_int_equal(ep_output_close(&memory.out), -1);
    assert_int_equal(errno, EIO);
    fclose(memory.out.stream);
    assert_string_equal(memory.text, "before");
    free(memory.text);
}

static void output_keeps_errno_where_nothing_fails(void **state)
{
    (void)state;
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

static void stream_is_locked_from_open_to_close(void **state)
{
    (void)state;
    struct memory memory;
    memory_open(&memory);
    assert_false(another_thread_gets_in(memory.out.stream));
    ep_output_text(&memory.out, "x");
    assert_false(another_thread_gets_in(memory.out.stream));
    assert_int_equal(ep_output_close(&memory.out), 0);
    assert_true(another_thread_gets_in(memory.out.stream));
    fclose(memory.out.stream);
    free(memory.text);
}

static void failed_output_gives_the_lock_back(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/full", "w");
    assert_non_null(stream);
    assert_fails(stream, write_much, ENOSPC);
    assert_true(another_thread_gets_in(stream));
    fclose(stream);
}

static void text_of_an_output_that_failed_is_none(void **state)
{
    struct ep_text_output output;
    (void)state;
    assert_return_code(ep_text_output_open(&output), errno);
    ep_output_text(&output.out, "half of it");
    ep_output_fail(&output.out, ENOSPC);
    errno = 0;
    assert_null(ep_text_output_close(&output));
    assert_int_equal(errno, ENOSPC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_writes_in_order),
        cmocka_unit_test(repeat_writes_exactly_so_many),
        cmocka_unit_test(decimal_rounds_to_the_places_asked_for),
        cmocka_unit_test(decimal_of_no_ordinary_number_is_harmless),
        cmocka_unit_test(error_of_the_writer_is_the_outputs),
        cmocka_unit_test(full_disk_is_enospc),
        cmocka_unit_test(closed_descriptor_is_ebadf),
        cmocka_unit_test(stream_for_reading_is_ebadf),
        cmocka_unit_test(memory_too_small_is_an_error),
        cmocka_unit_test(stream_that_fails_without_a_word_is_eio),
        cmocka_unit_test(first_error_is_the_one_told),
        cmocka_unit_test(nothing_is_written_behind_an_error),
        cmocka_unit_test(output_keeps_errno_where_nothing_fails),
        cmocka_unit_test(stream_is_locked_from_open_to_close),
        cmocka_unit_test(failed_output_gives_the_lock_back),
        cmocka_unit_test(text_of_an_output_that_failed_is_none),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
