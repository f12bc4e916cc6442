/* A snapshot of the records, row by row. */
#include "rows.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>

static struct eprof_row row_at(const eprof_snapshot *snapshot, size_t index)
{
    struct eprof_row row = {.size = sizeof row};
    assert_return_code(eprof_snapshot_row(snapshot, index, &row), errno);
    return row;
}

/* ------------------------------------------------------------------ rows -- */

/* This is the first test: only here is there a single slot that was ever used. */
TEST(id_of_a_row_is_the_slot_and_not_the_handle)
{
    assert_int_equal(instance, 0);
    for (int i = 0; i < 5; i++) {
        pair_of(instance, 3);
        assert_int_equal(instance_row("work").id, 0);
        assert_return_code(eprof_release(instance), errno);
        instance = eprof_alloc("work");
        assert_int_not_equal(instance, 0);
    }
}

TEST(snapshot_of_nothing_has_no_rows)
{
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_non_null(snapshot);
    assert_int_equal(eprof_snapshot_rows(snapshot), 0);
    eprof_snapshot_free(snapshot);
    snapshot = eprof_snapshot_take_threads();
    assert_non_null(snapshot);
    assert_int_equal(eprof_snapshot_rows(snapshot), 0);
    eprof_snapshot_free(snapshot);
}

TEST(row_shows_every_figure_of_an_instance)
{
    pair_of(instance, 10);
    pair_of(instance, 30);
    pair_of(instance, (uint64_t)-1);
    eprof_start(instance);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 2); /* and the diagnostics with the clock */
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
    assert_int_equal(row.outermost, 3);
    assert_int_equal(row.estimated, 0);
    assert_int_equal(row.mean_error_ns, 0);
    assert_int_equal(row.total_error_ns, 0);
    assert_int_equal(row.cpu_ns, EPROF_UNKNOWN);
    assert_int_equal(row.wait_ns, EPROF_UNKNOWN);
    assert_string_equal(row.unit, "ns");
    eprof_snapshot_free(snapshot);
    eprof_stop(instance);
}

TEST(rows_stand_in_the_order_of_ids)
{
    enum { INSTANCES = 50 };
    int ids[INSTANCES];
    for (int i = 0; i < INSTANCES; i++) {
        char label[16];
        snprintf(label, sizeof label, "%d", i);
        ids[i] = eprof_alloc(label);
    }
    for (int i = INSTANCES - 1; i >= 0; i--)
        pair_of(ids[i], (uint64_t)i);
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

TEST(instance_without_calls_since_the_reset_has_no_row)
{
    int other = eprof_alloc("other");
    pair_of(instance, 3);
    pair_of(other, 4);
    eprof_reset();
    pair_of(other, 5);
    assert_int_equal(count_rows("instance"), 1);
    assert_figures(instance_row("other"), 1, 5);
}

TEST(released_instance_has_no_row)
{
    pair_of(instance, 3);
    assert_return_code(eprof_release(instance), errno);
    assert_int_equal(count_rows(NULL), 0);
}

TEST(path_escapes_what_joins_paths)
{
    pair_of(eprof_alloc("a;b\\c"), 1);
    pair_of(eprof_alloc(";"), 1);
    pair_of(eprof_alloc(""), 1);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_string_equal(row_at(snapshot, 0).name, "a;b\\c");
    assert_string_equal(row_at(snapshot, 0).path, "a\\;b\\\\c");
    assert_string_equal(row_at(snapshot, 1).path, "\\;");
    assert_string_equal(row_at(snapshot, 2).path, "");
    eprof_snapshot_free(snapshot);
}

/* --------------------------------------------------------------- diagnostics -- */

TEST(diagnostic_that_is_not_zero_has_a_row_behind_the_instances)
{
    static const char *const expected[] = {"instance", "diagnostic", "diagnostic", "diagnostic",
                                           "diagnostic"};
    struct eprof_row row;
    pair_of(instance, 5);
    pair_of(instance, (uint64_t)-2);
    eprof_stop(instance);
    for (int i = 0; i < 2; i++)
        eprof_start(-1);
    for (int i = 0; i < 3; i++)
        eprof_free("nobody");
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_int_equal(eprof_snapshot_rows(snapshot), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(row_at(snapshot, i).kind, expected[i]);
    assert_int_equal(find_rows(snapshot, "diagnostic", "unbalanced", NULL, &row), 1);
    assert_int_equal(row.calls, 1);
    assert_int_equal(row.id, -1);
    assert_string_equal(row.thread, "*");
    assert_string_equal(row.path, "unbalanced");
    assert_string_equal(row.file, "");
    assert_int_equal(row.total_ns, 0);
    assert_int_equal(find_rows(snapshot, "diagnostic", "bad_handles", NULL, &row), 1);
    assert_int_equal(row.calls, 2);
    assert_int_equal(find_rows(snapshot, "diagnostic", "unknown_labels", NULL, &row), 1);
    assert_int_equal(row.calls, 3);
    assert_int_equal(find_rows(snapshot, "diagnostic", "clock", NULL, &row), 1);
    assert_int_equal(row.calls, 1);
    eprof_snapshot_free(snapshot);
}

TEST(diagnostic_goes_with_a_reset)
{
    eprof_stop(instance);
    eprof_start(-1);
    eprof_free(NULL);
    pair_of(instance, (uint64_t)-2);
    assert_int_equal(count_rows("diagnostic"), 4);
    eprof_reset();
    assert_int_equal(count_rows(NULL), 0);
}

/* ------------------------------------------------------- size and strings -- */

/* The members of the first version, up to max_ns. */
enum { FIRST_SIZE = offsetof(struct eprof_row, outermost) };

TEST(row_of_an_older_program_is_not_written_beyond_its_size)
{
    static const size_t sizes[] = {FIRST_SIZE, offsetof(struct eprof_row, cpu_ns)};
    pair_of(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        union {
            struct eprof_row row;
            unsigned char bytes[sizeof(struct eprof_row)];
        } older;
        memset(&older, 0x77, sizeof older);
        older.row.size = sizes[i];
        assert_return_code(eprof_snapshot_row(snapshot, 0, &older.row), errno);
        assert_int_equal(older.row.size, sizes[i]);
        assert_string_equal(older.row.path, "work");
        assert_int_equal(older.row.max_ns, 5);
        for (size_t at = sizes[i]; at < sizeof older; at++)
            assert_int_equal(older.bytes[at], 0x77);
    }
    eprof_snapshot_free(snapshot);
}

TEST(row_that_is_too_small_is_einval)
{
    struct eprof_row row = {.size = sizeof row};
    pair_of(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    row.size = FIRST_SIZE - 1;
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

TEST(row_of_a_newer_program_keeps_what_is_behind)
{
    struct {
        struct eprof_row row;
        uint64_t newer;
    } larger = {.row.size = sizeof larger, .newer = 77};
    pair_of(instance, 5);
    eprof_snapshot *snapshot = eprof_snapshot_take();
    assert_return_code(eprof_snapshot_row(snapshot, 0, &larger.row), errno);
    assert_int_equal(larger.row.size, sizeof larger);
    assert_int_equal(larger.row.total_ns, 5);
    assert_int_equal(larger.newer, 77);
    eprof_snapshot_free(snapshot);
}

TEST(strings_live_until_the_snapshot_is_freed)
{
    eprof_thread_enter("sailor");
    pair_of(instance, 5);
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

TEST(null_and_what_is_out_of_range_are_einval)
{
    struct eprof_row row = {.size = sizeof row};
    pair_of(instance, 5);
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

TEST(snapshot_keeps_what_it_saw_while_recording_goes_on)
{
    pair_of(instance, 5);
    eprof_snapshot *before = eprof_snapshot_take();
    pair_of(instance, 7);
    eprof_snapshot *after = eprof_snapshot_take();
    assert_figures(row_at(before, 0), 1, 5);
    assert_figures(row_at(after, 0), 2, 12);
    eprof_reset();
    assert_figures(row_at(before, 0), 1, 5);
    eprof_snapshot_free(before);
    eprof_snapshot_free(after);
}

TEST_EACH(begin_test, NULL)
