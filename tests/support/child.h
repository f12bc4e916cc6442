/*
 * child.h - has something done in a child process, and brings back what it saw
 *
 * The child asserts nothing, since a failed assertion would go on with the next
 * test there; the parent does. A child that hangs is ended by its alarm.
 */
#ifndef CHILD_H
#define CHILD_H

#include "test.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitizer.h"

/* Far more than any child takes, under a sanitizer too. */
enum { CHILD_SECONDS = TAKES_LONG ? 600 : 60 };

typedef pid_t (*child_fork)(void);

/* `act` fills the `bytes` bytes at `seen`, which were the same there as here. */
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
