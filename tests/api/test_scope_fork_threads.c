/* Forks of a process whose other threads are inside scopes. */
#include "child.h"
#include "sanitizer.h"
#include "thread_clock.h"
#include "tree_text.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

enum {
    THREADS = 4,
    BARE_FORKS = VALGRIND ? 10 : 50, /* forks of about 8 ms each; and forks while other data than
                                      * scopes changes too */
    FORKS = TAKES_LONG ? BARE_FORKS : 1000,
    CALLS = 10
};

/* 9 ns, in two scopes and a recursion. */
static __attribute__((noinline)) void visit(int depth)
{
    EPROF_SCOPE("outer");
    thread_ticks += 1;
    EPROF_BLOCK("inner") thread_ticks += 2;
    if (depth)
        visit(depth - 1);
}

static void look(void *seen)
{
    snprintf(seen, 512, "%s%s", tree_text(), diagnostic_text());
}

static void visit_and_look(void *seen)
{
    for (int i = 0; i < CALLS; i++)
        visit(2);
    look(seen);
}

static const char visited[] = "outer 30/10 90 30\nouter;inner 30/30 60 60\n";

/* --------------------------------------------- what the other threads do -- */

static int is_over;
static uint64_t visits; /* of all of them */

static unsigned begun; /* the number of threads that have begun */

static bool goes_on(void)
{
    static _Thread_local bool has_begun;
    if (!has_begun)
        __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
    has_begun = true;
    return !__atomic_load_n(&is_over, __ATOMIC_RELAXED);
}

static void *visit_till_the_end(void *unused)
{
    uint64_t own_visits = 0;
    (void)unused;
    for (; goes_on(); own_visits++)
        visit(2);
    __atomic_fetch_add(&visits, own_visits, __ATOMIC_RELAXED);
    return NULL;
}

/* Makes all calls of scopes that take the lock or take cells. */
static void *change_till_the_end(void *unused)
{
    (void)unused;
    for (unsigned i = 0; goes_on(); i++) {
        char label[32];
        snprintf(label, sizeof label, "label %u", i % 500);
        eprof_thread_enter(i % 2 ? "odd" : "even");
        eprof_enter(label);
        eprof_hold();
        visit(2);
        EPROF_BLOCK("held") eprof_enter("by hand"); /* and never left */
        eprof_keep(i % 3);
        eprof_leave();
#if CHILDREN_CAN_ALLOCATE
        eprof_snapshot_free(eprof_snapshot_take());
#endif
        eprof_thread_exit();
    }
    return NULL;
}

/* ------------------------------------------------------------------ forks -- */

static void assert_forks_while(void *(*body)(void *), child_fork fork_by, int forks)
{
    pthread_t threads[THREADS];
    char seen[512];
    is_over = 0;
    visits = begun = 0;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, NULL), 0);
    /* the address sanitizer allocates in a new thread under a lock, which a child would find
     * locked */
    while (__atomic_load_n(&begun, __ATOMIC_RELAXED) < THREADS)
        sched_yield();
    for (int i = 0; i < forks; i++) {
        memset(seen, 0, sizeof seen);
        child_do(fork_by, visit_and_look, seen, sizeof seen);
        assert_tree_text(seen, visited);
    }
    __atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void assert_parent(void)
{
    char tree[256];
    snprintf(tree, sizeof tree,
             "outer %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
             "outer;inner %" PRIu64 "/%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
             3 * visits, visits, 9 * visits, 3 * visits, 3 * visits, 3 * visits, 6 * visits,
             6 * visits);
    assert_tree(tree);
    assert_diagnostics("");
}

TEST(children_have_none_of_the_scopes_of_other_threads)
{
    assert_forks_while(visit_till_the_end, fork, FORKS);
    assert_parent();
}

#if BARE_FORKS_ARE_SAFE
TEST(children_of_the_bare_fork_have_none_of_them_either)
{
    assert_forks_while(visit_till_the_end, _Fork, BARE_FORKS);
    assert_parent();
}

static pid_t clone_alone(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

TEST(children_of_the_bare_system_call_have_none_of_them_either)
{
    assert_forks_while(visit_till_the_end, clone_alone, BARE_FORKS);
    assert_parent();
}
#endif

TEST(children_are_exact_while_other_threads_change_what_there_is)
{
    assert_forks_while(change_till_the_end, fork, BARE_FORKS);
}

/* ---------------------------------------------- forks by another thread -- */

static char in_child[512];

static pid_t fork_inside(void)
{
    EPROF_SCOPE("of the forking thread");
    EPROF_SCOPE("outer");
    pid_t child = fork();
    if (child == 0)
        visit(0);
    return child;
}

/* Like child_do(), but without an assertion, because only the test's own thread may use
 * assertions. */
static void *fork_on_a_thread(void *is_done)
{
    int ends[2], status = -1;
    if (pipe(ends) != 0)
        return NULL;
    pid_t child = fork_inside();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        look(in_child);
        _exit(write(ends[1], in_child, sizeof in_child) < 0);
    }
    close(ends[1]); /* otherwise a child that ends without an answer is awaited for ever */
    *(bool *)is_done = read(ends[0], in_child, sizeof in_child) == (ssize_t)sizeof in_child &&
                       waitpid(child, &status, 0) == child && status == 0;
    close(ends[0]);
    return NULL;
}

TEST(child_of_a_thread_keeps_that_threads_open_scopes_as_parents)
{
    pthread_t thread;
    bool is_done = false;
    EPROF_BLOCK("of the main thread")
    {
        assert_int_equal(pthread_create(&thread, NULL, fork_on_a_thread, &is_done), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_true(is_done);
    assert_tree_text(in_child, "of the forking thread 0/0 3 0\n"
                               "of the forking thread;outer 0/0 3 0\n"
                               "of the forking thread;outer;outer 1/1 3 1\n"
                               "of the forking thread;outer;outer;inner 1/1 2 2\n");
    assert_diagnostics("");
}

TEST_EACH(thread_clock_begin, NULL)
