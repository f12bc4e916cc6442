/*
 * Programs whose calls are only counted, inline, are killed at random moments: at each call path
 * the file has each call that had ended, and none that had not begun
 *
 * stored kill_budget KILLS - the number of kills; without it the test is short
 */
#include "../support/random.h"
#include "counted_calls.h"
#include "program.h"
#include "scratch.h"
#include "stored.h"

#include <pthread.h>

enum { SHORT_KILLS = 20, THREADS = 2, LEAST_CALLS = 10000 };
enum { MOST_MORE_CALLS = IS_WATCHED || TAKES_LONG ? 10000 : 300000, MOST_SPINS = 1 << 16 };

static unsigned long kills;

/* ------------------------------------------------------------------ the program -- */

static void *record(void *unused)
{
    for (unsigned i = 0;; i++)
        counted_round(i);
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

static uint64_t least_ended(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < COUNTED_PATHS; i++)
        least = counted_calls[i].ended < least ? counted_calls[i].ended : least;
    return least;
}

static void wait_for_a_random_moment(struct program *program)
{
    uint64_t calls = LEAST_CALLS + random_next() % MOST_MORE_CALLS;
    while (least_ended() <= calls)
        program_let_run(program);
    for (volatile uint64_t spin = random_next() % MOST_SPINS; spin;)
        spin--;
}

static void assert_path(const struct stored *stored, const char *items, int path)
{
    const struct counted *counter = &counted_calls[path];
    struct eprof_row row = stored_row(stored, "scope", counted_paths[path], "*");
    /* a nested call is counted as nested before it is counted as a call */
    if (row.calls < counter->ended || row.calls > counter->begun ||
        row.outermost + THREADS < counter->outermost_ended ||
        row.outermost > counter->outermost_begun)
        fail_msg("%s: %s has %" PRIu64 " calls of %" PRIu64 " to %" PRIu64 ", %" PRIu64
                 " outermost of %" PRIu64 " to %" PRIu64,
                 items, counted_paths[path], row.calls, counter->ended, counter->begun,
                 row.outermost, counter->outermost_ended, counter->outermost_begun);
    if (row.open > 3 * THREADS || row.timed > row.calls)
        fail_msg("%s: %s: %" PRIu64 " open, %" PRIu64 " of %" PRIu64 " timed", items,
                 counted_paths[path], row.open, row.timed, row.calls);
}

static void assert_file(const char *items)
{
    struct stored stored;
    size_t scopes = 0;
    stored_open(&stored, "profile");
    assert_false(stored.state.is_being_written);
    assert_int_equal(stored_identity(&stored)->not_closed, 1);
    for (int path = 0; path < COUNTED_PATHS; path++)
        assert_path(&stored, items, path);
    for (size_t i = 0; i < stored.snapshot->diagnostic_first; i++)
        scopes += strcmp(stored_row_at(&stored, i).kind, "scope") == 0;
    if (scopes != COUNTED_PATHS)
        fail_msg("%s: %zu rows, not %d:\n%s", items, scopes, COUNTED_PATHS, stored_text("profile"));
    stored_close(&stored);
}

static uint64_t kill_once(const char *items)
{
    struct program program;
    memset(counted_calls, 0, COUNTED_PATHS * sizeof *counted_calls);
    program_begin(&program, items, record_until_killed, NULL);
    wait_for_a_random_moment(&program);
    kill(program.process_id, SIGKILL);
    program_end(&program);
    if (program.status != -SIGKILL)
        fail_msg("the program ended with status %d: %s", program.status, program.err);
    assert_file(items);
    remove("profile");
    return counted_calls[COUNTED_LEAF].ended;
}

TEST(killed_program_under_a_budget_has_each_call_that_ended_and_none_that_had_not_begun)
{
    static const char *const items[] = {"image=profile,budget=1/64", "image=profile,budget=1/4096",
                                        "image=profile"};
    uint64_t calls = 0;
    counted_calls = program_share(COUNTED_PATHS * sizeof *counted_calls);
    for (unsigned long i = 0; i < kills; i++)
        calls += kill_once(items[i % 3]);
    munmap(counted_calls, COUNTED_PATHS * sizeof *counted_calls);
    print_message("%lu kills, %" PRIu64 " calls of %s had ended\n", kills, calls,
                  counted_paths[COUNTED_LEAF]);
}

TEST_RUN()
{
    kills = test_argument ? strtoul(test_argument, NULL, 10) : SHORT_KILLS;
    return tests_run("killed under a budget", scratch_enter, scratch_leave);
}
