/*
 * Programs are killed while a hold is open, under a budget: the file has each call that had ended
 * outside of holds or in a hold that was kept, and none of the open hold or of a dropped one
 *
 * stored kill_hold KILLS - the number of kills; without it the test is short
 */
#include "../support/random.h"
#include "program.h"
#include "scratch.h"
#include "stored.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SHORT_KILLS = 20, THREADS = 2, MOST_IN_A_HOLD = 400, INNER_CALLS = 2 };
enum { MOST_CALLS = IS_WATCHED || TAKES_LONG ? 5000 : 100000, MOST_SPINS = 1 << 16 };

static unsigned long kills;

enum path { OUTSIDE, HELD, INNER, PATHS };

static const char *const paths[PATHS] = {"outside", "outside;held", "outside;held;inner"};

/* Of all threads. A call in a hold counts here when its hold is kept: as begun before the keep, and
 * as ended after it. */
struct shared {
    struct {
        _Atomic uint64_t begun, ended;
    } calls[PATHS];
    _Atomic uint32_t open_holds;
    _Atomic uint64_t in_holds; /* calls in holds that are open or were dropped */
};

static struct shared *shared;

/* ------------------------------------------------------------------ the program -- */

static __attribute__((noinline)) void inner(void)
{
    EPROF_SCOPE("inner");
    __asm__ volatile("");
}

static __attribute__((noinline)) void held(void)
{
    EPROF_SCOPE("held");
    for (int i = 0; i < INNER_CALLS; i++)
        inner();
}

static void begin(uint32_t calls)
{
    shared->calls[HELD].begun += calls;
    shared->calls[INNER].begun += (uint64_t)calls * INNER_CALLS;
}

static void end(uint32_t calls)
{
    shared->calls[HELD].ended += calls;
    shared->calls[INNER].ended += (uint64_t)calls * INNER_CALLS;
}

/* In some rounds the second half of the calls is in a hold inside the hold. */
static void make_hold(uint32_t round)
{
    uint32_t calls = 1 + round * 2654435761 % MOST_IN_A_HOLD; /* Knuth's multiplier */
    bool keep = round % 2, has_inner = round % 3 == 0, keep_inner = round % 4 < 2;
    uint32_t kept = has_inner && !keep_inner ? calls / 2 : calls;
    eprof_hold();
    shared->open_holds++;
    for (uint32_t i = 0; i < calls; i++) {
        if (has_inner && i == calls / 2)
            eprof_hold();
        shared->in_holds++;
        held();
    }
    if (has_inner)
        eprof_keep(keep_inner);
    shared->open_holds--;
    if (keep)
        begin(kept);
    eprof_keep(keep);
    if (keep)
        end(kept);
}

static __attribute__((noinline)) void outside(uint32_t round)
{
    EPROF_SCOPE("outside");
    begin(1);
    held();
    end(1);
    make_hold(round);
}

static void *record(void *unused)
{
    for (uint32_t round = 0;; round++) {
        shared->calls[OUTSIDE].begun++;
        outside(round);
        shared->calls[OUTSIDE].ended++;
    }
    return unused;
}

static void record_until_killed(void *unused)
{
    pthread_t threads[THREADS];
    (void)unused;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, record, NULL) != 0)
            _exit(2);
    pthread_join(threads[0], NULL);
}

/* ----------------------------------------------------------------------- a kill -- */

static void wait_for_a_random_moment(struct program *program)
{
    uint64_t calls = random_next() % MOST_CALLS;
    while (shared->in_holds <= calls || shared->calls[HELD].ended == 0)
        program_let_run(program);
    for (volatile uint64_t spin = random_next() % MOST_SPINS; spin;)
        spin--;
}

static void assert_file(const char *items)
{
    struct stored stored;
    stored_open(&stored, "profile");
    assert_int_equal(stored_identity(&stored)->not_closed, 1);
    for (int path = 0; path < PATHS; path++) {
        struct eprof_row row = stored_row(&stored, "scope", paths[path], "*");
        uint64_t ended = shared->calls[path].ended, begun = shared->calls[path].begun;
        if (row.calls < ended || row.calls > begun)
            fail_msg("%s: %s has %" PRIu64 " calls of %" PRIu64 " to %" PRIu64 "; %" PRIu64
                     " were in holds, and %u holds are open",
                     items, paths[path], row.calls, ended, begun, shared->in_holds,
                     (unsigned)shared->open_holds);
        if (row.timed > row.calls || row.open > THREADS)
            fail_msg("%s: %s: %" PRIu64 " of %" PRIu64 " timed, %" PRIu64 " open", items,
                     paths[path], row.timed, row.calls, row.open);
    }
    stored_close(&stored);
}

/* Returns whether a hold was open. */
static bool kill_once(const char *items)
{
    struct program program;
    memset(shared, 0, sizeof *shared);
    program_begin(&program, items, record_until_killed, NULL);
    wait_for_a_random_moment(&program);
    kill(program.process_id, SIGKILL);
    program_end(&program);
    if (program.status != -SIGKILL)
        fail_msg("the program ended with status %d: %s", program.status, program.err);
    assert_file(items);
    remove("profile");
    return shared->open_holds > 0;
}

/* Kills without an open hold do not count, and are repeated. */
TEST(killed_program_has_the_calls_of_kept_holds_and_none_of_the_open_one)
{
    static const char *const items[] = {"image=profile,budget=1/64", "image=profile"};
    unsigned long open = 0, all = 0;
    uint64_t in_holds = 0;
    shared = program_share(sizeof *shared);
    for (; open < kills && all < 10 * kills; all++) {
        open += kill_once(items[all % 2]);
        in_holds += shared->in_holds;
    }
    munmap(shared, sizeof *shared);
    print_message("%lu of %lu kills came while a hold was open; %" PRIu64 " calls in holds\n", open,
                  all, in_holds);
    assert_int_equal(open, kills);
}

TEST_RUN()
{
    kills = test_argument ? strtoul(test_argument, NULL, 10) : SHORT_KILLS;
    return tests_run("killed in a hold", scratch_enter, scratch_leave);
}
