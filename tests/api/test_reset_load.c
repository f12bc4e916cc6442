/*
 * Resets while other threads record at full speed: no pair counts twice, no figure is negative, no
 * pair from before a reset is in a later report, and when all threads are idle the figures are
 * exact.
 */
#include "hand_clock.h"
#include "rows.h"
#include "sanitizer.h"
#include "thread_clock.h"

#include <pthread.h>

enum { THREADS = 4, PAIR_TICKS = 10, LONG_TICKS = 1000000, PAIRS_A_TURN = 100 };
enum { RESETS = TAKES_LONG ? 1000 : 10000 };

struct recorder {
    pthread_t thread;
    void (*record)(int id);
    int id;
    _Atomic uint64_t *begun, *ended;
};

static struct recorder recorders[THREADS];
static _Atomic uint64_t pairs_begun[THREADS]; /* counted before the start */
static _Atomic uint64_t pairs_ended[THREADS]; /* counted after the stop */
static _Atomic bool is_over;

static void *record_until_it_is_over(void *argument)
{
    struct recorder *self = argument;
    while (!is_over) {
        for (int i = 0; i < PAIRS_A_TURN; i++) {
            ++*self->begun;
            self->record(self->id);
            ++*self->ended;
        }
        sched_yield(); /* there are fewer processors than threads */
    }
    return NULL;
}

static uint64_t begun(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += pairs_begun[i];
    return sum;
}

static uint64_t ended(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += pairs_ended[i];
    return sum;
}

static void begin_load(void (*record)(int id), int id)
{
    is_over = false;
    for (int i = 0; i < THREADS; i++) {
        pairs_begun[i] = pairs_ended[i] = 0;
        recorders[i] = (struct recorder){
            .record = record, .id = id, .begun = &pairs_begun[i], .ended = &pairs_ended[i]};
        assert_int_equal(
            pthread_create(&recorders[i].thread, NULL, record_until_it_is_over, &recorders[i]), 0);
    }
    while (ended() < THREADS) /* all threads have begun */
        sched_yield();
}

/* Waits until each thread has ended the pair that it was in, and has begun and ended another. */
static void wait_for_a_pair_of_each(void)
{
    for (int i = 0; i < THREADS; i++) {
        uint64_t inside = pairs_begun[i];
        while (pairs_ended[i] <= inside)
            sched_yield();
    }
}

static void end_load(void)
{
    is_over = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(recorders[i].thread, NULL);
}

static struct eprof_row row_of(const char *label)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "instance", label, NULL, &row);
    return row;
}

/* ----------------------------------------- each thread moves its own clock -- */

static void own_pair(int id)
{
    eprof_start(id);
    thread_ticks += PAIR_TICKS;
    eprof_stop(id);
    thread_ticks += 1;
}

/* A pair that began after a reset and ended before the snapshot is in it; one that ended before the
 * reset, or began after the snapshot, is not. */
TEST(every_pair_is_between_two_resets_once)
{
    thread_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    begin_load(own_pair, id);
    for (int i = 0; i < RESETS; i++) {
        uint64_t ended_before = ended();
        eprof_reset();
        uint64_t begun_before = begun();
        while (ended() <= begun_before)
            sched_yield();
        uint64_t ended_after = ended();
        struct eprof_row row = row_of("a");
        uint64_t begun_after = begun();
        assert_in_range(row.calls, ended_after - begun_before, begun_after - ended_before);
        assert_in_range(row.timed, 0, row.calls);
        assert_int_equal(row.errors, 0);
        assert_in_range(row.open, 0, THREADS);
        /* the fields of one thread's cell may be a call apart */
        assert_int_equal(row.total_ns % PAIR_TICKS, 0);
        assert_in_range(row.total_ns / PAIR_TICKS, row.timed, row.timed + THREADS);
        if (row.timed) {
            assert_int_equal(row.min_ns, PAIR_TICKS);
            assert_int_equal(row.p50_ns, PAIR_TICKS);
            assert_int_equal(row.max_ns, PAIR_TICKS);
        }
    }
    end_load();
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("lost"), 0);
}

TEST(pairs_after_the_last_reset_are_exact_when_quiet)
{
    thread_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    for (int round = 0; round < 20; round++) {
        begin_load(own_pair, id);
        for (int i = 0; i < 100; i++)
            eprof_reset();
        end_load();
        uint64_t left = row_of("a").calls;
        assert_in_range(left, 0, ended());
        assert_figures(row_of("a"), left, left * PAIR_TICKS);
        eprof_reset();
        assert_int_equal(row_of("a").calls, 0);
        begin_load(own_pair, id);
        end_load();
        assert_figures(row_of("a"), ended(), ended() * PAIR_TICKS);
        eprof_reset();
    }
}

static void *reset_until_it_is_over(void *unused)
{
    while (!is_over) {
        eprof_reset();
        sched_yield();
    }
    return unused;
}

/* A snapshot is of the time before a reset or of the time after it, never of both. */
TEST(snapshot_is_of_one_time_while_another_thread_resets)
{
    pthread_t resetter;
    thread_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    begin_load(own_pair, id);
    assert_int_equal(pthread_create(&resetter, NULL, reset_until_it_is_over, NULL), 0);
    for (int i = 0; i < RESETS; i++) {
        struct eprof_row row = row_of("a");
        assert_int_equal(row.errors, 0);
        assert_int_equal(row.total_ns % PAIR_TICKS, 0);
        assert_in_range(row.total_ns / PAIR_TICKS, row.timed, row.timed + THREADS);
        assert_in_range(row.max_ns, row.timed ? PAIR_TICKS : 0, PAIR_TICKS);
        assert_in_range(row.min_ns, row.timed ? PAIR_TICKS : 0, PAIR_TICKS);
    }
    end_load();
    pthread_join(resetter, NULL);
}

/* ------------------------------------------ one clock, moved by this thread -- */

static void shared_pair(int id)
{
    eprof_start(id);
    eprof_start(id);
    eprof_stop(id);
    eprof_stop(id);
}

static void shared_span(int id)
{
    uint64_t start = eprof_now();
    eprof_record(id, start, eprof_now());
}

/* The clock jumps before each reset and moves slowly between them, so the length of a pair that
 * began before a reset and ended after it would show that. */
static void assert_nothing_reaches_over_a_reset(void (*record)(int id))
{
    hand_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    begin_load(record, id);
    for (int i = 0; i < RESETS; i++) {
        hand_ticks += LONG_TICKS;
        eprof_reset();
        uint64_t seen = ended();
        for (int crawl = 0; crawl < 3; crawl++) {
            hand_ticks += 1;
            struct eprof_row row = row_of("a");
            assert_in_range(row.max_ns, 0, crawl + 1);
            assert_in_range(row.total_ns, 0, (crawl + 1) * (row.timed + THREADS));
            assert_int_equal(row.errors, 0);
        }
        while (ended() == seen)
            sched_yield();
    }
    end_load();
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("lost"), 0);
}

TEST(no_pair_reaches_over_a_reset)
{
    assert_nothing_reaches_over_a_reset(shared_pair);
}

TEST(no_span_reaches_over_a_reset)
{
    assert_nothing_reaches_over_a_reset(shared_span);
}

/* ------------------------------------------------- switching, init, release -- */

/* Pairs that are open at a switch are finished: each has its length, in every state in which it
 * ends. */
TEST(pairs_are_whole_while_recording_is_switched)
{
    thread_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    begin_load(own_pair, id);
    for (int i = 0; i < RESETS; i++) {
        eprof_enable(false);
        eprof_enable(true);
    }
    end_load();
    struct eprof_row row = row_of("a");
    assert_in_range(row.calls, 0, ended());
    assert_figures(row, row.calls, row.calls * PAIR_TICKS);
    assert_int_equal(row.min_ns, PAIR_TICKS);
    assert_int_equal(row.max_ns, PAIR_TICKS);
    assert_int_equal(diagnostic_count("unbalanced"), 0);
    assert_int_equal(diagnostic_count("lost"), 0);
}

/* Recording is off: open pairs end, then nothing changes any more. */
TEST(nothing_is_recorded_when_off_and_quiet)
{
    thread_clock_use();
    eprof_init();
    int id = eprof_alloc("a");
    begin_load(own_pair, id);
    for (int i = 0; i < 100; i++) {
        eprof_enable(false);
        wait_for_a_pair_of_each();
        struct eprof_row first = row_of("a");
        wait_for_a_pair_of_each();
        assert_figures(row_of("a"), first.calls, first.total_ns);
        eprof_enable(true);
    }
    end_load();
}
