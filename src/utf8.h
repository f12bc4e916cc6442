/*
 * utf8.h - where a character begins and ends, and which it is (RFC 3629)
 */
#ifndef EP_UTF8_H
#define EP_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of the character at `text`: 1 to 4; 0 at the terminating NUL and
 * where the bytes are not UTF-8 (overlong, surrogate, beyond U+10FFFF, cut off
 * by the NUL). */
size_t ep_utf8_length(const char *text);

/* The number of the character at `text`, whose `length` is that of ep_utf8_length(). */
uint32_t ep_utf8_code_point(const char *text, size_t length);

/* How many of the `count` bytes at `text` to keep so that at most `limit` are
 * kept and no character is cut in two. What is not UTF-8 is cut anywhere. */
size_t ep_utf8_cut(const char *text, size_t count, size_t limit);

#endif /* EP_UTF8_H */
