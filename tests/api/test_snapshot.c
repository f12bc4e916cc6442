/* A picture of what was recorded, row by row. */
#include "hand_clock.h"
#include "rows.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>

static int instance;

static int begin_test(void **state)
{
    (void)state;
    hand_clock_use();
    eprof_init();
    instance = eprof_alloc("work");
    return 0;
}

static void record(int id, uint64_t ticks)
{
    eprof_start(id);
    hand_ticks += ticks;
    eprof_stop(id);
}

static struct eprof_row row_at(const eprof_snapshot *snapshot, size_t index)
{
    struct eprof_row row = {.size = sizeof row};
    assert_return_code(eprof_snapshot_row(snapshot, index, &row), errno);
    return row;
}

/* ------------------------------------------------------------------ rows -- */

/* Stands first: only here is there one slot that was ever used. */
static void id_of_a_row_is_the_slot_and_not_the_handle(void **state)
{
    (void)state;
    assert_int_equal(instance, 0);
    for (int i = 0; i < 5; i++) {
        record(instance, 3);
        assert_int_equal(instance_row("work").id, 0);
        assert_return_code(eprof_release(instance), errno);
        instance = eprof_alloc("work");
        assert_int_not_equal(instance, 0);
    }
}

static void snapshot_of_nothing_has_no_rows(void **state)
{
    (void)state;
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_non_null(snapshot);
    assert_int_equal(eprof_snapshot_rows(snapshot), 0);
    eprof_snapshot_free(snapshot);
    snapshot = eprof_snapshot_take_threads();
    assert_non_null(snapshot);
    assert_int_equal(eprof_snapshot_rows(snapshot), 0);
    eprof_snapshot_free(snapshot);
}

static void row_shows_every_figure_of_an_instance(void **state)
{
    (void)state;
    record(instance, 10);
    record(instance, 30);
    record(instance, (uint64_t)-1);
    eprof_start(instance);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 2); /* and the trouble with the clock */
    struct eprof_row row = row_at(snapshot, 0);
    assert_int_equal(row.size, sizeof row);
    assert_string_equal(row.kind, "instance");
    assert_string_equal(row.name, "work");
    assert_string_equal(row.path, "work");
    assert_string_equal(row.thread, "*");
    assert_string_equal(row.file, "");
    assert_int_equal(row.line, 0);
    assert_in_range(row.id, 0, instance);
    assert_int_equal(row.calls, 3);
    assert_int_equal(row.timed, 2);
    assert_int_equal(row.errors, 1);
    assert_int_equal(row.open, 1);
    assert_int_equal(row.total_ns, 40);
    assert_int_equal(row.self_ns, 40);
    assert_int_equal(row.mean_ns, 20);
    assert_int_equal(row.stddev_ns, 10);
    assert_int_equal(row.min_ns, 10);
    assert_int_equal(row.p50_ns, 10);
    assert_in_range(row.p90_ns, 29, 30);
    assert_in_range(row.p99_ns, 29, 30);
    assert_in_range(row.p999_ns, 29, 30);
    assert_int_equal(row.max_ns, 30);
    eprof_snapshot_free(snapshot);
    eprof_stop(instance);
}

static void rows_stand_in_the_order_of_ids(void **state)
{
    enum { INSTANCES = 50 };
    int ids[INSTANCES];
    (void)state;
    for (int i = 0; i < INSTANCES; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        ids[i] = eprof_alloc(label);
    }
    for (int i = INSTANCES - 1; i >= 0; i--)
        record(ids[i], (uint64_t)i);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), INSTANCES);
    for (size_t i = 0; i < INSTANCES; i++) {
        struct eprof_row row = row_at(snapshot, i);
        assert_int_equal(row.total_ns, strtoull(row.name, NULL, 10));
        if (i > 0 && row_at(snapshot, i - 1).id >= row.id)
            fail_msg("ID %d stands before %d", row_at(snapshot, i - 1).id, row.id);
    }
    eprof_snapshot_free(snapshot);
}

static void instance_without_calls_since_the_reset_has_no_row(void **state)
{
    int other = eprof_alloc("other");
    (void)state;
    record(instance, 3);
    record(other, 4);
    eprof_reset();
    record(other, 5);
    assert_int_equal(count_rows("instance"), 1);
    assert_figures(instance_row("other"), 1, 5);
}

static void released_instance_has_no_row(void **state)
{
    (void)state;
    record(instance, 3);
    assert_return_code(eprof_release(instance), errno);
    assert_int_equal(count_rows(NULL), 0);
}

static void path_escapes_what_joins_paths(void **state)
{
    (void)state;
    record(eprof_alloc("a;b\\c"), 1);
    record(eprof_alloc(";"), 1);
    record(eprof_alloc(""), 1);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_string_equal(row_at(snapshot, 0).name, "a;b\\c");
    assert_string_equal(row_at(snapshot, 0).path, "a\\;b\\\\c");
    assert_string_equal(row_at(snapshot, 1).path, "\\;");
    assert_string_equal(row_at(snapshot, 2).path, "");
    eprof_snapshot_free(snapshot);
}

/* --------------------------------------------------------------- trouble -- */

static void trouble_that_is_not_zero_has_a_row_behind_the_instances(void **state)
{
    static const char *const expected[] = {"instance", "trouble", "trouble", "trouble", "trouble"};
    struct eprof_row row;
    (void)state;
    record(instance, 5);
    record(instance, (uint64_t)-2);
    eprof_stop(instance);
    for (int i = 0; i < 2; i++)
        eprof_start(-1);
    for (int i = 0; i < 3; i++)
        eprof_free("nobody");
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(row_at(snapshot, i).kind, expected[i]);
    assert_int_equal(find_rows(snapshot, "trouble", "unbalanced", NULL, &row), 1);
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.id, -1);
    assert_string_equal(row.thread, "*");
    assert_string_equal(row.path, "unbalanced");
    assert_string_equal(row.file, "");
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(find_rows(snapshot, "trouble", "bad_handles", NULL, &row), 1);
    assert_int_equal(row.calls, 2);
    assert_int_equal(find_rows(snapshot, "trouble", "unknown_labels", NULL, &row), 1);
    assert_int_equal(row.calls, 3);
    assert_int_equal(find_rows(snapshot, "trouble", "clock", NULL, &row), 1);
    assert_int_equal(row.calls, 1);
    eprof_snapshot_free(snapshot);
}

static void trouble_goes_with_a_reset(void **state)
{
    (void)state;
    eprof_stop(instance);
    eprof_start(-1);
    eprof_free(NULL);
    record(instance, (uint64_t)-2);
    assert_int_equal(count_rows("trouble"), 4);
    eprof_reset();
    assert_int_equal(count_rows(NULL), 0);
}

/* ------------------------------------------------------- size and strings -- */

static void row_of_an_older_program_is_not_written_beyond_its_size(void **state)
{
    struct eprof_row row = {.size = sizeof row};
    (void)state;
    record(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    row.size = sizeof row - 1;
    row.calls = 77;
    errno = 0;
    assert_int_equal(eprof_snapshot_row(snapshot, 0, &row), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(row.calls, 77);
    row.size = 0;
    assert_int_equal(eprof_snapshot_row(snapshot, 0, &row), -1);
    assert_int_equal(errno, EINVAL);
    eprof_snapshot_free(snapshot);
}

static void row_of_a_newer_program_keeps_what_is_behind(void **state)
{
    struct {
        struct eprof_row row;
        uint64_t newer;
    } larger = {.row.size = sizeof larger, .newer = 77};
    (void)state;
    record(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_return_code(eprof_snapshot_row(snapshot, 0, &larger.row), errno);
    assert_int_equal(larger.row.size, sizeof larger);
    assert_int_equal(larger.row.total_ns, 5);
    assert_int_equal(larger.newer, 77);
    eprof_snapshot_free(snapshot);
}

static void strings_live_until_the_snapshot_is_freed(void **state)
{
    (void)state;
    eprof_thread_enter("sailor");
    record(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take_threads();
    struct eprof_row row = row_at(snapshot, 0);
    eprof_thread_enter("tinker");
    assert_return_code(eprof_release(instance), errno);
    assert_int_equal(eprof_alloc("soldier") < 0, 0); /* in the memory of the label */
    eprof_init();
    hand_clock_use();
    assert_string_equal(row.kind, "instance");
    assert_string_equal(row.name, "work");
    assert_string_equal(row.path, "work");
    assert_string_equal(row.thread, "sailor");
    assert_int_equal(row_at(snapshot, 0).total_ns, 5);
    eprof_snapshot_free(snapshot);
    eprof_thread_enter(NULL);
}

static void null_and_what_is_out_of_range_are_einval(void **state)
{
    struct eprof_row row = {.size = sizeof row};
    (void)state;
    record(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 1);
    static const size_t beyond[] = {1, 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        errno = 0;
        assert_int_equal(eprof_snapshot_row(snapshot, beyond[i], &row), -1);
        assert_int_equal(errno, EINVAL);
    }
    errno = 0;
    assert_int_equal(eprof_snapshot_row(snapshot, 0, NULL), -1);
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_int_equal(eprof_snapshot_row(NULL, 0, &row), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(eprof_snapshot_rows(NULL), 0);
    eprof_snapshot_free(NULL);
    eprof_snapshot_free(snapshot);
}

static void snapshot_keeps_what_it_saw_while_recording_goes_on(void **state)
{
    (void)state;
    record(instance, 5);
    eprof_snapshot *before = eprof_snapshot_take();
    record(instance, 7);
    eprof_snapshot *after = eprof_snapshot_take();
    assert_figures(row_at(before, 0), 1, 5);
    assert_figures(row_at(after, 0), 2, 12);
    eprof_reset();
    assert_figures(row_at(before, 0), 1, 5);
    eprof_snapshot_free(before);
    eprof_snapshot_free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(id_of_a_row_is_the_slot_and_not_the_handle, begin_test),
        cmocka_unit_test_setup(snapshot_of_nothing_has_no_rows, begin_test),
        cmocka_unit_test_setup(row_shows_every_figure_of_an_instance, begin_test),
        cmocka_unit_test_setup(rows_stand_in_the_order_of_ids, begin_test),
        cmocka_unit_test_setup(instance_without_calls_since_the_reset_has_no_row, begin_test),
        cmocka_unit_test_setup(released_instance_has_no_row, begin_test),
        cmocka_unit_test_setup(path_escapes_what_joins_paths, begin_test),
        cmocka_unit_test_setup(trouble_that_is_not_zero_has_a_row_behind_the_instances, begin_test),
        cmocka_unit_test_setup(trouble_goes_with_a_reset, begin_test),
        cmocka_unit_test_setup(row_of_an_older_program_is_not_written_beyond_its_size, begin_test),
        cmocka_unit_test_setup(row_of_a_newer_program_keeps_what_is_behind, begin_test),
        cmocka_unit_test_setup(strings_live_until_the_snapshot_is_freed, begin_test),
        cmocka_unit_test_setup(null_and_what_is_out_of_range_are_einval, begin_test),
        cmocka_unit_test_setup(snapshot_keeps_what_it_saw_while_recording_goes_on, begin_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
