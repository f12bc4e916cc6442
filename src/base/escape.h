/*
 * base/escape.h - names and other text, escaped for each output format
 *
 * All functions take any bytes. A byte that is not part of valid UTF-8 is written as the text
 * \xNN, so every report is valid UTF-8.
 */
#ifndef EP_BASE_ESCAPE_H
#define EP_BASE_ESCAPE_H

#include "base/output.h"

/* ---- names on a terminal ---- */

/* The bytes of the character at the start of `text` if it is shown unescaped; else, and at the
 * end, 0. */
size_t ep_escape_name_plain(const char *text);
/* Writes a name for a terminal. Control characters, invalid UTF-8, and invisible characters that
 * change what is visible (directions, line separators, zero width) become \xNN. */
void ep_escape_name(struct ep_output *out, const char *name);
/* The columns that ep_escape_name() takes: each character's width, four for \xNN. */
size_t ep_escape_name_width(const char *name);
/* Writes a name in exactly `width` columns: filled with blanks, or cut in the middle with `gap`
 * between the parts. `width` is at least the width of the gap. */
void ep_escape_name_cut(struct ep_output *out, const char *name, size_t width, const char *gap);

/* ---- one function for each format ---- */

/* A field of a csv row (RFC 4180), with quotes where they are needed. */
void ep_escape_csv(struct ep_output *out, const char *field);

/* A JSON string (RFC 8259) with its quotes. */
void ep_escape_json(struct ep_output *out, const char *text);

/*
 * A frame of a folded stack, and a name in a callgrind profile. Neither format has escapes: a byte
 * with a meaning in it, or that readers drop, is written as \xNN, and the backslash as \x5c, so
 * decoding each \xNN restores every name byte by byte. Control characters and invalid UTF-8 are
 * escaped in both.
 *
 * Folded: readers split the line at its last blank, and the stack at each ';'. Escaped are ';', the
 * other line ends (U+0085, U+2028, U+2029), a blank at either end of a name, which readers trim,
 * and a blank before a number at the end, since flamegraph.pl takes "f 12" for a second figure. An
 * empty name is \x00, because readers leave out an empty frame at the end.
 *
 * Callgrind: a name ends with its line. White space (as Unicode defines it) is escaped at both
 * ends, because readers trim it. An empty name is \x00: readers take it for a reference to an
 * earlier one.
 */
void ep_escape_folded(struct ep_output *out, const char *name);
void ep_escape_callgrind(struct ep_output *out, const char *name);

/* Text of an html page, or of an attribute in double quotes. Characters that ep_escape_name()
 * escapes are escaped here too, so a name cannot look like another or reverse its line. */
void ep_escape_html(struct ep_output *out, const char *text);

/* A label value with its quotes, for OpenMetrics and Prometheus's text format. Both escape only
 * the backslash, the quote and the newline. */
void ep_escape_openmetrics(struct ep_output *out, const char *text);

#endif /* EP_BASE_ESCAPE_H */
