/*
 * base/terminal.h - properties of the terminal that a report is written to
 *
 * All functions keep errno, and return "none" for a stream that is a file or a pipe.
 */
#ifndef EP_BASE_TERMINAL_H
#define EP_BASE_TERMINAL_H

#include "base/output.h"

/* Sets how names have to be written to an open output. */
void ep_terminal_describe(struct ep_output *out);

/* Its columns: COLUMNS, else the kernel's value. 0: not a terminal, or unknown. */
size_t ep_terminal_columns(FILE *stream);

/* Whether to use colours: on a terminal other than TERM=dumb, unless NO_COLOR is set
 * (no-color.org); elsewhere only if CLICOLOR_FORCE is set (bixense.com/clicolors). */
bool ep_terminal_has_colour(FILE *stream);

/* Whether text is UTF-8, by the locale that the program has set, or, if it has set none, by the
 * environment. */
bool ep_terminal_is_utf8(void);

#endif /* EP_BASE_TERMINAL_H */
