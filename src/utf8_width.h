/*
 * utf8_width.h - the columns that a character takes on a terminal
 */
#ifndef EP_UTF8_WIDTH_H
#define EP_UTF8_WIDTH_H

#include <stddef.h>
#include <stdint.h>

/* 0 for a combining character, 2 for a wide one of East Asia or an emoji, else 1. Control
 * characters are not asked for: they are never written. */
unsigned ep_utf8_width(uint32_t code_point);

#endif /* EP_UTF8_WIDTH_H */
