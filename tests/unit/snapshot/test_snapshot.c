/* The rows of a snapshot, and their names; the image is made by hand. */
#include "support/fake_image.h"

#include <stdio.h>

static size_t count_rows(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = fake_take(options);
    size_t rows = snapshot->row_count;
    return rows;
}

/* ---- rows and their order ---- */

TEST(empty_image_has_no_rows)
{
    assert_int_equal(count_rows(MERGED), 0);
    assert_int_equal(count_rows(BY_THREADS), 0);
    fake_instance(0, "never recorded", 1);
    fake_thread(0, NULL);
    assert_int_equal(count_rows(MERGED), 0);
    assert_int_equal(count_rows(BY_THREADS), 0);
}

TEST(pair_counts_from_the_generation_of_the_reset_on)
{
    fake_instance(0, "work", 1);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, 0);
    fake_call(pair, 5);
    fake_reset(7);
    for (uint64_t generation = 0; generation < 10; generation++) {
        pair->generation = generation;
        if (count_rows(MERGED) != (generation >= 7))
            fail_msg("reset at 7, pair of %llu", (unsigned long long)generation);
    }
}

TEST(pair_counts_from_the_birth_of_its_instance_on)
{
    fake_instance(0, "work", 7);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, 0);
    fake_call(pair, 5);
    for (uint64_t generation = 0; generation < 10; generation++) {
        pair->generation = generation;
        if (count_rows(MERGED) != (generation >= 7))
            fail_msg("born at 7, pair of %llu", (unsigned long long)generation);
    }
}

TEST(owner_tag_does_not_change_the_generation)
{
    fake_instance(0, "work", 1);
    fake_reset(7);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, 7);
    fake_call(pair, 5);
    pair->generation = (UINT64_C(3) << 48) + 7;
    assert_int_equal(count_rows(MERGED), 1);
    pair->generation = (UINT64_C(3) << 48) + 6;
    assert_int_equal(count_rows(MERGED), 0);
}

TEST(pair_of_another_life_of_the_slot_does_not_count)
{
    struct ep_instance_cell *instance = fake_instance(0, "work", 1);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, 1);
    fake_call(pair, 5);
    instance->handle = EP_SLOTS;
    assert_int_equal(count_rows(MERGED), 0);
    pair->handle = EP_SLOTS;
    assert_int_equal(count_rows(MERGED), 1);
}

TEST(instance_that_is_not_alive_has_no_row)
{
    struct ep_instance_cell *instance = fake_instance(0, "work", 1);
    fake_call(fake_pair(fake_thread(0, NULL), 0, 1), 5);
    instance->born = 0;
    assert_int_equal(count_rows(MERGED), 0);
}

TEST(pair_of_a_slot_that_was_never_used_does_not_count)
{
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 5000, 1);
    fake_call(pair, 5);
    assert_int_equal(count_rows(MERGED), 0);
    pair->handle = UINT32_MAX;
    assert_int_equal(count_rows(MERGED), 0);
}

/* ------------------------------------------------------------------- order -- */

/* The newest thread, and the newest pair, is the first in the lists of the image. */
TEST(rows_are_sorted_by_slot_and_then_by_thread)
{
    static const uint32_t slots[] = {700, 3, 2000};
    static const uint32_t numbers[] = {2, 0, 9, 1};
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
    snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(snapshot->rows[i].id, sorted_slots[i]);
        assert_string_equal(snapshot->rows[i].thread, "*");
        assert_int_equal(snapshot->rows[i].total_ns, 40 * sorted_slots[i] + 12);
    }
}

/* ------------------------------------------------------------------- names -- */

TEST(row_is_called_by_its_label_and_its_thread)
{
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
}

TEST(snapshot_outlives_the_image)
{
    fake_instance(5, "work", 1);
    fake_call(fake_pair(fake_thread(4, "sailor"), 5, 1), 5);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "clock", 6);
    struct eprof_snapshot *snapshot = fake_take(BY_THREADS);
    fake_end(NULL);
    assert_string_equal(snapshot->rows[0].name, "work");
    assert_string_equal(snapshot->rows[0].path, "work");
    assert_string_equal(snapshot->rows[0].thread, "sailor");
    assert_string_equal(snapshot->source, "clock");
    assert_int_equal(fake_begin(NULL), 0);
}

/* ----------------------------------------------------------------- diagnostics -- */

TEST(diagnostic_is_added_up_over_the_process_and_its_threads)
{
    fake_reset(7);
    fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_UNBALANCED] = 100;
    fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_LOST] = 4;
    for (uint64_t generation = 5; generation < 10; generation++) {
        const struct ep_thread_cell *thread = fake_thread((uint32_t)generation, NULL);
        struct ep_diagnostics_cell *diagnostics = &fake.cells[thread->diagnostics].diagnostics;
        diagnostics->generation = generation;
        diagnostics->count[EP_DIAGNOSTIC_UNBALANCED] = generation;
    }
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 2);
    assert_int_equal(snapshot->diagnostic_first, 0);
    assert_string_equal(snapshot->rows[0].kind, "diagnostic");
    assert_string_equal(snapshot->rows[0].name, "unbalanced");
    assert_string_equal(snapshot->rows[0].path, "unbalanced");
    assert_string_equal(snapshot->rows[0].thread, "*");
    assert_int_equal(snapshot->rows[0].calls, 100 + 7 + 8 + 9); /* 5 and 6: before the reset */
    assert_int_equal(snapshot->rows[0].id, -1);
    assert_string_equal(snapshot->rows[1].name, "lost");
    assert_int_equal(snapshot->rows[1].calls, 4);
}

static struct ep_note_cell *note_of(const struct ep_thread_cell *thread)
{
    return &fake.cells[fake.cells[thread->more].more.note].note;
}

static void note(uint32_t thread, uint64_t generation, uint32_t first, uint32_t second,
                 uint32_t third)
{
    struct ep_note_cell *note = note_of(fake_thread(thread, NULL));
    *note = (struct ep_note_cell){.generation = generation,
                                  .holds_kept = thread,
                                  .holds_ended = 10 * thread,
                                  .unended = {first, second, third}};
}

TEST(notes_are_added_up_over_threads)
{
    ep_image_tree(&fake)->site_count = EP_SITE_FIRST - 1;
    uint32_t a = fake_site("a.c", 1, "a"), b = fake_site(NULL, 0, "b");
    uint32_t c = fake_site("c.c", 3, "c"), d = fake_site("d.c", 4, "d");
    fake_reset(7);
    note(1, 6, d, d, d); /* before the reset */
    note(2, 7, b, 0, 0);
    note(3, 8, a, b, 1000);                               /* the third is not a site */
    fake.cells[fake_thread(4, NULL)->more].more.note = 0; /* from a version without notes */
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->notes.holds_kept, 2 + 3);
    assert_int_equal(snapshot->notes.holds_ended, 20 + 30);
    assert_int_equal(snapshot->notes.unended_count, 2);
    assert_string_equal(snapshot->notes.unended[0].name, "b");
    assert_string_equal(snapshot->notes.unended[0].file, "");
    assert_string_equal(snapshot->notes.unended[1].name, "a");
    assert_string_equal(snapshot->notes.unended[1].file, "a.c");
    assert_int_equal(snapshot->notes.unended[1].line, 1);
    assert_false(snapshot->notes.has_more_unended);
    note(5, 9, c, 0, 0);
    snapshot = fake_take(MERGED);
    assert_true(snapshot->notes.has_more_unended);
}

/* The counts come from a file that was changed. */
TEST(no_more_holds_are_kept_than_ended)
{
    fake.cells[EP_CELL_NOTE].note.holds_kept = 5;
    fake.cells[EP_CELL_NOTE].note.holds_ended = 3;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->notes.holds_kept, 3);
}

TEST(every_kind_of_diagnostic_has_its_name)
{
    static const char *const names[] = {
        "unbalanced",          "bad_handles",   "unknown_labels",  "lost",
        "out_of_cells",        "forced_closes", "unmatched_keeps", "clock",
        "items_not_understood"};
    enum { NAMES = sizeof names / sizeof *names };
    fake_instance(0, "work", 1);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, 1);
    pair->stats.calls = pair->stats.errors = 8;
    for (uint64_t kind = 0; kind < EP_DIAGNOSTIC_KINDS; kind++)
        fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[kind] = kind + 1;
    fake.cells[EP_CELL_IDENTITY].identity.items_not_understood = 9;
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->row_count, 1 + NAMES);
    assert_int_equal(snapshot->diagnostic_first, 1);
    for (size_t i = 0; i < NAMES; i++) {
        assert_string_equal(snapshot->rows[1 + i].name, names[i]);
        assert_int_equal(snapshot->rows[1 + i].calls, i + 1);
    }
}

/* ------------------------------------------------------------- the headings -- */

TEST(headings_show_source_and_probe)
{
    struct ep_probe_cell *probe = &fake.cells[EP_CELL_PROBE].probe;
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, "counter", 8);
    probe->inside_milliticks = 10500;
    probe->pair_milliticks = 21000;
    probe->resolution_ticks = 2;
    probe->is_known = 1;
    struct ep_scale half_a_ns = {1, 2};
    struct eprof_snapshot *snapshot =
        snapshot_keep(ep_snapshot_take(&fake, half_a_ns, NO_PRESENT, MERGED));
    assert_string_equal(snapshot->source, "counter");
    assert_string_equal(snapshot->unit, "ns");
    assert_true(snapshot->ticks_per_us == 2000.0);
    assert_true(snapshot->resolution_ns == 1.0);
    assert_true(snapshot->inside_ns == 5.25);
    assert_true(snapshot->pair_ns == 10.5);
}

TEST_EACH(fake_begin, fake_end)
