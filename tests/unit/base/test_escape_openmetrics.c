#include "base/escape.h"
#include "support/test.h"
#include "support/written.h"

TEST(openmetrics_escapes_three_characters)
{
    assert_written(ep_escape_openmetrics, "", "\"\"");
    assert_written(ep_escape_openmetrics, "say \"hi\"", "\"say \\\"hi\\\"\"");
    assert_written(ep_escape_openmetrics, "a\\b\\", "\"a\\\\b\\\\\"");
    assert_written(ep_escape_openmetrics, "two\nlines\n", "\"two\\nlines\\n\"");
}

TEST(openmetrics_leaves_all_other_characters_as_they_are)
{
    assert_written(ep_escape_openmetrics, "{a=1,b} # EOF", "\"{a=1,b} # EOF\"");
    assert_written(ep_escape_openmetrics, "\r\t\033[2J\x7F", "\"\r\t\033[2J\x7F\"");
    assert_written(ep_escape_openmetrics, "gr\xC3\xBC\xC3\x9F \xE2\x80\xAE",
                   "\"gr\xC3\xBC\xC3\x9F \xE2\x80\xAE\"");
}

TEST(openmetrics_shows_invalid_utf8_as_hex)
{
    assert_written(ep_escape_openmetrics, "a\xFF\xC3", "\"a\\\\xff\\\\xc3\"");
}

/* Reads the value of a label as both formats specify it: the text format in exposition_formats.md
 * of Prometheus, and OpenMetrics 1.0 as "escaped-string" in its grammar. */
static bool read_openmetrics(const char *text, char *value)
{
    if (*text++ != '"')
        return false;
    for (; *text != '"'; text++) {
        if (!*text || *text == '\n')
            return false;
        bool is_escaped = *text == '\\';
        text += is_escaped;
        if (is_escaped && !strchr("\\\"n", *text))
            return false;
        *value++ = is_escaped && *text == 'n' ? '\n' : *text;
    }
    *value = '\0';
    return text[1] == '\0';
}

TEST(openmetrics_of_any_bytes_reads_back)
{
    assert_reads_back(ep_escape_openmetrics, read_openmetrics);
}
