/*
 * Resets while other threads record under a budget: at each path a report has the calls since the
 * reset, none twice, and no path is wrong. Once the threads are idle, the counts are exact.
 */
#include "budgets.h"
#include "counted_calls.h"
#include "sanitizer.h"
#include "threads.h"
#include "tree_text.h"

#include <sched.h>

enum {
    THREADS = 2,
    RESETS = TAKES_LONG ? 100 : 2000,
    ROUNDS_BETWEEN_LOOKS = 20,
    ROUNDS_A_TURN = 10
};
enum { TIMES = 20, RESETS_A_TIME = TAKES_LONG ? 10 : 50, ROUNDS = 1000 };

static struct worker workers[THREADS];
static _Atomic bool is_over;

static void begin_workers(void)
{
    for (int i = 0; i < THREADS; i++)
        worker_begin(&workers[i]);
}

static void end_workers(void)
{
    for (int i = 0; i < THREADS; i++)
        worker_end(&workers[i]);
}

/* All of them begin with it at once. */
static void let_all(thread_act act)
{
    for (int i = 0; i < THREADS; i++) {
        workers[i].act = act;
        pthread_barrier_wait(&workers[i].turn);
    }
}

static void wait_for_all(void)
{
    for (int i = 0; i < THREADS; i++)
        pthread_barrier_wait(&workers[i].turn);
}

static void record_until_it_is_over(void *unused)
{
    (void)unused;
    for (unsigned i = 0; !is_over; i++) {
        counted_round(i);
        if (i % ROUNDS_A_TURN == 0)
            sched_yield(); /* there may be fewer processors than threads */
    }
}

static void record_some(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < ROUNDS; i++)
        counted_round(i);
}

/* ----------------------------------------------------------------- while they record -- */

struct counts {
    uint64_t begun, ended, outermost_begun, outermost_ended;
};

static void read_counts(struct counts *counts)
{
    for (int path = 0; path < COUNTED_PATHS; path++) {
        struct counted *counted = &counted_calls[path];
        counts[path] = (struct counts){counted->begun, counted->ended, counted->outermost_begun,
                                       counted->outermost_ended};
    }
}

static const struct eprof_row *row_at(const eprof_snapshot *snapshot, const char *path)
{
    static struct eprof_row row;
    size_t found = 0;
    struct eprof_row here = {.size = sizeof here};
    row = here;
    for (size_t i = 0; eprof_snapshot_row(snapshot, i, &here) == 0; i++)
        if (strcmp(here.kind, "scope") == 0 && strcmp(here.path, path) == 0) {
            row = here;
            found++;
        }
    if (found > 1)
        fail_msg("%zu rows have the path %s", found, path);
    return &row;
}

static void assert_no_other_path(const eprof_snapshot *snapshot)
{
    struct eprof_row row = {.size = sizeof row};
    for (size_t i = 0; eprof_snapshot_row(snapshot, i, &row) == 0; i++) {
        int path = 0;
        while (path < COUNTED_PATHS && strcmp(row.path, counted_paths[path]) != 0)
            path++;
        if (path == COUNTED_PATHS)
            fail_msg("%s %s has %" PRIu64 " calls", row.kind, row.path, row.calls);
    }
}

/* A call that began after the reset and ended before the snapshot is in it; one that ended before
 * the reset, or began after the snapshot, is not. A nested call is counted as nested before it is
 * counted as a call; and inside a call of before the reset, one is outermost. */
static void assert_between(const char *budget, const eprof_snapshot *snapshot,
                           const struct counts (*counts)[COUNTED_PATHS])
{
    enum { BEFORE_RESET, AFTER_RESET, BEFORE_SNAPSHOT, AFTER_SNAPSHOT };
    for (int path = 0; path < COUNTED_PATHS; path++) {
        const struct eprof_row *row = row_at(snapshot, counted_paths[path]);
        uint64_t inside = counts[AFTER_RESET][path].begun,
                 last = counts[BEFORE_SNAPSHOT][path].ended;
        uint64_t least = last > inside ? last - inside : 0;
        uint64_t most = counts[AFTER_SNAPSHOT][path].begun - counts[BEFORE_RESET][path].ended;
        uint64_t most_outermost = counts[AFTER_SNAPSHOT][path].outermost_begun -
                                  counts[BEFORE_RESET][path].outermost_ended + THREADS;
        if (row->calls < least || row->calls > most || row->outermost > most_outermost ||
            row->outermost > row->calls || row->open > 3 * THREADS)
            fail_msg("%s: %s has %" PRIu64 " calls, not %" PRIu64 " to %" PRIu64 "; %" PRIu64
                     " outermost, at most %" PRIu64 "; %" PRIu64 " open",
                     budget, counted_paths[path], row->calls, least, most, row->outermost,
                     most_outermost, row->open);
    }
    assert_no_other_path(snapshot);
}

static void wait_for_rounds(uint64_t rounds)
{
    uint64_t begun = counted_calls[COUNTED_OUTER].begun;
    while (counted_calls[COUNTED_OUTER].ended < begun + rounds)
        sched_yield();
}

static void reset_and_look(const char *budget, int number)
{
    struct counts counts[4][COUNTED_PATHS];
    read_counts(counts[0]);
    eprof_reset();
    read_counts(counts[1]);
    wait_for_rounds(number % ROUNDS_BETWEEN_LOOKS);
    read_counts(counts[2]);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    read_counts(counts[3]);
    assert_between(budget, snapshot, (const struct counts(*)[COUNTED_PATHS])counts);
    eprof_snapshot_free(snapshot);
}

TEST(scope_calls_are_between_two_resets_once_while_others_record)
{
    begin_workers();
    for (int b = 0; b < BUDGETS; b++) {
        use_budget(budgets[b]);
        is_over = false;
        let_all(record_until_it_is_over);
        for (int i = 0; i < RESETS; i++)
            reset_and_look(budgets[b], i);
        is_over = true;
        wait_for_all();
    }
    end_workers();
}

/* -------------------------------------------------------------------- once they are idle -- */

static void reset_while_they_record(void)
{
    is_over = false;
    let_all(record_until_it_is_over);
    for (int i = 0; i < RESETS_A_TIME; i++) {
        eprof_reset();
        wait_for_rounds(i % 3);
    }
    is_over = true;
    wait_for_all();
}

/* The rounds of all threads, as text, below `around`, whose own row comes first. */
static void assert_rounds(const char *budget, const char *around, const char *prefix)
{
    char tree[512];
    const uint64_t each = THREADS * ROUNDS / 2; /* of the two kinds of rounds */
    snprintf(
        tree, sizeof tree,
        "%s%souter %" PRIu64 "/%" PRIu64 "\n%souter;a %" PRIu64 "/%" PRIu64 "\n%souter;a;b %" PRIu64
        "/%" PRIu64 "\n%souter;folded %" PRIu64 "/%" PRIu64 "\n%souter;folded;leaf %" PRIu64
        "/%" PRIu64 "\n%souter;leaf %" PRIu64 "/%" PRIu64 "\n",
        around, prefix, 2 * each, 2 * each, prefix, 4 * each, 2 * each, prefix, 4 * each, 3 * each,
        prefix, 4 * each, 2 * each, prefix, 3 * each, 3 * each, prefix, 4 * each, 4 * each);
    if (strcmp(tree_text(), tree) != 0)
        fail_msg("%s:\n%sinstead of\n%s", budget, tree_text(), tree);
    assert_diagnostics("");
}

TEST(scope_counts_are_exact_after_the_last_reset)
{
    begin_workers();
    for (int b = 0; b < BUDGETS; b++) {
        use_budget(budgets[b]);
        for (int i = 0; i < TIMES; i++) {
            reset_while_they_record();
            eprof_reset();
            let_all(record_some);
            wait_for_all();
            assert_rounds(budgets[b], "", "");
        }
    }
    end_workers();
}

static pthread_barrier_t inside;

static void record_around_a_reset(void *unused)
{
    (void)unused;
    EPROF_SCOPE("around");
    record_some(NULL);
    pthread_barrier_wait(&inside);
    pthread_barrier_wait(&inside);
    record_some(NULL);
}

/* The scope around them began before the reset. */
TEST(scope_counts_inside_an_open_scope_are_exact_after_a_reset)
{
    assert_int_equal(pthread_barrier_init(&inside, NULL, THREADS + 1), 0);
    begin_workers();
    for (int b = 0; b < BUDGETS; b++) {
        use_budget(budgets[b]);
        for (int i = 0; i < TIMES; i++) {
            let_all(record_around_a_reset);
            pthread_barrier_wait(&inside);
            eprof_reset();
            pthread_barrier_wait(&inside);
            wait_for_all();
            assert_rounds(budgets[b], "around 0/0\n", "around;");
        }
    }
    end_workers();
    pthread_barrier_destroy(&inside);
}

TEST_EACH(hand_clock_begin, NULL)
