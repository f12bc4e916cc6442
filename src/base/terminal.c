#include "base/terminal.h"

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
    EP_KEEP_ERRNO;
    int descriptor = fileno(stream); /* a stream in memory has none */
    return descriptor >= 0 && isatty(descriptor);
}

void ep_terminal_describe(struct ep_output *out)
{
    out->is_terminal = is_terminal(out->stream);
    out->is_ascii = out->is_terminal && !ep_terminal_is_utf8();
}

size_t ep_terminal_columns(FILE *stream)
{
    EP_KEEP_ERRNO;
    struct winsize size = {.ws_col = 0};
    if (!is_terminal(stream))
        return 0;
    const char *text = setting("COLUMNS");
    size_t digits = strspn(text, "0123456789");
    size_t columns = digits > 0 && digits <= 5 && !text[digits] ? (size_t)atoi(text) : 0;
    return columns || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 ? columns : size.ws_col;
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

/* Whether the environment sets UTF-8: the codeset of LANGUAGE_COUNTRY.CODESET@VARIANT. */
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
    /* the codeset of the locale "C", in which every program begins, in glibc, POSIX and musl */
    static const char *const plain[] = {"ANSI_X3.4-1968", "ASCII", "US-ASCII"};
    const char *codeset = nl_langinfo(CODESET);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(codeset, plain[i]) == 0)
            return environment_is_utf8();
    return names_utf8(codeset);
}
