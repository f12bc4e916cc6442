/*
 * A time source of the program that reads an ordinary variable of the same file. The compiler must
 * neither leave out a store to it nor move one across the begin or the end of a scope.
 */
#include "hand_clock.h"
#include "tree_text.h"

static uint64_t plain_ticks;

static uint64_t plain_now(void *context)
{
    (void)context;
    return plain_ticks;
}

static int begin(void **state)
{
    (void)state;
    eprof_init();
    clock_take("plain", plain_now, 1000000000);
    return 0;
}

static __attribute__((noinline)) void move_clock_in_two_scopes(void)
{
    uint64_t start_ticks = plain_ticks + 1000;
    plain_ticks = start_ticks;
    EPROF_SCOPE("outer");
    plain_ticks = start_ticks + 5;
    {
        EPROF_SCOPE("inner");
        plain_ticks = start_ticks + 12;
    }
    plain_ticks = start_ticks + 23;
}

TEST(scope_reads_a_clock_in_an_ordinary_variable)
{
    for (int i = 0; i < 100; i++)
        move_clock_in_two_scopes();
    assert_tree("outer 100/100 2300 1600\nouter;inner 100/100 700 700\n");
}

static __attribute__((noinline)) void move_clock_in_turns(int turns)
{
    for (int i = 0; i < turns; i++) {
        EPROF_BLOCK("turn")
        {
            plain_ticks += 3;
        }
        plain_ticks += 20;
    }
}

TEST(block_in_a_loop_reads_a_clock_in_an_ordinary_variable)
{
    move_clock_in_turns(1000);
    assert_tree("turn 1000/1000 3000 3000\n");
}

TEST_EACH(begin, NULL)
