/*
 * shown.h - the form of a name in a report, as docs/reference/formats.md specifies it
 *
 * It was written without reading src/: the C library decides whether bytes are UTF-8.
 */
#ifndef SHOWN_H
#define SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* To be called first: sets the C library to UTF-8. */
void shown_begin(void);

/* The caller frees each of these texts. */

/* For programs: a byte that is not UTF-8 becomes the text \xNN. */
char *shown_to_programs(const char *name);
/* For people: invisible characters that change the text become \xNN too. */
char *shown_to_people(const char *name);
/* The name as a path: `;` and `\` get a backslash before them. */
char *shown_path(const char *name);

/* In place: \xNN becomes the byte NN; a NUL, which means an empty name, becomes nothing. */
void shown_read_hex(char *text);

/* Returns whether the name begins or ends with white space by the C library, which readers trim. */
bool shown_has_blank_end(const char *text);

/* Returns whether all of it is UTF-8, without characters that people do not see, except for line
 * ends. */
bool shown_is_plain(const char *text);

#endif /* SHOWN_H */
