#include "written.h"

void memory_open(struct memory *memory)
{
    ep_output_open(&memory->out, test_text_begin(&memory->kept));
}

void memory_close(struct memory *memory)
{
    assert_int_equal(ep_output_close(&memory->out), 0);
    memory->text = test_text_end(&memory->kept);
}

char *written(text_writer write, const char *text)
{
    struct memory memory;
    memory_open(&memory);
    write(&memory.out, text);
    memory_close(&memory);
    return memory.text;
}

void assert_written(text_writer write, const char *text, const char *expected)
{
    assert_string_equal(written(write, text), expected);
}

void random_text(char text[ANY_TEXT_BYTES + 1])
{
    static const char special[] = "\",\\;\n\r\t\033\x7F ax\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xFF";
    size_t length = random_next() % (ANY_TEXT_BYTES + 1);
    for (size_t i = 0; i < length; i++) {
        uint64_t value = random_next();
        unsigned char byte = (unsigned char)(value % 255 + 1);
        text[i] = value >> 63 ? (char)byte : special[byte % (sizeof special - 1)];
    }
    text[length] = '\0';
}

void random_pieces(char *text, const char *const *pieces, size_t count)
{
    *text = '\0';
    for (size_t left = random_next() % (ANY_PIECES + 1); left > 0; left--)
        strcat(text, pieces[random_next() % count]);
}

void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        char digits[3] = "";
        if (strncmp(from, "\\x", 2) == 0) {
            memcpy(digits, from + 2, 2);
            *to++ = (char)strtoul(digits, NULL, 16);
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

bool is_utf8(const char *text)
{
    while (*text) {
        size_t length = ep_utf8_length(text);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

/* The expected result of a reader: \xNN in place of each byte that is not UTF-8. */
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

void assert_reads_back(text_writer write, bool (*read)(const char *text, char *value))
{
    for (int i = 0; i < ANY_TEXTS; i++) {
        char text[ANY_TEXT_BYTES + 1] = "", value[8 * ANY_TEXT_BYTES], expected[8 * ANY_TEXT_BYTES];
        random_text(text);
        show_bad_bytes(text, expected);
        char *result = written(write, text);
        if (!is_utf8(result) || !read(result, value))
            fail_msg("not well formed: %s", result);
        assert_string_equal(value, expected);
        test_release();
    }
}
