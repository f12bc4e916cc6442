#include "base/escape.h"
#include "support/test.h"
#include "support/written.h"

TEST(json_escapes_characters_that_a_string_must_not_contain)
{
    assert_written(ep_escape_json, "", "\"\"");
    assert_written(ep_escape_json, "a,b/c", "\"a,b/c\"");
    assert_written(ep_escape_json, "\"\\", "\"\\\"\\\\\"");
    assert_written(ep_escape_json, "a\nb\033[0m\x7F", "\"a\\u000ab\\u001b[0m\\u007f\"");
    assert_written(ep_escape_json, "\xE2\x82\xAC", "\"\xE2\x82\xAC\"");
}

TEST(json_shows_invalid_utf8_as_the_text_of_hex)
{
    assert_written(ep_escape_json, "a\xFFz", "\"a\\\\xffz\"");
    assert_written(ep_escape_json, "\xF4\x90\x80\x80", "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"");
}

/* Reads a JSON string as RFC 8259, section 7, specifies. false if the text is not a JSON string. */
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

TEST(json_of_any_bytes_reads_back)
{
    assert_reads_back(ep_escape_json, read_json);
}
