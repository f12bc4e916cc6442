/*
 * base/utf8.h - the characters of a UTF-8 text (RFC 3629), and their widths on a terminal
 */
#ifndef EP_BASE_UTF8_H
#define EP_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character at `text`: 1 to 4; 0 at the terminating NUL and at invalid bytes
 * (overlong, surrogate, beyond U+10FFFF, cut off by the NUL). */
size_t ep_utf8_length(const char *text);

/* The code point of the character at `text`; `length` is from ep_utf8_length(). */
uint32_t ep_utf8_code_point(const char *text, size_t length);

/* How many of the `count` bytes at `text` to keep: at most `limit`, and no character is cut in
 * two. Invalid bytes are cut anywhere. */
size_t ep_utf8_cut(const char *text, size_t count, size_t limit);

/* The columns of a character on a terminal: 0 for a combining character, 2 for a wide one of East
 * Asia or an emoji, else 1. Not for control characters, which are never written. */
unsigned ep_utf8_width(uint32_t code_point);

#endif /* EP_BASE_UTF8_H */
