/* Threads one after another take constant memory. */
#include "lives.h"
#include "resident.h"

enum { GROWTH_BYTES = 1 << 20 };

/* After a fifth of the lives and after all of them. A block that each thread left would be 4
 * KiB. */
static void assert_memory_stays(void *(*body)(void *), int lives, const char *thread)
{
    lives_run(body, 0, lives / 5);
    long settled_bytes = resident_bytes();
    lives_run(body, lives / 5, lives);
    long growth_bytes = resident_bytes() - settled_bytes;
    if (growth_bytes > GROWTH_BYTES)
        fail_msg("%d threads more took %ld KiB more", lives - lives / 5, growth_bytes / 1024);
    assert_lives(lives, thread);
}

TEST(nameless_threads_in_turn_take_constant_memory)
{
    assert_memory_stays(live_nameless, 100000, NULL);
}

TEST(threads_named_before_recording_take_constant_memory)
{
    assert_memory_stays(live_named_before, 100000, "worker");
}

TEST(threads_named_after_recording_take_constant_memory)
{
    assert_memory_stays(live_named_after, 100000, "worker");
}

TEST(threads_that_unname_themselves_take_constant_memory)
{
    assert_memory_stays(live_named_for_a_while, 10000, NULL);
}

TEST(threads_that_rename_themselves_take_constant_memory)
{
    assert_memory_stays(live_with_many_names, 10000, "last");
}

TEST_EACH(lives_begin, NULL)
