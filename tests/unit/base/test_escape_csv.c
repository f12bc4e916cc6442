#include "base/escape.h"
#include "support/test.h"
#include "support/written.h"

TEST(csv_quotes_only_where_it_must)
{
    assert_written(ep_escape_csv, "", "");
    assert_written(ep_escape_csv, "plain text;\tand more", "plain text;\tand more");
    assert_written(ep_escape_csv, "a,b", "\"a,b\"");
    assert_written(ep_escape_csv, "a\nb", "\"a\nb\"");
    assert_written(ep_escape_csv, "a\rb", "\"a\rb\"");
    assert_written(ep_escape_csv, "say \"hi\"", "\"say \"\"hi\"\"\"");
    assert_written(ep_escape_csv, "\"", "\"\"\"\"");
}

TEST(csv_shows_invalid_utf8_as_hex)
{
    assert_written(ep_escape_csv, "a\xFF,\xC3", "\"a\\xff,\\xc3\"");
    assert_written(ep_escape_csv, "\xC3\xA9", "\xC3\xA9");
}

/* Reads a field as RFC 4180, section 2, specifies. */
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

TEST(csv_of_any_bytes_reads_back)
{
    assert_reads_back(ep_escape_csv, read_csv);
}
