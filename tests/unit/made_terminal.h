/*
 * made_terminal.h - a terminal of its own, and a stream that writes to it
 *
 * Include it after <cmocka.h>.
 */
#ifndef MADE_TERMINAL_H
#define MADE_TERMINAL_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct terminal {
    int master;
    FILE *stream;
};

static inline void terminal_open(struct terminal *terminal, unsigned short columns)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    struct termios mode;
    terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_return_code(terminal->master, errno);
    assert_return_code(grantpt(terminal->master), errno);
    assert_return_code(unlockpt(terminal->master), errno);
    int slave = open(ptsname(terminal->master), O_RDWR | O_NOCTTY);
    assert_return_code(slave, errno);
    assert_return_code(ioctl(slave, TIOCSWINSZ, &size), errno);
    assert_return_code(tcgetattr(slave, &mode), errno);
    mode.c_oflag &= ~(tcflag_t)OPOST; /* what is written comes out as it went in */
    assert_return_code(tcsetattr(slave, TCSANOW, &mode), errno);
    terminal->stream = fdopen(slave, "w");
    assert_non_null(terminal->stream);
}

static inline void terminal_close(struct terminal *terminal)
{
    fclose(terminal->stream);
    close(terminal->master);
}

/* What was written so far, as far as a terminal holds it: some 4 KiB without waiting. Ends the
 * text, of which there is room for `room` bytes. */
static inline void terminal_read(struct terminal *terminal, char *text, size_t room)
{
    size_t bytes = 0;
    ssize_t count = 1;
    assert_int_equal(fflush(terminal->stream), 0);
    assert_return_code(fcntl(terminal->master, F_SETFL, O_NONBLOCK), errno);
    while (count > 0 && bytes < room - 1) {
        count = read(terminal->master, text + bytes, room - 1 - bytes);
        bytes += count > 0 ? (size_t)count : 0;
    }
    text[bytes] = '\0';
}

#endif /* MADE_TERMINAL_H */
