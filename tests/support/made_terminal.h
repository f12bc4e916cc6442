/*
 * made_terminal.h - a pseudo-terminal, and a stream that writes to it
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

/* Reads the text that was written so far, as far as a terminal holds it: about 4 KiB without
 * waiting. Adds a NUL after the text; `text` has room for `room` bytes. */
void terminal_read(struct terminal *terminal, char *text, size_t room);

/* The text that `write_to` writes there, of any length. A child process writes it, since a terminal
 * is soon full if no process reads it. The caller frees the text. */
char *terminal_catch(void (*write_to)(const void *context, FILE *stream), const void *context);

/* Asserts that a terminal neither obeys nor hides any part of the text; is_ascii: and that the text
 * is all ASCII. */
void assert_is_harmless(const char *format, const char *text, bool is_ascii);
void use_terminal_without_utf8(void);
void use_terminal_with_utf8(void);
/* A set-up of a test: it removes the settings about the terminal from the environment. */
int clear_settings(void **state);

#endif /* MADE_TERMINAL_H */
