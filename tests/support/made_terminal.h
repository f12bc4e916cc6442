/*
 * made_terminal.h - a terminal of its own, and a stream that writes to it
 */
#ifndef MADE_TERMINAL_H
#define MADE_TERMINAL_H

#include "kept.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/escape.h"

struct terminal {
    int master;
    FILE *stream;
};

void terminal_open(struct terminal *terminal, unsigned short columns);
void terminal_close(struct terminal *terminal);

/* What was written so far, as far as a terminal holds it: some 4 KiB without waiting. Ends the
 * text, of which there is room for `room` bytes. */
void terminal_read(struct terminal *terminal, char *text, size_t room);

/* All that `write` writes there, of any length; it is done by a child, since a terminal that nobody
 * reads is soon full. To be freed. */
char *terminal_catch(void (*write_to)(const void *context, FILE *stream), const void *context);

/* Nothing in it is obeyed by a terminal, or hidden there; is_ascii: nor is it beyond ASCII. */
void assert_is_harmless(const char *format, const char *text, bool is_ascii);
void use_terminal_without_utf8(void);
void use_terminal_with_utf8(void);
/* Before a test: nothing in the environment says what a terminal is like. */
int clear_settings(void **state);

#endif /* MADE_TERMINAL_H */
