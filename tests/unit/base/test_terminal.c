#include <locale.h>

#include "base/terminal.h"
#include "support/made_terminal.h"

enum { NOT_AN_ERRNO = 12345, COLUMNS = 97 };

/* ---------------------------------------------------------------- streams -- */

static size_t columns_of_terminal(unsigned short columns)
{
    struct terminal terminal;
    terminal_open(&terminal, columns);
    size_t found = ep_terminal_columns(terminal.stream);
    terminal_close(&terminal);
    return found;
}

static bool terminal_has_colour(void)
{
    struct terminal terminal;
    terminal_open(&terminal, COLUMNS);
    bool has = ep_terminal_has_colour(terminal.stream);
    terminal_close(&terminal);
    return has;
}

static bool file_has_colour(void)
{
    FILE *file = fopen("/dev/null", "w");
    assert_non_null(file);
    bool has = ep_terminal_has_colour(file);
    fclose(file);
    return has;
}

/* ---------------------------------------------------------------- columns -- */

TEST(columns_are_those_of_the_terminal)
{
    assert_int_equal(columns_of_terminal(COLUMNS), COLUMNS);
    assert_int_equal(columns_of_terminal(0), 0);
}

TEST(columns_of_the_environment_win)
{
    setenv("COLUMNS", "71", 1);
    assert_int_equal(columns_of_terminal(COLUMNS), 71);
}

TEST(columns_that_are_no_number_are_passed_over)
{
    static const char *const wrong[] = {"", "0", "-5", "80x", " 80", "wide", "123456789012"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        setenv("COLUMNS", wrong[i], 1);
        if (columns_of_terminal(COLUMNS) != COLUMNS)
            fail_msg("\"%s\" gave %zu columns", wrong[i], columns_of_terminal(COLUMNS));
    }
}

TEST(stream_without_a_terminal_has_no_columns)
{
    char text[8];
    FILE *file = fopen("/dev/null", "w"), *memory = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    assert_non_null(memory);
    setenv("COLUMNS", "71", 1);
    errno = NOT_AN_ERRNO;
    assert_int_equal(ep_terminal_columns(file), 0);
    assert_int_equal(ep_terminal_columns(memory), 0);
    assert_false(ep_terminal_has_colour(file));
    assert_false(ep_terminal_has_colour(memory));
    assert_int_equal(errno, NOT_AN_ERRNO);
    fclose(file);
    fclose(memory);
}

/* ----------------------------------------------------------------- colour -- */

TEST(colour_is_for_terminals)
{
    assert_true(terminal_has_colour());
    assert_false(file_has_colour());
    setenv("TERM", "xterm-256color", 1);
    assert_true(terminal_has_colour());
    assert_false(file_has_colour());
}

TEST(no_colour_where_the_terminal_is_dumb)
{
    setenv("TERM", "dumb", 1);
    assert_false(terminal_has_colour());
}

TEST(no_color_is_obeyed_unless_empty)
{
    setenv("NO_COLOR", "", 1);
    assert_true(terminal_has_colour());
    setenv("NO_COLOR", "0", 1);
    assert_false(terminal_has_colour());
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_false(terminal_has_colour());
}

TEST(clicolor_force_is_obeyed_unless_empty_or_zero)
{
    setenv("CLICOLOR_FORCE", "", 1);
    assert_false(file_has_colour());
    setenv("CLICOLOR_FORCE", "0", 1);
    assert_false(file_has_colour());
    setenv("CLICOLOR_FORCE", "1", 1);
    assert_true(file_has_colour());
    setenv("TERM", "dumb", 1);
    assert_true(file_has_colour());
}

/* ------------------------------------------------------------------ UTF-8 -- */

TEST(locale_of_the_program_decides_utf8)
{
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    setenv("LC_ALL", "C", 1);
    assert_true(ep_terminal_is_utf8());
}

TEST(environment_decides_utf8_without_a_locale_of_the_program)
{
    assert_false(ep_terminal_is_utf8());
    setenv("LANG", "de_DE.UTF-8", 1);
    assert_true(ep_terminal_is_utf8());
    setenv("LC_CTYPE", "de_DE.ISO-8859-1", 1);
    assert_false(ep_terminal_is_utf8());
    setenv("LC_ALL", "C.utf8@euro", 1);
    assert_true(ep_terminal_is_utf8());
    setenv("LC_ALL", "", 1); /* the same as if it were not set */
    assert_false(ep_terminal_is_utf8());
}

TEST(other_codesets_are_not_utf8)
{
    static const char *const others[] = {"C",     "POSIX",      "de_DE",        "de_DE.",
                                         "UTF-8", "de_DE@euro", "x.UTF-80",     "x.UTF-16",
                                         "x.",    ".@UTF-8",    "x.UTF-8888888"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        setenv("LC_ALL", others[i], 1);
        if (ep_terminal_is_utf8())
            fail_msg("\"%s\" is taken for UTF-8", others[i]);
    }
}

TEST_EACH(clear_settings, NULL)
