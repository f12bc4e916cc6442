#include "base/escape.h"
#include "support/test.h"
#include "support/written.h"

TEST(html_escapes_characters_that_begin_a_tag_or_end_an_attribute)
{
    assert_written(ep_escape_html, "", "");
    assert_written(ep_escape_html, "plain, text; =1+1", "plain, text; =1+1");
    assert_written(ep_escape_html, "</script>", "&#60;/script&#62;");
    assert_written(ep_escape_html, "&lt;", "&#38;lt;");
    assert_written(ep_escape_html, "\" onclick='x'", "&#34; onclick=&#39;x&#39;");
}

TEST(html_shows_invisible_characters_as_hex)
{
    assert_written(ep_escape_html, "a\nb\033[0m", "a\\x0ab\\x1b[0m");
    assert_written(ep_escape_html, "\u202egnp.exe", "\\xe2\\x80\\xaegnp.exe");
    assert_written(ep_escape_html, "a\xFFz", "a\\xffz");
    assert_written(ep_escape_html, "\u20ac", "\u20ac");
}

/* Text of a page (HTML Living Standard, 13.2.5.1): it ends at '<', and '&' begins a reference. */
static bool read_html(const char *text, char *value)
{
    while (*text) {
        if (strchr("<>\"'", *text) || (unsigned char)*text < 0x20)
            return false;
        if (*text != '&') {
            *value++ = *text++;
            continue;
        }
        char *end;
        if (text[1] != '#')
            return false;
        *value++ = (char)strtol(text + 2, &end, 10);
        if (*end != ';')
            return false;
        text = end + 1;
    }
    *value = '\0';
    return true;
}

TEST(html_of_any_bytes_reads_back)
{
    for (int i = 0; i < ANY_TEXTS; i++) {
        char text[ANY_TEXT_BYTES + 1], value[8 * ANY_TEXT_BYTES];
        random_text(text);
        char *result = written(ep_escape_html, text), *shown = written(ep_escape_name, text);
        if (!is_utf8(result) || !read_html(result, value))
            fail_msg("not well formed: %s", result);
        assert_string_equal(value, shown);
        test_release();
    }
}
