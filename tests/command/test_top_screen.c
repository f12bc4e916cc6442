/* How a frame is written to the terminal. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/top/top.h"

/* Standard output is a socket that keeps the data of each write() separate, and its stream is line
 * buffered, as on a terminal. */
struct fixture {
    int before, other_end;
};

static int begin(void **state)
{
    static struct fixture fixture;
    int ends[2];
    fflush(stdout);
    fixture.before = dup(STDOUT_FILENO);
    assert_return_code(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), errno);
    assert_return_code(dup2(ends[1], STDOUT_FILENO), errno);
    close(ends[1]);
    assert_return_code(setvbuf(stdout, NULL, _IOLBF, BUFSIZ), errno);
    fixture.other_end = ends[0];
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    const struct fixture *fixture = *state;
    dup2(fixture->before, STDOUT_FILENO);
    close(fixture->before);
    close(fixture->other_end);
    return 0;
}

static void assert_written_at_once(const struct fixture *fixture, const char *expected)
{
    char written[4096] = "", more[sizeof written];
    ssize_t count = recv(fixture->other_end, written, sizeof written - 1, 0);
    assert_return_code(count, errno);
    assert_string_equal(written, expected);
    assert_int_equal(recv(fixture->other_end, more, sizeof more, 0), -1);
    assert_int_equal(errno, EAGAIN);
}

TEST(frame_is_one_write)
{
    assert_int_equal(ep_top_screen_show("one\n\nthree\n", 24), 0);
    assert_written_at_once(*state, "\033[H\033[Kone\r\n\033[K\r\n\033[Kthree\r\n");
}

TEST(frame_has_no_more_lines_than_the_terminal)
{
    assert_int_equal(ep_top_screen_show("one\ntwo\nthree\n", 2), 0);
    assert_written_at_once(*state, "\033[H\033[Kone\r\n\033[Ktwo");
}

TEST(frame_that_is_not_taken_fails)
{
    sigset_t pipe;
    shutdown(STDOUT_FILENO, SHUT_WR);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, NULL);
    assert_int_equal(ep_top_screen_show("one\n", 24), -1);
    assert_int_equal(errno, EPIPE);
}

TEST_EACH(begin, end)
