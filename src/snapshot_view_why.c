#include "snapshot_view_why.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler.h"
#include "snapshot_rows.h"

/* A few lines of a terminal, and of the names that there are so many. */
enum { LINE_BYTES = 500, NAMES_MOST = 16 };

struct line {
    char text[LINE_BYTES];
    size_t bytes;
};

static void append(struct line *line, const char *format, ...) EP_PRINTF(2, 3);

/* What does not fit is cut off. */
static void append(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof line->text - line->bytes;
    int bytes = vsnprintf(&line->text[line->bytes], room, format, arguments);
    va_end(arguments);
    if (bytes > 0)
        line->bytes += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

static int finish(struct eprof_snapshot *snapshot, const struct line *line, int error,
                  const char **why)
{
    *why = ep_rows_text(snapshot, line->text, line->bytes);
    errno = *why ? error : ENOMEM;
    if (!*why)
        *why = strerror(ENOMEM);
    return -1;
}

int ep_view_why_no_column(struct eprof_snapshot *snapshot, const char *key, const char **why)
{
    struct line line = {.bytes = 0};
    append(&line, "no column \"%.100s\" to sort by: there are ", key);
    for (size_t i = 0; i < EP_FIELDS; i++)
        append(&line, "%s%s, ", ep_fields[i].name, ep_fields[i].is_duration ? "_ns" : "");
    for (size_t i = 0; i < EP_WORDS; i++)
        append(&line, "%s%s", i ? ", " : "", ep_words[i].name);
    return finish(snapshot, &line, EINVAL, why);
}

static bool is_among(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

int ep_view_why_no_thread(struct eprof_snapshot *snapshot, const char *name, const char **why)
{
    struct line line = {.bytes = 0};
    const char *names[NAMES_MOST];
    size_t count = 0;
    append(&line, "no thread \"%.100s\"", name);
    for (size_t row = 0; row < snapshot->trouble_first; row++) {
        const char *thread = snapshot->rows[row].thread;
        if (is_among(names, count, thread))
            continue;
        if (count == NAMES_MOST) {
            append(&line, ", ...");
            break;
        }
        append(&line, "%s\"%.20s\"", count ? ", " : ": there are ", thread);
        names[count++] = thread;
    }
    return finish(snapshot, &line, ENOENT, why);
}

int ep_view_why_nothing(struct eprof_snapshot *snapshot, const char *what, const char *asked,
                        const char **why)
{
    struct line line = {.bytes = 0};
    append(&line, "no %s \"%.200s\"", what, asked);
    return finish(snapshot, &line, ENOENT, why);
}
