/*
 * shown.h - what docs/reference/formats.md says that becomes of a name
 *
 * Written without a look at src/: what is UTF-8 is decided by the C library's.
 */
#ifndef SHOWN_H
#define SHOWN_H

#include <stdbool.h>
#include <stddef.h>

/* Before anything else: the C library is told that text is UTF-8. */
void shown_begin(void);

/* To be freed, each. */

/* For programs: what is not UTF-8 is the text \xNN. */
char *shown_to_programs(const char *name);
/* For people: and so is what is not seen, but changes what is. */
char *shown_to_people(const char *name);
/* The name as a path: `;` and `\` have a backslash before them. */
char *shown_path(const char *name);

/* In place: \xNN becomes the byte NN; a NUL, which stands for an empty name, is nothing. */
void shown_read_hex(char *text);

/* Whether it begins or ends with white space, as the C library has it, which readers trim. */
bool shown_has_blank_end(const char *text);

/* Whether it is UTF-8 through and through, and has nothing that people do not see, but line ends.
 */
bool shown_is_plain(const char *text);

#endif /* SHOWN_H */
