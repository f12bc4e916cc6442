#include "terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

static bool is_terminal(FILE *stream)
{
    int saved_errno = errno;
    int descriptor = fileno(stream); /* of a stream in memory there is none */
    bool is = descriptor >= 0 && isatty(descriptor);
    errno = saved_errno;
    return is;
}

static size_t columns_of_kernel(FILE *stream)
{
    struct winsize size = {.ws_col = 0};
    int saved_errno = errno;
    size_t columns = ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    errno = saved_errno;
    return columns;
}

/* 0: it is not a number of columns. */
static size_t columns_of_environment(void)
{
    const char *text = setting("COLUMNS");
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 5 && !text[digits] ? (size_t)atoi(text) : 0;
}

size_t ep_terminal_columns(FILE *stream)
{
    if (!is_terminal(stream))
        return 0;
    size_t columns = columns_of_environment();
    return columns ? columns : columns_of_kernel(stream);
}

bool ep_terminal_has_colour(FILE *stream)
{
    const char *force = setting("CLICOLOR_FORCE");
    if (*setting("NO_COLOR"))
        return false;
    if (*force && strcmp(force, "0") != 0)
        return true;
    return is_terminal(stream) && strcmp(setting("TERM"), "dumb") != 0;
}

static bool names_utf8(const char *codeset)
{
    return strcasecmp(codeset, "UTF-8") == 0 || strcasecmp(codeset, "UTF8") == 0;
}

/* The codeset that the environment asks for: of LANGUAGE_COUNTRY.CODESET@VARIANT. */
static bool environment_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !*locale; i++)
        locale = setting(names[i]);
    char codeset[8] = "";
    const char *dot = strchr(locale, '.');
    if (dot && strcspn(dot + 1, "@") < sizeof codeset)
        memcpy(codeset, dot + 1, strcspn(dot + 1, "@"));
    return names_utf8(codeset);
}

bool ep_terminal_is_utf8(void)
{
    /* what glibc, musl and POSIX call the codeset of the locale "C", in which every program
     * begins */
    static const char *const plain[] = {"ANSI_X3.4-1968", "ASCII", "US-ASCII"};
    const char *codeset = nl_langinfo(CODESET);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(codeset, plain[i]) == 0)
            return environment_is_utf8();
    return names_utf8(codeset);
}
