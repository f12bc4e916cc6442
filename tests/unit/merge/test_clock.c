/* The sum of images with different clocks: which figures stay in ticks, and how the others are
 * converted into ns. */
#include "merging.h"

static struct ep_image images[3];
static struct ep_merge *merge;

static int forget_all(void **state)
{
    (void)state;
    ep_merge_end(merge);
    merge = NULL;
    for (int i = 0; i < 3; i++)
        ep_image_destroy(&images[i]);
    return 0;
}

/* An image with this source, at `ticks` ticks in `ns` ns; f is the node of a scope. */
static struct ep_node_cell *begin_image(const char *source, uint64_t ns, uint64_t ticks)
{
    assert_return_code(ep_image_create(&fake), errno);
    memcpy(fake.cells[EP_CELL_SOURCE].source.name, source, strlen(source) + 1);
    fake.cells[EP_CELL_SOURCE].source.ticks_per_second = ticks;
    fake.cells[EP_CELL_SCALE].scale.scale[0] = (struct ep_scale){ns, ticks};
    struct ep_thread_cell *thread = fake_thread(0, NULL);
    return fake_node(thread, fake_root(thread), fake_site("a.c", 1, "f"));
}

static void end_image(int which)
{
    images[which] = fake;
    memset(&fake, 0, sizeof fake);
}

/* The image has one call. */
static void make(int which, const char *source, uint64_t ns, uint64_t ticks, uint64_t length)
{
    fake_visit(begin_image(source, ns, ticks), length, length);
    end_image(which);
}

static struct ep_scale scale_of_sum(void)
{
    return ep_merge_image(merge)->cells[EP_CELL_SCALE].scale.scale[0];
}

static struct eprof_row only_row(struct ep_snapshot_options options)
{
    struct eprof_snapshot *snapshot = merged_snapshot(merge, options);
    assert_int_equal(snapshot->row_count, 1);
    struct eprof_row row = snapshot->rows[0];
    return row;
}

#define IN_TICKS ((struct ep_snapshot_options){.ticks = true})

/* ------------------------------------------------------------------- ticks -- */

TEST(ticks_of_near_rates_stay_exact)
{
    make(0, "rdtsc", 1000000000, 2300000000, 23);
    make(1, "rdtsc", 3000000000, 6900000300, 100);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(IN_TICKS).total_ns, 123);
    assert_int_equal(scale_of_sum().ns, 4000000000);
    assert_int_equal(scale_of_sum().ticks, 9200000300);
    assert_string_equal(ep_merge_image(merge)->cells[EP_CELL_SOURCE].source.name, "rdtsc");
}

/* In a file this may have any value. */
TEST(bytes_after_the_end_of_a_name_are_not_kept)
{
    make(0, "rdtsc", 1000, 2300, 23);
    make(1, "rdtsc", 1000, 2300, 23);
    images[0].cells[EP_CELL_SOURCE].source.name[20] = 'x';
    merge = merge_two(&images[0], &images[1]);
    const char expected[32] = "rdtsc";
    assert_memory_equal(ep_merge_image(merge)->cells[EP_CELL_SOURCE].source.name, expected,
                        sizeof expected);
}

TEST(rates_are_near_up_to_a_thousandth)
{
    make(0, "rdtsc", 1000, 1000, 500);
    make(1, "rdtsc", 1001, 1000, 500);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(IN_TICKS).total_ns, 1000);
    assert_int_equal(scale_of_sum().ns, 2001);
    assert_int_equal(scale_of_sum().ticks, 2000);
}

TEST(rates_further_apart_are_turned_into_ns)
{
    make(0, "rdtsc", 1000000, 1000000, 1000000);
    make(1, "rdtsc", 1001001, 1000000, 1000000);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(IN_TICKS).total_ns, 2001001);
    assert_int_equal(only_row(MERGED).total_ns, 2001001);
    assert_int_equal(only_row(MERGED).max_ns, 1001001);
    const struct ep_source_cell *source = &ep_merge_image(merge)->cells[EP_CELL_SOURCE].source;
    assert_string_equal(source->name, "rdtsc");
    assert_int_equal(source->ticks_per_second, 1000000000);
}

/* The rate of the first image is close enough to those of both others, but these are too far apart.
 */
TEST(all_rates_are_compared_and_not_with_the_first_alone)
{
    make(0, "rdtsc", 10000, 10000, 10000);
    make(1, "rdtsc", 10008, 10000, 10000);
    make(2, "rdtsc", 9992, 10000, 10000);
    merge = merge_all((const struct ep_image *const[]){&images[0], &images[1], &images[2]}, 3);
    assert_int_equal(only_row(IN_TICKS).total_ns, 30000);
    assert_int_equal(only_row(IN_TICKS).max_ns, 10008);
}

TEST(rate_that_is_not_known_is_near_to_all)
{
    make(0, "rdtsc", 0, 0, 500);
    make(1, "rdtsc", 2000, 1000, 500);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(IN_TICKS).total_ns, 1000);
    assert_int_equal(only_row(MERGED).total_ns, 2000);
}

TEST(joint_rate_is_halved_until_it_fits)
{
    const uint64_t most = UINT64_MAX;
    make(0, "rdtsc", most, most, 500);
    make(1, "rdtsc", most, most - 1, 500);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(scale_of_sum().ns, most);
    assert_int_equal(scale_of_sum().ticks, most - 1); /* (2^64 - 1 + 2^64 - 2) / 2, rounded down */
    assert_int_equal(only_row(MERGED).total_ns, 1000);
}

/* ---------------------------------------------------------------------- ns -- */

TEST(sources_that_differ_are_turned_into_ns)
{
    make(0, "rdtsc", 1000, 2000, 3001);
    make(1, "clock_gettime", 1000, 1000, 700);
    merge = merge_two(&images[0], &images[1]);
    const struct eprof_row row = only_row(IN_TICKS);
    assert_int_equal(row.calls, 2);
    assert_int_equal(row.total_ns, 1500 + 700);
    assert_int_equal(row.self_ns, 1500 + 700);
    assert_int_equal(row.min_ns, 700);
    assert_int_equal(row.max_ns, 1500);
    assert_int_equal(row.stddev_ns, 400); /* the sum of 700 and 1500 */
    assert_string_equal(ep_merge_image(merge)->cells[EP_CELL_SOURCE].source.name, "several");
    assert_int_equal(scale_of_sum().ns, scale_of_sum().ticks);
}

/* Calls of 100 s that vary by 10 ns, at 3 ticks in 2 ns. */
TEST(deviation_survives_the_turn_into_ns)
{
    struct ep_node_cell *f = begin_image("rdtsc", 2, 3);
    for (int i = 0; i < 50; i++) {
        fake_visit(f, UINT64_C(150000000001) - 15, 0);
        fake_visit(f, UINT64_C(150000000001) + 15, 0);
    }
    end_image(0);
    assert_return_code(ep_image_create(&images[1]), errno); /* of another source, with no calls */
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(MERGED).stddev_ns, 10);
    assert_int_equal(only_row(MERGED).mean_ns, 100000000000); /* two thirds of a ns more */
}

/* 100 calls of this length, and one of another length. */
static void make_hundred_and_one(uint64_t ns, uint64_t ticks, uint64_t length, uint64_t other)
{
    struct ep_node_cell *f = begin_image("rdtsc", ns, ticks);
    for (int i = 0; i < 100; i++)
        fake_visit(f, length, 0);
    fake_visit(f, other, 0);
    end_image(0);
    begin_image("clock_gettime", 1, 1);
    end_image(1);
    merge = merge_two(&images[0], &images[1]);
}

TEST(buckets_go_where_their_middle_falls)
{
    make_hundred_and_one(3, 7, 70000, 7);
    const struct eprof_row row = only_row(MERGED);
    assert_int_equal(row.min_ns, 3);
    assert_int_equal(row.max_ns, 30000);
    /* 70000 is in the bucket from 65536 to 73727; 69631 is 29841 ns, which is in the one from
     * 28672 to 30719 */
    assert_int_equal(row.p50_ns, 29695);
}

/* The middle of 1023's bucket is 991: 496 ns, which is in the octave before that of 512. */
TEST(bucket_of_the_shortest_is_not_below_it)
{
    make_hundred_and_one(512, 1022, 1023, 70000);
    assert_int_equal(only_row(MERGED).min_ns, 512);
    assert_int_equal(only_row(MERGED).p50_ns, 512 + 31);
}

/* The middle of 1024's bucket is 1087: 542 ns, which is in the octave after that of 511. */
TEST(bucket_of_the_longest_is_not_above_it)
{
    make_hundred_and_one(511, 1024, 1024, 10);
    assert_int_equal(only_row(MERGED).max_ns, 511);
    assert_int_equal(only_row(MERGED).p50_ns, 480 + 15);
}

TEST(ticks_of_no_known_rate_are_ns_as_in_the_image)
{
    make(0, "rdtsc", 0, 0, 500);
    make(1, "clock_gettime", 1000, 1000, 200);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(only_row(MERGED).total_ns, 700);
}

TEST(shortest_call_of_no_calls_stays_unknown)
{
    fake_visit_nested(begin_image("rdtsc", 1, 2), 10);
    end_image(0);
    begin_image("clock_gettime", 1, 1);
    end_image(1);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_image *sum = ep_merge_image(merge);
    const struct ep_thread_cell *thread = &sum->cells[ep_image_root(sum)->threads].thread;
    const struct ep_node_cell *root = (const struct ep_node_cell *)&sum->cells[thread->nodes];
    const struct ep_node_cell *f = (const struct ep_node_cell *)&sum->cells[root->next];
    assert_int_equal(f->stats.calls, 1);
    assert_true(f->stats.min_ticks == UINT64_MAX);
}

TEST(rate_of_the_source_is_kept_if_it_is_the_same)
{
    make(0, "rdtsc", 1000, 2000, 10);
    make(1, "rdtsc", 1000, 2000, 10);
    make(2, "rdtsc", 1000, 2001, 10);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(ep_merge_image(merge)->cells[EP_CELL_SOURCE].source.ticks_per_second, 2000);
    ep_merge_end(merge);
    merge = merge_two(&images[0], &images[2]);
    assert_int_equal(ep_merge_image(merge)->cells[EP_CELL_SOURCE].source.ticks_per_second, 0);
}

TEST(pending_difference_and_open_scopes_are_turned_too)
{
    struct ep_node_cell *f = begin_image("rdtsc", 1, 2);
    struct ep_thread_cell *thread = &fake.cells[ep_image_root(&fake)->threads].thread;
    fake_leave_pending_in(&f->stats, 2000);
    f->self_ticks = 2000;
    fake_frame(thread, (struct ep_node_cell *)&fake.cells[thread->nodes], EP_SCOPE_VOID, 0);
    fake_frame(thread, f, EP_SCOPE_TIMED, 10000);
    fake.cells[EP_CELL_SCALE].scale.has_now = 1;
    fake.cells[EP_CELL_SCALE].scale.now_ticks = 16001;
    end_image(0);
    assert_return_code(ep_image_create(&images[1]), errno);
    merge = merge_two(&images[0], &images[1]);
    const struct eprof_row row = only_row(IN_TICKS);
    assert_int_equal(row.total_ns, 4000); /* (2000 + 6001) / 2 */
    assert_figures(&row, "self 4000, open 1, mean 1000, p50 1000");
}

TEST(probe_costs_are_turned_into_ns)
{
    begin_image("rdtsc", 1, 2);
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){
        .is_known = 1, .resolution_ticks = 1, .inside_milliticks = 27000, .pair_milliticks = 30000};
    end_image(0);
    begin_image("clock_gettime", 1, 1);
    end_image(1);
    merge = merge_two(&images[0], &images[1]);
    const struct ep_probe_cell *probe = &ep_merge_image(merge)->cells[EP_CELL_PROBE].probe;
    assert_int_equal(probe->inside_milliticks, 13500);
    assert_int_equal(probe->pair_milliticks, 15000);
    assert_int_equal(probe->resolution_ticks, 1); /* at least one */
}

/* An image with one call of a scope, in which the probe has this cost. */
static void make_probed(int which, const char *source, uint64_t ns, uint64_t milliticks)
{
    fake_visit(begin_image(source, ns, 1), 100, 100);
    fake.cells[EP_CELL_PROBE].probe =
        (struct ep_probe_cell){.is_known = 1, .scope_inside_milliticks = milliticks};
    end_image(which);
}

TEST(highest_probe_cost_is_that_in_ns)
{
    make_probed(0, "rdtsc", 1000, 5);
    make_probed(1, "clock_gettime", 1, 4000);
    merge = merge_two(&images[0], &images[1]);
    assert_int_equal(ep_merge_image(merge)->cells[EP_CELL_PROBE].probe.scope_inside_milliticks,
                     5000);
}

TEST(probe_goes_off_each_image_in_its_own_ticks)
{
    make_probed(0, "rdtsc", 1000, 7000);
    make_probed(1, "clock_gettime", 1, 40000);
    merge = merge_two(&images[0], &images[1]);
    const struct eprof_row row = only_row(MERGED);
    assert_int_equal(row.total_ns, (100 - 7) * 1000 + (100 - 40));
    assert_int_equal(row.self_ns, (100 - 7) * 1000 + (100 - 40));
    assert_int_equal(row.min_ns, 100 - 40);
    assert_int_equal(row.max_ns, (100 - 7) * 1000);
    assert_int_equal(row.stddev_ns, (93000 - 60) / 2);
}

TEST_EACH(NULL, forget_all)
