#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/output.h"
#include "base/platform.h"
#include "cli/top/top.h"

/* Xterm Control Sequences, DECSET 1049: the alternate screen. DEC VT510, DECTCEM and DECAWM: the
 * cursor, and the wrapping of long lines. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
/* ECMA-48: moves the cursor to the first cell; clears the line. */
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"

/* The signals that end a program by default, signal(7), except for those of its own faults; those
 * that stop and continue it; and that of a new size of the terminal. */
static sigset_t awaited_signals(void)
{
    static const int signals[] = {SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
                                  SIGVTALRM, SIGPROF, SIGPIPE, SIGABRT, SIGXCPU, SIGXFSZ, SIGPOLL,
                                  SIGSTKFLT, SIGPWR,  SIGTSTP, SIGCONT, SIGWINCH};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaddset(&set, signals[i]);
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++)
        sigaddset(&set, signal);
    return set;
}

/* Keys are read one by one and not shown; those that send signals still do. */
static void enter(const struct ep_top_screen *screen)
{
    struct termios ours = screen->before;
    ours.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    ours.c_cc[VMIN] = 1;
    ours.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &ours);
    fputs(ENTER, stdout);
    fflush(stdout);
}

static void leave(const struct ep_top_screen *screen)
{
    fputs(LEAVE, stdout);
    fflush(stdout);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->before);
}

int ep_top_screen_open(struct ep_top_screen *screen)
{
    sigset_t awaited = awaited_signals();
    if (tcgetattr(STDIN_FILENO, &screen->before) != 0)
        return -1;
    screen->signals = signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK);
    if (screen->signals < 0)
        return -1;
    sigprocmask(SIG_BLOCK, &awaited, &screen->mask_before);
    enter(screen);
    return 0;
}

void ep_top_screen_close(struct ep_top_screen *screen)
{
    leave(screen);
    close(screen->signals);
    sigprocmask(SIG_SETMASK, &screen->mask_before, NULL);
}

struct winsize ep_top_screen_size(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col)
        return (struct winsize){.ws_row = 24, .ws_col = 80};
    return size;
}

/* Overwrites what is shown, so that nothing flickers. A line is cleared before it is written:
 * after one that is as wide as the terminal, clearing would remove its last character. */
static void write_over(struct ep_output *out, const char *text, size_t rows)
{
    ep_output_text(out, HOME);
    for (size_t row = 1; row <= rows && *text; row++) {
        size_t bytes = strcspn(text, "\n");
        ep_output_text(out, CLEAR_LINE);
        ep_output_bytes(out, text, bytes);
        if (text[bytes] && row < rows)
            ep_output_text(out, "\r\n");
        text += bytes + (text[bytes] != '\0');
    }
}

/* A terminal may accept only a part. */
static int put(const char *bytes)
{
    size_t left = strlen(bytes);
    while (left > 0) {
        ssize_t count = write(STDOUT_FILENO, bytes, left);
        if (count < 0 && errno != EINTR)
            return -1;
        bytes += count > 0 ? count : 0;
        left -= count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* Does not use stdout, which would write line by line, and so show half a frame. */
int ep_top_screen_show(const char *text, size_t rows)
{
    struct ep_text_output frame;
    if (ep_output_text_open(&frame) != 0)
        return -1;
    write_over(&frame.out, text, rows);
    char *bytes = ep_output_text_close(&frame);
    int result = bytes ? put(bytes) : -1;
    free(bytes);
    return result;
}

static int milliseconds_until(uint64_t until_ns)
{
    const uint64_t millisecond_ns = 1000000, most = 1000000;
    uint64_t now_ns = ep_platform_monotonic_ns();
    if (until_ns == UINT64_MAX)
        return -1;
    if (until_ns <= now_ns)
        return 0;
    uint64_t left = (until_ns - now_ns + millisecond_ns - 1) / millisecond_ns;
    return (int)(left < most ? left : most);
}

/* Restores the terminal for the shell, and continues after SIGCONT. */
static void stop(const struct ep_top_screen *screen)
{
    struct sigaction usual = {.sa_handler = SIG_DFL}, before;
    sigset_t stopping;
    leave(screen);
    sigemptyset(&stopping);
    sigaddset(&stopping, SIGTSTP);
    sigaction(SIGTSTP, &usual, &before);
    raise(SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stopping, NULL);
    sigprocmask(SIG_BLOCK, &stopping, NULL);
    sigaction(SIGTSTP, &before, NULL);
    enter(screen);
}

static enum ep_top_event take_signal(struct ep_top_screen *screen, struct ep_top_input *input)
{
    struct signalfd_siginfo info;
    if (read(screen->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return EP_TOP_EVENT_DRAW;
    switch (info.ssi_signo) {
    case SIGTSTP:
        stop(screen);
        return EP_TOP_EVENT_DRAW;
    case SIGCONT:
        enter(screen); /* other programs may have changed the terminal */
        return EP_TOP_EVENT_DRAW;
    case SIGWINCH:
        return EP_TOP_EVENT_DRAW;
    default:
        input->signal = (int)info.ssi_signo;
        return EP_TOP_EVENT_SIGNAL;
    }
}

static enum ep_top_event take_keys(struct ep_top_input *input)
{
    ssize_t count = read(STDIN_FILENO, input->bytes, sizeof input->bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
        return EP_TOP_EVENT_DRAW;
    input->count = count > 0 ? (size_t)count : 0;
    return count > 0 ? EP_TOP_EVENT_KEYS : EP_TOP_EVENT_SIGNAL;
}

enum ep_top_event ep_top_screen_wait(struct ep_top_screen *screen, uint64_t until_ns,
                                     struct ep_top_input *input)
{
    struct pollfd files[] = {{.fd = screen->signals, .events = POLLIN},
                             {.fd = STDIN_FILENO, .events = POLLIN}};
    *input = (struct ep_top_input){.count = 0};
    if (poll(files, 2, milliseconds_until(until_ns)) <= 0)
        return ep_platform_monotonic_ns() < until_ns ? EP_TOP_EVENT_DRAW : EP_TOP_EVENT_TIME;
    return files[0].revents ? take_signal(screen, input) : take_keys(input);
}
