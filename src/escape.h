/*
 * escape.h - text in which some characters may not stand as they are
 *
 * Each format has an escaper of its own (escape_csv, escape_json, ...), which says what is plain
 * in it and how the rest is written. All of them take any bytes; what is not UTF-8 is written
 * as the text \xNN, so that every report is UTF-8.
 */
#ifndef EP_ESCAPE_H
#define EP_ESCAPE_H

#include "output.h"

/* Text goes out in runs of plain characters; between them, byte by byte, what
 * has to be escaped. `plain` gives the bytes of the character there, or 0. */
struct ep_escape {
    size_t (*plain)(const char *text);
    void (*write)(struct ep_output *out, char byte);
};

/* At most so many bytes of the text; `most` does not part a character. */
void ep_escape_write(struct ep_output *out, const struct ep_escape *escape, const char *text,
                     size_t most);

/* U+0000 to U+001F and U+007F. */
bool ep_escape_is_control(char byte);

/* As \xNN, which every format takes. */
void ep_escape_hex(struct ep_output *out, char byte);

#endif /* EP_ESCAPE_H */
