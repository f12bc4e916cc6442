/*
 * Signal handlers with scopes, ten thousand times a second, at any point of the program
 *
 * The figures of the interrupted calls are exact; those of the handler's calls that could not be
 * recorded are counted as lost.
 *
 * test_scope_timer [SIGNALS] - for each test this many signals; without it, some thousand
 */
#include "sanitizer.h"
#include "tree_text.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

enum {
    IS_SLOW = IS_WATCHED,
    PERIOD_US = IS_SLOW ? 1000 : 100,
    SIGNALS = VALGRIND ? 200 : (IS_SLOW ? 1000 : 4000),
    STACK_BYTES = 256 * 1024
};

static unsigned long most_signals = SIGNALS;
static int instance, handlers_instance;
static _Atomic unsigned signals;       /* handled, on any thread */
static _Atomic unsigned errno_changes; /* by a handler */
static uint64_t visits;

static void handle(int signal)
{
    int saved_errno = errno;
    (void)signal;
    errno = ENOTTY;
    {
        EPROF_SCOPE("handler");
        EPROF_BLOCK("in the handler") eprof_start(handlers_instance);
        eprof_stop(handlers_instance);
    }
    errno_changes += errno != ENOTTY;
    errno = saved_errno;
    signals++;
}

static __attribute__((noinline)) void visit(int depth)
{
    EPROF_SCOPE("outer");
    EPROF_BLOCK("inner") eprof_start(instance);
    if (depth)
        visit(depth - 1);
    eprof_stop(instance);
}

/* A timer of the monotonic clock: timers of processor time fire only at the kernel's tick, some
 * hundred times a second. */
static timer_t timer_begin(void)
{
    timer_t timer = 0; /* the memory sanitizer does not know that timer_create() writes it */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    const struct timespec period = {.tv_nsec = 1000 * PERIOD_US};
    assert_return_code(timer_create(CLOCK_MONOTONIC, &event, &timer), errno);
    assert_return_code(timer_settime(timer, 0, &(struct itimerspec){period, period}, NULL), errno);
    return timer;
}

/* Repeats `act` until `most_signals` signals were handled, and at least once. */
static void interrupt_by(void (*handler)(int signal), int flags, void (*act)(void))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags | SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    assert_return_code(sigaction(SIGPROF, &action, &before), errno);
    signals = errno_changes = 0;
    visits = 0;
    clock_t begin = clock();
    timer_t timer = timer_begin();
    for (; signals < most_signals; visits++)
        act();
    timer_delete(timer);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("%u signals in %.1f s of processor time, and %" PRIu64 " visits\n", signals,
                  seconds, visits);
    assert_int_equal(errno_changes, 0);
    assert_return_code(sigaction(SIGPROF, &before, NULL), errno);
}

static void interrupt(int flags, void (*act)(void))
{
    interrupt_by(handle, flags, act);
}

static int begin_test(void **state)
{
    (void)state;
    eprof_enable(true);
    eprof_init();
    instance = eprof_alloc("instance");
    handlers_instance = eprof_alloc("of the handler");
    return 0;
}

/* All rows of this kind and name. */
static struct eprof_row sum_of(const char *kind, const char *name)
{
    struct eprof_row sum = {.size = sizeof sum};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        eprof_snapshot_row(snapshot, i, &row);
        if (strcmp(row.kind, kind) != 0 || strcmp(row.name, name) != 0)
            continue;
        sum.calls += row.calls;
        sum.outermost += row.outermost;
        sum.timed += row.timed;
        sum.open += row.open;
        if (row.self_ns > row.total_ns)
            fail_msg("%s: self %" PRIu64 ", total %" PRIu64, row.path, row.self_ns, row.total_ns);
    }
    eprof_snapshot_free(snapshot);
    return sum;
}

static void assert_calls(const char *kind, const char *name, uint64_t calls, uint64_t outermost)
{
    struct eprof_row sum = sum_of(kind, name);
    assert_int_equal(sum.calls, calls);
    assert_int_equal(sum.outermost, outermost);
    assert_int_equal(sum.open, 0);
}

static void assert_of_the_handler(const char *kind, const char *name)
{
    uint64_t calls = sum_of(kind, name).calls, due = signals;
    assert_int_equal(sum_of(kind, name).open, 0);
    if (calls > due || calls + diagnostic_count("lost") < due)
        fail_msg("%s: %" PRIu64 " calls and %" PRIu64 " lost, of %" PRIu64, name, calls,
                 diagnostic_count("lost"), due);
}

/* A handler that interrupts a cold path finds no cells: calls are lost, or their percentiles. */
static void assert_no_diagnostic_but_for_want_of_cells(void)
{
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("forced_closes"), 0);
    assert_int_equal(diagnostic_count("clock"), 0);
    assert_int_equal(diagnostic_count("bad_handles"), 0);
    assert_int_equal(diagnostic_count("unmatched_keeps"), 0);
}

/* ------------------------------------------------------------------- tests -- */

static void visit_thrice(void)
{
    visit(2);
}

static void assert_visits(void)
{
    assert_calls("scope", "outer", 3 * visits, visits);
    assert_calls("scope", "inner", 3 * visits, 3 * visits);
    assert_calls("instance", "instance", 3 * visits, visits);
    assert_of_the_handler("scope", "handler");
    assert_of_the_handler("scope", "in the handler");
    assert_of_the_handler("instance", "of the handler");
    assert_no_diagnostic_but_for_want_of_cells();
}

TEST(scopes_under_a_timer_are_exact)
{
    interrupt(0, visit_thrice);
    assert_visits();
}

TEST(scopes_under_a_timer_on_another_stack_are_exact)
{
    stack_t another = {.ss_size = STACK_BYTES}, none = {.ss_flags = SS_DISABLE};
    another.ss_sp =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(another.ss_sp, MAP_FAILED);
    assert_return_code(sigaltstack(&another, NULL), errno);
    interrupt(SA_ONSTACK, visit_thrice);
    assert_return_code(sigaltstack(&none, NULL), errno);
    munmap(another.ss_sp, STACK_BYTES);
    assert_visits();
}

/* On other processors a counter is not raised by a single instruction (src/base/compiler.h). */
#if defined(__x86_64__) && !THREAD_SANITIZER && !MEMORY_SANITIZER
static void handle_the_same_instance(int signal)
{
    int saved_errno = errno;
    (void)signal;
    errno = ENOTTY;
    eprof_start(instance);
    eprof_stop(instance);
    errno_changes += errno != ENOTTY;
    errno = saved_errno;
    signals++;
}

/* The handler's pair is recorded completely or not at all: no pair stays open. */
TEST(instance_shared_with_the_handler_is_exact)
{
    interrupt_by(handle_the_same_instance, 0, visit_thrice);
    struct eprof_row sum = sum_of("instance", "instance");
    assert_int_equal(sum.open, 0);
    assert_in_range(sum.timed, visits, visits + signals);
    assert_in_range(sum.calls, 3 * visits + signals - diagnostic_count("lost"),
                    3 * visits + signals);
    assert_no_diagnostic_but_for_want_of_cells();
}
#endif

static void visit_new_paths(void)
{
    char label[32];
    snprintf(label, sizeof label, "path %" PRIu64, visits % 1000);
    eprof_enter(label);
    visit(2);
    eprof_leave();
}

TEST(new_paths_under_a_timer_are_exact)
{
    interrupt(0, visit_new_paths);
    assert_visits();
}

static void visit_in_a_hold(void)
{
    eprof_hold();
    visit(2);
    eprof_keep(true);
}

/* The scopes that the handler records in a hold are kept with it. */
TEST(held_scopes_under_a_timer_are_exact)
{
    interrupt(0, visit_in_a_hold);
    assert_visits();
}

static void *visit_on_a_thread(void *unused)
{
    visit(2);
    return unused;
}

static void visit_on_a_new_thread(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, visit_on_a_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

TEST(threads_that_begin_and_end_under_a_timer_are_exact)
{
    interrupt(0, visit_on_a_new_thread);
    assert_visits();
}

TEST_RUN()
{
    if (test_argument)
        most_signals = strtoul(test_argument, NULL, 10);
    return tests_run("scope_timer", begin_test, NULL);
}
