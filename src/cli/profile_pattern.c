#include "profile_pattern.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENDING ".eprof"

/* ---- a text while it is written ---- */

struct text {
    FILE *stream; /* NULL: no memory */
    char *bytes;
    size_t count;
};

static bool begin(struct text *text)
{
    text->stream = open_memstream(&text->bytes, &text->count);
    return text->stream != NULL;
}

static char *end(struct text *text)
{
    if (fclose(text->stream) == 0)
        return text->bytes;
    free(text->bytes);
    return NULL;
}

/* ---- what stands in it for the parts of a pattern ---- */

struct rendering {
    const char *run;     /* for %n */
    const char *process; /* for %p */
    const char *percent; /* for %%, and for a % that begins nothing */
    const char *special; /* bytes that take a backslash before them */
};

static void render(struct text *text, const char *pattern, struct rendering as)
{
    for (const char *c = pattern; *c; c++) {
        bool is_percent = *c == '%';
        if (is_percent && (c[1] == 'n' || c[1] == 'p'))
            fputs(*++c == 'n' ? as.run : as.process, text->stream);
        else if (is_percent) {
            fputs(as.percent, text->stream);
            c += c[1] == '%';
        } else {
            if (strchr(as.special, *c))
                fputc('\\', text->stream);
            fputc(*c, text->stream);
        }
    }
}

/* What is no pattern: each percent sign in it is one. */
static void render_plain(struct text *text, const char *path)
{
    for (const char *c = path; *c; c++) {
        if (*c == '%')
            fputc('%', text->stream);
        fputc(*c, text->stream);
    }
}

struct number {
    char text[sizeof "18446744073709551615"]; /* 2^64 - 1 */
};

static struct number number_text(uint64_t value)
{
    struct number number;
    snprintf(number.text, sizeof number.text, "%" PRIu64, value);
    return number;
}

/* ---- the patterns ---- */

char *ep_profile_pattern_of_program(const char *program)
{
    const char *slash = strrchr(program, '/');
    struct text text;
    if (!begin(&text))
        return NULL;
    render_plain(&text, slash ? slash + 1 : program);
    fputs(ENDING, text.stream);
    return end(&text);
}

bool ep_profile_pattern_has(const char *pattern, char letter)
{
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c += c[1] ? 2 : 1)
        if (c[1] == letter)
            return true;
    return false;
}

char *ep_profile_pattern_for_several(const char *pattern)
{
    size_t bytes = strlen(pattern), ending = strlen(ENDING);
    bool has_ending = bytes > ending && strcmp(pattern + bytes - ending, ENDING) == 0;
    char *several;
    int before = (int)(has_ending ? bytes - ending : bytes);
    return asprintf(&several, "%.*s.%%n%s", before, pattern, pattern + before) < 0 ? NULL : several;
}

char *ep_profile_pattern_of_run(const char *pattern, uint64_t run)
{
    struct text text;
    char *directory = pattern[0] == '/' ? NULL : getcwd(NULL, 0);
    if ((pattern[0] != '/' && !directory) || !begin(&text)) {
        free(directory);
        return NULL;
    }
    if (directory) {
        render_plain(&text, directory);
        fputc('/', text.stream);
        free(directory);
    }
    render(&text, pattern, (struct rendering){number_text(run).text, "%p", "%%", ""});
    return end(&text);
}

/* The library puts the process id of a forked child behind a path that has no %p. */
static char *rendered(const char *pattern, struct rendering as, bool is_forked)
{
    struct text text;
    if (!begin(&text))
        return NULL;
    render(&text, pattern, as);
    if (is_forked)
        fprintf(text.stream, ".%s", as.process);
    return end(&text);
}

char *ep_profile_pattern_path(const char *pattern, uint64_t process_id, bool is_forked)
{
    struct number number = number_text(process_id);
    return rendered(pattern, (struct rendering){"%n", number.text, "%", ""}, is_forked);
}

char *ep_profile_pattern_glob(const char *pattern, bool is_forked)
{
    return rendered(pattern, (struct rendering){"%n", "[0-9]*", "%", "*?[\\"}, is_forked);
}
