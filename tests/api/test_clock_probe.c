/* A clock that jumps while the probe's own cost is measured: the program is stopped there, in a
 * debugger or as a virtual machine, or its time is set. Every report is still written, no call is
 * reported as lost, and no cost is absurd. */
#include "clock_report.h"
#include "figures.h"
#include "hand_clock.h"

#define SECOND UINT64_C(1000000000)
#define TEN_YEARS (UINT64_C(3653) * 24 * 3600 * SECOND)

/* 3 times 21 rounds of 32 pairs and 6 further reads, and 200 reads for the steps. */
enum { ALL_READS = 4500 };

static uint64_t reads, jump_at, jump_ticks;
static int instance;

/* Each read adds ten ticks; the read number `jump_at` adds the jump instead. */
static uint64_t jumping_now(void *context)
{
    (void)context;
    hand_ticks += ++reads == jump_at ? jump_ticks : 10;
    return hand_ticks;
}

static uint64_t random_bits;

/* Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003. */
static uint64_t random_now(void *context)
{
    random_bits ^= random_bits << 13;
    random_bits ^= random_bits >> 7;
    random_bits ^= random_bits << 17;
    return random_bits >> *(const int *)context;
}

static void use(const struct eprof_source *source)
{
    if (eprof_source_add(source) != 0)
        assert_int_equal(errno, EEXIST);
    hand_ticks = 2 * TEN_YEARS;
    reads = jump_at = 0;
    eprof_source_use("clock_gettime"); /* so that the probe is measured again */
    assert_return_code(eprof_source_use(source->name), errno);
    eprof_init();
    instance = eprof_alloc("work");
}

/* The value of a member that occurs once and is a number or null. */
static double json_number(const char *json, const char *name)
{
    char member[32];
    snprintf(member, sizeof member, "\"%s\":", name);
    const char *value = strstr(json, member);
    assert_non_null(value);
    return strtod(value + strlen(member), NULL);
}

static void assert_probe_costs(double most_ns)
{
    static const char *const costs[] = {"pair_ns", "inside_ns"};
    char *json = clock_report("json");
    for (int i = 0; i < 2; i++)
        if (json_number(json, costs[i]) > most_ns)
            fail_msg("a jump at read %" PRIu64 " by %" PRIu64 ": %s is more than %f:\n%s", jump_at,
                     jump_ticks, costs[i], most_ns, json);
    free(json);
}

/* Of 64 reads and as many steps; the pair before was measured without any cost known. */
static void assert_jump_is_harmless(uint64_t at, uint64_t ticks)
{
    static const struct eprof_source jumping = {
        .size = sizeof jumping, .name = "jumping", .now = jumping_now, .ticks_per_second = SECOND};
    use(&jumping);
    eprof_start(instance);
    eprof_stop(instance);
    reads = 0;
    jump_at = at;
    jump_ticks = ticks;
    assert_probe_costs(25);
    struct eprof_row row = instance_row("work");
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.errors, 0);
    assert_int_equal(diagnostic_count("lost"), 0);
    assert_int_equal(diagnostic_count("out_of_cells"), 0);
    assert_true(reads > at);
}

/* ---- a signal handler meanwhile ---- */

static bool is_interrupted, is_in_handler;
static uint64_t handler_calls;

/* Each read of the clock is interrupted by a handler that records. */
static uint64_t interrupted_now(void *context)
{
    (void)context;
    hand_ticks += 10;
    if (is_interrupted && !is_in_handler) {
        is_in_handler = true;
        handler_calls++;
        EPROF_BLOCK("handler")
        hand_ticks += 1000;
        is_in_handler = false;
    }
    return hand_ticks;
}

/* In the program's first scope, which was entered before. */
TEST(handler_meanwhile_is_not_taken_for_the_probe)
{
    static const struct eprof_source interrupted = {.size = sizeof interrupted,
                                                    .name = "interrupted",
                                                    .now = interrupted_now,
                                                    .ticks_per_second = SECOND};
    use(&interrupted);
    is_interrupted = true;
    eprof_now();
    handler_calls = 0;
    free(clock_report("json"));
    is_interrupted = false;
    assert_true(handler_calls > 64);
    assert_in_range(diagnostic_count("lost"), handler_calls,
                    2 * handler_calls); /* enters, or leaves too */
}

TEST(jump_anywhere_in_the_measure_is_harmless)
{
    static const uint64_t jumps[] = {UINT64_C(1) << 32, TEN_YEARS, (uint64_t)-1, -SECOND,
                                     -TEN_YEARS};
    for (int i = 0; i < 5; i++)
        for (uint64_t at = 1; at < ALL_READS; at += 97)
            assert_jump_is_harmless(at, jumps[i]);
}

TEST(clock_of_no_order_is_survived)
{
    static int shifts[] = {0, 8, 24, 32, 40, 60};
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "random %d", shifts[i]);
        struct eprof_source source = {.size = sizeof source,
                                      .name = name,
                                      .now = random_now,
                                      .ticks_per_second = SECOND,
                                      .context = &shifts[i]};
        random_bits = 20261122;
        use(&source);
        for (int call = 0; call < 100; call++) {
            eprof_start(instance);
            eprof_stop(instance);
        }
        assert_int_equal(instance_row("work").calls, 100);
        assert_true(instance_row("work").errors > 0);
        assert_int_equal(diagnostic_count("lost"), 0);
        assert_int_equal(diagnostic_count("out_of_cells"), 0);
        free(clock_report("table"));
        /* the written file must be readable: image/check.c rejects a probe cost above its limit */
        assert_probe_costs((double)(UINT64_C(1) << 40) / 1000);
    }
}
