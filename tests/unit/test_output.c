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
#include "random.h"
#include "utf8.h"

enum { NOT_AN_ERRNO = 12345 };

/* ---------------------------------------------------- a stream in memory -- */

struct memory {
    char *text;
    size_t bytes;
    struct ep_output out;
};

static void memory_open(struct memory *memory)
{
    FILE *stream = open_memstream(&memory->text, &memory->bytes);
    assert_non_null(stream);
    ep_output_open(&memory->out, stream);
}

static void memory_close(struct memory *memory)
{
    assert_int_equal(ep_output_close(&memory->out), 0);
    assert_int_equal(fclose(memory->out.stream), 0);
}

typedef void (*text_writer)(struct ep_output *out, const char *text);

/* What `write` makes of `text`; to be freed. */
static char *written(text_writer write, const char *text)
{
    struct memory memory;
    memory_open(&memory);
    write(&memory.out, text);
    memory_close(&memory);
    return memory.text;
}

static void assert_written(text_writer write, const char *text, const char *expected)
{
    char *result = written(write, text);
    assert_string_equal(result, expected);
    free(result);
}

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

/* --------------------------------------------------------------- escapes -- */

static void name_of_plain_text_is_itself(void **state)
{
    (void)state;
    assert_written(ep_output_name, "", "");
    assert_written(ep_output_name, "parse \"x\", \\y; ~", "parse \"x\", \\y; ~");
    assert_written(ep_output_name, "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80",
                   "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80");
}

static void name_shows_control_characters_as_hex(void **state)
{
    (void)state;
    assert_written(ep_output_name, "a\nb\tc\rd", "a\\x0ab\\x09c\\x0dd");
    assert_written(ep_output_name, "\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m");
    assert_written(ep_output_name, "\x7F", "\\x7f");
    assert_written(ep_output_name, "\xC2\x9Bm", "\\xc2\\x9bm");
    assert_written(ep_output_name, "\xC2\xA0", "\xC2\xA0");
}

static void name_shows_what_is_not_utf8_as_hex(void **state)
{
    (void)state;
    assert_written(ep_output_name, "\xFF", "\\xff");
    assert_written(ep_output_name, "a\xC3", "a\\xc3");
    assert_written(ep_output_name, "\xC0\xAF", "\\xc0\\xaf");
    assert_written(ep_output_name, "\xED\xA0\x80z", "\\xed\\xa0\\x80z");
}

/* Directions, separators of lines, and what has no width. */
static void name_shows_what_is_unseen_as_hex(void **state)
{
    static const struct {
        const char *first, *last; /* of a range; what stands around it is written */
        const char *before, *behind;
    } ranges[] = {
        {"\xC2\x80", "\xC2\x9F", "~", "\xC2\xA0"},
        {"\xD8\x9C", "\xD8\x9C", "\xD8\x9B", "\xD8\x9D"},
        {"\xE2\x80\x8B", "\xE2\x80\x8F", "\xE2\x80\x8A", "\xE2\x80\x90"},
        {"\xE2\x80\xA8", "\xE2\x80\xAE", "\xE2\x80\xA7", "\xE2\x80\xAF"},
        {"\xE2\x81\xA0", "\xE2\x81\xAF", "\xE2\x81\x9F", "\xE2\x81\xB0"},
        {"\xEF\xBB\xBF", "\xEF\xBB\xBF", "\xEF\xBB\xBE", "\xEF\xBC\x80"},
        {"\xF3\xA0\x80\x80", "\xF3\xA0\xBF\xBF", "\xF3\x9F\xBF\xBF", "\xF3\xA1\x80\x80"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char *first = written(ep_output_name, ranges[i].first);
        char *last = written(ep_output_name, ranges[i].last);
        assert_int_equal(strlen(first), 4 * strlen(ranges[i].first));
        assert_int_equal(strlen(last), 4 * strlen(ranges[i].last));
        assert_written(ep_output_name, ranges[i].before, ranges[i].before);
        assert_written(ep_output_name, ranges[i].behind, ranges[i].behind);
        free(first);
        free(last);
    }
}

static void assert_cut(const char *name, size_t width, const char *gap, const char *expected)
{
    struct memory memory;
    memory_open(&memory);
    ep_output_name_cut(&memory.out, name, width, gap);
    memory_close(&memory);
    assert_string_equal(memory.text, expected);
    assert_int_equal(ep_output_name_width(memory.text), width);
    free(memory.text);
}

static void name_cut_is_exactly_as_wide_as_asked_for(void **state)
{
    (void)state;
    assert_cut("", 0, "~", "");
    assert_cut("", 2, "~", "  ");
    assert_cut("abc", 3, "~", "abc");
    assert_cut("abc", 5, "~", "abc  ");
    assert_cut("abcdef", 5, "~", "ab~ef");
    assert_cut("abcdef", 4, "~", "ab~f");
    assert_cut("abcdef", 1, "~", "~");
    assert_cut("abcdefgh", 7, "...", "ab...gh");
    assert_cut("abcdef", 5, "\xE2\x80\xA6",
               "ab\xE2\x80\xA6"
               "ef");
}

static void name_cut_does_not_part_a_character(void **state)
{
    (void)state;
    /* two columns each, so that one is left over on either side */
    assert_cut("\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97", 4, "~", "\xE6\x96\x87~ ");
    assert_cut("\xE6\x96\x87\xE5\xAD\x97\xE5\x88\x97", 5, "~", "\xE6\x96\x87~\xE5\x88\x97");
    /* what combines stays with what it belongs to, before the gap and behind it */
    assert_cut("e\xCC\x81"
               "bcde\xCC\x81",
               3, "~", "e\xCC\x81~e\xCC\x81");
    assert_cut("abcd\xCC\x81"
               "e",
               3, "~", "a~e");
    /* and what is shown as hex is cut between its bytes */
    assert_cut("\001\002\003", 9, "~", "\\x01~\\x03");
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

/* Of a terminal that takes no UTF-8: the second byte of U+00DB would be its ESC [. */
static void write_ascii_name(struct ep_output *out, const char *name)
{
    out->is_ascii = true;
    ep_output_name(out, name);
}

static void name_is_ascii_where_the_terminal_takes_nothing_else(void **state)
{
    (void)state;
    assert_written(write_ascii_name, "plain", "plain");
    assert_written(write_ascii_name, "\u00db31m", "?31m");
    assert_written(write_ascii_name, "a\u65e5b\u0301c", "a??bc");
    assert_written(write_ascii_name,
                   "\x9b"
                   "1m\n",
                   "\\x9b1m\\x0a");
}

static void name_width_is_that_of_what_is_written(void **state)
{
    (void)state;
    assert_int_equal(ep_output_name_width(""), 0);
    assert_int_equal(ep_output_name_width("func1"), 5);
    assert_int_equal(ep_output_name_width("gr\xC3\xBC\xC3\x9F"), 4);
    assert_int_equal(ep_output_name_width("\xF0\x9F\x98\x80"), 2);
    assert_int_equal(ep_output_name_width("\xE6\x96\x87\xE5\xAD\x97"), 4);
    assert_int_equal(ep_output_name_width("e\xCC\x81"), 1);
    assert_int_equal(ep_output_name_width("\xE2\x80\xAE"), 12);
    assert_int_equal(ep_output_name_width("\xFF\n"), 8);
    assert_int_equal(ep_output_name_width("\xC2\x9B"), 8);
}

static void csv_quotes_only_where_it_must(void **state)
{
    (void)state;
    assert_written(ep_output_csv, "", "");
    assert_written(ep_output_csv, "plain text;\tand more", "plain text;\tand more");
    assert_written(ep_output_csv, "a,b", "\"a,b\"");
    assert_written(ep_output_csv, "a\nb", "\"a\nb\"");
    assert_written(ep_output_csv, "a\rb", "\"a\rb\"");
    assert_written(ep_output_csv, "say \"hi\"", "\"say \"\"hi\"\"\"");
    assert_written(ep_output_csv, "\"", "\"\"\"\"");
}

static void csv_shows_what_is_not_utf8_as_hex(void **state)
{
    (void)state;
    assert_written(ep_output_csv, "a\xFF,\xC3", "\"a\\xff,\\xc3\"");
    assert_written(ep_output_csv, "\xC3\xA9", "\xC3\xA9");
}

static void json_escapes_what_a_string_must_not_hold(void **state)
{
    (void)state;
    assert_written(ep_output_json, "", "\"\"");
    assert_written(ep_output_json, "a,b/c", "\"a,b/c\"");
    assert_written(ep_output_json, "\"\\", "\"\\\"\\\\\"");
    assert_written(ep_output_json, "a\nb\033[0m\x7F", "\"a\\u000ab\\u001b[0m\\u007f\"");
    assert_written(ep_output_json, "\xE2\x82\xAC", "\"\xE2\x82\xAC\"");
}

static void json_shows_what_is_not_utf8_as_the_text_of_hex(void **state)
{
    (void)state;
    assert_written(ep_output_json, "a\xFFz", "\"a\\\\xffz\"");
    assert_written(ep_output_json, "\xF4\x90\x80\x80", "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"");
}

/* ------------------------------------------ escapes of whatever there is -- */

enum { ROUNDS = 20000, LONGEST = 24 };

/* Bytes that mean something are as likely as all others together. */
static void random_text(char text[LONGEST + 1])
{
    static const char special[] = "\",\\;\n\r\t\033\x7F ax\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xFF";
    size_t length = random_next() % (LONGEST + 1);
    for (size_t i = 0; i < length; i++) {
        uint64_t value = random_next();
        unsigned char byte = (unsigned char)(value % 255 + 1);
        text[i] = value >> 63 ? (char)byte : special[byte % (sizeof special - 1)];
    }
    text[length] = '\0';
}

static bool is_utf8(const char *text)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

/* Reads a JSON string as RFC 8259, section 7, has it. false: it is none. */
static bool read_json(const char *text, char *value)
{
    if (*text++ != '"')
        return false;
    while (*text != '"') {
        unsigned char byte = (unsigned char)*text++;
        if (byte < 0x20)
            return false;
        if (byte != '\\') {
            *value++ = (char)byte;
        } else if (*text == '"' || *text == '\\') {
            *value++ = *text++;
        } else if (*text == 'u' && strspn(text + 1, "0123456789abcdef") >= 4) {
            const char digits[] = {text[1], text[2], text[3], text[4], '\0'};
            *value++ = (char)strtoul(digits, NULL, 16);
            text += 5;
        } else {
            return false;
        }
    }
    *value = '\0';
    return text[1] == '\0';
}

/* Reads a field as RFC 4180, section 2, has it. */
static bool read_csv(const char *text, char *value)
{
    if (*text != '"') {
        strcpy(value, text);
        return !strpbrk(text, "\",\r\n");
    }
    for (text++; *text != '"' || text[1] == '"'; text++) {
        if (!*text)
            return false;
        text += *text == '"';
        *value++ = *text;
    }
    *value = '\0';
    return text[1] == '\0';
}

/* What must come out of a reader: \xNN in place of each byte that is not UTF-8. */
static void show_bad_bytes(const char *text, char *shown)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length == 0)
            shown += sprintf(shown, "\\x%02x", (unsigned)(unsigned char)*text++);
        for (; length > 0; length--)
            *shown++ = *text++;
    }
    *shown = '\0';
}

static void assert_reads_back(text_writer write, bool (*read)(const char *text, char *value))
{
    for (int i = 0; i < ROUNDS; i++) {
        char text[LONGEST + 1], value[8 * LONGEST], expected[8 * LONGEST];
        random_text(text);
        show_bad_bytes(text, expected);
        char *result = written(write, text);
        if (!is_utf8(result) || !read(result, value))
            fail_msg("not well formed: %s", result);
        assert_string_equal(value, expected);
        free(result);
    }
}

static void csv_of_any_bytes_reads_back(void **state)
{
    (void)state;
    assert_reads_back(ep_output_csv, read_csv);
}

static void json_of_any_bytes_reads_back(void **state)
{
    (void)state;
    assert_reads_back(ep_output_json, read_json);
}

static void name_of_any_bytes_is_as_wide_as_told(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        char text[LONGEST + 1];
        random_text(text);
        char *result = written(ep_output_name, text);
        assert_true(is_utf8(result));
        for (const char *at = result; *at; at += ep_utf8_length(at))
            assert_false((unsigned char)*at < 0x20 || *at == 0x7F);
        /* nothing is left to be escaped, so this is the width of each character */
        assert_written(ep_output_name, result, result);
        assert_int_equal(ep_output_name_width(text), ep_output_name_width(result));
        free(result);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_writes_in_order),
        cmocka_unit_test(repeat_writes_exactly_so_many),
        cmocka_unit_test(decimal_rounds_to_the_places_asked_for),
        cmocka_unit_test(decimal_of_no_ordinary_number_is_harmless),
        cmocka_unit_test(name_of_plain_text_is_itself),
        cmocka_unit_test(name_shows_control_characters_as_hex),
        cmocka_unit_test(name_shows_what_is_not_utf8_as_hex),
        cmocka_unit_test(name_shows_what_is_unseen_as_hex),
        cmocka_unit_test(name_cut_is_exactly_as_wide_as_asked_for),
        cmocka_unit_test(name_cut_does_not_part_a_character),
        cmocka_unit_test(error_of_the_writer_is_the_outputs),
        cmocka_unit_test(name_is_ascii_where_the_terminal_takes_nothing_else),
        cmocka_unit_test(name_width_is_that_of_what_is_written),
        cmocka_unit_test(csv_quotes_only_where_it_must),
        cmocka_unit_test(csv_shows_what_is_not_utf8_as_hex),
        cmocka_unit_test(json_escapes_what_a_string_must_not_hold),
        cmocka_unit_test(json_shows_what_is_not_utf8_as_the_text_of_hex),
        cmocka_unit_test(csv_of_any_bytes_reads_back),
        cmocka_unit_test(json_of_any_bytes_reads_back),
        cmocka_unit_test(name_of_any_bytes_is_as_wide_as_told),
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
    };
    random_begin();
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
