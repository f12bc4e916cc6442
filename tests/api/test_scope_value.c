/* Values are recorded at the call path of the moment, and frames are scopes with a budget. */
#include "calls.h"
#include "child.h"
#include "jump.h"
#include "scope_row.h"
#include "threads.h"
#include "tree_text.h"

/* "2 calls, total -3, min -5, max 2, mean -1, unit 1", or "none". Valid until the next call. */
static const char *value_text_of(eprof_snapshot *(*take)(void), const char *path,
                                 const char *thread)
{
    static char text[200];
    eprof_snapshot *snapshot = take();
    strcpy(text, "none");
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        if (eprof_snapshot_row(snapshot, i, &row) == 0 && strcmp(row.kind, "value") == 0 &&
            strcmp(row.path, path) == 0 && strcmp(row.thread, thread) == 0)
            snprintf(text, sizeof text,
                     "%" PRIu64 " calls, total %" PRId64 ", min %" PRId64 ", max %" PRId64
                     ", mean %" PRId64 ", unit %s",
                     row.calls, (int64_t)row.total_ns, (int64_t)row.min_ns, (int64_t)row.max_ns,
                     (int64_t)row.mean_ns, row.unit);
    }
    eprof_snapshot_free(snapshot);
    return text;
}

static const char *value_text(const char *path)
{
    return value_text_of(eprof_snapshot_take, path, "*");
}

/* The only value with this path, all zero if there is none; its strings are not valid. */
static struct eprof_row value_row(const char *name)
{
    struct eprof_row row;
    take_rows(eprof_snapshot_take, "value", name, NULL, &row);
    return row;
}

#define assert_value(path, text) assert_string_equal(value_text(path), text)

/* ------------------------------------------------------------------ figures -- */

TEST(value_has_the_figures_of_its_numbers)
{
    for (int i = 1; i <= 1000; i++)
        EPROF_VALUE("v", i);
    assert_value("v", "1000 calls, total 500500, min 1, max 1000, mean 500, unit 1");
    struct eprof_row row = value_row("v");
    assert_int_equal(row.timed, 1000);
    assert_int_equal(row.outermost, 1000);
    assert_int_equal(row.stddev_ns, 289);  /* sqrt((1000^2 - 1) / 12) = 288.7 */
    assert_in_range(row.p50_ns, 469, 532); /* 6.25 % around 500 */
    assert_in_range(row.p99_ns, 928, 1000);
    assert_int_equal(row.estimated, 0);
    assert_int_equal(row.self_ns, EPROF_UNKNOWN);
    assert_int_equal(row.per_second, EPROF_UNKNOWN);
    assert_int_equal(row.mean_error_ns, 0);
    assert_diagnostics("");
}

TEST(value_may_be_negative)
{
    for (int i = -30; i < 70; i++)
        EPROF_VALUE("v", i);
    assert_value("v", "100 calls, total 1950, min -30, max 69, mean 19, unit 1");
    struct eprof_row row = value_row("v");
    assert_in_range(row.p50_ns, 18, 20);
    assert_in_range(row.p90_ns, 56, 63);
    assert_int_equal(row.stddev_ns, 29);
}

TEST(value_may_be_negative_only)
{
    EPROF_VALUE("v", -5);
    EPROF_VALUE("w", -7);
    for (int i = 0; i < 4; i++)
        EPROF_VALUE("x", -1 - i);
    assert_value("v", "1 calls, total -5, min -5, max -5, mean -5, unit 1");
    assert_value("x", "4 calls, total -10, min -4, max -1, mean -2, unit 1");
    struct eprof_row row = value_row("x");
    assert_int_equal((int64_t)row.p50_ns, -3);
    assert_int_equal((int64_t)row.p99_ns, -1);
}

TEST(value_may_be_any_number_of_64_bits)
{
    EPROF_VALUE("high", INT64_MAX);
    EPROF_VALUE("low", INT64_MIN);
    for (int i = 0; i < 2; i++)
        EPROF_VALUE("both", i ? INT64_MIN : INT64_MAX);
    for (int i = 0; i < 3; i++)
        EPROF_VALUE("sum", INT64_MAX);
    for (int i = 0; i < 3; i++)
        EPROF_VALUE("less", INT64_MIN);
    assert_value("high", "1 calls, total 9223372036854775807, min 9223372036854775807, max "
                         "9223372036854775807, mean 9223372036854775807, unit 1");
    assert_value("low", "1 calls, total -9223372036854775808, min -9223372036854775808, max "
                        "-9223372036854775808, mean -9223372036854775808, unit 1");
    assert_value("both", "2 calls, total -1, min -9223372036854775808, max 9223372036854775807, "
                         "mean 0, unit 1");
    assert_value("sum", "3 calls, total 9223372036854775807, min 9223372036854775807, max "
                        "9223372036854775807, mean 9223372036854775807, unit 1");
    assert_value("less", "3 calls, total -9223372036854775808, min -9223372036854775808, max "
                         "-9223372036854775808, mean -9223372036854775808, unit 1");
}

TEST(argument_is_evaluated_once_also_while_recording_is_off)
{
    int64_t i = 0;
    EPROF_VALUE("v", ++i);
    eprof_enable(false);
    EPROF_VALUE("v", ++i);
    EPROF_BYTES("b", ++i);
    eprof_enable(true);
    assert_int_equal(i, 3);
    assert_value("v", "1 calls, total 1, min 1, max 1, mean 1, unit 1");
    assert_value("b", "none");
}

TEST(value_keeps_errno)
{
    errno = 1234;
    EPROF_VALUE("new", 1);
    assert_int_equal(errno, 1234);
    EPROF_VALUE("far", INT64_C(1) << 62);
    assert_int_equal(errno, 1234);
}

/* -------------------------------------------------------------------- paths -- */

static NOINLINE void read_some(int64_t bytes)
{
    EPROF_FUNC;
    pass(10);
    EPROF_VALUE("size", bytes);
    stay();
}

TEST(value_is_below_the_innermost_open_scope)
{
    EPROF_VALUE("outside", 1);
    for (int i = 0; i < 20; i++) {
        EPROF_BLOCK("a") read_some(1);
        EPROF_BLOCK("b")
        {
            read_some(2);
            EPROF_VALUE("outside", 5);
        }
        read_some(3);
    }
    assert_value("outside", "1 calls, total 1, min 1, max 1, mean 1, unit 1");
    assert_value("a;read_some;size", "20 calls, total 20, min 1, max 1, mean 1, unit 1");
    assert_value("b;read_some;size", "20 calls, total 40, min 2, max 2, mean 2, unit 1");
    assert_value("read_some;size", "20 calls, total 60, min 3, max 3, mean 3, unit 1");
    assert_value("b;outside", "20 calls, total 100, min 5, max 5, mean 5, unit 1");
    assert_diagnostics("");
}

TEST(value_does_not_change_the_tree_and_its_times)
{
    for (int i = 0; i < 20; i++)
        EPROF_BLOCK("a")
        {
            pass(1);
            read_some(i);
            EPROF_VALUE("v", 1000000);
        }
    assert_tree("a 20/20 220 20\na;read_some 20/20 200 200\n");
}

static NOINLINE void recurse(int depth)
{
    EPROF_FUNC;
    EPROF_VALUE("depth", depth);
    if (depth)
        recurse(depth - 1);
    stay();
}

TEST(value_in_recursion_folds_into_one_path)
{
    for (int i = 0; i < 5; i++)
        recurse(9);
    assert_value("recurse;depth", "50 calls, total 225, min 0, max 9, mean 4, unit 1");
}

TEST(value_is_below_a_scope_that_was_entered_by_hand)
{
    for (int i = 0; i < 9; i++) {
        eprof_enter("hand");
        EPROF_VALUE("v", i);
        eprof_leave();
    }
    assert_value("hand;v", "9 calls, total 36, min 0, max 8, mean 4, unit 1");
    assert_tree("hand 9/9 0 0\n");
}

static NOINLINE void record_below(void)
{
    EPROF_VALUE("v", 1);
    stay();
}

TEST(value_after_a_jump_is_not_below_the_scope_that_was_left)
{
    for (volatile int i = 0; i < 20; i++)
        EPROF_BLOCK("around")
        {
            if (!setjmp(back))
                jump_over_1();
            record_below();
        }
    assert_value("around;v", "20 calls, total 20, min 1, max 1, mean 1, unit 1");
    assert_value("around;jump_over_1;v", "none");
}

TEST(scope_and_value_of_one_label_are_two_rows)
{
    EPROF_BLOCK("x")
    {
        EPROF_VALUE("x", 1);
        EPROF_BLOCK("x") pass(1);
    }
    assert_value("x;x", "1 calls, total 1, min 1, max 1, mean 1, unit 1");
    assert_int_equal(count_rows("value"), 1);
    assert_int_equal(count_rows("scope"), 2);
}

/* ------------------------------------------------------ threads, reset, fork -- */

static void record_two(void *number)
{
    EPROF_SCOPE("scope");
    EPROF_VALUE("v", *(int *)number);
    EPROF_VALUE("v", -*(int *)number);
}

static void record_named(void *number)
{
    eprof_thread_enter("named");
    record_two(number);
}

TEST(values_of_ended_threads_stay_and_add_up)
{
    int one = 1, ten = 10, hundred = 100;
    on_a_thread(record_named, &one);
    on_a_thread(record_named, &ten);
    record_two(&hundred);
    static const char row[] = "scope;v"; /* two sites */
    struct eprof_row value;
    assert_int_equal(take_rows(eprof_snapshot_take, "value", "v", "*", &value), 2);
    assert_int_equal(take_rows(eprof_snapshot_take_threads, "value", "v", "named", &value), 2);
    assert_string_equal(value_text_of(eprof_snapshot_take_threads, row, "named"),
                        "2 calls, total -11, min -10, max -1, mean -5, unit 1");
    assert_string_equal(value_text(row), "3 calls, total -111, min -100, max -1, mean -37, unit 1");
}

static void record_outside(void *number)
{
    eprof_thread_enter(*(int *)number == 1 ? "one" : "ten");
    EPROF_VALUE("v", *(int *)number);
}

TEST(threads_may_have_values_only)
{
    int one = 1, ten = 10;
    on_a_thread(record_outside, &one);
    on_a_thread(record_outside, &ten);
    assert_string_equal(value_text_of(eprof_snapshot_take_threads, "v", "one"),
                        "1 calls, total 1, min 1, max 1, mean 1, unit 1");
    assert_string_equal(value_text_of(eprof_snapshot_take_threads, "v", "ten"),
                        "1 calls, total 10, min 10, max 10, mean 10, unit 1");
    assert_value("v", "2 calls, total 11, min 1, max 10, mean 5, unit 1");
}

/* The branches of a large tree are forgotten as its rows are made. */
TEST(each_of_many_scopes_has_its_value)
{
    enum { SCOPES = 3000 };
    size_t found = 0;
    for (int i = 0; i < SCOPES; i++) {
        char label[16];
        snprintf(label, sizeof label, "scope %d", i);
        eprof_enter(label);
        EPROF_BYTES("b", i);
        pass(1000);
        eprof_leave();
    }
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < eprof_snapshot_rows(snapshot); i++) {
        struct eprof_row row = {.size = sizeof row};
        char path[32];
        if (eprof_snapshot_row(snapshot, i, &row) != 0 || strcmp(row.kind, "value") != 0)
            continue;
        snprintf(path, sizeof path, "scope %" PRIu64 ";b", row.total_ns);
        assert_string_equal(row.path, path);
        if (!has_counts_only())
            assert_int_equal(row.per_second, row.total_ns * 1000000);
        found++;
    }
    eprof_snapshot_free(snapshot);
    assert_int_equal(found, SCOPES);
}

TEST(reset_discards_values)
{
    EPROF_BLOCK("a")
    {
        for (int i = 0; i < 20; i++) {
            EPROF_VALUE("v", i);
            EPROF_VALUE("w", -i);
            if (i == 16)
                eprof_reset();
        }
    }
    assert_value("a;v", "3 calls, total 54, min 17, max 19, mean 18, unit 1");
    assert_value("a;w", "3 calls, total -54, min -19, max -17, mean -18, unit 1");
    eprof_reset();
    assert_value("a;v", "none");
}

static void record_in_child(void *seen)
{
    EPROF_BLOCK("a") EPROF_VALUE("in the child", 7);
    strcpy(seen, value_text("a;in the child"));
    strcat(seen, value_text("a;before"));
}

TEST(child_begins_without_values_and_leaves_those_of_its_parent)
{
    char seen[400] = "";
    EPROF_BLOCK("a") EPROF_VALUE("before", 1);
    child_do(fork, record_in_child, seen, sizeof seen);
    assert_string_equal(seen, "1 calls, total 7, min 7, max 7, mean 7, unit 1none");
    assert_value("a;before", "1 calls, total 1, min 1, max 1, mean 1, unit 1");
    assert_value("a;in the child", "none");
}

static void record_switched_off(void *unused)
{
    (void)unused;
    eprof_thread_enable(false);
    EPROF_VALUE("off", 1);
    eprof_thread_enable(true);
    EPROF_VALUE("on", 1);
}

TEST(thread_that_is_switched_off_records_no_values)
{
    record_switched_off(NULL);
    on_a_thread(record_switched_off, NULL);
    assert_value("off", "none");
    assert_value("on", "2 calls, total 2, min 1, max 1, mean 1, unit 1");
}

/* -------------------------------------------------------------------- holds -- */

TEST(value_counts_if_its_hold_is_kept)
{
    for (int i = 0; i < 20; i++) {
        EPROF_SCOPE("a");
        EPROF_VALUE("v", 1000);
        eprof_hold();
        EPROF_VALUE("v", i);
        EPROF_VALUE("w", -i);
        EPROF_BLOCK("b") EPROF_VALUE("x", i);
        eprof_keep(i % 2);
    }
    struct eprof_row v;
    assert_int_equal(take_rows(eprof_snapshot_take, "value", "v", "*", &v), 2);
    assert_string_equal(value_text("a;w"),
                        "10 calls, total -100, min -19, max -1, mean -10, unit 1");
    assert_string_equal(value_text("a;b;x"), "10 calls, total 100, min 1, max 19, mean 10, unit 1");
    assert_diagnostics("");
}

TEST(value_in_nested_holds_counts_if_all_are_kept)
{
    for (int kept = 0; kept < 4; kept++) {
        eprof_hold();
        eprof_hold();
        for (int i = 0; i < 3; i++)
            EPROF_VALUE("v", kept);
        eprof_keep(kept & 1);
        eprof_keep(kept & 2);
    }
    assert_value("v", "3 calls, total 9, min 3, max 3, mean 3, unit 1");
}

/* -------------------------------------------------------------------- bytes -- */

TEST(bytes_have_a_rate_in_the_scope_around_them)
{
    for (int i = 0; i < 4; i++)
        EPROF_BLOCK("read")
        {
            EPROF_BYTES("input", 500);
            pass(1000);
        }
    EPROF_BYTES("alone", 1);
    assert_value("read;input", "4 calls, total 2000, min 500, max 500, mean 500, unit bytes");
    assert_ns(value_row("input").per_second, 500000000); /* 2,000 bytes in 4 us */
    assert_int_equal(value_row("alone").per_second, EPROF_UNKNOWN);
}

/* ------------------------------------------------------------------- frames -- */

static NOINLINE bool frame_of(uint64_t ticks, bool returns)
{
    EPROF_FRAME("frame", 16000000);
    pass(ticks);
    if (returns)
        return true;
    pass(1);
    return false;
}

TEST(each_frame_is_timed_and_those_beyond_their_budget_are_values)
{
    for (int i = 0; i < 300; i++)
        frame_of(i % 100 ? 10000000 : 18000000, i % 2);
    struct eprof_row row = scope_row("frame");
    assert_int_equal(row.calls, 300);
    assert_int_equal(row.timed, 300);
    assert_int_equal(row.estimated, 0);
    assert_int_equal(row.total_ns, UINT64_C(297) * 10000000 + 3 * 18000000 + 150);
    assert_int_equal(row.per_second, 99); /* 300 frames in 3.024 s */
    assert_value("frame;over 16.000 ms",
                 "3 calls, total 6000003, min 2000001, max 2000001, mean 2000001, unit ns");
    assert_diagnostics("");
}

TEST(frame_at_its_budget_is_not_beyond_it)
{
    frame_of(16000000, true);
    assert_value("frame;over 16.000 ms", "none");
    frame_of(16000000, false);
    assert_value("frame;over 16.000 ms", "1 calls, total 1, min 1, max 1, mean 1, unit ns");
}

TEST(frame_whose_budget_changes_has_one_row)
{
    for (int i = 0; i < 10; i++) {
        EPROF_FRAME("frame", i < 5 ? 100 : 1000 + i);
        pass(i % 2 ? 1001 : 50);
        if (i == 1)
            assert_value("frame;over 0.000 ms", "none"); /* it has not ended */
        if (i == 2)
            assert_value("frame;over 0.000 ms",
                         "1 calls, total 901, min 901, max 901, mean 901, unit ns");
    }
    assert_value("frame;over 0.000 ms", "2 calls, total 1802, min 901, max 901, mean 901, unit ns");
    EPROF_BLOCK("again")
    for (int i = 0; i < 2; i++) {
        EPROF_FRAME("frame", 1000000 * (i + 1));
        pass(3000000);
    }
    assert_value("again;frame;over budget",
                 "2 calls, total 3000000, min 1000000, max 2000000, mean 1500000, unit ns");
    assert_value("again;frame;over 1.000 ms", "none");
}

TEST(frame_is_a_scope_with_scopes_in_it)
{
    for (int i = 0; i < 30; i++) {
        EPROF_FRAME("frame", 1000);
        pass(2);
        if (i % 3 == 0)
            continue;
        read_some(1);
    }
    assert_tree("frame 30/30 260 60\nframe;read_some 20/20 200 200\n");
}

TEST(frame_in_a_hold_counts_if_it_is_kept)
{
    for (int i = 0; i < 40; i++) {
        eprof_hold();
        frame_of(17000000, true);
        eprof_keep(i % 4 == 0);
    }
    assert_int_equal(scope_row("frame").calls, 10);
    assert_int_equal(scope_row("frame").timed, 10);
    assert_value("frame;over 16.000 ms", "10 calls, total 10000000, min 1000000, max 1000000, "
                                         "mean 1000000, unit ns");
}

TEST(frame_around_a_reset_or_switched_off_is_discarded)
{
    {
        EPROF_FRAME("reset", 1);
        pass(10);
        eprof_reset();
        pass(10);
    }
    eprof_enable(false);
    {
        EPROF_FRAME("off", 1);
        pass(10);
        eprof_enable(true);
    }
    assert_tree("");
    assert_int_equal(count_rows("value"), 0);
    assert_diagnostics("");
}

static NOINLINE void leave_frame_by_jump(void)
{
    EPROF_FRAME("left", 5);
    pass(10);
    longjmp(back, 1);
}

TEST(frame_that_is_left_by_a_jump_ends_at_the_next_call)
{
    EPROF_BLOCK("around")
    {
        if (!setjmp(back))
            leave_frame_by_jump();
        later();
    }
    assert_tree("around 1/1 1010 0\naround;later 1/1 1000 1000\naround;left 1/1 10 10\n");
    assert_diagnostics("forced_closes 1");
}

TEST_EACH(hand_clock_begin, end)
