/* The file of a program is read while the program records, and once more after it was killed. */
#include "steps.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "image/read.h"

static char path[] = P_tmpdir "/eprof-live-XXXXXX";

/* Does not return. Writes to the pipe as soon as all its threads record. */
static void record_until_killed(int ready)
{
    pthread_t threads[STEPS_THREADS];
    char item[sizeof path + 10];
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails does not reach the end of the test */
    snprintf(item, sizeof item, "image=%s", path);
    if (eprof_setup(item) != 0 || steps_use() != 0)
        _exit(1);
    steps_begin(threads);
    while (__atomic_load_n(&steps_rounds, __ATOMIC_RELAXED) < 100)
        sched_yield();
    if (write(ready, "x", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static pid_t begin_recording(void)
{
    int ready[2];
    char byte;
    close(mkstemp(path));
    unlink(path);
    assert_return_code(pipe(ready), errno);
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0)
        record_until_killed(ready[1]);
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void end_recording(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

/* false: a thread was killed in a keep, or did not run for the 250 ms that a reader waits for it.
 * Then the figures of its hold are not consistent, and the image says so. */
static bool read_once(bool is_running, uint64_t *calls)
{
    struct ep_image image;
    struct ep_image_file_state state;
    const char *why;
    if (ep_image_read(path, &image, &state, &why) != 0)
        fail_msg("not read: %s", why);
    assert_int_equal(state.is_being_written, is_running);
    assert_int_equal(image.cells[EP_CELL_IDENTITY].identity.not_closed, !is_running);
    bool is_whole = image.cells[EP_CELL_LOCK].lock.interrupted == 0;
    if (is_whole)
        *calls = steps_check(&image);
    ep_image_destroy(&image);
    return is_whole;
}

TEST(file_that_is_being_written_is_read_whole)
{
    enum { READS = 300, MOST_INTERRUPTED = READS / 10 };
    uint64_t calls = 0;
    int interrupted = 0;
    pid_t child = begin_recording();
    for (int i = 0; i < READS; i++) {
        uint64_t more;
        if (!read_once(true, &more)) {
            interrupted++;
            continue;
        }
        assert_in_range(more, calls, UINT64_MAX);
        calls = more;
    }
    assert_in_range(interrupted, 0, MOST_INTERRUPTED);
    end_recording(child);
    uint64_t last = calls;
    read_once(false, &last);
    assert_in_range(last, calls, UINT64_MAX);
    unlink(path);
}
