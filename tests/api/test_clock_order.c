/*
 * Where each probe waits if the counter is read in order
 *
 * The processor's trap flag raises SIGTRAP before each instruction, and the handler looks at the
 * instruction: LFENCE waits (W), RDTSC reads (R). A missing wait changes no figure, except that of
 * a region whose work is still in progress at the read. On x86-64.
 */
#include "rows.h"
#include "trap_flag.h"

enum { MOST_SEEN = 256 };

static char seen[MOST_SEEN];
static size_t seen_count;

static void see(char what)
{
    if (seen_count < MOST_SEEN - 1)
        seen[seen_count++] = what;
}

/* SDM volume 2: LFENCE is 0F AE E8, RDTSC is 0F 31. */
static void step(ucontext_t *interrupted)
{
    const void *next = (const void *)interrupted->uc_mcontext.gregs[REG_RIP];
    if (memcmp(next, "\x0f\xae\xe8", 3) == 0)
        see('W');
    else if (memcmp(next, "\x0f\x31", 2) == 0)
        see('R');
}

/* Inline, as what it begins with. */
static inline __attribute__((always_inline)) void begin_to_see(void)
{
    memset(seen, 0, sizeof seen);
    seen_count = 0;
    trap_flag_set();
}

/* The end of a pair that is longer than any before reads the clock once more, directly after its
 * own read. A pair that is run step by step may be that long. */
static void leave_out_further_read(const char *read)
{
    size_t length = strlen(read);
    if (strncmp(seen, read, length) == 0 && strncmp(seen + length, read, length) == 0)
        memmove(seen, seen + length, strlen(seen + length) + 1);
}

static void check_begin(const char *expected)
{
    assert_string_equal(seen, expected);
}

static void check_end(const char *expected)
{
    leave_out_further_read(strchr(expected, 'W') ? "WRW" : "R");
    assert_string_equal(seen, expected);
}

#define assert_seen(check, expected, act)                                                          \
    do {                                                                                           \
        begin_to_see();                                                                            \
        act;                                                                                       \
        trap_flag_clear();                                                                         \
        check(expected);                                                                           \
    } while (0)
#define assert_begin(expected, act) assert_seen(check_begin, expected, act)
#define assert_end(expected, act) assert_seen(check_end, expected, act)

static int use(const char *source)
{
    eprof_init();
    if (eprof_setup("budget=off") != 0)
        return -1;
    return eprof_source_use(source) == 0 ? trap_flag_call(step) : -1;
}

static int use_ordered(void **state)
{
    (void)state;
    return use("rdtsc_ordered");
}

static int use_plain(void **state)
{
    (void)state;
    return use("rdtsc");
}

/* The first round leaves the hot path, the later ones stay on it; they read and wait alike. */
enum { ROUNDS = 3 };

/* The first scope of all: before it, the thread has no earlier scope to wait for. */
static __attribute__((noinline)) void enter_first_scope(void)
{
    EPROF_SCOPE("first");
}

/* ------------------------------------------------------------------- tests -- */

TEST(start_waits_at_both_ends_and_stop_at_its_read_and_behind)
{
    int id = eprof_alloc("instance");
    for (int i = 0; i < ROUNDS; i++) {
        assert_begin("WWRWW", eprof_start(id));
        assert_begin("WW", eprof_start(id));
        assert_end("WRWW", eprof_stop(id));
        assert_end("WRWW", eprof_stop(id));
    }
}

TEST(now_waits_at_its_read)
{
    assert_begin("WRW", eprof_now());
}

static __attribute__((noinline)) void visit(const char *enter, const char *leave)
{
    {
        begin_to_see();
        EPROF_SCOPE("scope");
        trap_flag_clear();
        check_begin(enter);
        begin_to_see();
    }
    trap_flag_clear();
    check_end(leave);
}

TEST(enter_waits_at_both_ends_and_leave_at_its_read_and_behind)
{
    enter_first_scope();
    for (int i = 0; i < ROUNDS; i++)
        visit("WWRWW", "WRWW");
}

TEST(by_hand_enter_and_leave_wait_as_those_of_a_block)
{
    enter_first_scope();
    for (int i = 0; i < ROUNDS; i++) {
        assert_begin("WWRWW", eprof_enter("by hand"));
        assert_begin("WWRWW", eprof_enter("inside"));
        assert_end("WRWW", eprof_leave());
        assert_end("WRWW", eprof_leave());
    }
}

TEST(function_enter_and_leave_wait_as_those_of_a_block)
{
    static char code; /* in no module that has functions: any address can be used */
    void *function = &code, *frame = __builtin_frame_address(0);
    char token;
    enter_first_scope();
    for (int i = 0; i < ROUNDS; i++) {
        assert_begin("WWRWW", eprof_function_enter(function, function, frame, &token));
        assert_end("WRWW", eprof_function_leave(function, function, frame, &token));
    }
}

/* The number of reads depends on the work that its hold has to do. */
TEST(slow_scope_waits_at_each_read_and_behind_itself)
{
    enter_first_scope();
    {
        begin_to_see();
        EPROF_SLOW("slow", 0);
        trap_flag_clear();
        check_begin("WRWWRWW");
        begin_to_see();
    }
    trap_flag_clear();
    for (const char *read = seen; (read = strchr(read, 'R')) != NULL; read++)
        if (read == seen || read[-1] != 'W' || read[1] != 'W')
            fail_msg("a read does not wait: %s", seen);
    assert_string_equal(seen + seen_count - 4, "WRWW");
}

TEST_BETWEEN(plain_counter_is_read_without_a_wait, use_plain, NULL)
{
    int id = eprof_alloc("instance");
    eprof_start(id);
    eprof_stop(id);
    enter_first_scope();
    for (int i = 0; i < ROUNDS; i++) {
        assert_begin("R", eprof_start(id));
        assert_end("R", eprof_stop(id));
        assert_begin("R", eprof_enter("by hand"));
        assert_end("R", eprof_leave());
        visit("R", "R");
    }
}

TEST_EACH(use_ordered, NULL)
