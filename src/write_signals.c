#include "write_signals.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static const int both[] = {SIGPIPE, SIGXFSZ};
enum { BOTH = sizeof both / sizeof both[0] };

void ep_write_signals_hold(struct ep_write_signals *signals)
{
    sigset_t held;
    sigemptyset(&held);
    for (int i = 0; i < BOTH; i++)
        sigaddset(&held, both[i]);
    pthread_sigmask(SIG_BLOCK, &held, &signals->mask);
    sigpending(&signals->pending);
}

void ep_write_signals_release(const struct ep_write_signals *signals)
{
    static const struct timespec at_once = {.tv_sec = 0};
    int saved_errno = errno;
    for (int i = 0; i < BOTH; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, both[i]);
        if (!sigismember(&signals->pending, both[i]))
            sigtimedwait(&one, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    errno = saved_errno;
}
