/*
 * Snapshots, reports and resets while other threads record scopes at full speed: no row is
 * impossible in itself, no call counts twice, no call from before a reset is in a later report, and
 * when all threads are idle the figures are exact.
 */
#include "rows.h"
#include "thread_clock.h"

#include <inttypes.h>

#include <pthread.h>

enum { THREADS = 8, LOOKS = 300, RESETS = 10000, INNER_TICKS = 10, OUTER_TICKS = 3 };
enum { OUTER_TOTAL = OUTER_TICKS + 2 * INNER_TICKS, ROUNDS_A_TURN = 50 };

/* A round has one call of outer, and inside it two calls of inner, one of them nested in the
 * other. */
struct recorder {
    pthread_t thread;
    _Atomic uint64_t begun, ended; /* rounds: counted before the enter, and after the leave */
};

static struct recorder recorders[THREADS];
static _Atomic bool is_over;

static void inner(int depth)
{
    EPROF_SCOPE("inner");
    if (depth)
        inner(depth - 1);
    thread_ticks += INNER_TICKS;
}

static void outer(void)
{
    EPROF_SCOPE("outer");
    thread_ticks += OUTER_TICKS;
    inner(1);
}

static void *record_until_it_is_over(void *own)
{
    struct recorder *self = own;
    while (!is_over) {
        for (int i = 0; i < ROUNDS_A_TURN; i++) {
            self->begun++;
            outer();
            self->ended++;
            thread_ticks += 1;
        }
        sched_yield(); /* there are fewer processors than threads */
    }
    return NULL;
}

static uint64_t begun(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += recorders[i].begun;
    return sum;
}

static uint64_t ended(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += recorders[i].ended;
    return sum;
}

static void begin_load(void)
{
    is_over = false;
    for (int i = 0; i < THREADS; i++) {
        recorders[i].begun = recorders[i].ended = 0;
        assert_int_equal(
            pthread_create(&recorders[i].thread, NULL, record_until_it_is_over, &recorders[i]), 0);
    }
    while (ended() < THREADS) /* all threads have begun */
        sched_yield();
}

static void end_load(void)
{
    is_over = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(recorders[i].thread, NULL);
}

static int begin(void **state)
{
    (void)state;
    thread_clock_use();
    eprof_enable(true);
    eprof_init();
    return 0;
}

/* ---------------------------------------------------------- what a row is like -- */

static void assert_possible(const struct eprof_row *row)
{
    if (row->total_ns < row->self_ns || row->self_ns >> 63)
        fail_msg("%s: total %" PRIu64 ", self %" PRIu64, row->path, row->total_ns, row->self_ns);
    assert_in_range(row->timed, 0, row->calls);
    assert_int_equal(row->errors, 0);
    assert_in_range(row->open, 0, 2 * THREADS);
}

struct looks {
    struct eprof_row outer, inner;
};

/* If recording was switched on inside outer, there is also a row of inner alone. */
static struct looks look(void)
{
    struct looks seen = {.outer.calls = 0};
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        assert_int_equal(eprof_snapshot_row(snapshot, i, &row), 0);
        if (strcmp(row.kind, "scope") != 0)
            continue;
        assert_possible(&row);
        if (strcmp(row.path, "outer") == 0)
            seen.outer = row;
        else if (strcmp(row.path, "outer;inner") == 0)
            seen.inner = row;
        else
            assert_string_equal(row.path, "inner");
    }
    eprof_snapshot_free(snapshot);
    return seen;
}

static void assert_exact(struct looks seen, uint64_t rounds)
{
    assert_figures(seen.outer, rounds, rounds * OUTER_TOTAL);
    assert_ns(seen.outer.self_ns, rounds * OUTER_TICKS);
    assert_int_equal(seen.inner.calls, 2 * rounds);
    assert_ns(seen.inner.timed, rounds);
    assert_ns(seen.inner.total_ns, rounds * 2 * INNER_TICKS);
    assert_ns(seen.inner.self_ns, rounds * 2 * INNER_TICKS);
    assert_int_equal(seen.inner.open, 0);
}

/* -------------------------------------------------------------------- looking -- */

TEST(snapshots_count_every_call_once_and_never_fewer_than_before)
{
    struct looks before = {.outer.calls = 0};
    begin_load();
    for (int i = 0; i < LOOKS; i++) {
        uint64_t ended_before = ended();
        struct looks seen = look();
        uint64_t begun_after = begun();
        assert_in_range(seen.outer.calls, ended_before, begun_after);
        assert_in_range(seen.inner.calls, 2 * ended_before, 2 * begun_after);
        assert_in_range(seen.outer.calls, before.outer.calls, begun_after);
        assert_in_range(seen.inner.calls, before.inner.calls, 2 * begun_after);
        /* of each thread, one call may be recorded in part */
        if (!has_counts_only())
            assert_in_range(seen.outer.total_ns, seen.outer.timed * OUTER_TOTAL,
                            (seen.outer.timed + THREADS) * OUTER_TOTAL);
        before = seen;
    }
    end_load();
    assert_exact(look(), ended());
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST(reports_leave_all_exact)
{
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    begin_load();
    for (int i = 0; i < LOOKS; i++)
        assert_int_equal(eprof_report(nowhere, i % 2 ? "csv:threads" : "json"), 0);
    end_load();
    fclose(nowhere);
    assert_exact(look(), ended());
    assert_int_equal(count_rows("diagnostic"), 0);
}

/* ------------------------------------------------------------------ forgetting -- */

/* A round that began after a reset and ended before the snapshot is in it; one that ended before
 * the reset, or began after the snapshot, is not. */
TEST(every_call_is_between_two_resets_once)
{
    begin_load();
    for (int i = 0; i < RESETS; i++) {
        uint64_t ended_before = ended();
        eprof_reset();
        uint64_t begun_before = begun();
        if (i % 10)
            continue; /* many without a snapshot */
        while (ended() <= begun_before)
            sched_yield();
        uint64_t ended_after = ended();
        struct looks seen = look();
        uint64_t begun_after = begun();
        assert_in_range(seen.outer.calls, ended_after - begun_before, begun_after - ended_before);
        assert_in_range(seen.inner.calls, 2 * (ended_after - begun_before),
                        2 * (begun_after - ended_before));
        assert_in_range(seen.outer.max_ns, 0, OUTER_TOTAL);
    }
    end_load();
    assert_int_equal(count_rows("diagnostic"), 0);
    eprof_reset();
    begin_load();
    end_load();
    assert_exact(look(), ended());
}

TEST(calls_are_whole_while_recording_is_switched)
{
    begin_load();
    for (int i = 0; i < RESETS; i++) {
        eprof_enable(false);
        eprof_enable(true);
    }
    end_load();
    struct looks seen = look();
    assert_figures(seen.outer, seen.outer.calls, seen.outer.calls * OUTER_TOTAL);
    assert_in_range(seen.outer.calls, 0, ended());
    assert_in_range(seen.inner.calls, 0, 2 * ended());
    assert_int_equal(seen.inner.open, 0);
    assert_int_equal(count_rows("diagnostic"), 0);
}

TEST(nothing_is_recorded_when_off_and_quiet)
{
    begin_load();
    for (int i = 0; i < 100; i++) {
        eprof_enable(false);
        for (int round = 0; round < 2; round++)
            for (int t = 0; t < THREADS; t++)
                for (uint64_t inside = recorders[t].begun; recorders[t].ended <= inside;)
                    sched_yield();
        struct looks first = look();
        assert_int_equal(eprof_recording, 0);
        assert_int_equal(first.outer.open, 0);
        sched_yield();
        struct looks second = look();
        assert_int_equal(second.outer.calls, first.outer.calls);
        assert_int_equal(second.inner.calls, first.inner.calls);
        assert_ns(second.inner.total_ns, first.inner.total_ns);
        eprof_enable(true);
    }
    end_load();
}

TEST_EACH(begin, NULL)
