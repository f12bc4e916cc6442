/*
 * Rows of sampled calls: the intervals of their estimates, open calls around them, their marks, and
 * sums of them
 */
#include "sampled.h"

#include "snapshot/making.h"

/* ---- intervals ---- */

/* Calls of 90 and 110 ticks in turn, without probes. */
static struct ep_node_cell *make_uneven(int sampled)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){.period = 0};
    for (int i = 0; i < sampled; i++)
        fake_sample(parts.brief, i % 2 ? 110 : 90, WEIGHT);
    fake_visit(parts.outer, 10000000, 1);
    return parts.brief;
}

/* The deviation of the total is the root of 100 * 64^2 * 10^2, 6,400. */
TEST(interval_is_of_the_weighted_deviations_from_the_mean)
{
    make_uneven(100);
    const struct eprof_row *row = fake_row(fake_take(MERGED), "outer;brief");
    assert_int_equal(row->total_ns, 640000);
    assert_int_equal(row->total_error_ns, 12546); /* 1.96 times, and 1 / 10,000 more */
    assert_int_equal(row->mean_error_ns, 2);      /* a 6,400th of it, rounded up */
}

/* Of 102 calls two take 882.353 ticks more than the mean, and the others 17.647 less: the variance
 * is 64^2 * 1,588,235, of which each of the two makes up 0.4902. Its root times 1.96 would be
 * 158,087. */
TEST(interval_is_wider_if_a_few_calls_make_up_most_of_the_variance)
{
    struct ep_node_cell *brief = make_uneven(0);
    for (int i = 0; i < 102; i++)
        fake_sample(brief, i % 51 ? 100 : 1000, WEIGHT);
    const struct eprof_row *row = fake_row(fake_take(MERGED), "outer;brief");
    assert_int_equal(row->total_ns, 12000 * WEIGHT);
    assert_int_equal(row->total_error_ns, 192358); /* times the root of 1 + 2 * 0.4902^2 */
    fake_sampling(brief)->largest_weight = 0;      /* not known, as in older images */
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, 158087);
}

TEST(interval_is_unknown_below_thirty_sampled_calls)
{
    make_uneven(29);
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
    fake_end(NULL);
    fake_begin(NULL);
    make_uneven(30);
    assert_int_not_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
}

TEST(interval_is_unknown_if_one_call_is_more_than_a_tenth_of_all)
{
    fake_sample(make_uneven(100), 2000, WEIGHT);
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_error_ns, EPROF_UNKNOWN);
}

/* The sampling cells are beyond the end of a file that could not grow. */
TEST(estimate_without_its_sampling_has_no_interval)
{
    struct parts parts = make_parts();
    for (int i = 0; i < 100; i++)
        fake_visit(parts.brief, CALL, CALL);
    parts.brief->stats.until_timed = 7;
    fake_visit(parts.outer, 5000, 1);
    const struct eprof_row *row = fake_row(fake_take(RAW), "outer;brief");
    assert_int_equal(row->calls, 100);
    assert_int_equal(row->total_ns, 100 * CALL);
    assert_int_equal(row->estimated, 1);
    assert_int_equal(row->total_error_ns, EPROF_UNKNOWN);
}

TEST(intervals_of_threads_are_added_by_their_squares)
{
    struct parts parts = make_parts();
    struct ep_thread_cell *second = fake_thread(1, NULL);
    struct ep_node_cell *nodes[] = {fake_node(parts.thread, parts.root, parts.brief_site->number),
                                    fake_node(second, fake_root(second), parts.brief_site->number)};
    for (int thread = 0; thread < 2; thread++)
        for (int i = 0; i < 100; i++)
            fake_sample(nodes[thread], i % 2 ? 110 : 90, WEIGHT);
    const struct eprof_row *row = fake_row(fake_take(RAW), "brief");
    assert_int_equal(row->total_error_ns, 17742); /* 12,545.3 times the root of 2, rounded up */
}

/* Before EP_FORMAT_SAMPLING the field was the number of calls that count EP_SAMPLE_WEIGHT times. */
TEST(older_image_has_estimates_without_an_interval)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_IDENTITY].identity.version = EP_FORMAT_SAMPLING - 1;
    parts.brief_site->is_sampled = 1;
    for (int i = 0; i < 10 + 2 * EP_SAMPLE_WEIGHT; i++)
        fake_visit(parts.brief, 12, 12);
    parts.brief->sampling = 2;
    fake_visit(parts.outer, 5000, 1);
    const struct eprof_row *row = fake_row(fake_take(RAW), "outer;brief");
    assert_int_equal(row->calls, 138);
    assert_int_equal(row->timed, 12);
    assert_int_equal(row->estimated, 1);
    assert_int_equal(row->total_ns, 138 * 12);
    assert_int_equal(row->total_error_ns, EPROF_UNKNOWN);
}

/* ---- open calls ---- */

TEST(function_that_is_open_around_samples_has_its_time_so_far)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_sampled(parts.brief, 100);
    fake_frame(parts.thread, parts.root, EP_SCOPE_VOID, 0);
    struct ep_open_scope_cell *entry =
        fake_frame(parts.thread, parts.outer, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 5000);
    entry->child_ticks = parts.brief->stats.total_ticks;
    struct eprof_snapshot *snapshot =
        fake_take_at((struct ep_present){.is_live = true, .now_ticks = 5000 + OWN + ticks}, MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    assert_int_equal(outer->open, 1);
    assert_int_equal(outer->total_ns, OWN + 6400 * CALL);
    assert_int_equal(outer->self_ns, OWN);
}

/* The process was killed: only the time of the calls that ended inside is known. */
TEST(function_open_at_the_end_has_the_time_of_calls_that_ended_inside)
{
    struct parts parts = make_parts();
    struct ep_node_cell *inner =
        fake_node(parts.thread, parts.outer, fake_function(parts.outer_site->module, 7)->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    call_sampled(brief, 100);
    fake_frame(parts.thread, parts.root, EP_SCOPE_VOID, 0);
    fake_frame(parts.thread, parts.outer, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 5000);
    fake_frame(parts.thread, inner, EP_SCOPE_TIMED | EP_SCOPE_FUNCTION, 6000);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    for (int row = 0; row < 3; row++)
        assert_int_equal(snapshot->rows[row].total_ns, 6400 * CALL);
    for (int row = 0; row < 2; row++) {
        assert_int_equal(snapshot->rows[row].open, 1);
        assert_int_equal(snapshot->rows[row].self_ns, 0);
    }
}

/* ---- values that do not count ---- */

TEST(negative_time_without_samples_is_zero)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 5000, (uint64_t)-7);
    call_timed(parts.brief, 1);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* In a hold this field is used as a link. */
TEST(link_of_a_hold_is_not_read_as_sampling)
{
    struct parts parts = make_parts();
    struct ep_node_cell *hold = fake_node(parts.thread, parts.outer, EP_SITE_HOLD);
    struct ep_node_cell *scratch = fake_node(parts.thread, hold, parts.brief_site->number);
    hold->level = scratch->level = 1;
    scratch->next_touched = hold->next_touched = fake_ref(scratch);
    fake_visit(parts.outer, 500, (uint64_t)-7);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* ---- marks ---- */

TEST(sampled_regions_are_marked_and_counted)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 1));
    struct ep_thread_cell *second = fake_thread(1, NULL);
    fake_visit(fake_node(second, fake_root(second), parts.brief_site->number), 10, 10);
    const struct ep_snapshot_options options[2] = {MERGED, BY_THREADS};
    for (int i = 0; i < 2; i++) {
        struct eprof_snapshot *snapshot = fake_take(options[i]);
        assert_int_equal(snapshot->sampled_count, 1);
        for (size_t row = 0; row < snapshot->diagnostic_first; row++)
            assert_int_equal(snapshot->positions[row].mark.is_sampled,
                             snapshot->rows[row].calls == WEIGHT);
        for (size_t top = 0; top < snapshot->top_count; top++)
            assert_int_equal(snapshot->top_marks[top].is_sampled,
                             strcmp(snapshot->tops[top].name, "brief") == 0);
    }
}

TEST(function_without_calls_is_not_counted)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 50, 50);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->sampled_count, 0);
}

TEST(scope_that_was_timed_at_each_call_is_not_sampled)
{
    struct parts parts = make_parts();
    call_timed(parts.brief, 1);
    fake_sampling(parts.brief);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(snapshot->sampled_count, 0);
    assert_false(snapshot->positions[1].mark.is_sampled);
}

/* Only the scope right around an estimate has a self time that it was subtracted from; a focus sums
 * the marks up again. */
TEST(self_time_with_an_estimate_inside_is_marked)
{
    struct parts parts = make_parts();
    struct ep_site_cell *inner_site = fake_function(parts.outer_site->module, 0x30);
    fake_name(inner_site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.outer, inner_site->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    end_around(inner, brief, call_sampled(brief, 100));
    end_around(parts.outer, inner, inner->stats.total_ticks + AROUND);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    for (int is_focused = 0; is_focused < 2; is_focused++) {
        for (size_t row = 0; row < snapshot->diagnostic_first; row++)
            assert_int_equal(snapshot->positions[row].mark.is_self_rest,
                             strcmp(snapshot->rows[row].name, "inner") == 0);
        for (size_t top = 0; top < snapshot->top_count; top++)
            assert_int_equal(snapshot->top_marks[top].is_self_rest,
                             strcmp(snapshot->tops[top].name, "inner") == 0);
        if (!is_focused)
            assert_return_code(ep_focus_on(snapshot, "outer;inner"), errno);
    }
}

/* ---- sums for readers that keep figures over time ---- */

static const struct ep_snapshot_options with_sums = {.sums = true};

/* After `calls` calls, the sums are those of as many calls as the timed ones represent. */
static void check_sums(const struct parts *parts, uint64_t calls, uint64_t weight,
                       uint64_t total_ns)
{
    parts->brief->stats.calls = calls;
    struct eprof_snapshot *snapshot = fake_take(with_sums);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->calls, calls);
    assert_int_equal(brief->outermost, weight);
    assert_int_equal(brief->total_ns, total_ns);
    assert_int_equal(brief->self_ns, total_ns);
}

/* Estimated for all 127 calls, the first total would be 127 * 1000, and the next one 64640. */
TEST(sums_of_sampled_calls_do_not_fall)
{
    struct parts parts = make_parts();
    fake_visit(parts.outer, 1000000, 1000000);
    fake_sampling(parts.brief);
    check_sums(&parts, 40, 0, 0);
    fake_sample(parts.brief, 1000 + INSIDE, WEIGHT);
    check_sums(&parts, 50, 64, 64000);
    check_sums(&parts, 127, 64, 64000);
    fake_sample(parts.brief, CALL + INSIDE, WEIGHT);
    check_sums(&parts, 128, 128, 64000 + 640);
    parts.brief->stats.calls = 127;
    assert_int_equal(fake_row(fake_take(MERGED), "outer;brief")->total_ns, 64640 * 127 / 128);
}

static void check_cpu(struct ep_snapshot_options options, uint64_t cpu_ns, uint64_t wait_ns)
{
    const struct eprof_row *brief = fake_row(fake_take(options), "outer;brief");
    assert_int_equal(brief->cpu_ns, cpu_ns);
    assert_int_equal(brief->wait_ns, wait_ns);
}

/* As the total is: of the calls that the timed ones represent, or of all. */
TEST(processor_time_of_sums_is_that_of_the_same_calls)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_CPU].cpu.is_on = 1;
    fake_visit(parts.outer, 1000000, 1000000);
    struct ep_cpu_sums *cpu = &fake_sampling(parts.brief)->cpu;
    fake_sample(parts.brief, 1000 + INSIDE, WEIGHT);
    *cpu = (struct ep_cpu_sums){.cpu_ns = (400 + INSIDE) * WEIGHT, .weight = WEIGHT};
    parts.brief->stats.calls = 96;
    check_cpu(with_sums, 400 * WEIGHT, 600 * WEIGHT);
    check_cpu(MERGED, 400 * 96, 600 * 96);
    cpu->weight = WEIGHT - 1;
    check_cpu(with_sums, EPROF_UNKNOWN, EPROF_UNKNOWN);
}

TEST_EACH(fake_begin, fake_end)
