#include "shown.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "../require.h"

void shown_begin(void)
{
    require(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "there is a locale for UTF-8");
}

/* ---- characters ---- */

/* Returns the number of bytes of the character there; 0: the bytes are not a character. glibc
 * accepts more characters than Unicode has. */
static size_t character(const char *text, wchar_t *point)
{
    mbstate_t state = {0};
    size_t bytes = mbrtowc(point, text, strlen(text), &state);
    return bytes <= 4 && *point <= 0x10FFFF ? bytes : 0;
}

static bool is_unseen(wchar_t point)
{
    return point < 0x20 || (point >= 0x7F && point <= 0x9F) || point == 0x061C ||
           (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
           (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF ||
           (point >= 0xE0000 && point <= 0xE0FFF);
}

/* ---- written ---- */

static char *shown(const char *name, bool to_people)
{
    char *text = malloc(4 * strlen(name) + 1), *end = text;
    require(text != NULL, "there is memory for a name");
    while (*name) {
        wchar_t point;
        size_t bytes = character(name, &point), written = bytes ? bytes : 1;
        if (bytes && !(to_people && is_unseen(point)))
            end = (char *)memcpy(end, name, bytes) + bytes;
        else
            for (size_t i = 0; i < written; i++)
                end += sprintf(end, "\\x%02x", (unsigned)(unsigned char)name[i]);
        name += written;
    }
    *end = '\0';
    return text;
}

char *shown_to_programs(const char *name)
{
    return shown(name, false);
}

char *shown_to_people(const char *name)
{
    return shown(name, true);
}

char *shown_path(const char *name)
{
    char *text = malloc(2 * strlen(name) + 1), *end = text;
    require(text != NULL, "there is memory for a path");
    for (; *name; name++) {
        if (*name == ';' || *name == '\\')
            *end++ = '\\';
        *end++ = *name;
    }
    *end = '\0';
    return text;
}

/* ---- read ---- */

void shown_read_hex(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (from[0] != '\\' || from[1] != 'x') {
            *to = *from++;
            continue;
        }
        char digits[3] = {from[2], from[2] ? from[3] : '\0', '\0'}, *end;
        unsigned long byte = strtoul(digits, &end, 16);
        require(end == digits + 2, "a backslash begins a byte");
        *to = (char)byte;
        to -= byte == 0;
        from += 4;
    }
    *to = '\0';
}

bool shown_has_blank_end(const char *text)
{
    bool is_first = true, is_blank = false;
    while (*text) {
        wchar_t point;
        size_t bytes = character(text, &point);
        is_blank = bytes && iswspace((wint_t)point);
        if (is_blank && is_first)
            return true;
        is_first = false;
        text += bytes ? bytes : 1;
    }
    return is_blank;
}

bool shown_is_plain(const char *text)
{
    while (*text) {
        wchar_t point;
        size_t bytes = character(text, &point);
        if (!bytes || (is_unseen(point) && point != L'\n'))
            return false;
        text += bytes;
    }
    return true;
}
