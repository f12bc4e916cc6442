/* Programs that are started, by vfork() too, leave the profile of their parent alone. */
#include "rows.h"
#include "work.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 2, PAIR_TICKS = 7 };

static void record_one(void)
{
    eprof_start(instance);
    hand_ticks += PAIR_TICKS;
    eprof_stop(instance);
}

static void assert_nothing_happens_to_an_open_pair(void (*act)(void))
{
    for (int i = 0; i < PAIRS; i++)
        record_one();
    eprof_start(instance);
    act();
    hand_ticks += 100;
    eprof_stop(instance);
    assert_figures(instance_row("work"), PAIRS + 1, PAIRS * PAIR_TICKS + 100);
    assert_int_equal(count_rows(NULL), 1);
}

static void do_vfork(void)
{
    int status = 1;
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void do_spawn(void)
{
    int status = 1;
    pid_t child;
    char name[] = "true";
    char *arguments[] = {name, NULL};
    assert_int_equal(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, NULL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void do_system(void)
{
    assert_int_equal(system("true"), 0);
}

TEST(vfork_and_exec_change_nothing_in_the_parent)
{
    assert_nothing_happens_to_an_open_pair(do_vfork);
}

TEST(spawn_and_system_change_nothing_in_the_parent)
{
    assert_nothing_happens_to_an_open_pair(do_spawn);
    eprof_reset();
    assert_nothing_happens_to_an_open_pair(do_system);
}

TEST_EACH(begin_test, NULL)
