/*
 * The lock and the children of a process, when the kernel does less than it should, or when another
 * thread or process interferes. The linker replaces functions of the C library (--wrap).
 */
#include <eprof.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/process.h"
#include "support/test.h"

static bool kernel_wipes_nothing, is_out_of_memory;
static void (*while_allocating)(void); /* only once */

int __real_madvise(void *start, size_t bytes, int advice);
int __wrap_madvise(void *start, size_t bytes, int advice);
int __wrap_madvise(void *start, size_t bytes, int advice)
{
    void (*act)(void) = while_allocating;
    while_allocating = NULL;
    if (act)
        act();
    if (advice == MADV_WIPEONFORK && kernel_wipes_nothing) {
        errno = EINVAL;
        return -1;
    }
    return __real_madvise(start, bytes, advice);
}

void *__real_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *start, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (is_out_of_memory) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(start, bytes, protection, flags, file, offset);
}

/* ---- each test in its own process, which ends with 0 ---- */

static void run(void (*act)(void))
{
    int status = -1;
    pid_t child = fork();
    assert_return_code(child, errno);
    if (child == 0) {
        alarm(60);
        act();
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void expect(bool is_so, int status)
{
    if (!is_so)
        _exit(status);
}

static void record(int id)
{
    eprof_start(id);
    eprof_stop(id);
}

static uint64_t calls(void)
{
    uint64_t sum = 0;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    expect(snapshot != NULL, 100);
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        sum += row.calls;
    }
    eprof_snapshot_free(snapshot);
    return sum;
}

/* ---- the lock ---- */

static int inner_id = -2;

static void be_first(void)
{
    inner_id = eprof_alloc("first");
}

static void allocate_while_another_does(void)
{
    while_allocating = be_first;
    int id = eprof_alloc("second");
    expect(inner_id == 0 && id == 1, 2);
    record(inner_id);
    record(id);
    expect(calls() == 2, 3);
}

TEST(of_several_first_calls_all_have_one_lock)
{
    run(allocate_while_another_does);
}

/* ---- children ---- */

static int id;

static void begin_as_a_child(void)
{
    expect(calls() == 0, 4);
    record(id);
    expect(calls() == 1, 5);
}

static void fork_unwiped(void)
{
    kernel_wipes_nothing = true;
    id = eprof_alloc("forked");
    record(id);
    eprof_start(id);
    run(begin_as_a_child);
    eprof_stop(id);
    expect(calls() == 2, 6);
}

TEST(child_begins_empty_if_the_kernel_wipes_no_memory)
{
    run(fork_unwiped);
}

static pthread_key_t last_key;

/* At the second call the destructors of all other keys have run. */
static void end_last(void *value)
{
    if (value != &last_key)
        pthread_setspecific(last_key, &last_key);
    else
        _exit(0);
}

/* The first call of the process is at its end. */
static void end_as_a_child(void)
{
    pthread_key_create(&last_key, end_last);
    pthread_setspecific(last_key, &is_out_of_memory);
    pthread_exit(NULL);
}

static void fork_out_of_memory(void)
{
    setenv("EPROF", "image=forked-%p.eprof", 1);
    id = eprof_alloc("forked");
    record(id);
    is_out_of_memory = true; /* for a copy of the image, too */
    pid_t child = fork();
    if (child == 0)
        end_as_a_child();
    is_out_of_memory = false;
    int status = -1;
    expect(waitpid(child, &status, 0) == child && status == 0, 7);
    expect(calls() == 1, 8);
}

TEST(child_may_end_without_memory_for_an_image)
{
    run(fork_out_of_memory);
}

static char folder[] = P_tmpdir "/eprof-process-XXXXXX";

static int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    int result = system("rm -f forked-*.eprof");
    return result == 0 ? rmdir(folder) : -1;
}

TEST_ALL(enter, leave)
