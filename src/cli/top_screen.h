/*
 * top_screen.h - the terminal while `eprof top` has it: another screen, keys one by one
 *
 * Signals are waited for, not handled, so that the terminal is given back as it was whatever ends
 * the program; but SIGKILL, and a fault of its own. While it is stopped (^Z) the shell has it.
 */
#ifndef EP_CLI_TOP_SCREEN_H
#define EP_CLI_TOP_SCREEN_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

struct ep_top_screen {
    struct termios before; /* the terminal, and */
    sigset_t mask_before;  /* the signals, as they were */
    int signals;           /* a descriptor of those that are waited for */
};

struct ep_top_size {
    size_t rows, columns;
};

enum ep_top_event {
    EP_TOP_EVENT_TIME,  /* the time has come */
    EP_TOP_EVENT_KEYS,  /* there are bytes */
    EP_TOP_EVENT_DRAW,  /* it has another size, or has been away */
    EP_TOP_EVENT_SIGNAL /* one that ends the program; or the terminal is gone */
};

struct ep_top_input {
    char bytes[256];
    size_t count;
    int signal; /* 0: the terminal is gone */
};

/* Standard input and output are a terminal. 0, or -1 and errno. */
int ep_top_screen_open(struct ep_top_screen *screen);
void ep_top_screen_close(struct ep_top_screen *screen);

struct ep_top_size ep_top_screen_size(void);
/* Shows the first `rows` lines of a text in the place of what was there, in one write. 0, or -1
 * and errno. */
int ep_top_screen_show(const char *text, size_t rows);

/* Waits until a time of CLOCK_MONOTONIC; UINT64_MAX: without end. */
enum ep_top_event ep_top_screen_wait(struct ep_top_screen *screen, uint64_t until_ns,
                                     struct ep_top_input *input);

#endif /* EP_CLI_TOP_SCREEN_H */
