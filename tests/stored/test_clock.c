/*
 * The content of the file after a clock has jumped.
 */
#include "program.h"
#include "scratch.h"
#include "stored.h"

#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * 1000000000)
#define APART "instance a 1/1 315619200000000000\ndiagnostic clock_apart 1\n"

static void run(const char *items, void (*act)(void *unused))
{
    struct program program;
    program_run(&program, items, act, NULL);
    assert_int_equal(program.status, 0);
    assert_string_equal(program.err, "");
}

static void record(uint64_t ticks)
{
    int id = eprof_alloc("a");
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

static void jump(void *unused)
{
    (void)unused;
    hand_clock_use();
    record(TEN_YEARS);
}

static void jump_and_save(void *unused)
{
    jump(unused);
    if (eprof_save("saved") != 0)
        _exit(1);
}

TEST(image_of_a_clock_that_jumped_says_so)
{
    run("image=profile", jump);
    assert_stored("profile", APART);
}

TEST(save_of_a_clock_that_jumped_says_so)
{
    run(NULL, jump_and_save);
    assert_stored("saved", APART);
}

static void save_is_of_the_present_reset(void *unused)
{
    jump(unused);
    eprof_init();
    record(10);
    if (eprof_save("saved") != 0)
        _exit(1);
}

TEST(jump_before_a_reset_is_not_in_the_file)
{
    run(NULL, save_is_of_the_present_reset);
    assert_stored("saved", "instance a 1/1 10\n");
}

/* The cost of a probe has a limit in a file. With a clock that always goes back, the measured cost
 * was above the limit, and the file was refused. */
static uint64_t falling_now(void *context)
{
    (void)context;
    return hand_ticks--;
}

static void save_by_a_clock_that_falls(void *unused)
{
    const struct eprof_source falling = {.size = sizeof falling,
                                         .name = "falling",
                                         .now = falling_now,
                                         .ticks_per_second = 1000000000};
    (void)unused;
    hand_ticks = TEN_YEARS;
    if (eprof_source_add(&falling) != 0 || eprof_source_use("falling") != 0)
        _exit(1);
    record(0);
    if (eprof_save("saved") != 0)
        _exit(1);
}

TEST(save_by_a_clock_that_falls_can_be_read)
{
    run(NULL, save_by_a_clock_that_falls);
    assert_stored("saved", "instance a 1/0 0 errors 1\ndiagnostic clock 1\n");
}

TEST_EACH(scratch_enter, scratch_leave)
