/*
 * escape_folded.h - a frame of a folded stack
 *
 * The format has no escapes: a reader parts the line at its last blank, and what is before that
 * at each ';'. So a name's byte that would be taken for something else is written as \xNN, and
 * the backslash itself as \x5c: read each \xNN as the byte NN and every name is back, byte by
 * byte. So are written
 *   - ';', '\', control characters, and the other ends of a line (U+0085, U+2028, U+2029);
 *   - what is not UTF-8;
 *   - a blank at the beginning and at the end of a name, which readers trim, and before a number
 *     that ends it: flamegraph.pl takes "f 12" at the end of a stack for a figure more.
 * An empty name is \x00, where a string ends: readers leave out an empty frame at the end.
 */
#ifndef EP_ESCAPE_FOLDED_H
#define EP_ESCAPE_FOLDED_H

#include "output.h"

void ep_escape_folded(struct ep_output *out, const char *name);

#endif /* EP_ESCAPE_FOLDED_H */
