#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "any_text.h"
#include "escape_csv.h"

static void csv_quotes_only_where_it_must(void **state)
{
    (void)state;
    assert_written(ep_escape_csv, "", "");
    assert_written(ep_escape_csv, "plain text;\tand more", "plain text;\tand more");
    assert_written(ep_escape_csv, "a,b", "\"a,b\"");
    assert_written(ep_escape_csv, "a\nb", "\"a\nb\"");
    assert_written(ep_escape_csv, "a\rb", "\"a\rb\"");
    assert_written(ep_escape_csv, "say \"hi\"", "\"say \"\"hi\"\"\"");
    assert_written(ep_escape_csv, "\"", "\"\"\"\"");
}

static void csv_shows_what_is_not_utf8_as_hex(void **state)
{
    (void)state;
    assert_written(ep_escape_csv, "a\xFF,\xC3", "\"a\\xff,\\xc3\"");
    assert_written(ep_escape_csv, "\xC3\xA9", "\xC3\xA9");
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

static void csv_of_any_bytes_reads_back(void **state)
{
    (void)state;
    assert_reads_back(ep_escape_csv, read_csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_only_where_it_must),
        cmocka_unit_test(csv_shows_what_is_not_utf8_as_hex),
        cmocka_unit_test(csv_of_any_bytes_reads_back),
    };
    random_begin();
    return cmocka_run_group_tests_name("escape_csv", tests, NULL, NULL);
}
