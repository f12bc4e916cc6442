/* Which rows a snapshot has, and what they are called; the image is made by hand. */
#include "fake_image.h"

#include <stdio.h>

static size_t count_rows(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = fake_take(options);
    size_t rows = snapshot->row_count;
    ep_snapshot_free(snapshot);
    return rows;
}

/* ------------------------------------------------------------- what counts -- */

static void empty_image_has_no_rows(void **state)
{
    (void)state;
    assert_int_equal(count_rows(MERGED), 0);
    assert_int_equal(count_rows(BY_THREADS), 0);
    fake_instance(0, "never recorded", 1);
    fake_thread(0, NULL);
    assert_int_equal(count_rows(MERGED), 0);
    assert_int_equal(count_rows(BY_THREADS), 0);
}

static void pair_counts_from_the_stamp_of_the_reset_on(void **state)
{
    (void)state;
    fake_instance(0, "work", 1);
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, 0);
    fake_call(pair, 5);
    fake_reset(7);
    for (uint64_t stamp = 0; stamp < 10; stamp++) {
        pair->stamp = stamp;
        if (count_rows(MERGED) != (stamp >= 7))
            fail_msg("reset at 7, pair of %llu", (unsigned long long)stamp);
    }
}

static void pair_counts_from_the_birth_of_its_instance_on(void **state)
{
    (void)state;
    fake_instance(0, "work", 7);
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, 0);
    fake_call(pair, 5);
    for (uint64_t stamp = 0; stamp < 10; stamp++) {
        pair->stamp = stamp;
        if (count_rows(MERGED) != (stamp >= 7))
            fail_msg("born at 7, pair of %llu", (unsigned long long)stamp);
    }
}

static void upper_bits_of_a_stamp_are_the_threads_own(void **state)
{
    (void)state;
    fake_instance(0, "work", 1);
    fake_reset(7);
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, 7);
    fake_call(pair, 5);
    pair->stamp = (UINT64_C(3) << 48) + 7;
    assert_int_equal(count_rows(MERGED), 1);
    pair->stamp = (UINT64_C(3) << 48) + 6;
    assert_int_equal(count_rows(MERGED), 0);
}

static void pair_of_another_life_of_the_slot_does_not_count(void **state)
{
    (void)state;
    struct ep_instance_cell *instance = fake_instance(0, "work", 1);
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, 1);
    fake_call(pair, 5);
    instance->handle = EP_SLOTS;
    assert_int_equal(count_rows(MERGED), 0);
    pair->handle = EP_SLOTS;
    assert_int_equal(count_rows(MERGED), 1);
}

static void instance_that_is_not_alive_has_no_row(void **state)
{
    (void)state;
    struct ep_instance_cell *instance = fake_instance(0, "work", 1);
    fake_call(fake_pair(fake_thread(0, NULL), 0, 1), 5);
    instance->born = 0;
    assert_int_equal(count_rows(MERGED), 0);
}

static void pair_of_a_slot_that_was_never_used_does_not_count(void **state)
{
    (void)state;
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 5000, 1);
    fake_call(pair, 5);
    assert_int_equal(count_rows(MERGED), 0);
    pair->handle = UINT32_MAX;
    assert_int_equal(count_rows(MERGED), 0);
}

/* ------------------------------------------------------------------- order -- */

/* Threads and pairs lie in the image in the order that the newest comes first. */
static void rows_are_sorted_by_slot_and_then_by_thread(void **state)
{
    static const uint32_t slots[] = {700, 3, 2000};
    static const uint32_t numbers[] = {2, 0, 9, 1};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        fake_instance(slots[i], "work", 1);
    for (size_t n = 0; n < 4; n++) {
        struct ep_thread_cell *thread = fake_thread(numbers[n], NULL);
        for (size_t i = 0; i < 3; i++)
            fake_call(fake_pair(thread, slots[i], 1), 10 * slots[i] + numbers[n]);
    }
    static const char *const threads[] = {"main", "thread 1", "thread 2", "thread 9"};
    static const uint32_t sorted_slots[] = {3, 700, 2000}, sorted_numbers[] = {0, 1, 2, 9};
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    assert_int_equal(snapshot->row_count, 12);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(snapshot->rows[i].id, sorted_slots[i / 4]);
        assert_string_equal(snapshot->rows[i].thread, threads[i % 4]);
        assert_int_equal(snapshot->rows[i].total_ns,
                         10 * sorted_slots[i / 4] + sorted_numbers[i % 4]);
    }
    ep_snapshot_free(snapshot);
    snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(snapshot->rows[i].id, sorted_slots[i]);
        assert_string_equal(snapshot->rows[i].thread, "*");
        assert_int_equal(snapshot->rows[i].total_ns, 40 * sorted_slots[i] + 12);
    }
    ep_snapshot_free(snapshot);
}

/* ------------------------------------------------------------------- names -- */

static void row_is_called_by_its_label_and_its_thread(void **state)
{
    (void)state;
    struct ep_instance_cell *instance = fake_instance(5, "a;b\\", 1);
    fake_call(fake_pair(fake_thread(4, "sailor"), 5, 1), 5);
    instance->handle = 5;
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    assert_int_equal(snapshot->row_count, 1);
    assert_string_equal(snapshot->rows[0].kind, "instance");
    assert_string_equal(snapshot->rows[0].name, "a;b\\");
    assert_string_equal(snapshot->rows[0].path, "a\\;b\\\\");
    assert_string_equal(snapshot->rows[0].thread, "sailor");
    assert_string_equal(snapshot->rows[0].file, "");
    assert_int_equal(snapshot->rows[0].line, 0);
    assert_int_equal(snapshot->rows[0].id, 5);
    ep_snapshot_free(snapshot);
}

static void snapshot_outlives_the_image(void **state)
{
    (void)state;
    fake_instance(5, "work", 1);
    fake_call(fake_pair(fake_thread(4, "sailor"), 5, 1), 5);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "clock", 6);
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    fake_end(NULL);
    assert_string_equal(snapshot->rows[0].name, "work");
    assert_string_equal(snapshot->rows[0].path, "work");
    assert_string_equal(snapshot->rows[0].thread, "sailor");
    assert_string_equal(snapshot->source, "clock");
    ep_snapshot_free(snapshot);
    assert_int_equal(fake_begin(NULL), 0);
}

/* ----------------------------------------------------------------- trouble -- */

static void trouble_is_added_up_over_the_process_and_its_threads(void **state)
{
    (void)state;
    fake_reset(7);
    fake.cells[EP_CELL_TROUBLE].trouble.count[EP_TROUBLE_UNBALANCED] = 100;
    fake.cells[EP_CELL_TROUBLE].trouble.count[EP_TROUBLE_LOST] = 4;
    for (uint64_t stamp = 5; stamp < 10; stamp++) {
        const struct ep_thread_cell *thread = fake_thread((uint32_t)stamp, NULL);
        struct ep_trouble_cell *trouble = &fake.cells[thread->trouble].trouble;
        trouble->stamp = stamp;
        trouble->count[EP_TROUBLE_UNBALANCED] = stamp;
    }
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 2);
    assert_int_equal(snapshot->trouble_first, 0);
    assert_string_equal(snapshot->rows[0].kind, "trouble");
    assert_string_equal(snapshot->rows[0].name, "unbalanced");
    assert_string_equal(snapshot->rows[0].path, "unbalanced");
    assert_string_equal(snapshot->rows[0].thread, "*");
    assert_int_equal(snapshot->rows[0].calls, 100 + 7 + 8 + 9); /* 5 and 6: before the reset */
    assert_int_equal(snapshot->rows[0].id, -1);
    assert_string_equal(snapshot->rows[1].name, "lost");
    assert_int_equal(snapshot->rows[1].calls, 4);
    ep_snapshot_free(snapshot);
}

static void every_kind_of_trouble_has_its_name(void **state)
{
    static const char *const names[] = {"unbalanced",  "bad_handles",  "unknown_labels",
                                        "lost",        "out_of_cells", "forced_closes",
                                        "stray_keeps", "clock",        "items_not_understood"};
    enum { NAMES = sizeof names / sizeof *names };
    (void)state;
    fake_instance(0, "work", 1);
    struct ep_pair_cell *pair = fake_pair(fake_thread(0, NULL), 0, 1);
    pair->stats.calls = pair->stats.errors = 8;
    for (uint64_t kind = 0; kind < EP_TROUBLE_KINDS; kind++)
        fake.cells[EP_CELL_TROUBLE].trouble.count[kind] = kind + 1;
    fake.cells[EP_CELL_IDENTITY].identity.items_not_understood = 9;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 1 + NAMES);
    assert_int_equal(snapshot->trouble_first, 1);
    for (size_t i = 0; i < NAMES; i++) {
        assert_string_equal(snapshot->rows[1 + i].name, names[i]);
        assert_int_equal(snapshot->rows[1 + i].calls, i + 1);
    }
    ep_snapshot_free(snapshot);
}

/* ------------------------------------------------------------- the headings -- */

static void headings_say_what_is_known_of_source_and_probe(void **state)
{
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    (void)state;
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "counter", 8);
    probe->inside_milliticks = 10500;
    probe->pair_milliticks = 21000;
    probe->resolution_ticks = 2;
    probe->is_known = 1;
    struct ep_scale half_a_ns = {1, 2};
    struct eprof_snapshot *snapshot = ep_snapshot_take(&fake, half_a_ns, NO_PRESENT, MERGED);
    assert_non_null(snapshot);
    assert_string_equal(snapshot->source, "counter");
    assert_string_equal(snapshot->unit, "ns");
    assert_true(snapshot->ticks_per_us == 2000.0);
    assert_true(snapshot->resolution_ns == 1.0);
    assert_true(snapshot->inside_ns == 5.25);
    assert_true(snapshot->pair_ns == 10.5);
    ep_snapshot_free(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(empty_image_has_no_rows, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(pair_counts_from_the_stamp_of_the_reset_on, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(pair_counts_from_the_birth_of_its_instance_on, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(upper_bits_of_a_stamp_are_the_threads_own, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(pair_of_another_life_of_the_slot_does_not_count, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(instance_that_is_not_alive_has_no_row, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(pair_of_a_slot_that_was_never_used_does_not_count,
                                        fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(rows_are_sorted_by_slot_and_then_by_thread, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(row_is_called_by_its_label_and_its_thread, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(snapshot_outlives_the_image, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(trouble_is_added_up_over_the_process_and_its_threads,
                                        fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(every_kind_of_trouble_has_its_name, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(headings_say_what_is_known_of_source_and_probe, fake_begin,
                                        fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
