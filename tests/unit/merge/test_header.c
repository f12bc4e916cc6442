/* The data that a sum has about its images: origin, diagnostics, probe costs. */
#include "merge_fixture.h"

/* ---------------------------------------------------------------- the header -- */

TEST(diagnostic_of_this_epoch_is_added)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
        fake.cells[EP_CELL_DIAGNOSTICS].diagnostics.count[EP_DIAGNOSTIC_LOST] = 1;
        struct ep_diagnostics_cell *now =
            &fake.cells[fake_thread(0, NULL)->diagnostics].diagnostics;
        struct ep_diagnostics_cell *old =
            &fake.cells[fake_thread(1, NULL)->diagnostics].diagnostics;
        now->generation = OF_NOW;
        old->generation = STALE;
        now->count[EP_DIAGNOSTIC_LOST] = 10;
        old->count[EP_DIAGNOSTIC_LOST] = 100;
        identity->not_closed = 1;
        identity->cut_short = (uint32_t)i;
        fake.cells[EP_CELL_LOCK].lock.interrupted = 3;
        identity->items_not_understood = 4;
        fake.cells[EP_CELL_SOURCE].source.apart = 1;
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    check_names(snapshot, 0, snapshot->row_count, name_of_row,
                "lost clock_apart items_not_understood not_closed interrupted cut_short ");
    assert_int_equal(snapshot->rows[0].calls, 22);
    assert_int_equal(snapshot->rows[1].calls, 2);
    assert_int_equal(snapshot->rows[2].calls, 8);
    assert_int_equal(snapshot->rows[3].calls, 2);
    assert_int_equal(snapshot->rows[4].calls, 6);
    assert_int_equal(snapshot->rows[5].calls, 1);
}

/* A process with two sites that never ended, and one of its child processes. */
static void make_noted(int which, const char *first, const char *second, uint64_t forked,
                       uint32_t flags)
{
    begin_image();
    ep_image_tree(&fake)->site_count = EP_SITE_FIRST - 1;
    struct ep_note_cell *note = &fake.cells[EP_CELL_NOTE].note;
    note->forked = forked;
    note->forked_with_image = forked;
    note->flags = flags;
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    note = &fake.cells[fake.cells[thread->more].more.note].note;
    *note = (struct ep_note_cell){.generation = OF_NOW, .holds_kept = 2, .holds_ended = 30};
    note->unended[0] = fake_site("z.c", 9, first);
    note->unended[1] = fake_site("a.c", 1, second);
    note->unended[2] = 1000; /* a site without any call there */
    for (int i = 0; i < 2; i++)
        fake_visit(fake_node(thread, root, note->unended[i]), 10, 10);
    end_image(which);
}

static void check_notes(const struct ep_notes *notes, const char *third)
{
    static const char *const names[] = {"b", "d"};
    assert_int_equal(notes->holds_kept, 4);
    assert_int_equal(notes->holds_ended, 60);
    assert_int_equal(notes->forked, 3);
    assert_int_equal(notes->missing, 2);
    assert_true(notes->is_sum);
    assert_int_equal(notes->unended_count, third ? 3 : 2);
    for (size_t i = 0; i < notes->unended_count; i++)
        assert_string_equal(notes->unended[i].name, i < 2 ? names[i] : third);
    assert_int_equal(notes->unended[0].line, 1);
}

/* In either order of the images, the sites that come first in the sum are named. */
TEST(notes_are_added_and_children_that_are_there_are_not_missing)
{
    for (int child = 0; child < 2; child++) {
        make_noted(child, "c", "b", 0, EP_NOTE_CHILD);
        make_noted(!child, "e", "d", 3, 0);
        struct eprof_snapshot *snapshot = add_up(MERGED);
        check_notes(&snapshot->notes, "c");
        assert_true(snapshot->notes.has_more_unended);
        /* a sum of the sum has the same data */
        struct ep_merge *again =
            merge_all((const struct ep_image *const[]){ep_merge_image(merge)}, 1);
        snapshot = merged_snapshot(again, MERGED);
        check_notes(&snapshot->notes, "c");
        assert_true(snapshot->notes.has_more_unended);
        ep_merge_end(again);
        merge_end(state);
    }
}

static void make_origin(int which, uint64_t process_id, uint64_t realtime_ns, const char *command)
{
    begin_image();
    struct ep_identity_cell *identity = &fake.cells[EP_CELL_IDENTITY].identity;
    identity->process_id = process_id;
    identity->realtime_ns = realtime_ns;
    identity->command = fake_text(command, &identity->command_bytes);
    end_image(which);
}

TEST(origin_has_the_common_facts_of_the_images)
{
    make_origin(0, 77, 2000, "./solver -n 4");
    make_origin(1, 78, 1000, "./solver -n 4");
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(snapshot->process_id, 0);
    assert_int_equal(snapshot->realtime_ns, 1000);
    assert_string_equal(snapshot->command, "./solver -n 4");
    assert_string_equal(snapshot->source, "rdtsc");
}

TEST(commands_that_differ_are_left_out)
{
    make_origin(0, 77, 2000, "./solver -n 4");
    make_origin(1, 78, 1000, "./solver -n 5");
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_string_equal(snapshot->command, "");
}

TEST(merge_without_images_is_empty)
{
    merge = merge_all(NULL, 0);
    struct eprof_snapshot *snapshot = merged_snapshot(merge, MERGED);
    assert_int_equal(snapshot->row_count, 0);
}

/* -------------------------------------------------------------------- probes -- */

/* An image with these numbers of calls of an instance and of scopes; another instance has none. */
static void make_probed(int which, uint64_t instance_calls, uint64_t scope_calls, uint64_t cost)
{
    begin_image();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    fake_instance(0, "load", OF_NOW);
    struct ep_instance_cells *pair = fake_pair(thread, 0, OF_NOW);
    for (uint64_t i = 0; i < instance_calls; i++)
        fake_call(pair, 100000);
    fake_instance(1, "never", OF_NOW);
    fake_pair(thread, 1, OF_NOW);
    struct ep_node_cell *root = fake_root(thread);
    struct ep_node_cell *f = fake_node(thread, root, fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, root, fake_site("a.c", 2, "g"));
    for (uint64_t i = 0; i < scope_calls; i++)
        fake_visit(i ? f : g, 100000, 100000);
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.is_known = cost != 0,
                                                             .resolution_ticks = cost / 1000,
                                                             .inside_milliticks = cost,
                                                             .pair_milliticks = 2 * cost,
                                                             .scope_inside_milliticks = 3 * cost,
                                                             .scope_pair_milliticks = 4 * cost,
                                                             .nested_pair_milliticks = 5 * cost};
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe =
        (struct ep_function_probe_cell){.is_known = cost != 0,
                                        .inside_milliticks = 6 * cost,
                                        .pair_milliticks = 7 * cost,
                                        .nested_pair_milliticks = 8 * cost,
                                        .untimed_pair_milliticks = 9 * cost};
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe =
        (struct ep_sampled_probe_cell){.inside_milliticks = {10 * cost, 11 * cost},
                                       .pair_milliticks = {12 * cost, 13 * cost},
                                       .untimed_milliticks = {14 * cost, 15 * cost},
                                       .budget_millionths = cost,
                                       .period = cost ? 0 : 64};
    end_image(which);
}

TEST(probe_costs_are_the_highest)
{
    make_probed(0, 1, 3, 5000);
    make_probed(1, 3, 1, 1000);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_probe_cell *probe = &ep_merge_image(merge)->cells[EP_CELL_PROBE].probe;
    assert_int_equal(probe->is_known, 1);
    assert_int_equal(probe->inside_milliticks, 5000);
    assert_int_equal(probe->pair_milliticks, 2 * 5000);
    assert_int_equal(probe->scope_inside_milliticks, 3 * 5000);
    assert_int_equal(probe->scope_pair_milliticks, 4 * 5000);
    assert_int_equal(probe->nested_pair_milliticks, 5 * 5000);
    assert_int_equal(probe->resolution_ticks, 5);
    const struct ep_function_probe_cell *function =
        &ep_merge_image(merge)->cells[EP_CELL_FUNCTION_PROBE].function_probe;
    assert_int_equal(function->is_known, 1);
    assert_int_equal(function->inside_milliticks, 6 * 5000);
    assert_int_equal(function->pair_milliticks, 7 * 5000);
    assert_int_equal(function->nested_pair_milliticks, 8 * 5000);
    assert_int_equal(function->untimed_pair_milliticks, 9 * 5000);
}

TEST(costs_and_budget_of_sampled_calls_are_the_highest)
{
    make_probed(0, 1, 3, 5000);
    make_probed(1, 3, 1, 0);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_sampled_probe_cell *probe =
        &ep_merge_image(merge)->cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
    for (uint64_t kind = 0; kind < EP_PROBE_KINDS; kind++) {
        assert_int_equal(probe->inside_milliticks[kind], (10 + kind) * 5000);
        assert_int_equal(probe->pair_milliticks[kind], (12 + kind) * 5000);
        assert_int_equal(probe->untimed_milliticks[kind], (14 + kind) * 5000);
    }
    assert_int_equal(probe->budget_millionths, 5000);
    assert_int_equal(probe->period, 64);
}

TEST(unknown_probe_costs_are_not_taken_off)
{
    make_probed(0, 10, 10, 0);
    make_probed(1, 1, 2, 5000);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(snapshot->conversion.inside_milliticks, 0);
    assert_int_equal(snapshot->conversion.costs[EP_PROBE_SCOPE].inside_milliticks, 0);
    assert_int_equal(snapshot->rows[0].total_ns, 10 * 100000 + (100000 - 5));
    assert_int_equal(fake_row(snapshot, "f")->total_ns, 9 * 100000 + (100000 - 3 * 5));
}

TEST(sum_is_a_stored_image_of_one_generation)
{
    make_probed(0, 1, 1, 0);
    make_probed(1, 2, 3, 0);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_image *sum = ep_merge_image(merge);
    assert_int_equal(sum->cells[EP_CELL_IDENTITY].identity.state, EP_STATE_SAVED);
    assert_int_equal(ep_image_control(sum)->generation, 1);
    assert_int_equal(ep_image_control(sum)->reset_generation, 1);
    ep_ref thread = ep_image_root(sum)->threads;
    assert_int_equal(ep_image_root(sum)->thread_count, 1);
    assert_int_equal(sum->cells[thread].thread.state, EP_THREAD_ENDED);
    const struct ep_node_cell *node;
    for (ep_ref ref = sum->cells[thread].thread.nodes; ref; ref = node->next) {
        node = (const struct ep_node_cell *)&sum->cells[ref];
        assert_int_equal(node->generation, 1);
    }
}

TEST_EACH(NULL, merge_end)
