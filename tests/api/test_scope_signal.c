/*
 * Scopes in signal handlers on an alternate stack, and jumps out of them.
 *
 * An alternate stack may be below the interrupted stack or above it: every test runs with both.
 */
#include "calls.h"
#include "sanitizer.h"
#include "tree_text.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

enum { STACK_BYTES = 256 * 1024 };

static sigjmp_buf back;
static jmp_buf within;
static void (*volatile act_in_handler)(void);

static void handle(int signal)
{
    (void)signal;
    EPROF_SCOPE("handler");
    pass(1);
    if (act_in_handler)
        act_in_handler();
}

static __attribute__((noinline)) void interrupt(void (*act)(void))
{
    act_in_handler = act;
    raise(SIGUSR1);
}

static __attribute__((noinline)) void later(void)
{
    EPROF_FUNC;
    pass(1000);
}

/* -------------------------------------------------------------- in a handler -- */

static void nest(void)
{
    EPROF_SCOPE("outer");
    pass(10);
    for (int i = 0; i < 3; i++) {
        EPROF_BLOCK("inner") pass(100);
        later();
    }
}

TEST(scopes_of_a_handler_are_inside_what_it_interrupts)
{
    EPROF_BLOCK("a") EPROF_BLOCK("b")
    {
        for (int i = 0; i < 10; i++)
            interrupt(nest);
        later();
    }
    later();
    assert_tree("a 1/1 34110 0\na;b 1/1 34110 0\na;b;handler 10/10 33110 10\n"
                "a;b;handler;outer 10/10 33100 100\na;b;handler;outer;inner 30/30 3000 3000\n"
                "a;b;handler;outer;later 30/30 30000 30000\na;b;later 1/1 1000 1000\n"
                "later 1/1 1000 1000\n");
    assert_diagnostics("");
}

TEST(scopes_of_a_handler_without_any_below_are_at_the_root)
{
    interrupt(nest);
    later();
    interrupt(NULL);
    assert_tree("handler 2/2 3312 2\nhandler;outer 1/1 3310 10\nhandler;outer;inner 3/3 300 300\n"
                "handler;outer;later 3/3 3000 3000\nlater 1/1 1000 1000\n");
    assert_diagnostics("");
}

static __attribute__((noinline)) void jump_within_handler(void)
{
    EPROF_FUNC;
    EPROF_SCOPE("jumped over");
    pass(10);
    longjmp(within, 1);
}

static void stay_in_handler(void)
{
    EPROF_SCOPE("stays");
    if (setjmp(within) == 0)
        jump_within_handler();
    pass(100);
}

/* On an alternate stack no scope is taken for stale; it ends with the scope around it. */
TEST(jump_within_a_handler_ends_with_the_scope_around_it)
{
    EPROF_BLOCK("a") interrupt(stay_in_handler);
    later();
    assert_tree("a 1/1 111 0\na;handler 1/1 111 1\na;handler;stays 1/1 110 0\n"
                "a;handler;stays;jump_within_handler 1/1 110 0\n"
                "a;handler;stays;jump_within_handler;jumped over 1/1 110 110\n"
                "later 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 2");
}

/* ---------------------------------------------------------- out of a handler -- */

static void jump_out(void)
{
    EPROF_SCOPE("jumps");
    pass(10);
    siglongjmp(back, 1);
}

TEST(jump_out_of_a_handler_ends_its_scopes_where_the_next_begins)
{
    EPROF_BLOCK("a")
    {
        for (volatile int i = 0; i < 10; i++) {
            if (sigsetjmp(back, 1) == 0)
                interrupt(jump_out);
            later();
        }
    }
    later();
    assert_tree("a 1/1 10110 0\na;handler 10/10 110 10\na;handler;jumps 10/10 100 100\n"
                "a;later 10/10 10000 10000\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 20");
}

static __attribute__((noinline)) void interrupted_inside(void)
{
    EPROF_FUNC;
    EPROF_BLOCK("deep")
    {
        pass(10000);
        interrupt(jump_out);
    }
}

TEST(jump_out_of_a_handler_ends_what_it_interrupted_too)
{
    EPROF_BLOCK("a")
    {
        for (volatile int i = 0; i < 10; i++) {
            if (sigsetjmp(back, 1) == 0)
                interrupted_inside();
            later();
        }
    }
    later();
    assert_tree("a 1/1 110110 0\na;interrupted_inside 10/10 100110 0\n"
                "a;interrupted_inside;deep 10/10 100110 100000\n"
                "a;interrupted_inside;deep;handler 10/10 110 10\n"
                "a;interrupted_inside;deep;handler;jumps 10/10 100 100\n"
                "a;later 10/10 10000 10000\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 40");
}

TEST(jump_out_of_a_handler_ends_them_with_the_scope_around)
{
    EPROF_BLOCK("a")
    {
        if (sigsetjmp(back, 1) == 0)
            interrupted_inside();
        pass(100);
    }
    later();
    assert_tree("a 1/1 10111 0\na;interrupted_inside 1/1 10111 0\n"
                "a;interrupted_inside;deep 1/1 10111 10000\n"
                "a;interrupted_inside;deep;handler 1/1 111 1\n"
                "a;interrupted_inside;deep;handler;jumps 1/1 110 110\nlater 1/1 1000 1000\n");
    assert_diagnostics("forced_closes 4");
}

/* -------------------------------------------------------------- the two stacks -- */

static void use_stack(void *stack)
{
    const stack_t alternate = {.ss_sp = stack, .ss_size = STACK_BYTES};
    assert_int_equal(sigaltstack(&alternate, NULL), 0);
}

TEST_RUN()
{
    const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    void *below =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (below == MAP_FAILED || sigaction(SIGUSR1, &action, NULL) != 0)
        return EXIT_FAILURE;
    use_stack(below);
    int failed = tests_run("stack of handlers below", hand_clock_begin, NULL);
#if STACKS_MAY_BE_NEAR
    char above[STACK_BYTES]; /* in the frame of main(), which is above all others */
    use_stack(above);
    failed += tests_run("stack of handlers above", hand_clock_begin, NULL);
    use_stack(below);
#endif
    return failed;
}
