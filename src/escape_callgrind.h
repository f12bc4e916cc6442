/*
 * escape_callgrind.h - a name in a callgrind profile
 *
 * The format has no escapes: a name goes to the end of its line. So a byte that would end the line,
 * or that readers leave out, is written as \xNN, and the backslash itself as \x5c: read each \xNN
 * as the byte NN and every name is back, byte by byte. So are written
 *   - '\', control characters, and what is not UTF-8;
 *   - white space at both ends, which readers trim, whatever Unicode counts as that.
 * An empty name is \x00, where a string ends: readers take none for a name that was told before.
 */
#ifndef EP_ESCAPE_CALLGRIND_H
#define EP_ESCAPE_CALLGRIND_H

#include "output.h"

void ep_escape_callgrind(struct ep_output *out, const char *name);

#endif /* EP_ESCAPE_CALLGRIND_H */
