/*
 * escape_name.h - names on a terminal, and how wide they are
 */
#ifndef EP_ESCAPE_NAME_H
#define EP_ESCAPE_NAME_H

#include "output.h"

/* The bytes of the character that `text` begins with, if it is shown as it is; else, and at the
 * end, 0. */
size_t ep_escape_name_plain(const char *text);
/* A name on a terminal: as \xNN its control characters, what is not UTF-8, and what is not
 * seen but changes what is (directions, line separators, zero width). */
void ep_escape_name(struct ep_output *out, const char *name);
/* The columns that ep_escape_name() takes: of each character its own, four for \xNN. */
size_t ep_escape_name_width(const char *name);
/* A name in exactly `width` columns, filled with blanks, or cut in the middle with `gap`
 * between; `width` is at least that of the gap. */
void ep_escape_name_cut(struct ep_output *out, const char *name, size_t width, const char *gap);

#endif /* EP_ESCAPE_NAME_H */
