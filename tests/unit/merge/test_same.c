/* The sites, paths, threads and instances that two images have in common are one in their sum. */
#include "merge_fixture.h"

/* ---- equal sites ---- */

TEST(sites_are_the_same_by_file_line_and_label)
{
    static const struct {
        const char *file, *label;
        uint32_t line;
    } sites[2][4] = {
        {{"a.c", "f", 1}, {"a.c", "f", 2}, {"b.c", "f", 1}, {NULL, "f", 0}},
        {{NULL, "f", 0}, {"b.c", "g", 1}, {"a.c", "f", 2}, {"a.c", "f", 1}},
    };
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        struct ep_node_cell *root = fake_root(thread);
        for (int n = 0; n < 4; n++) {
            uint32_t site = fake_site(sites[i][n].file, sites[i][n].line, sites[i][n].label);
            fake_visit(fake_node(thread, root, site), 100, 100);
        }
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *rows = &snapshot->rows[snapshot->scope_first];
    assert_int_equal(snapshot->diagnostic_first - snapshot->scope_first, 5);
    /* the longest first; equal ones are sorted by file, line and label */
    static const struct {
        const char *file, *name;
        unsigned line, calls;
    } expected[5] = {{"", "f", 0, 2},
                     {"a.c", "f", 1, 2},
                     {"a.c", "f", 2, 2},
                     {"b.c", "f", 1, 1},
                     {"b.c", "g", 1, 1}};
    const struct ep_image *sum = ep_merge_image(merge);
    assert_int_equal(ep_image_tree(sum)->site_count, EP_SITE_FIRST - 1 + 5);
    assert_int_equal(sum->cells[ep_image_tree(sum)->sites].site.file, 0);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(rows[i].file, expected[i].file);
        assert_string_equal(rows[i].name, expected[i].name);
        assert_int_equal(rows[i].line, expected[i].line);
        assert_int_equal(rows[i].calls, expected[i].calls);
    }
}

TEST(paths_of_the_same_site_stay_apart)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        uint32_t f = fake_site("a.c", 1, "f"), g = fake_site("a.c", 2, "g");
        struct ep_node_cell *top = fake_node(thread, fake_root(thread), f);
        fake_visit(top, 100, 90);
        fake_visit(fake_node(thread, top, g), 10, 10);
        struct ep_node_cell *root = (struct ep_node_cell *)&fake.cells[thread->nodes];
        if (i == 1)
            fake_visit(fake_node(thread, root, g), 7, 7);
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(fake_row(snapshot, "f")->calls, 2);
    assert_int_equal(fake_row(snapshot, "f;g")->total_ns, 20);
    assert_int_equal(fake_row(snapshot, "g")->total_ns, 7);
    assert_int_equal(snapshot->diagnostic_first - snapshot->scope_first, 3);
}

TEST(paths_without_room_are_one_other)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        fake_visit(fake_node(thread, fake_root(thread), EP_SITE_OTHER), 100, 100);
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(fake_row(snapshot, "(other)")->calls, 2);
}

TEST(site_beyond_their_number_is_other)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        uint32_t site = fake_site("a.c", 1, "f");
        fake_visit(fake_node(thread, fake_root(thread), site), 100, 100);
        ep_image_tree(&fake)->site_count -= (uint32_t)i;
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(fake_row(snapshot, "f")->calls, 1);
    assert_int_equal(fake_row(snapshot, "(other)")->calls, 1);
}

static void make_threads(int which, const char *const *names, const uint32_t *numbers, size_t count)
{
    begin_image();
    uint32_t site = fake_site("a.c", 1, "f");
    for (size_t i = 0; i < count; i++) {
        struct ep_thread_cell *thread = fake_thread(numbers[i], names[i]);
        fake_visit(fake_node(thread, fake_root(thread), site), 100, 100);
    }
    end_image(which);
}

TEST(threads_are_the_same_by_name)
{
    make_threads(0, (const char *const[]){NULL, "worker", NULL, "io"},
                 (const uint32_t[]){0, 1, 2, 3}, 4);
    make_threads(1, (const char *const[]){NULL, NULL, "worker", "main", "thread 2"},
                 (const uint32_t[]){0, 1, 2, 3, 4}, 5);
    struct eprof_snapshot *snapshot = add_up(BY_THREADS);
    /* sorted by number; the lowest number counts if the images differ; with equal numbers, a thread
     * with a name comes after one without */
    check_names(snapshot, snapshot->scope_first, snapshot->diagnostic_first, thread_of_row,
                "main thread 1 worker thread 2 io ");
    assert_int_equal(fake_find(snapshot, "main", "f")->calls, 3);
    assert_int_equal(fake_find(snapshot, "worker", "f")->calls, 2);
    assert_int_equal(fake_find(snapshot, "thread 2", "f")->calls, 2);
    assert_int_equal(fake_find(snapshot, "io", "f")->calls, 1);
}

TEST(unnamed_threads_keep_their_numbers)
{
    make_threads(0, (const char *const[]){NULL, NULL}, (const uint32_t[]){0, 7}, 2);
    make_threads(1, (const char *const[]){"io"}, (const uint32_t[]){7}, 1);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_image *sum = ep_merge_image(merge);
    const struct ep_thread_cell *first = &sum->cells[ep_image_root(sum)->threads].thread;
    const struct ep_thread_cell *second = &sum->cells[first->next].thread;
    const struct ep_thread_cell *third = &sum->cells[second->next].thread;
    assert_int_equal(first->number, 0);
    assert_int_equal(first->name, 0);
    assert_int_equal(second->number, 7);
    assert_int_equal(second->name, 0);
    assert_int_equal(third->number, 7);
    assert_string_equal(ep_image_string(sum, third->name), "io");
    assert_int_equal(third->next, 0);
}

/* ---------------------------------------------------------------- instances -- */

TEST(instances_are_the_same_by_label_in_one_image_too)
{
    static const char *const labels[2][3] = {{"load", "parse", "load"}, {"write", "load", "parse"}};
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        for (uint32_t slot = 0; slot < 3; slot++) {
            fake_instance(slot, labels[i][slot], OF_NOW)->birth = slot + 1 + 2 * (uint32_t)i;
            fake_call(fake_pair(thread, slot, OF_NOW), 100 + slot);
        }
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    /* the instance that was allocated first has the lowest number */
    check_names(snapshot, 0, snapshot->scope_first, name_of_row, "load parse write ");
    assert_int_equal(snapshot->rows[0].id, 0);
    assert_int_equal(snapshot->rows[2].id, 2);
    assert_int_equal(snapshot->rows[0].calls, 3);
    assert_int_equal(snapshot->rows[0].total_ns, 100 + 102 + 101);
    assert_int_equal(snapshot->rows[0].min_ns, 100);
    assert_int_equal(snapshot->rows[0].max_ns, 102);
    assert_int_equal(snapshot->rows[1].calls, 2);
    assert_int_equal(snapshot->rows[2].calls, 1);
    assert_int_equal(ep_image_root(ep_merge_image(merge))->slots_used, 3);
    assert_int_equal(ep_image_root(ep_merge_image(merge))->slots_alive, 3);
}

TEST(open_pairs_are_counted)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        fake_instance(0, "load", OF_NOW);
        struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, OF_NOW);
        pair->depth = 3;
        pair->stats.abandoned = i ? 1 : (uint32_t)-2; /* two were dropped with a hold */
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(snapshot->rows[0].open, 1 + 4);
}

TEST_EACH(NULL, merge_end)
