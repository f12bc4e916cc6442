/*
 * write_signals.h - writes that must not end the program
 *
 * A write to a pipe that nobody reads raises SIGPIPE, and one beyond RLIMIT_FSIZE SIGXFSZ; both
 * end a program that did not expect them. What the library writes without being called for it
 * is written between hold and release: the write fails, and the signal is gone.
 */
#ifndef EP_WRITE_SIGNALS_H
#define EP_WRITE_SIGNALS_H

#include <signal.h>

struct ep_write_signals {
    sigset_t mask;    /* of the thread before */
    sigset_t pending; /* those of them that were there before, and stay */
};

void ep_write_signals_hold(struct ep_write_signals *signals);
/* Keeps errno. */
void ep_write_signals_release(const struct ep_write_signals *signals);

#endif /* EP_WRITE_SIGNALS_H */
