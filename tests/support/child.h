/*
 * child.h - calls a function in a child process, and returns the result of it
 *
 * The child asserts nothing, since after a failed assertion the child would continue with the next
 * test; the parent makes the assertions. An alarm ends a child that hangs.
 */
#ifndef CHILD_H
#define CHILD_H

#include "test.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitizer.h"

/* Far longer than any child takes, also under a sanitizer. */
enum { CHILD_SECONDS = TAKES_LONG ? 600 : 60 };

typedef pid_t (*child_fork)(void);

/* `act` fills the `bytes` bytes at `seen`. Before the call they are the same in the child as in the
 * parent. */
static inline void child_do(child_fork fork_by, void (*act)(void *seen), void *seen, size_t bytes)
{
    int ends[2], status = 0;
    assert_return_code(pipe(ends), errno);
    pid_t child = fork_by();
    assert_return_code(child, errno);
    if (child == 0) {
        alarm(CHILD_SECONDS);
        act(seen);
        _exit(write(ends[1], seen, bytes) != (ssize_t)bytes);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], seen, bytes);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        fail_msg("the child was ended by signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(got, bytes);
}

#endif /* CHILD_H */
