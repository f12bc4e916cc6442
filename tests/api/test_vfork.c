/*
 * The calls of the child of a vfork() are in no figure of its parent, in whose memory it runs; the
 * calls that other threads of the parent make meanwhile are.
 */
#include "child.h"
#include "function_calls.h"
#include "hooked.h"
#include "refused_call.h"
#include "sanitizer.h"

#include <pthread.h>
#include <stdatomic.h>

enum { OF_CHILD = 50, OF_PARENT = 7, CHILD_STATUS = 3, MANY = 1000 };

static void end(void)
{
    _exit(CHILD_STATUS);
}

static void execute(void)
{
    execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
    _exit(127);
}

static uint64_t calls(void)
{
    size_t rows;
    return function_calls(&rows);
}

static void assert_child_ends(pid_t child)
{
    int status = 0;
    assert_return_code(child, errno);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), CHILD_STATUS);
}

static void assert_parent_records_its_own(void (*last)(void))
{
    eprof_reset();
    hooked_work(OF_PARENT);
    assert_child_ends(hooked_vfork(OF_CHILD, last));
    assert_int_equal(calls(), OF_PARENT + 2); /* with the two of hooked.h */
    hooked_work(OF_PARENT);
    assert_int_equal(calls(), 2 * OF_PARENT + 3);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST(vfork_child_that_ends_is_not_in_its_parents_figures)
{
    assert_parent_records_its_own(end);
}

TEST(vfork_child_that_executes_is_not_in_its_parents_figures)
{
    assert_parent_records_its_own(execute);
}

/* ---- a child has a child ---- */

static void work_behind_a_child_of_its_own(void)
{
    if (hooked_vfork(OF_CHILD, end) > 0)
        hooked_work(OF_CHILD);
    _exit(CHILD_STATUS);
}

TEST(vfork_child_that_has_a_child_is_not_in_its_parents_figures)
{
    assert_parent_records_its_own(work_behind_a_child_of_its_own);
}

/* ---- it fails ---- */

#if VFORK_IS_NO_FORK && CALLS_CAN_BE_REFUSED
struct failure {
    int refused; /* 0: from here on the kernel refuses each vfork() with EAGAIN */
    int result, error;
    uint64_t calls;
};

#ifndef SYS_vfork /* aarch64: it is a clone() */
#define SYS_vfork SYS_clone
#endif

static void be_refused(void *seen)
{
    struct failure *failure = seen;
    failure->refused = refuse_call(SYS_vfork, EAGAIN);
    eprof_reset();
    errno = 0;
    failure->result = hooked_vfork(OF_CHILD, end);
    failure->error = errno;
    hooked_work(OF_PARENT);
    failure->calls = calls();
}

TEST(vfork_that_fails_says_why_and_the_caller_records_on)
{
    static struct failure failure;
    child_do(fork, be_refused, &failure, sizeof failure);
    assert_int_equal(failure.refused, 0);
    assert_int_equal(failure.result, -1);
    assert_int_equal(failure.error, EAGAIN);
    assert_int_equal(failure.calls, OF_PARENT + 2);
}
#endif

/* ---- other threads ---- */

#if VFORK_IS_NO_FORK
static atomic_int worked;
static atomic_bool is_over;

static void *work_until_it_is_over(void *unused)
{
    while (!is_over) {
        hooked_work(0);
        worked++;
    }
    return unused;
}

static void wait_for_work(void)
{
    int enough = worked + MANY;
    while (worked < enough)
        continue;
    _exit(CHILD_STATUS);
}

TEST(vfork_lets_other_threads_record)
{
    pthread_t thread;
    eprof_reset();
    assert_int_equal(pthread_create(&thread, NULL, work_until_it_is_over, NULL), 0);
    pid_t child = hooked_vfork(0, wait_for_work);
    is_over = true;
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_child_ends(child);
    assert_int_equal(calls(), worked + 1);
}
#endif

int main(void)
{
    return tests_run("vfork", NULL, NULL);
}
