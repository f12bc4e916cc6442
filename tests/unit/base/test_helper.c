/* A program that is asked for answers. Here it is always a shell, which answers in all possible
 * ways. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/platform.h"
#include "sanitizer.h"
#include "support/test.h"

enum { LONG_MS = 20000, SHORT_MS = VALGRIND ? 500 : 50, MOST_BYTES = 1 << 20 };

static struct ep_fields request, answer;

/* It replaces the function of the C library (--wrap): a signal arrives while a child is waited
 * for. */
static bool is_interrupted; /* only once */

pid_t __real_waitpid(pid_t child, int *status, int options);
pid_t __wrap_waitpid(pid_t child, int *status, int options);
pid_t __wrap_waitpid(pid_t child, int *status, int options)
{
    if (is_interrupted && !(options & WNOHANG)) {
        is_interrupted = false;
        errno = EINTR;
        return -1;
    }
    return __real_waitpid(child, status, options);
}

static uint64_t deadline_in(unsigned ms)
{
    return ep_platform_monotonic_ns() + ms * UINT64_C(1000000);
}

static int ask_until(const char *script, unsigned ms)
{
    char *arguments[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, strdup(script), NULL};
    struct ep_symbolizer symbolizer = {arguments, deadline_in(ms), MOST_BYTES};
    int result = ep_helper_ask(&symbolizer, &request, &answer);
    int error = errno;
    free(arguments[2]);
    errno = error;
    return result;
}

static int ask(const char *script)
{
    return ask_until(script, LONG_MS);
}

static void assert_answer(const char *expected)
{
    size_t bytes = strlen(expected);
    assert_int_equal(ep_strings_need(&answer, 1), 0);
    answer.bytes[answer.count] = '\0';
    assert_string_equal(answer.bytes, expected);
    assert_int_equal(answer.count, bytes);
}

static void assert_no_child_is_left(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static int begin(void **state)
{
    (void)state;
    ep_strings_free(&request);
    ep_strings_free(&answer);
    return 0;
}

/* ---- answers ---- */

TEST(answer_is_the_output_of_the_program)
{
    ep_strings_add(&request, "M");
    ep_strings_add(&request, "/usr/bin/prog");
    assert_return_code(ask("tr '\\0' ' '"), errno);
    assert_answer("M /usr/bin/prog ");
    assert_no_child_is_left();
}

/* More than a pipe holds, in both directions. */
TEST(large_request_and_large_answer_do_not_wait_for_each_other)
{
    while (request.count < MOST_BYTES - 8)
        ep_strings_print(&request, "%zu", request.count);
    assert_return_code(ask("cat"), errno);
    assert_int_equal(answer.count, request.count);
    assert_memory_equal(answer.bytes, request.bytes, request.count);
}

TEST(program_that_answers_nothing_has_an_empty_answer)
{
    assert_return_code(ask("exit 3"), errno);
    assert_int_equal(answer.count, 0);
}

TEST(output_of_a_program_that_kills_itself_is_kept)
{
    assert_return_code(ask("echo half; kill -KILL $$"), errno);
    assert_answer("half\n");
    assert_no_child_is_left();
}

/* ---- no answers ---- */

#if VFORK_IS_NO_FORK
TEST(program_that_is_not_there_cannot_be_started)
{
    char *arguments[] = {(char[]){"/nowhere/eprof"}, NULL};
    struct ep_symbolizer symbolizer = {arguments, deadline_in(LONG_MS), MOST_BYTES};
    assert_int_equal(ep_helper_ask(&symbolizer, &request, &answer), -1);
    assert_int_equal(errno, ENOENT);
    assert_no_child_is_left();
}
#endif

TEST(program_that_hangs_is_killed)
{
    assert_int_equal(ask_until("echo half; exec sleep 1000", SHORT_MS), -1);
    assert_int_equal(errno, ETIMEDOUT);
    assert_no_child_is_left();
}

TEST(program_that_is_killed_is_waited_for_through_signals)
{
    is_interrupted = true;
    assert_return_code(ask_until("echo all; exec >&-; exec sleep 1000", 4 * SHORT_MS), errno);
    assert_answer("all\n");
    assert_false(is_interrupted);
    assert_no_child_is_left();
}

TEST(program_that_hangs_after_its_answer_is_killed)
{
    assert_return_code(ask_until("echo all; exec >&-; exec sleep 1000", 4 * SHORT_MS), errno);
    assert_answer("all\n");
    assert_no_child_is_left();
}

TEST(program_whose_answer_has_no_end_is_killed)
{
    assert_int_equal(ask("exec cat /dev/zero"), -1);
    assert_int_equal(errno, EFBIG);
    assert_in_range(answer.count, MOST_BYTES, 2 * MOST_BYTES);
    assert_no_child_is_left();
}

/* ---- the program that asks is not affected ---- */

static volatile sig_atomic_t ends;

static void count_end(int signal)
{
    (void)signal;
    ends++;
}

static void watch_ends(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    ends = 0;
    assert_return_code(sigaction(SIGCHLD, &action, NULL), errno);
}

TEST(program_that_asks_gets_no_signal_of_the_end)
{
    watch_ends(count_end);
    assert_return_code(ask("echo all"), errno);
    assert_int_equal(ends, 0);
    watch_ends(SIG_DFL);
}

/* The child waits until it is killed, or until this program ends. */
static pid_t start_child(void)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;)
            pause();
    }
    assert_return_code(child, errno);
    return child;
}

TEST(program_with_another_child_gets_no_signal_of_the_end)
{
    pid_t child = start_child();
    watch_ends(count_end);
    assert_return_code(ask("echo all"), errno);
    assert_int_equal(ends, 0);
    watch_ends(SIG_DFL);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(end_of_another_child_is_not_lost)
{
    char script[200];
    pid_t child = start_child();
    watch_ends(count_end);
    snprintf(script, sizeof script,
             "kill -KILL %d; until grep -q '^State:.*Z' /proc/%d/status; do :; done", (int)child,
             (int)child);
    assert_return_code(ask(script), errno);
    /* first: the thread sanitizer may call a signal's handler as late as the next system call */
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(ends, 1);
    watch_ends(SIG_DFL);
}

TEST(end_that_was_not_taken_yet_stays)
{
    sigset_t end, before;
    siginfo_t news;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    watch_ends(count_end);
    sigprocmask(SIG_BLOCK, &end, &before);
    pid_t child = start_child();
    kill(child, SIGKILL);
    assert_return_code(waitid(P_PID, (id_t)child, &news, WEXITED | WNOWAIT), errno);
    assert_return_code(ask("echo all"), errno);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(ends, 1);
    assert_int_equal(waitpid(child, NULL, 0), child);
    watch_ends(SIG_DFL);
}

TEST(ends_may_be_ignored)
{
    watch_ends(SIG_IGN);
    assert_return_code(ask("echo all"), errno);
    assert_answer("all\n");
    watch_ends(SIG_DFL);
}

/* The limit on the size of files also applies to the file that holds a request. */
TEST(request_beyond_the_limit_of_files_is_an_error)
{
    while (request.count < MOST_BYTES)
        ep_strings_add(&request, "M");
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {MOST_BYTES / 2, MOST_BYTES / 2};
        setrlimit(RLIMIT_FSIZE, &limit);
        int result = ask("echo all");
        _exit(result == -1 && errno == EFBIG ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- signals, environment and streams of the program ---- */

TEST(program_has_its_signals_as_from_a_terminal)
{
    sigset_t all, before;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGPIPE, &ignore, &old);
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    assert_return_code(ask("kill -PIPE $$; echo lives"), errno);
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGPIPE, &old, NULL);
    assert_int_equal(answer.count, 0);
}

TEST(program_has_the_environment_without_variables_that_change_it)
{
    setenv("EPROF", "tree", 1);
    setenv("EPROFILE", "stays", 1);
    setenv("LD_PRELOAD", "", 1);
    setenv("DEBUGINFOD_URLS", "https://example.org", 1);
    int result = ask("echo ${EPROF-no} ${LD_PRELOAD-no} ${DEBUGINFOD_URLS-no} $EPROFILE");
    unsetenv("EPROF");
    unsetenv("EPROFILE");
    unsetenv("LD_PRELOAD");
    unsetenv("DEBUGINFOD_URLS");
    assert_return_code(result, errno);
    assert_answer("no no no stays\n");
}

TEST(program_starts_without_an_environment)
{
    char **kept = environ;
    environ = NULL;
    int result = ask("echo all");
    environ = kept;
    assert_return_code(result, errno);
    assert_answer("all\n");
}

TEST(stderr_of_the_program_is_not_shown)
{
    int ends_of[2], kept = dup(STDERR_FILENO);
    char byte;
    assert_return_code(pipe2(ends_of, O_CLOEXEC | O_NONBLOCK), errno);
    dup2(ends_of[1], STDERR_FILENO);
    int result = ask("echo seen >&2; echo all");
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends_of[1]);
    assert_return_code(result, errno);
    assert_int_equal(read(ends_of[0], &byte, 1), 0);
    close(ends_of[0]);
    assert_answer("all\n");
}

TEST(standard_streams_may_be_closed)
{
    int kept[3];
    ep_strings_add(&request, "asked");
    for (int file = 0; file < 3; file++) {
        kept[file] = fcntl(file, F_DUPFD_CLOEXEC, 10);
        close(file);
    }
    int result = ask("tr '\\0' ' '");
    for (int file = 0; file < 3; file++) {
        dup2(kept[file], file);
        close(kept[file]);
    }
    assert_return_code(result, errno);
    assert_answer("asked ");
}

#if VFORK_IS_NO_FORK
TEST(no_descriptor_is_left_open)
{
    int before = dup(STDERR_FILENO);
    close(before);
    assert_return_code(ask("cat"), errno);
    program_that_is_not_there_cannot_be_started(state);
    int after = dup(STDERR_FILENO);
    close(after);
    assert_int_equal(after, before);
}
#endif

TEST_EACH(begin, NULL)
TEST_ALL(NULL, begin)
