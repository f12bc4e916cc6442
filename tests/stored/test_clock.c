/*
 * The clock of an image file: the content after a jump, the time of a program that was killed, and
 * the cost of a probe
 */
#include "program.h"
#include "scratch.h"
#include "stored.h"

#include <sched.h>
#include <stdatomic.h>

#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * 1000000000)
#define APART "instance a 1/1 315619200000000000\ndiagnostic clock_apart 1\n"

/* ---- jumps ---- */

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

/* ---- real clocks ---- */

static const char *clock_name;

static void record_by_a_clock_and_be_killed(void *unused)
{
    (void)unused;
    eprof_source_use(clock_name);
    int id = eprof_alloc("a");
    eprof_start(id);
    uint64_t begin = eprof_now();
    while (eprof_ns(eprof_now() - begin) < 20000000)
        ;
    eprof_stop(id);
    kill(getpid(), SIGKILL);
}

/* The clock of a program that has ended cannot be read. A wrong scale would give a larger error. */
TEST(ticks_of_a_killed_program_are_still_known_in_ns)
{
    static const char *const names[] = {"auto", "clock_gettime", "gettimeofday"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct program program;
        struct stored stored;
        clock_name = names[i];
        program_run(&program, "image=profile", record_by_a_clock_and_be_killed, NULL);
        assert_int_equal(program.status, -SIGKILL);
        stored_open(&stored, "profile");
        uint64_t total_ns = stored_row(&stored, "instance", "a", "*").total_ns;
        if (total_ns < 19000000 || total_ns > UINT64_C(60000000000))
            fail_msg("%s: 20 ms are %" PRIu64 " ns", clock_name, total_ns);
        stored_close(&stored);
    }
}

/* ---- the probe's cost ---- */

/* Each reading takes ten ticks, so that the cost of a probe is known: two readings. */
static uint64_t step(void *context)
{
    (void)context;
    return atomic_fetch_add(&hand_ticks, 10) + 10;
}

static void call_function(void *function)
{
    char frame;
    eprof_function_enter(function, function, &frame, function);
    eprof_function_leave(function, function, &frame, function);
}

/* The actions of the program, one letter for each. */
static void record_each(const char *acts)
{
    const struct eprof_source steps = {
        .size = sizeof steps, .name = "steps", .now = step, .ticks_per_second = 1000000000};
    for (; *acts; acts++) {
        if (*acts == 'c' && (eprof_source_add(&steps) != 0 || eprof_source_use("steps") != 0))
            _exit(2);
        if (*acts == 'i')
            program_record(eprof_alloc("a"));
        if (*acts == 's')
            program_enter("s");
        if (*acts == 'f')
            call_function((void *)(uintptr_t)record_each);
    }
}

struct cost_case {
    const char *acts;
    atomic_int is_ready;
};

static void record_each_and_wait(void *shared)
{
    struct cost_case *one = shared;
    record_each(one->acts);
    one->is_ready = 1;
    for (;;)
        pause();
}

static void assert_costs(const char *path, const char *acts)
{
    struct stored stored;
    stored_open(&stored, path);
    const struct ep_probe_cell *probe = &ep_image_cell(&stored.image, EP_CELL_PROBE)->probe;
    const struct ep_function_probe_cell *function =
        &ep_image_cell(&stored.image, EP_CELL_FUNCTION_PROBE)->function_probe;
    bool is_by_steps = strchr(acts, 'c') != NULL;
    uint64_t pair_milliticks = is_by_steps ? 20000 : function->pair_milliticks;
    if (!probe->is_known || !function->is_known || function->pair_milliticks != pair_milliticks)
        fail_msg("%s, %s: known %" PRIu64 ", of functions %" PRIu64 ": %" PRIu64 " milliticks",
                 path, acts, probe->is_known, function->is_known, function->pair_milliticks);
    stored_close(&stored);
}

/* The cost cannot be measured for a program that has ended. The cost for functions is not measured
 * before the first function. */
TEST(cost_of_each_probe_is_known_while_a_program_runs_and_when_it_was_killed)
{
    static const char *const all_acts[] = {"f", "cf", "fc", "sf", "cif", "fcf", "cfs"};
    struct cost_case *one = program_share(sizeof *one);
    for (size_t i = 0; i < sizeof all_acts / sizeof all_acts[0]; i++) {
        struct program program;
        *one = (struct cost_case){.acts = all_acts[i]};
        program_begin(&program, "image=profile", record_each_and_wait, one);
        while (!one->is_ready)
            sched_yield();
        assert_costs(program_path(&program), one->acts);
        kill(program.process_id, SIGKILL);
        program_end(&program);
        assert_costs("profile", one->acts);
    }
}

TEST_EACH(scratch_enter, scratch_leave)
