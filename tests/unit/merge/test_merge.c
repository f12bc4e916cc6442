/* The figures of one region in two images made by hand, added up. */
#include "merge_fixture.h"

static const struct ep_statistics *stats_of_first_node(const struct ep_image *image)
{
    ep_ref thread = ep_image_root(image)->threads;
    const struct ep_node_cell *root =
        (const struct ep_node_cell *)ep_image_cell(image, image->cells[thread].thread.nodes);
    return &((const struct ep_node_cell *)ep_image_cell(image, root->next))->stats;
}

/* The sampling cells of the node after it. */
static const struct ep_sampling_cells *sampling_of_f(const struct ep_image *image)
{
    const struct ep_thread_cell *thread =
        &ep_image_cell(image, ep_image_root(image)->threads)->thread;
    const struct ep_node_cell *node = ep_image_node(image, thread->nodes);
    for (int i = 0; i < 2; i++)
        node = ep_image_node(image, node->next);
    return (const struct ep_sampling_cells *)ep_image_cell(image, node->sampling);
}

static uint64_t count_of(const struct ep_image *image, uint64_t ticks)
{
    uint32_t bucket = ep_histogram_bucket(ticks);
    ep_ref counts =
        ep_cell_octave(image->cells, stats_of_first_node(image), bucket / EP_OCTAVE_BUCKETS);
    return counts ? image->cells[counts].octave.count[bucket % EP_OCTAVE_BUCKETS] : 0;
}

/* ------------------------------------------------------------------ figures -- */

/* Calls of f with these lengths, on the main thread. */
static void make_calls(int which, const uint64_t *ticks, size_t count)
{
    begin_image();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *f =
        fake_node(thread, fake_root(thread), fake_site("a.c", (uint32_t)which + 1, "other"));
    f->site = fake_site("a.c", 9, "f");
    for (size_t i = 0; i < count; i++)
        fake_visit(f, ticks[i], ticks[i] / 2);
    end_image(which);
}

TEST(merge_adds_every_figure_of_a_path)
{
    make_calls(0, (const uint64_t[]){10, 30}, 2);
    make_calls(1, (const uint64_t[]){20, 100, 40}, 3);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *f = fake_row(snapshot, "f");
    assert_int_equal(snapshot->diagnostic_first - snapshot->scope_first, 1);
    assert_int_equal(f->calls, 5);
    assert_int_equal(f->timed, 5);
    assert_int_equal(f->total_ns, 200);
    assert_int_equal(f->self_ns, 100);
    assert_int_equal(f->mean_ns, 40);
    assert_int_equal(f->min_ns, 10);
    assert_int_equal(f->max_ns, 100);
    assert_int_equal(f->stddev_ns, 32); /* sqrt((30^2 + 10^2 + 20^2 + 60^2 + 0) / 5) = 31.6 */
    assert_string_equal(f->file, "a.c");
    assert_int_equal(f->line, 9);
}

/* f, of which one call in `weight` took `ticks` and was timed, inside a `main` that was timed. The
 * probe has its cost in each image, and untimed nested calls are counted. */
static void make_sampled(int which, uint64_t weight, uint64_t ticks, uint64_t inside_ticks)
{
    enum { TIMED = 40 };
    begin_image();
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *outer = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "main"));
    struct ep_node_cell *f = fake_node(thread, outer, fake_site("a.c", 9, "f"));
    for (uint64_t i = 0; i < TIMED; i++)
        fake_sample(f, ticks + inside_ticks + (i % 2), weight);
    fake_sampling(f)->nested_calls = 5;
    fake_visit(outer, 1000000, 1000000 - f->stats.total_ticks);
    for (int kind = 0; kind < EP_PROBE_KINDS; kind++) {
        struct ep_sampled_probe_cell *probe = &fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe;
        probe->inside_milliticks[kind] = probe->pair_milliticks[kind] = 1000 * inside_ticks;
    }
    end_image(which);
}

/* 40 calls of weight 64 and 40 of weight 8: the squares of their deviations, 1 / 4 each, times the
 * squares of the weights make a variance of 40 * (64^2 + 8^2) / 4, and 1.96 roots are 400. */
TEST(merge_of_sampled_images_keeps_weights)
{
    make_sampled(0, 64, 100, 20);
    make_sampled(1, 8, 500, 3);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *f = fake_row(snapshot, "main;f");
    assert_int_equal(f->calls, 40 * 64 + 40 * 8 + 10);
    assert_int_equal(f->outermost, 40 * 64 + 40 * 8);
    assert_int_equal(f->timed, 80);
    assert_int_equal(f->total_ns, 40 * 64 * 100 + 40 * 32 + 40 * 8 * 500 + 40 * 4);
    assert_int_equal(f->total_error_ns, 401); /* 1 / 1,600 more, for the longest of 40 calls each */
    assert_int_equal(fake_row(snapshot, "main")->total_ns,
                     2000000 - 40 * 20 - 40 * 3); /* each timed call has a probe in it */
    assert_int_equal(fake_row(snapshot, "main")->estimated, 0);
    const struct ep_sampling_cells *cells = sampling_of_f(ep_merge_image(merge));
    assert_int_equal(cells->weight, 40 * 64 + 40 * 8);
    assert_int_equal(cells->sampled, 80);
    assert_int_equal(cells->sampled_weight, 40 * 64 + 40 * 8);
    assert_int_equal(cells->timed_nested, 0);
}

TEST(merge_carries_squares_beyond_64_bits)
{
    const uint64_t long_ticks = (UINT64_C(1) << 32) - 1; /* its square is 2^64 - 2^33 + 1 */
    make_calls(0, &long_ticks, 1);
    make_calls(1, &long_ticks, 1);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_statistics *sum = stats_of_first_node(ep_merge_image(merge));
    assert_int_equal(sum->square_high, 1);
    assert_int_equal(sum->square_low, 0 - (UINT64_C(1) << 34) + 2);
}

TEST(merge_adds_buckets_of_all_octaves)
{
    const uint64_t near = 1000, far = UINT64_C(1) << 40, farthest = UINT64_C(1) << 62;
    make_calls(0, (const uint64_t[]){near, far, near}, 3);
    make_calls(1, (const uint64_t[]){far, near, farthest}, 3);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_image *sum = ep_merge_image(merge);
    assert_int_equal(count_of(sum, near), 3);
    assert_int_equal(count_of(sum, far), 2);
    assert_int_equal(count_of(sum, farthest), 1);
    assert_int_equal(count_of(sum, 1), 0);
}

TEST(merge_adds_the_pending_difference)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
        fake_leave_pending_in(&f->stats, 300);
        end_image(i);
    }
    merge = merge_two(&images[0], &images[1]);
    const struct ep_image *sum = ep_merge_image(merge);
    assert_int_equal(count_of(sum, 300), 2);
    assert_int_equal(stats_of_first_node(sum)->square_low, 2 * 300 * 300);
    assert_int_equal(stats_of_first_node(sum)->pending, 0);
}

TEST(merge_adds_recursion_and_errors)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        struct ep_node_cell *f = fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
        fake_visit(f, 100, 40);
        fake_visit_nested(f, 10);
        f->stats.calls++;
        f->stats.errors++;
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    const struct eprof_row *f = fake_row(snapshot, "f");
    assert_int_equal(f->calls, 6);
    assert_int_equal(f->timed, 2);
    assert_int_equal(f->errors, 2);
    assert_int_equal(f->self_ns, 100);
    assert_int_equal(snapshot->rows[snapshot->diagnostic_first].calls, 2); /* "clock" */
}

TEST(what_a_snapshot_would_not_show_is_left_out)
{
    for (int i = 0; i < 2; i++) {
        begin_image();
        struct ep_thread_cell *thread = fake_thread(0, NULL);
        fake_instance(0, "reset", OF_NOW);
        fake_call(fake_pair(thread, 0, STALE), 100);
        fake_instance(1, "freed", 0);
        fake_call(fake_pair(thread, 1, OF_NOW), 100);
        fake_instance(2, "former life", OF_NOW);
        struct ep_instance_cells *former = fake_pair(thread, 2, OF_NOW);
        former->handle += EP_SLOTS;
        fake_call(former, 100);
        struct ep_node_cell *root = fake_root(thread);
        struct ep_node_cell *stale = fake_node(thread, root, fake_site("a.c", 1, "reset"));
        fake_visit(stale, 100, 100);
        stale->generation = STALE;
        struct ep_node_cell *hold = fake_node(thread, root, EP_SITE_HOLD);
        struct ep_node_cell *held = fake_node(thread, hold, fake_site("a.c", 2, "held"));
        hold->level = held->level = 1;
        fake_visit(held, 100, 100);
        end_image(i);
    }
    struct eprof_snapshot *snapshot = add_up(MERGED);
    assert_int_equal(snapshot->row_count, 0);
    assert_int_equal(ep_image_root(ep_merge_image(merge))->threads, 0);
    assert_int_equal(ep_image_tree(ep_merge_image(merge))->sites, 0);
}

/* --------------------------------------------------------------- open scopes -- */

/* f;g;f is open since 100, 200 and 300 ticks; f has had another call of g, of 50 ticks. */
static void make_open_under(bool has_budget, int which, bool has_moment)
{
    begin_image();
    struct ep_scale_cell *scale = &fake.cells[EP_CELL_SCALE].scale;
    scale->has_now = has_moment;
    scale->now_ticks = 1000;
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    struct ep_node_cell *root = fake_root(thread);
    struct ep_node_cell *f = fake_node(thread, root, fake_site("a.c", 1, "f"));
    struct ep_node_cell *g = fake_node(thread, f, fake_site("a.c", 2, "g"));
    fake_visit(g, 50, 50);
    fake_frame(thread, root, EP_SCOPE_VOID, 0);
    fake_frame(thread, f, EP_SCOPE_TIMED, 100)->child_ticks = 50;
    fake_frame(thread, g, EP_SCOPE_TIMED, 200);
    fake_frame(thread, f, EP_SCOPE_NESTED, 300);
    f->stats.until_timed = g->stats.until_timed = has_budget;
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe.period = has_budget ? 64 : 0;
    end_image(which);
}

static void make_open(int which, bool has_moment)
{
    make_open_under(false, which, has_moment);
}

static void check_times(struct eprof_snapshot *snapshot, const char *path, uint64_t open,
                        uint64_t total_ns, uint64_t self_ns)
{
    const struct eprof_row *row = fake_row(snapshot, path);
    if (row->open != open || row->total_ns != total_ns || row->self_ns != self_ns)
        fail_msg("%s: %llu open, total %llu, self %llu", path, (unsigned long long)row->open,
                 (unsigned long long)row->total_ns, (unsigned long long)row->self_ns);
}

/* The parts of an indirect recursion are longer than the whole, and the sum keeps this. */
TEST(open_scopes_have_the_time_up_to_the_image)
{
    make_open(0, true);
    make_open(1, true);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    check_times(snapshot, "f", 4, 2 * 900, 2 * (50 + 700));
    check_times(snapshot, "f;g", 2, 2 * (50 + 800), 2 * (50 + 100));
}

TEST(open_scopes_of_no_moment_have_what_ended_in_them)
{
    make_open(0, true);
    make_open(1, false);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    check_times(snapshot, "f", 4, 900 + 50, 750);
    check_times(snapshot, "f;g", 2, 850 + 50, 150 + 50);
    assert_int_equal(fake_row(snapshot, "f;g")->calls, 2);
    assert_int_equal(fake_row(snapshot, "f;g")->mean_ns, 50);
}

static void check_counts(const struct eprof_row *row, uint64_t calls, uint64_t outermost,
                         uint64_t timed, uint64_t open)
{
    if (row->calls != calls || row->outermost != outermost || row->timed != timed ||
        row->open != open)
        fail_msg("%s: %llu calls, %llu outermost, %llu timed, %llu open", row->path,
                 (unsigned long long)row->calls, (unsigned long long)row->outermost,
                 (unsigned long long)row->timed, (unsigned long long)row->open);
}

/* In each image two calls of f and one of g are open, and one call of g has ended. */
TEST(open_scopes_are_calls_in_those_images_that_have_a_budget)
{
    make_open_under(true, 0, true);
    make_open_under(false, 1, true);
    struct eprof_snapshot *snapshot = add_up(MERGED);
    check_counts(fake_row(snapshot, "f"), 2, 1, 0, 4);
    check_counts(fake_row(snapshot, "f;g"), 3, 3, 2, 2);
    assert_int_equal(fake_row(snapshot, "f;g")->mean_ns, 50);
    struct ep_merge *again = merge_two(ep_merge_image(merge), &images[0]);
    snapshot = merged_snapshot(again, MERGED);
    check_counts(fake_row(snapshot, "f"), 4, 2, 0, 6);
    check_counts(fake_row(snapshot, "f;g"), 5, 5, 3, 3);
    ep_merge_end(again);
}

/* --------------------------------------- figures of more than 64 bits -- */

/* Ten calls of 2^61 ticks, of an instance, and one each of 16 threads, of a scope: more than 2^64.
 */
static void make_long_calls(int which, struct ep_scale scale, const char *source)
{
    begin_image();
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, source, strlen(source) + 1);
    fake.cells[EP_CELL_SCALE].scale.scale[0] = scale;
    fake_instance(0, "a", OF_NOW);
    struct ep_instance_cells *pair = fake_pair(fake_thread(0, NULL), 0, OF_NOW);
    for (int i = 0; i < 10; i++)
        fake_call(pair, UINT64_C(1) << 61);
    uint32_t site = fake_site("a.c", 9, "f");
    for (uint32_t i = 1; i <= 16; i++) {
        struct ep_thread_cell *thread = fake_thread(i, NULL);
        struct ep_node_cell *f = fake_node(thread, fake_root(thread), site);
        fake_visit(f, UINT64_C(1) << 61, UINT64_C(1) << 61);
    }
    end_image(which);
}

static void assert_long_calls(const struct eprof_row *row, uint64_t calls, uint64_t each_ns,
                              uint64_t total_ns)
{
    if (row->calls != calls || row->total_ns != total_ns || row->self_ns != total_ns ||
        row->mean_ns != each_ns || row->min_ns != each_ns || row->max_ns != each_ns ||
        row->stddev_ns != 0)
        fail_msg(
            "%s: %llu calls, total %llx, self %llx, mean %llx, min %llx, max %llx, stddev %llx",
            row->name, (unsigned long long)row->calls, (unsigned long long)row->total_ns,
            (unsigned long long)row->self_ns, (unsigned long long)row->mean_ns,
            (unsigned long long)row->min_ns, (unsigned long long)row->max_ns,
            (unsigned long long)row->stddev_ns);
}

TEST(merge_of_totals_beyond_64_bits_is_their_sum)
{
    static const char *const second_source[] = {"rdtsc", "other"}; /* in ticks; in ns */
    for (int i = 0; i < 2; i++) {
        make_long_calls(0, (struct ep_scale){1, 1024}, "rdtsc");
        make_long_calls(1, (struct ep_scale){1, 1024}, second_source[i]);
        struct eprof_snapshot *snapshot = add_up(MERGED);
        const uint64_t each_ns = UINT64_C(1) << 51;
        assert_long_calls(&snapshot->rows[0], 20, each_ns, 20 * each_ns);
        /* the times of a tree end at 2^64 ticks, while they are in ticks */
        assert_long_calls(fake_row(snapshot, "f"), 32, each_ns,
                          i ? 32 * each_ns : UINT64_MAX / 1024);
        const struct eprof_row *last = &snapshot->rows[snapshot->row_count - 1];
        assert_string_equal(last->name, i ? "f" : "saturated");
        merge_end(state);
    }
}

/* A sum of sums reports again what each of them reported. */
TEST(merge_of_what_64_bits_cannot_tell_says_so)
{
    make_long_calls(0, (struct ep_scale){1, 1}, "rdtsc");
    make_long_calls(1, (struct ep_scale){1, 1}, "rdtsc");
    merge = merge_two(&images[0], &images[1]);
    struct ep_merge *again = merge_two(ep_merge_image(merge), &images[0]);
    struct eprof_snapshot *snapshot = merged_snapshot(again, MERGED);
    assert_long_calls(&snapshot->rows[0], 30, UINT64_C(1) << 61, UINT64_MAX);
    assert_long_calls(fake_row(snapshot, "f"), 48, UINT64_C(1) << 61, UINT64_MAX);
    assert_string_equal(snapshot->rows[snapshot->diagnostic_first].name, "saturated");
    assert_int_equal(snapshot->rows[snapshot->diagnostic_first].calls, 2);
    ep_merge_end(again);
}

TEST_EACH(NULL, merge_end)
