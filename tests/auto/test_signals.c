/* Functions that run in signal handlers, at any point of the program. */
#include "hooks_test.h"

#include <errno.h>
#include <sys/time.h>

enum { STACK_BYTES = 64 * 1024 };

static void handle_by(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags | SA_RESTART};
    sigemptyset(&action.sa_mask);
    assert_return_code(sigaction(number, &action, NULL), errno);
}

#define TREE_OF_RAISES                                                                             \
    "raises 3\nraises;leaf 6\nraises;on_signal 3\nraises;on_signal;signal_work 6\n"

TEST(handler_is_below_what_it_interrupted)
{
    handle_by(SIGUSR1, on_signal, 0);
    for (int i = 0; i < 3; i++)
        raises(SIGUSR1);
    assert_tree(TREE_OF_RAISES);
    assert_diagnostics("");
}

static void *raise_on(void *stack)
{
    stack_t alternate = {.ss_sp = stack, .ss_size = STACK_BYTES}, none = {.ss_flags = SS_DISABLE};
    sigaltstack(&alternate, NULL);
    for (int i = 0; i < 3; i++)
        raises(SIGUSR1);
    sigaltstack(&none, NULL);
    return NULL;
}

/* The stack of the main thread is above those of other threads. */
TEST(handler_on_an_alternate_stack_is_so_too)
{
    static char below[STACK_BYTES];
    char above[STACK_BYTES];
    handle_by(SIGUSR1, on_signal, SA_ONSTACK);
    raise_on(below);
    assert_tree(TREE_OF_RAISES);
    assert_diagnostics("");
    eprof_reset();
    run_thread(raise_on, above);
    assert_tree(TREE_OF_RAISES);
    assert_diagnostics("");
}

/* ---- by a timer ---- */

enum { PERIOD_US = 100, SIGNALS = 500 };

static _Atomic unsigned handled;

static void handle_timer(int number)
{
    int saved_errno = errno;
    on_signal(number);
    errno = saved_errno;
    handled++;
}

static void timer_set(long period_us)
{
    struct itimerval period = {.it_interval.tv_usec = period_us, .it_value.tv_usec = period_us};
    assert_return_code(setitimer(ITIMER_REAL, &period, NULL), errno);
}

/* The counts of the interrupted functions are exact. Calls of the handler that came during an
 * operation that cannot be interrupted are counted as lost, and so is a bucket that could not be
 * made. */
TEST(handlers_at_any_instruction_disturb_no_count)
{
    uint64_t rounds = 0;
    handle_by(SIGALRM, handle_timer, 0);
    handled = 0;
    timer_set(PERIOD_US);
    for (; handled < SIGNALS; rounds++)
        visits(3);
    timer_set(0);
    assert_int_equal(function_calls("visits"), 4 * rounds);
    assert_int_equal(function_calls("leaf"), 8 * rounds);
    uint64_t recorded = function_calls("on_signal") + function_calls("signal_work");
    uint64_t lost = function_calls("lost");
    /* with entries, a call that was counted may lose its place, which counts as lost too */
    if (function_text_has_entries)
        assert_in_range(recorded, 3 * handled - lost, 3 * handled);
    else
        assert_int_equal(recorded + lost, 3 * handled);
    assert_int_equal(function_open("on_signal") + function_open("visits"), 0);
    eprof_reset(); /* the lost calls have been counted */
}

int test_signals(void)
{
    return tests_run("signals", hooks_begin, hooks_end);
}
