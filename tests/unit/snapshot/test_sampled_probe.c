/*
 * The cost of the probe in sampled calls and in the functions around them, and the estimates that
 * fit into the time of these functions
 */
#include "sampled.h"

#include "image/check.h"
#include "snapshot/making.h"

TEST(estimates_and_their_parents_exclude_the_probe)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    assert_true(parts.outer->self_ticks >> 63); /* more was subtracted from it than it took */
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->calls, 6400);
    assert_int_equal(brief->total_ns, 6400 * CALL);
    assert_int_equal(brief->self_ns, 6400 * CALL);
    assert_int_equal(brief->mean_ns, CALL);
    assert_int_equal(outer->total_ns, OWN + 6400 * CALL);
    assert_int_equal(outer->self_ns, OWN);
}

TEST(rows_of_estimates_are_marked)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *outer = fake_row(snapshot, "outer");
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->estimated, 1);
    assert_int_equal(brief->timed, 100);
    assert_int_equal(brief->mean_error_ns, 0); /* each took as long */
    assert_int_equal(brief->total_error_ns, 0);
    assert_int_equal(brief->outermost, 6400);
    assert_int_equal(outer->estimated, 0);
    assert_int_equal(outer->mean_error_ns, 0);
    assert_int_equal(outer->total_error_ns, 0);
    size_t estimates = 0;
    for (size_t i = 0; i < snapshot->top_count; i++)
        estimates += snapshot->tops[i].estimated;
    assert_int_equal(estimates, 1);
}

TEST(calls_from_before_the_blocks_grew_have_their_probes)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_timed(parts.brief, 600);
    end_around(parts.outer, parts.brief, ticks + call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 7000 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 7000 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
}

/* The functions further out contain as many probes as the function right around it. */
TEST(functions_further_out_have_the_same_probes)
{
    struct parts parts = make_parts();
    ep_ref module = parts.outer_site->module;
    struct ep_site_cell *inner_site = fake_function(module, 0x30);
    fake_name(inner_site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.outer, inner_site->number);
    struct ep_node_cell *brief = fake_node(parts.thread, inner, parts.brief_site->number);
    end_around(inner, brief, call_sampled(brief, 100));
    end_around(parts.outer, inner, inner->stats.total_ticks + AROUND);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;inner")->total_ns, OWN + 6400 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 2 * OWN + 6400 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
}

TEST(timed_and_untimed_nested_calls_have_their_own_costs)
{
    struct parts parts = make_parts();
    uint64_t ticks = call_sampled(parts.brief, 100);
    parts.brief->stats.calls += 640;
    parts.brief->stats.nested += 640;
    fake_sampling(parts.brief)->timed_nested = 10; /* each of which costs 1 tick */
    end_around(parts.outer, parts.brief, ticks + 10 + untimed_ticks(630));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 6400 * CALL);
}

/* Two children are estimated at CALL ticks a call, and took half of that; the time of the third one
 * is known. */
TEST(estimates_fit_into_the_time_measured_around_them)
{
    enum { ACTUAL = CALL / 2, EXACT = 50 };
    struct parts parts = make_parts();
    ep_ref module = parts.outer_site->module;
    struct ep_site_cell *sites[] = {fake_function(module, 0x30), fake_function(module, 0x40)};
    fake_name(sites[0], "longer", EP_NAMING_WHOLE);
    fake_name(sites[1], "exact", EP_NAMING_WHOLE);
    struct ep_node_cell *longer = fake_node(parts.thread, parts.outer, sites[0]->number);
    struct ep_node_cell *exact = fake_node(parts.thread, parts.outer, sites[1]->number);
    call_sampled(parts.brief, 100);
    call_sampled(longer, 50);
    uint64_t estimates = parts.brief->stats.total_ticks + longer->stats.total_ticks;
    uint64_t exact_ticks = call_timed(exact, EXACT);
    uint64_t measured = INSIDE + 9600 * ACTUAL + 150 * (INSIDE + AROUND) +
                        untimed_ticks(150 * UNTIMED) + exact_ticks;
    fake_visit(parts.outer, measured, measured - estimates - exact->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 9600 * ACTUAL + EXACT * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;brief")->self_ns, 6400 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;brief")->mean_ns, ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;longer")->total_ns, 3200 * ACTUAL);
    assert_int_equal(fake_row(snapshot, "outer;exact")->total_ns, EXACT * CALL);
}

/* It represents 64 calls, and all calls together took less time than that. */
TEST(long_call_that_was_drawn_does_not_change_the_usual_call)
{
    enum { LONG = 1000000, ACTUAL = 10 * CALL };
    struct parts parts = make_parts();
    call_sampled(parts.brief, 99);
    fake_sample(parts.brief, INSIDE + LONG, WEIGHT);
    uint64_t measured =
        INSIDE + LONG + 6400 * ACTUAL + 100 * (INSIDE + AROUND) + untimed_ticks(100 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, LONG + 6400 * ACTUAL);
    assert_int_equal(brief->total_ns, LONG + 6400 * ACTUAL);
    assert_int_equal(brief->mean_ns, (LONG + 6400 * ACTUAL) / 6400);
    assert_in_range(brief->p50_ns, CALL / 2, CALL);
    assert_in_range(brief->max_ns, LONG - CALL, LONG);
}

/* Calls of 120 ticks inside calls of 100: both estimates have the same variance, so each gets half
 * of the difference. The times of the timed calls stay. */
TEST(estimate_is_raised_to_the_estimate_inside_it)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_SAMPLED_PROBE].sampled_probe = (struct ep_sampled_probe_cell){.period = 0};
    struct ep_site_cell *site = fake_function(parts.outer_site->module, 0x30);
    fake_name(site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.brief, site->number);
    for (int i = 0; i < 100; i++) {
        fake_sample(parts.brief, i % 2 ? 110 : 90, WEIGHT);
        fake_sample(inner, i % 2 ? 130 : 110, WEIGHT);
    }
    parts.brief->self_ticks -= inner->stats.total_ticks;
    fake_visit(parts.outer, 10000000, 10000000 - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
    assert_int_equal(brief->total_ns, 6400 * 110);
    assert_int_equal(brief->self_ns, 0);
    assert_int_equal(brief->max_ns, 110);
    assert_int_equal(fake_row(snapshot, "outer;brief;inner")->total_ns, 6400 * 110);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 10000000 - 6400 * 110);
}

/* Half of the calls were made inside a call that began before a reset: it is not in the total of
 * the function around, and their time was not subtracted from its self time. */
TEST(estimates_outside_the_time_measured_around_them_stay)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 100);
    uint64_t measured =
        INSIDE + OWN + 3200 * CALL + 50 * (INSIDE + AROUND) + untimed_ticks(50 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks / 2);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * CALL);
}

/* A call that was timed each time is inside an estimate that is too long. */
TEST(time_measured_inside_an_estimate_stays)
{
    enum { EXACT = 3000 };
    struct parts parts = make_parts();
    struct ep_site_cell *site = fake_function(parts.outer_site->module, 0x30);
    fake_name(site, "inner", EP_NAMING_WHOLE);
    struct ep_node_cell *inner = fake_node(parts.thread, parts.brief, site->number);
    call_sampled(parts.brief, 100);
    call_timed(inner, EXACT);
    parts.brief->self_ticks -= inner->stats.total_ticks;
    uint64_t measured =
        INSIDE + EXACT * CALL + (EXACT + 100) * (INSIDE + AROUND) + untimed_ticks(100 * UNTIMED);
    fake_visit(parts.outer, measured, measured - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief;inner")->total_ns, EXACT * CALL);
    assert_in_range(fake_row(snapshot, "outer;brief")->total_ns, EXACT * CALL, 6400 * CALL - 1);
}

/* Of 100 calls, the samples represent 64, or for 128: their figures are scaled to all 100. */
TEST(estimates_are_of_as_many_calls_as_there_were)
{
    for (int samples = 1; samples <= 2; samples++) {
        struct parts parts = make_parts();
        call_sampled(parts.brief, samples);
        parts.brief->stats.calls = 100;
        uint64_t probes = (uint64_t)samples * (INSIDE + AROUND);
        end_around(parts.outer, parts.brief, 100 * CALL + probes + untimed_ticks(100 - samples));
        struct eprof_snapshot *snapshot = fake_take(MERGED);
        const struct eprof_row *brief = fake_row(snapshot, "outer;brief");
        assert_int_equal(brief->calls, 100);
        assert_int_equal(brief->total_ns, 100 * CALL);
        assert_int_equal(brief->self_ns, 100 * CALL);
        assert_int_equal(brief->mean_ns, CALL);
        assert_int_equal(brief->stddev_ns, 0);
        assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 100 * CALL);
        assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
        fake_end(NULL);
        fake_begin(NULL);
    }
}

/* As for a thread that has just begun: none of its calls was timed, and none has the cost of a
 * timed call. */
TEST(calls_without_a_sample_have_no_time)
{
    struct parts parts = make_parts();
    fake_sampling(parts.brief);
    parts.brief->stats.calls = 40;
    end_around(parts.outer, parts.brief, 40 * CALL + untimed_ticks(40));
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->calls, 40);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 0);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 40 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN + 40 * CALL);
}

/* In a sum the figures were corrected when it was added up. */
TEST(figures_of_a_sum_are_not_corrected)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 1);
    fake_sampling(parts.brief)->variance = (struct ep_wide){10000, 0};
    parts.brief->stats.calls = 100;
    parts.brief->owed_ticks = parts.outer->owed_ticks = parts.root->owed_ticks = 1;
    fake_visit(parts.outer, 5000, 77);
    struct eprof_snapshot *snapshot = fake_take(RAW);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 64 * (CALL + INSIDE));
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_error_ns, 196);
    assert_int_equal(fake_row(snapshot, "outer;brief")->mean_error_ns, 2);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 77);
}

/* The figures of an image may be wrong. */
TEST(there_are_no_more_probes_than_calls)
{
    struct parts parts = make_parts();
    fake_visit(parts.brief, CALL + INSIDE, CALL + INSIDE);
    parts.brief->stats.calls = 2;
    struct ep_sampling_cells *cells = fake_sampling(parts.brief);
    cells->timed = cells->sampled = 3;
    cells->weight = cells->sampled_weight = 1;
    fake_visit(parts.outer, 5000, 1);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 5000 - INSIDE - 2 * (INSIDE + AROUND));
}

TEST(estimate_does_not_change_the_time_around_it)
{
    struct parts parts = make_parts();
    call_sampled(parts.brief, 100);
    uint64_t probes = 100 * (INSIDE + AROUND) + untimed_ticks(100 * UNTIMED);
    end_around(parts.outer, parts.brief, probes); /* by chance there was no other time */
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0);
}

/* The readings of the samples are shorter than the cost of a reading. */
TEST(own_time_is_no_more_than_all_time)
{
    struct parts parts = make_parts();
    for (int i = 0; i < 100; i++)
        fake_sample(parts.brief, 1, WEIGHT);
    fake_visit(parts.outer, 6000, (uint64_t)6000 - 6400);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns,
                     6000 - INSIDE - 100 * (INSIDE + AROUND) - untimed_ticks(100 * UNTIMED));
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, fake_row(snapshot, "outer")->total_ns);
}

TEST(raw_figures_are_as_measured)
{
    struct parts parts = make_parts();
    end_around(parts.outer, parts.brief, call_sampled(parts.brief, 100));
    struct eprof_snapshot *snapshot = fake_take(RAW);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 6400 * (CALL + INSIDE));
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, parts.outer->stats.total_ticks);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, 0); /* it came out below zero */
}

/* Scopes have another probe, with its own cost. */
TEST(probes_of_scopes_and_functions_cost_differently)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){.is_known = 1,
                                                             .scope_inside_milliticks = 70000,
                                                             .scope_pair_milliticks = 100000,
                                                             .nested_pair_milliticks = 50000};
    struct ep_node_cell *scope = fake_node(parts.thread, parts.outer, fake_site("a.c", 1, "scope"));
    fake_visit(scope, 1000, 1000);
    fake_visit_nested(scope, 0);
    uint64_t ticks = call_sampled(parts.brief, 2) + 1000 + 30;
    fake_visit(parts.outer, INSIDE + OWN + ticks,
               INSIDE + OWN + ticks - 1000 - parts.brief->stats.total_ticks);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer;scope")->total_ns, 1000 - 70 - 50);
    assert_int_equal(fake_row(snapshot, "outer;scope")->mean_ns, 1000 - 70 - 50);
    assert_int_equal(fake_row(snapshot, "outer;brief")->total_ns, 128 * CALL);
    assert_int_equal(fake_row(snapshot, "outer")->self_ns, OWN);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, OWN + 128 * CALL + 1000 - 70 - 50);
}

/* As in an image of a program whose library did not measure the cost for functions. */
TEST(unknown_cost_of_functions_is_that_of_scopes)
{
    struct parts parts = make_parts();
    fake.cells[EP_CELL_FUNCTION_PROBE].function_probe.is_known = 0;
    fake.cells[EP_CELL_PROBE].probe = (struct ep_probe_cell){
        .is_known = 1, .scope_inside_milliticks = 7000, .scope_pair_milliticks = 10000};
    fake_visit(parts.outer, 1000, 1000);
    struct eprof_snapshot *snapshot = fake_take(MERGED);
    assert_int_equal(fake_row(snapshot, "outer")->total_ns, 1000 - 7);
    assert_int_equal(snapshot->conversion.costs[EP_PROBE_FUNCTION].untimed_milliticks, 3000);
}

TEST(costs_of_functions_are_bounded)
{
    make_parts();
    struct ep_function_probe_cell *probe = &fake.cells[EP_CELL_FUNCTION_PROBE].function_probe;
    uint64_t *const costs[] = {&probe->inside_milliticks, &probe->pair_milliticks,
                               &probe->nested_pair_milliticks, &probe->untimed_pair_milliticks};
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        uint64_t right = *costs[i];
        int error;
        *costs[i] = EP_PROBE_MOST_MILLITICKS;
        assert_null(ep_image_check(&fake, &error));
        ++*costs[i];
        assert_string_equal(ep_image_check(&fake, &error),
                            "damaged: a cost of a function's probe that cannot be");
        *costs[i] = right;
    }
}

TEST_EACH(fake_begin, fake_end)
