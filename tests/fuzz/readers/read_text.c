/* Reads as people do, who see words and not the blanks between them. */
#include "../require.h"
#include "readers.h"
#include "shown.h"

/* Up to this number of bytes, when shown, no part of a label is left out because of a lack of
 * room. */
enum { SHORT_BYTES = 20 };

static size_t lines_in(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Whether there is room for each label; only the end of a file's path is shown. */
static bool are_shown_whole(const struct labels *labels)
{
    for (size_t i = 0; i < labels->count; i++) {
        char *shown = shown_to_people(labels->text[i]);
        bool is_whole = strlen(shown) <= SHORT_BYTES && !strchr(shown, '/');
        free(shown);
        if (!is_whole)
            return false;
    }
    return true;
}

/* Reduces each run of blanks and rules to one, in place. */
static char *squeezed(char *text)
{
    static const char *const runs[] = {" ", "-", "\xE2\x94\x80"};
    char *to = text;
    for (const char *from = text; *from;) {
        size_t step = 1;
        for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
            size_t bytes = strlen(runs[i]);
            while (strncmp(from, runs[i], bytes) == 0 && strncmp(from + bytes, runs[i], bytes) == 0)
                from += bytes;
        }
        memmove(to, from, step);
        to += step;
        from += step;
    }
    *to = '\0';
    return text;
}

void read_text(const struct report *report)
{
    require(shown_is_plain(report->text), "a report for people is what they see");
    require(lines_in(report->text) == lines_in(report->twin), "it has a line for each");
    if (!are_shown_whole(report->labels))
        return;
    char *text = squeezed(strdup(report->text));
    require(is_text(squeezed(labels_fill_in(report->labels, report->twin, shown_to_people)), text),
            "it is its twin but for the labels");
    free(text);
}
