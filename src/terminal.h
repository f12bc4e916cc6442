/*
 * terminal.h - what a report may ask of the terminal that it is written to
 *
 * Where the stream is a file or a pipe there is none. errno stays as it was.
 */
#ifndef EP_TERMINAL_H
#define EP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Its columns: COLUMNS, else as the kernel knows them. 0: not a terminal, or not known. */
size_t ep_terminal_columns(FILE *stream);

/*
 * Whether colours are wanted there: on a terminal that can do more than TERM=dumb, unless
 * NO_COLOR is set (no-color.org); elsewhere not, unless CLICOLOR_FORCE is (bixense.com/clicolors).
 */
bool ep_terminal_has_colour(FILE *stream);

/* Whether text is UTF-8 there: so says the locale that the program has set, or, where it
 * has set none, the environment. */
bool ep_terminal_is_utf8(void);

#endif /* EP_TERMINAL_H */
