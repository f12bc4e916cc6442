/* The calls of a row at or below each bound of the ladder. */
#include "snapshot/figures.h"
#include "snapshot/ladder.h"
#include "support/fake_image.h"
#include "support/random.h"

enum { LAST = EP_LADDER_BOUNDS - 1 };

static const struct ep_snapshot_options ladders = {.ladders = true};

/* The highest bound below which there is no call, and the lowest below which all are. */
static void assert_between(const struct ep_ladder *ladder, uint64_t calls, uint64_t above_ns,
                           uint64_t most_ns)
{
    for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++) {
        uint64_t bound_ns = ep_ladder_bound_ns(i), is = ladder->calls[i];
        uint64_t expected = bound_ns <= above_ns ? 0 : calls;
        if ((bound_ns <= above_ns || bound_ns >= most_ns) && is != expected)
            fail_msg("%llu calls of at most %llu ns, not %llu", (unsigned long long)is,
                     (unsigned long long)bound_ns, (unsigned long long)expected);
    }
}

/* Prometheus adds up processes of any version by these numbers: they must not change. */
TEST(bounds_are_these)
{
    static const uint64_t expected_ns[] = {
        100,        250,        500,        1000,       2500,      5000,      10000,
        25000,      50000,      100000,     250000,     500000,    1000000,   2500000,
        5000000,    10000000,   25000000,   50000000,   100000000, 250000000, 500000000,
        1000000000, 2500000000, 5000000000, 10000000000};
    assert_int_equal(sizeof expected_ns / sizeof expected_ns[0], EP_LADDER_BOUNDS);
    for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++)
        assert_int_equal(ep_ladder_bound_ns(i), expected_ns[i]);
}

static struct ep_ladder ladder_of_instance(void)
{
    return *ep_rows_ladder(fake_take(ladders), 0);
}

TEST(calls_of_one_length_are_counted_exactly)
{
    for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++) {
        fake_reset(i + 2);
        fake_instance(0, "work", i + 2);
        struct ep_instance_cells *pair = fake_pair(fake_thread(i, NULL), 0, i + 2);
        uint64_t bound_ns = ep_ladder_bound_ns(i);
        for (int call = 0; call < 3; call++)
            fake_call(pair, bound_ns);
        struct ep_ladder ladder = ladder_of_instance();
        assert_between(&ladder, 3, bound_ns - 1, bound_ns);
    }
}

TEST(call_that_is_beyond_the_ladder_is_below_no_bound)
{
    fake_instance(0, "work", 1);
    fake_call(fake_pair(fake_thread(0, NULL), 0, 1), ep_ladder_bound_ns(LAST) + 1);
    struct ep_ladder ladder = ladder_of_instance();
    assert_between(&ladder, 1, ep_ladder_bound_ns(LAST), UINT64_MAX);
}

TEST(threads_are_added_up_or_have_a_ladder_each)
{
    fake_instance(0, "work", 1);
    fake_call(fake_pair(fake_thread(0, NULL), 0, 1), 90);
    fake_call(fake_pair(fake_thread(1, NULL), 0, 1), 900);
    struct ep_snapshot_options by_threads = {.ladders = true, .threads = true};
    assert_int_equal(ladder_of_instance().calls[LAST], 2);
    for (size_t row = 0; row < 2; row++)
        assert_int_equal(ep_rows_ladder(fake_take(by_threads), row)->calls[LAST], 1);
}

/* 8 calls of 40 ns, and one of 3 us that represents 64. */
TEST(sampled_call_counts_as_many_times_as_it_represents)
{
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *node = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
    for (int i = 0; i < 8; i++)
        fake_visit(node, 40, 40);
    fake_sample(node, 3000, 64);
    struct ep_snapshot_options sums = {.ladders = true, .sums = true};
    struct eprof_snapshot *snapshot = fake_take(sums);
    const struct ep_ladder *ladder = ep_rows_ladder(snapshot, 0);
    assert_int_equal(ladder->calls[0], 8);
    assert_int_equal(ladder->calls[4], 8);  /* 2.5 us */
    assert_int_equal(ladder->calls[5], 72); /* 5 us */
    assert_int_equal(snapshot->rows[0].outermost, 72);
}

TEST(no_row_has_a_ladder_unless_it_is_requested)
{
    fake_instance(0, "work", 1);
    fake_call(fake_pair(fake_thread(0, NULL), 0, 1), 90);
    assert_null(ep_rows_ladder(fake_take(MERGED), 0));
    struct ep_snapshot_options summaries = {.ladders = true, .summaries = true};
    assert_null(ep_rows_ladder(fake_take(summaries), 0));
}

/* ---- any histogram ---- */

static const struct ep_correction none = {.scale = {1, 1}};

struct any {
    struct ep_figures figures;
    struct ep_histogram histogram;
};

static void add_call(struct any *any, uint64_t ticks)
{
    ep_histogram_add(&any->histogram, ep_histogram_bucket(ticks), 1);
    any->figures.calls++;
    any->figures.min_ticks = ticks < any->figures.min_ticks ? ticks : any->figures.min_ticks;
    any->figures.max_ticks = ticks > any->figures.max_ticks ? ticks : any->figures.max_ticks;
}

static struct any *begin_any(void)
{
    struct any *any = test_room(1, sizeof *any);
    *any = (struct any){.figures = ep_figures_none};
    return any;
}

/* The index of the lowest bound below which so many of a thousand calls are, as a program that
 * reads the ladder finds it; EP_LADDER_BOUNDS: it is beyond. */
static unsigned found_at(const struct ep_ladder *ladder, uint64_t calls, unsigned per_mille)
{
    unsigned i = 0;
    while (i < EP_LADDER_BOUNDS && ladder->calls[i] * 1000 < calls * per_mille)
        i++;
    return i;
}

static unsigned lies_at(uint64_t time_ns)
{
    unsigned i = 0;
    while (i < EP_LADDER_BOUNDS && ep_ladder_bound_ns(i) < time_ns)
        i++;
    return i;
}

static void check_percentile(const struct ep_ladder *ladder, uint64_t calls, unsigned per_mille,
                             uint64_t time_ns)
{
    if (found_at(ladder, calls, per_mille) != lies_at(time_ns))
        fail_msg("of %llu calls %u per mille are at bound %u, and %llu ns lie at bound %u",
                 (unsigned long long)calls, per_mille, found_at(ladder, calls, per_mille),
                 (unsigned long long)time_ns, lies_at(time_ns));
}

TEST(percentile_of_the_ladder_is_between_the_bounds_of_that_of_the_row)
{
    for (int round = 0; round < 2000; round++) {
        struct any *any = begin_any();
        uint64_t calls = 1 + random_next() % 300, base = random_magnitude() >> 24;
        for (uint64_t i = 0; i < calls; i++)
            add_call(any, base + random_magnitude() % (base + 2));
        struct ep_correction correction = {.scale = {1 + random_next() % 3, 1 + random_next() % 3},
                                           .inside_milliticks = random_next() % 20000};
        struct eprof_row row = {.size = sizeof row};
        struct ep_wide total = {0, 0};
        ep_figures_finish(&any->figures, &any->histogram, &correction, total, &row);
        struct ep_ladder ladder =
            ep_ladder_of(&any->figures, &any->histogram, &correction, row.timed);
        assert_int_equal(row.timed, calls);
        check_percentile(&ladder, calls, 500, row.p50_ns);
        check_percentile(&ladder, calls, 900, row.p90_ns);
        check_percentile(&ladder, calls, 990, row.p99_ns);
        check_percentile(&ladder, calls, 999, row.p999_ns);
    }
}

/* Calls for which the histogram had no memory, and calls that ended after the figures were read. */
TEST(histogram_of_fewer_or_more_calls_is_scaled_to_those_of_the_row)
{
    struct any *any = begin_any();
    for (int i = 0; i < 10; i++)
        add_call(any, i < 5 ? 90 : 900);
    for (uint64_t calls = 0; calls <= 40; calls += 4) {
        struct ep_ladder ladder = ep_ladder_of(&any->figures, &any->histogram, &none, calls);
        assert_int_equal(ladder.calls[0], calls / 2);
        assert_int_equal(ladder.calls[LAST], calls);
    }
}

TEST(counts_of_a_damaged_image_still_rise_from_bound_to_bound)
{
    struct any *any = begin_any();
    add_call(any, 1);
    add_call(any, UINT64_C(1) << 40);
    for (unsigned bucket = 0; bucket < 300; bucket += 7)
        ep_histogram_add(&any->histogram, bucket, UINT64_MAX / 3 + bucket);
    struct ep_ladder ladder = ep_ladder_of(&any->figures, &any->histogram, &none, 1000);
    for (unsigned i = 0; i < EP_LADDER_BOUNDS; i++)
        assert_in_range(ladder.calls[i], i ? ladder.calls[i - 1] : 0, 1000);
}

TEST_EACH(fake_begin, fake_end)
