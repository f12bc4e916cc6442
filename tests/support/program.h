/*
 * program.h - a program that records into an image file and ends in any way
 *
 * It is a child process of the test. The library is used there for the first time, so EPROF is read
 * there. The child asserts nothing. It stores its results in memory that it shares with the test,
 * and its stderr is a pipe.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hand_clock.h"
#include "sanitizer.h"

/* Far longer than any program takes, also on a machine with much other load: three threads that
 * never wait leave only part of the rest to a fourth one. */
enum { PROGRAM_SECONDS = TAKES_LONG ? 600 : 60 };

struct program {
    pid_t process_id;
    int status; /* exit status; negative: the signal that ended it */
    int errors; /* its stderr: little enough text for a pipe */
    char err[4096];
};

/* Zeroed memory that is shared with the programs that begin afterwards. */
static inline void *program_share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

/* Otherwise cmocka's handlers would take the signals that are to end the program. */
static inline void program_restore_signals(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
}

/* items: EPROF of the program; NULL: it is not set. If `act` returns, the program exits with 0. */
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

/* The path of the image while the program runs. The program is a child of the process that loaded
 * the library, and so its process id is appended to the path. */
static inline const char *program_path(const struct program *program)
{
    static char path[32];
    snprintf(path, sizeof path, "profile.%ld", (long)program->process_id);
    return path;
}

/* If the program has an image, it is the file "profile" after this call. */
static inline void program_end(struct program *program)
{
    int status = 0;
    assert_int_equal(waitpid(program->process_id, &status, 0), program->process_id);
    program->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    /* It does not read to the end: a child of the program may still have the other end open. */
    ssize_t bytes = read(program->errors, program->err, sizeof program->err - 1);
    program->err[bytes > 0 ? bytes : 0] = '\0';
    close(program->errors);
    rename(program_path(program), "profile");
}

/* For a loop that waits for a program that is to run until it is killed. The test fails if the
 * program has ended by itself, as after an error that a sanitizer reports. */
static inline void program_let_run(struct program *program)
{
    const struct timespec moment = {.tv_nsec = 100000}; /* leaves the processor to the program */
    siginfo_t ended = {.si_pid = 0};
    nanosleep(&moment, NULL);
    waitid(P_PID, (id_t)program->process_id, &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid == 0)
        return;
    program_end(program);
    fail_msg("the program ended with status %d: %s", program->status, program->err);
}

static inline void program_run(struct program *program, const char *items,
                               void (*act)(void *shared), void *shared)
{
    program_begin(program, items, act, shared);
    program_end(program);
}

/* ---- common acts ---- */

/* Records 10 ns of the instance `id` on the clock that is moved by hand. */
static inline void program_record(int id)
{
    eprof_start(id);
    hand_ticks += 10;
    eprof_stop(id);
}

/* Records 10 ns of the scope with this label. */
static inline void program_enter(const char *label)
{
    eprof_enter(label);
    hand_ticks += 10;
    eprof_leave();
}

#endif /* PROGRAM_H */
