/*
 * program.h - a program that records into an image file, ended in any way
 *
 * A child of the test, whose first use of the library it is: EPROF is read there. It asserts
 * nothing. It says what it saw in memory that it shares with the test, and its stderr is a pipe.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hand_clock.h"
#include "sanitizer.h"

/* Far more than any takes, on a machine that has much else to do too: three threads that never wait
 * leave a fourth a part of what is left. */
enum { PROGRAM_SECONDS = TAKES_LONG ? 600 : 60 };

struct program {
    pid_t process_id;
    int status; /* of its exit; negative: the signal that ended it */
    int errors; /* what comes on its stderr, which is little enough for a pipe */
    char err[4096];
};

/* Shared with the programs that are begun afterwards; zeroed. */
static inline void *program_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

/* cmocka's handlers would take what is to end the program. */
static inline void program_restore_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
}

/* items: EPROF of the program; NULL: none. If `act` returns, it exits with 0. */
static inline void program_begin(struct program *program, const char *items,
                                 void (*act)(void *shared), void *shared)
{
    int ends[2];
    fflush(NULL);
    assert_return_code(pipe2(ends, O_CLOEXEC | O_NONBLOCK), errno);
    program->errors = ends[0];
    program->process_id = fork();
    assert_return_code(program->process_id, errno);
    if (program->process_id == 0) {
        program_restore_signals();
        dup2(ends[1], STDERR_FILENO);
        alarm(PROGRAM_SECONDS);
        if (items)
            setenv("EPROF", items, 1);
        else
            unsetenv("EPROF");
        act(shared);
        exit(0);
    }
    close(ends[1]);
}

/* Where the image is while it runs. It has not loaded the library itself, but is a child of the
 * process that has: so its id stands behind the path. */
static inline const char *program_path(const struct program *program)
{
    static char path[32];
    snprintf(path, sizeof path, "profile.%ld", (long)program->process_id);
    return path;
}

/* Its image, where it has one, is the file "profile" from then on. */
static inline void program_end(struct program *program)
{
    int status = 0;
    assert_int_equal(waitpid(program->process_id, &status, 0), program->process_id);
    program->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    /* not to its end: a child that it has left may have the other end still */
    ssize_t bytes = read(program->errors, program->err, sizeof program->err - 1);
    program->err[bytes > 0 ? bytes : 0] = '\0';
    close(program->errors);
    rename(program_path(program), "profile");
}

static inline void program_run(struct program *program, const char *items,
                               void (*act)(void *shared), void *shared)
{
    program_begin(program, items, act, shared);
    program_end(program);
}

/* ---- what most of them do ---- */

/* The clock is moved by hand: 10 ns of the instance "a". */
static inline void program_record(int id)
{
    eprof_start(id);
    hand_ticks += 10;
    eprof_stop(id);
}

/* 10 ns of the scope of this label. */
static inline void program_enter(const char *label)
{
    eprof_enter(label);
    hand_ticks += 10;
    eprof_leave();
}

#endif /* PROGRAM_H */
