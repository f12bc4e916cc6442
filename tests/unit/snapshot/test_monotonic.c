/* The figures of a series that are shown never become smaller; the snapshots are made by hand. */
#include "snapshot/monotonic.h"

#include <unistd.h>

#include "snapshot/series.h"
#include "support/made_snapshot.h"

static struct ep_monotonic monotonic;

static int forget(void **state)
{
    (void)state;
    ep_hash_table_free(&monotonic.marks);
    monotonic = (struct ep_monotonic){.epoch = 0};
    return 0;
}

static void raise_in(uint64_t epoch, struct eprof_snapshot *snapshot)
{
    assert_return_code(ep_monotonic_raise(&monotonic, epoch, snapshot), errno);
}

/* The sum that is shown for instances with one label, which have these calls of `each_ns` each.
 * Several of them may be in one slot, one after another. */
struct live {
    int id;
    uint64_t calls, each_ns, born;
};

static struct eprof_row tell_options(uint64_t epoch, const struct live *live, size_t count,
                                     struct ep_snapshot_options options)
{
    struct made made;
    struct eprof_row sum = instance(-1, "sum");
    for (size_t i = 0; i < count; i++)
        made.rows[i] = even_instance(live[i].id, "a", live[i].calls, live[i].each_ns);
    make(&made, count, 0);
    for (size_t i = 0; i < count; i++)
        made.instance_slots[i].born = live[i].born;
    made.snapshot.options = options;
    raise_in(epoch, &made.snapshot);
    for (size_t i = 0; i < count; i++) {
        sum.calls += made.rows[i].calls;
        sum.total_ns += made.rows[i].total_ns;
    }
    return sum;
}

static struct eprof_row show(uint64_t epoch, const struct live *live, size_t count)
{
    return tell_options(epoch, live, count, (struct ep_snapshot_options){.threads = false});
}

static void assert_shown(struct eprof_row sum, uint64_t calls, uint64_t total_ns)
{
    assert_int_equal(sum.calls, calls);
    assert_int_equal(sum.total_ns, total_ns);
}

/* ---- time ---- */

TEST(growing_figures_are_shown_unchanged)
{
    for (uint64_t calls = 1; calls < 100; calls += 7) {
        struct live live[] = {{0, calls, 1000, 0}, {4, 2 * calls, 1003, 0}};
        assert_shown(show(1, live, 2), 3 * calls, calls * (1000 + 2 * 1003));
    }
}

TEST(falling_time_stays_until_it_is_exceeded)
{
    assert_shown(show(1, (struct live[]){{0, 10, 1000, 0}}, 1), 10, 10000);
    assert_shown(show(1, (struct live[]){{0, 10, 900, 0}}, 1), 10, 10000);
    assert_shown(show(1, (struct live[]){{0, 11, 900, 0}}, 1), 11, 10000);
    assert_shown(show(1, (struct live[]){{0, 12, 900, 0}}, 1), 12, 10800);
    assert_shown(show(1, (struct live[]){{0, 12, 1000, 0}}, 1), 12, 12000);
}

TEST(reset_begins_anew)
{
    assert_shown(show(1, (struct live[]){{0, 10, 1000, 0}}, 1), 10, 10000);
    assert_shown(show(2, (struct live[]){{0, 1, 900, 0}}, 1), 1, 900);
    assert_shown(show(2, (struct live[]){{0, 1, 800, 0}}, 1), 1, 900);
}

TEST(raw_and_ticks_and_threads_are_series_of_their_own)
{
    struct live more[] = {{0, 10, 1000, 0}}, less[] = {{0, 10, 900, 0}};
    struct ep_snapshot_options raw = {.raw = true}, ticks = {.ticks = true};
    struct ep_snapshot_options threads = {.threads = true};
    show(1, more, 1);
    assert_shown(tell_options(1, less, 1, raw), 10, 9000);
    assert_shown(tell_options(1, less, 1, ticks), 10, 9000);
    assert_shown(tell_options(1, less, 1, threads), 10, 9000);
    assert_shown(show(1, less, 1), 10, 10000);
}

/* The processor time of one instance in snapshots one after another. */
static void assert_cpu_shown(uint64_t cpu_ns, uint64_t shown_ns)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", 1, 100);
    made.rows[0].cpu_ns = cpu_ns;
    made.rows[0].wait_ns = cpu_ns == EPROF_UNKNOWN ? EPROF_UNKNOWN : 2 * cpu_ns;
    make(&made, 1, 0);
    raise_in(1, &made.snapshot);
    assert_int_equal(made.rows[0].cpu_ns, shown_ns);
    assert_int_equal(made.rows[0].wait_ns,
                     shown_ns == EPROF_UNKNOWN ? EPROF_UNKNOWN : 2 * shown_ns);
}

TEST(processor_time_continues_after_it_was_unknown)
{
    static const uint64_t cpu_ns[][2] = {{EPROF_UNKNOWN, EPROF_UNKNOWN}, {10, 10}, {9, 10},
                                         {EPROF_UNKNOWN, EPROF_UNKNOWN}, {8, 10},  {15, 15}};
    for (size_t i = 0; i < sizeof cpu_ns / sizeof cpu_ns[0]; i++)
        assert_cpu_shown(cpu_ns[i][0], cpu_ns[i][1]);
}

/* ---- the ladder ---- */

/* The calls up to 500 ns and 1 us that are shown for two instances of one label, of which the first
 * has these. */
static void assert_ladder_shown(const uint64_t calls[2], const uint64_t shown[2],
                                struct ep_snapshot_options options)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", 10, 700);
    made.rows[1] = even_instance(1, "a", 3, 700);
    make(&made, 2, 0);
    made.snapshot.options = options;
    for (unsigned i = 0; i < 2; i++) {
        if (options.summaries)
            made.instance_slots[i].ladder = NULL;
        else if (i == 0)
            memcpy(&made.instance_slots[0].ladder->calls[2], calls, 2 * sizeof *calls);
    }
    raise_in(1, &made.snapshot);
    struct ep_series_set set;
    assert_return_code(ep_series_find(&set, &made.snapshot), errno);
    const struct ep_series *series = ep_series_begun_by(&set, 0);
    uint64_t sums[] = {series->ladder.calls[2], series->ladder.calls[3]};
    ep_series_free(&set);
    for (int i = 0; i < 2; i++)
        if (sums[i] != shown[i])
            fail_msg("bound %d: %llu calls, not %llu", i, (unsigned long long)sums[i],
                     (unsigned long long)shown[i]);
}

/* Calls turn out to be longer or shorter, as the length of a tick or the cost of a probe does. */
TEST(calls_below_a_bound_never_become_fewer)
{
    static const uint64_t calls[][2] = {{4, 9}, {2, 10}, {5, 7}, {5, 10}};
    static const uint64_t shown[][2] = {{4, 12}, {4, 13}, {5, 13}, {5, 13}};
    static const uint64_t none[2] = {0, 0};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        assert_ladder_shown(calls[i], shown[i], (struct ep_snapshot_options){.threads = false});
        assert_ladder_shown(none, none, (struct ep_snapshot_options){.summaries = true});
    }
}

/* ---- instances come and go ---- */

TEST(freed_instance_stays_in_the_sum_of_its_label)
{
    assert_shown(show(1, (struct live[]){{0, 10, 100, 0}, {1, 5, 100, 0}}, 2), 15, 1500);
    assert_shown(show(1, (struct live[]){{1, 8, 100, 0}}, 1), 18, 1800);
    assert_shown(show(1, (struct live[]){{1, 8, 100, 0}, {2, 1, 50, 0}}, 2), 19, 1850);
    assert_shown(show(1, (struct live[]){{2, 2, 50, 0}}, 1), 20, 1900);
}

TEST(another_instance_in_the_slot_is_added)
{
    assert_shown(show(1, (struct live[]){{0, 10, 100, 1}}, 1), 10, 1000);
    assert_shown(show(1, (struct live[]){{0, 3, 500, 2}}, 1), 13, 2500);
    assert_shown(show(1, NULL, 0), 0, 0); /* if no instance is alive, none is shown */
    assert_shown(show(1, (struct live[]){{0, 2, 500, 3}}, 1), 15, 3500);
    assert_shown(show(1, (struct live[]){{0, 90, 100, 4}}, 1), 105,
                 12500); /* more than any number before */
}

/* A new label appears in each of many snapshots, next to one that stays. */
TEST(labels_that_are_gone_for_long_are_forgotten)
{
    enum { ROUNDS = 20 * EP_MONOTONIC_SNAPSHOTS };
    char label[16];
    size_t most = 0;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        struct made made;
        snprintf(label, sizeof label, "label %u", (unsigned)i);
        made.rows[0] = even_instance(0, "stays", i, 100);
        made.rows[1] = even_instance(1, label, 1, 100);
        make(&made, 2, 0);
        made.instance_slots[1].born = i;
        raise_in(1, &made.snapshot);
        assert_int_equal(made.rows[0].calls, i);
        most = monotonic.marks.count > most ? monotonic.marks.count : most;
    }
    assert_in_range(most, 2 * EP_MONOTONIC_SNAPSHOTS, 8 * EP_MONOTONIC_SNAPSHOTS);
}

/* Thousands of instances of one label, of which each exists in one snapshot only. */
TEST_BETWEEN(many_instances_that_are_gone_are_forgotten_and_their_calls_are_not, forget, forget)
{
    enum { ROUNDS = EP_MONOTONIC_SNAPSHOTS, EACH = 100 };
    size_t most = 0;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        struct made_tree tree = {.rows = NULL};
        uint64_t calls = 0;
        for (int slot = 0; slot < EACH; slot++)
            made_instance(&tree, even_instance(slot, "a", 1, 100));
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        for (int slot = 0; slot < EACH; slot++)
            snapshot->instance_slots[slot].born = i * EACH + (uint64_t)slot;
        raise_in(1, snapshot);
        for (int slot = 0; slot < EACH; slot++)
            calls += snapshot->rows[slot].calls;
        assert_int_equal(calls, i * EACH);
        most = monotonic.marks.count > most ? monotonic.marks.count : most;
    }
    assert_in_range(most, EP_MONOTONIC_GONE, 3 * EP_MONOTONIC_GONE);
}

/* The sum of the errors of all existing rows: the errors of a freed instance are not in it any
 * more. */
TEST(diagnostic_that_falls_is_not_added_again)
{
    static const uint64_t counts[][2] = {{5, 5}, {2, 5}, {3, 5}, {6, 6}};
    for (size_t i = 0; i < 4; i++) {
        struct made made;
        made.rows[0] = diagnostics("clock", counts[i][0]);
        make(&made, 0, 1);
        raise_in(1, &made.snapshot);
        assert_int_equal(made.rows[0].calls, counts[i][1]);
    }
}

TEST(open_calls_are_shown_unchanged)
{
    for (uint64_t open = 3; open-- > 0;) {
        struct made made;
        made.rows[0] = even_instance(0, "a", 1, 1);
        made.rows[0].open = open;
        make(&made, 1, 0);
        raise_in(1, &made.snapshot);
        assert_int_equal(made.rows[0].open, open);
    }
}

/* ---- scopes ---- */

/* Two sites with one name below "a"; their order changes when one gets more calls than the
 * other. */
static void tell_sites(uint64_t first_ns, uint64_t second_ns, uint64_t total_ns, uint64_t self_ns)
{
    struct made_tree tree = {.rows = NULL};
    bool is_first = first_ns >= second_ns;
    made_scope(&tree, 0, "a", 1, 1);
    made_scope(&tree, 1, "b", 4, is_first ? first_ns : second_ns)->line = is_first ? 1 : 2;
    made_scope(&tree, 1, "b", 4, is_first ? second_ns : first_ns)->line = is_first ? 2 : 1;
    struct eprof_snapshot *snapshot = made_snapshot(&tree);
    snapshot->positions[0].site = 3;
    snapshot->positions[1].site = is_first ? 4 : 5;
    snapshot->positions[2].site = is_first ? 5 : 4;
    raise_in(1, snapshot);
    assert_int_equal(snapshot->rows[0].total_ns, total_ns);
    assert_int_equal(snapshot->rows[1].self_ns + snapshot->rows[2].self_ns, self_ns);
}

TEST_BETWEEN(sites_of_one_path_are_remembered_one_by_one, forget, forget)
{
    tell_sites(1000, 500, 1501, 1500);
    tell_sites(900, 500, 1501, 1500);
    tell_sites(900, 950, 1851, 1950); /* 1000 of one site and 950 of the other, in any order */
    tell_sites(1100, 950, 2051, 2050);
}

/* ---- threads ---- */

TEST_BETWEEN(threads_of_one_name_are_added_up, forget, forget)
{
    static const uint64_t calls[][3] = {
        {10, 5, 3}, {10, 5, 3}, {10, 7, 3}, {11, 20, 3}, {11, 20, 4}};
    enum { TELLINGS = sizeof calls / sizeof calls[0], THREADS = 3 };
    for (size_t i = 0; i < TELLINGS; i++) {
        struct made_tree tree = {.rows = NULL};
        struct eprof_row sums[2] = {instance(-1, "instances"), instance(-1, "scopes")};
        uint64_t all = 0;
        for (size_t t = 0; t < THREADS; t++)
            made_instance(&tree, even_instance(0, "a", calls[i][t], 100));
        for (size_t t = 0; t < THREADS; t++) {
            made_scope(&tree, 0, "b", calls[i][t], 1);
            all += calls[i][t];
        }
        struct eprof_snapshot *snapshot = made_snapshot(&tree);
        for (uint32_t t = 0; t < THREADS; t++)
            snapshot->instance_slots[t].thread = snapshot->positions[t].thread = t;
        raise_in(1, snapshot);
        for (size_t row = 0; row < snapshot->row_count; row++)
            sums[row / THREADS].calls += snapshot->rows[row].calls;
        assert_int_equal(sums[0].calls, all);
        assert_int_equal(sums[1].calls, all);
    }
}

/* Two threads with 1,000 and 500 calls exchange their names. */
static void tell_exchanged(bool is_exchanged, uint64_t first_calls, uint64_t busy, uint64_t idle)
{
    struct made made;
    made.rows[0] = even_instance(0, "a", first_calls, 100);
    made.rows[1] = even_instance(0, "a", 500, 100);
    made.rows[is_exchanged].thread = "busy";
    made.rows[!is_exchanged].thread = "idle";
    make(&made, 2, 0);
    made.instance_slots[1].thread = 1;
    made.snapshot.options.threads = true;
    raise_in(1, &made.snapshot);
    assert_int_equal(made.rows[is_exchanged].calls, busy);
    assert_int_equal(made.rows[!is_exchanged].calls, idle);
}

TEST(calls_stay_with_the_name_that_their_thread_had)
{
    for (int i = 0; i < 10; i++)
        tell_exchanged(i % 2, 1000, 1000, 500);
    tell_exchanged(true, 1003, 1000, 503);
    tell_exchanged(false, 1003, 1000, 503);
    tell_exchanged(false, 1004, 1001, 503);
}

/* ---- in a file ---- */

/* Writes the state, forgets it, and reads the first `bytes` of the file. */
static int read_again(long bytes)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_return_code(ep_monotonic_write(&monotonic, file), errno);
    ep_monotonic_free(&monotonic);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(ftruncate(fileno(file), bytes < 0 ? ftell(file) + bytes : bytes), 0);
    rewind(file);
    int result = ep_monotonic_read(&monotonic, file);
    int error = errno;
    fclose(file);
    errno = error;
    return result;
}

TEST(figures_do_not_fall_after_the_state_was_in_a_file)
{
    assert_shown(show(7, (struct live[]){{0, 10, 1000, 0}}, 1), 10, 10000);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_return_code(ep_monotonic_write(&monotonic, file), errno);
    ep_monotonic_free(&monotonic);
    rewind(file);
    assert_return_code(ep_monotonic_read(&monotonic, file), errno);
    fclose(file);
    assert_int_equal(monotonic.epoch, 7);
    assert_int_equal(monotonic.snapshots, 1);
    assert_shown(show(7, (struct live[]){{0, 10, 900, 0}}, 1), 10, 10000);
    assert_shown(show(8, (struct live[]){{0, 10, 900, 0}}, 1), 10, 9000);
}

TEST(state_that_is_cut_off_is_refused)
{
    for (long bytes = -1; bytes <= 40; bytes += 41) {
        show(7, (struct live[]){{0, 10, 1000, 0}}, 1);
        errno = 0;
        assert_int_equal(read_again(bytes), -1);
        assert_int_equal(errno, EINVAL);
        assert_null(monotonic.marks.rows);
    }
    show(7, (struct live[]){{0, 10, 1000, 0}}, 1);
    assert_int_equal(read_again(0), -1);
}

TEST(state_is_not_written_to_a_full_disk)
{
    show(7, (struct live[]){{0, 10, 1000, 0}}, 1);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(ep_monotonic_write(&monotonic, full), -1);
    assert_int_equal(errno, ENOSPC);
    fclose(full);
}

TEST_EACH(forget, NULL)
